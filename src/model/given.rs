//! What a call brings, and a tool's text with that in it: what a tool does is often said by its caller alone.

use std::collections::HashMap;

use super::{Command, Origin};

/// How deep variables are followed that stand for others.
const DEEPEST: usize = 8;
/// The longest text that is made, in bytes.
const LONGEST: usize = 1024 * 1024;
/// So many references are followed in one text.
const MOST_REFERENCES: usize = 100_000;
/// So many words may be taken away one by one before the next is meant.
const MOST_TAKEN: usize = 8;

/// What a call brings to a command.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Given {
    /// Its words, but for those that set variables.
    pub words: Vec<String>,
    /// The variables that it sets, and their values.
    pub values: Vec<(String, String)>,
}

impl Given {
    /// What the call has brought to a command that was planned for it.
    pub fn of(command: &Command) -> Self {
        let brought = command.environment.iter().filter(|change| change.origin == Origin::Call);
        let values: Vec<_> = brought.map(|change| (change.name.clone(), change.value.clone())).collect();
        let sets = |word: &str| {
            word.split_once('=')
                .is_some_and(|(name, value)| values.iter().any(|own| (&*own.0, &*own.1) == (name, value)))
        };
        let words = command.arguments.iter().filter(|word| word.origin == Origin::Call && !sets(&word.text));
        Self { words: words.map(|word| word.text.clone()).collect(), values }
    }

    /// Whether the call brings nothing.
    pub fn is_nothing(&self) -> bool {
        self.words.is_empty() && self.values.is_empty()
    }

    /// A tool's text with it: variables and `$1`, `$@` are what they stand for, and the words stand behind the last command.
    pub fn in_text(&self, text: &str) -> String {
        let own = assignments(text);
        // Whoever takes words one by one may mean any of them as the first.
        let is_taken = text.contains("shift") || text.contains("for ");
        let taken = if is_taken && text.len() < LONGEST { self.words.len().min(MOST_TAKEN) } else { 0 };
        let mut out = String::new();
        for words in (0..=taken).rev().map(|from| &self.words[from..]) {
            let mut filling = Filling { values: &self.values, words, own: &own, left: MOST_REFERENCES, out };
            filling.put_in(text.trim_end(), 0);
            out = filling.out;
            for word in words {
                out.extend([" ", word]);
            }
            out.push('\n');
        }
        out
    }
}

/// A text that comes together.
struct Filling<'a> {
    values: &'a [(String, String)],
    words: &'a [String],
    /// What the text says of its variables.
    own: &'a HashMap<&'a str, String>,
    /// So many references may still be followed.
    left: usize,
    out: String,
}

impl Filling<'_> {
    fn put_in(&mut self, text: &str, depth: usize) {
        let mut rest = text;
        while let Some(at) = rest.find('$').filter(|_| self.left > 0 && self.out.len() < LONGEST) {
            self.left -= 1;
            self.out.push_str(&rest[..at]);
            rest = &rest[at..];
            let (name, length) = reference(rest).unwrap_or(("", 1));
            let given = self.values.iter().rev().find(|(set, _)| set == name);
            match (name, name.parse::<usize>(), given, self.own.get(name)) {
                ("@" | "*", ..) if !self.words.is_empty() => self.out.push_str(&self.words.join(" ")),
                (_, Ok(number), ..) if number > 0 => {
                    self.out.push_str(self.words.get(number - 1).map_or("", String::as_str));
                }
                (_, _, Some((_, value)), _) => self.out.push_str(value),
                (_, _, None, Some(value)) if depth < DEEPEST => self.put_in(value, depth + 1),
                _ => self.out.push_str(&rest[..length]),
            }
            rest = &rest[length..];
        }
        self.out.push_str(rest);
    }
}

/// The name that a text refers to which begins with `$`, and how long the reference is.
fn reference(text: &str) -> Option<(&str, usize)> {
    // Two are make's word for one.
    let doubled = usize::from(text.starts_with("$$"));
    let inner = &text[1 + doubled..];
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = |text: &'_ str| match text.chars().next()? {
        '@' | '*' => Some(1),
        first if part_of_name(first) => Some(text.find(|c| !part_of_name(c)).unwrap_or(text.len())),
        _ => None,
    };
    let (inner, close) = match inner.chars().next()? {
        '{' => (&inner[1..], Some('}')),
        '(' => (&inner[1..], Some(')')),
        _ => (inner, None),
    };
    let mut end = name(inner)?;
    let Some(close) = close else {
        if inner.starts_with(|c: char| c.is_ascii_digit()) {
            end = 1;
        }
        return Some((&inner[..end], 1 + doubled + end));
    };
    let closed = inner.find(close)?;
    // `$(git push)` is no variable.
    (close == '}' || closed == end).then(|| (&inner[..end], 1 + doubled + 1 + closed + 1))
}

/// What the variables of a shell's text stand for, all that they ever do.
fn assignments(text: &str) -> HashMap<&str, String> {
    const BEFORE: &[&str] =
        &["export", "local", "readonly", "declare", "typeset", "then", "do", "else", "{", "(", "@", "for"];
    let mut found: HashMap<&str, String> = HashMap::new();
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    for command in text.split(['\n', ';', '&', '|']) {
        let mut rest = command.trim();
        while let Some((_, behind)) =
            rest.split_once(' ').filter(|(word, _)| BEFORE.contains(word) || word.starts_with('-'))
        {
            rest = behind.trim_start();
        }
        let parts = rest.split_once('=').map(|(name, value)| (name.trim_end_matches('+'), value));
        let parts = parts.filter(|(name, _)| is_name(name)).or_else(|| rest.split_once(" in "));
        if let Some((name, value)) = parts.filter(|(name, _)| is_name(name)) {
            let values = found.entry(name).or_default();
            if values.len() + value.len() < LONGEST {
                values.extend([" ", value]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(words: &[&str], values: &[(&str, &str)]) -> Given {
        Given {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            values: values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        }
    }

    #[test]
    fn words_and_values_stand_where_the_text_takes_them() {
        for (text, expected) in [
            ("git", "git push x\n"),
            ("git \"$@\"\n", "git \"push x\" push x\n"),
            ("a $1 ${2:-y} $* $3.", "a push x push x . push x\n"),
            (
                "kubectl $(ACTION) ${ACTION} $$ACTION $ACTIONS",
                "kubectl delete delete delete $ACTIONS push x\n",
            ),
            ("cmd=$1; git $cmd", "cmd=push; git  push push x\n"),
            ("args=(\"$@\")\ngit \"${args[@]}\"", "args=(\"push x\")\ngit \" (\"push x\")\" push x\n"),
            ("echo $(git log) $ $", "echo $(git log) $ $ push x\n"),
        ] {
            assert_eq!(given(&["push", "x"], &[("ACTION", "delete")]).in_text(text), expected, "{text}");
        }
        let taken = given(&["x", "push"], &[]).in_text("shift; git \"$1\"");
        assert_eq!(taken, "shift; git \"\"\nshift; git \"push\" push\nshift; git \"x\" x push\n");
        let looped = given(&["push"], &[]).in_text("for a in \"$@\"; do git $a; done");
        assert!(looped.contains("do git  \"push\"; done push\n"), "{looped}");
    }

    #[test]
    fn what_refers_to_itself_comes_to_an_end() {
        let text = "a=$b$b$b$b$b$b$b$b\nb=$a$a$a$a$a$a$a$a\necho $a\n";
        assert!(given(&["x"], &[]).in_text(text).len() < 2 * LONGEST);
        let line = |n: usize| [format!("a{n}="), format!("$a{}", n + 1).repeat(999), "\n".to_owned()];
        let nothing = (0..8).flat_map(line).collect::<String>();
        assert!(given(&[], &[("a8", "")]).in_text(&format!("{nothing}$a0")).len() < 2 * LONGEST);
        assert!(given(&[], &[]).is_nothing());
    }
}
