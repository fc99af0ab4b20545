//! Extra arguments that come as one line: the words in it, for plugins whose program hands them to a shell.

use super::{BadCall, shown};

/// The longest `extra_args`, in bytes: no system takes much more for one program.
const LONGEST: usize = 128 * 1024;

/// Characters that join, substitute or end commands in a shell.
const DANGEROUS: &[char] = &[';', '|', '&', '`', '$', '(', ')', '\n', '\r', '\0'];

/// The words of a line, as Python's `shlex.split` finds them, once nothing in it is dangerous.
///
/// # Errors
/// As [`words_of`], and when it holds a dangerous character.
pub fn split_words(line: &str) -> Result<Vec<String>, BadCall> {
    if let Some(found) = dangerous(line) {
        return Err(BadCall::refused(format!("Dangerous character in arguments: '{found}'"))
            .help("leave out ; | & ` $ ( ) and line breaks, in quotes as well: a shell may read them"));
    }
    words_of(line)
}

/// The words of a line with any content.
///
/// The `shlex` crate treats `#` as the beginning of a comment and would lose the rest, so this is our own.
///
/// # Errors
/// When it is too long, or when a quotation is never closed.
pub fn words_of(line: &str) -> Result<Vec<String>, BadCall> {
    if line.len() > LONGEST {
        let length = line.len();
        return Err(BadCall::invalid(format!(
            "extra_args: {length} bytes are more than the {LONGEST} that may be given"
        ))
        .help("write what is so long into a file, and pass the file's name"));
    }
    // A list in the words of another language would become one wrong word.
    if ["['", "[\"", "{'", "{\""].iter().any(|start| line.trim_start().starts_with(start)) {
        return Err(BadCall::invalid(format!("extra_args: `{}` is no list in JSON", shown(line)))
            .help(r#"give the words as a list, `["--a", "b c"]`, or as one line, `--a 'b c'`"#));
    }
    let unfinished = |what: &str| {
        BadCall::invalid(format!("extra_args: no words can be made of it: {what}"))
            .help("close each quotation mark, and write a backslash as \\\\")
    };
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(first) = rest.next() {
        match first {
            ' ' | '\t' => words.extend(word.take()),
            '\\' => {
                let next = rest.next().ok_or_else(|| unfinished("No escaped character"))?;
                word.get_or_insert_default().push(next);
            }
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                if !quoted(first, &mut rest, word) {
                    return Err(unfinished("No closing quotation"));
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Takes the text behind a quotation mark up to its end; `false` if it has none.
fn quoted(mark: char, rest: &mut std::str::Chars<'_>, word: &mut String) -> bool {
    while let Some(next) = rest.next() {
        match next {
            _ if next == mark => return true,
            '\\' if mark == '"' => match rest.next() {
                Some(escaped @ ('"' | '\\')) => word.push(escaped),
                Some(plain) => word.extend(['\\', plain]),
                None => return false,
            },
            _ => word.push(next),
        }
    }
    false
}

/// The first character of a text that joins, substitutes or ends commands in a shell, as messages show it.
pub fn dangerous(text: &str) -> Option<String> {
    text.chars().find(|character| DANGEROUS.contains(character)).map(|found| match found {
        '\0' => r"\x00".to_owned(),
        _ => found.escape_debug().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BadCallKind;

    #[test]
    fn words_are_split_as_shlex_does() {
        for (line, expected) in [
            ("a  b\tc ", &["a", "b", "c"] as &[&str]),
            (r#"'a b'"c d"e\ f"#, &["a bc de f"]),
            (r#""" '' x"#, &["", "", "x"]),
            (r#""a\"b\\c\d" 'e\f'"#, &[r#"a"b\c\d"#, r"e\f"]),
            ("#12 a#b", &["#12", "a#b"]),
            ("ünï 日本", &["ünï", "日本"]),
            ("*.ts ~ {a,b} > x !", &["*.ts", "~", "{a,b}", ">", "x", "!"]),
        ] {
            assert_eq!(split_words(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn dangers_are_refused_even_in_quotes() {
        for (character, shown) in [
            (";", ";"),
            ("|", "|"),
            ("&", "&"),
            ("`", "`"),
            ("$", "$"),
            ("(", "("),
            (")", ")"),
            ("\n", r"\n"),
            ("\r", r"\r"),
            ("\0", r"\x00"),
        ] {
            for line in [character.to_owned(), format!("'{character}'"), format!("a\\{character}")] {
                let bad = split_words(&line).unwrap_err();
                assert_eq!(bad.kind, BadCallKind::Refused);
                assert_eq!(bad.message, format!("Dangerous character in arguments: '{shown}'"));
            }
        }
    }

    #[test]
    fn a_line_over_the_limit_is_invalid() {
        assert_eq!(split_words(&"x ".repeat(LONGEST / 2)).unwrap().len(), LONGEST / 2);
        let bad = split_words(&"x".repeat(LONGEST + 1)).unwrap_err();
        assert_eq!(bad.kind, BadCallKind::Invalid);
        assert_eq!(bad.message, "extra_args: 131073 bytes are more than the 131072 that may be given");
    }

    #[test]
    fn a_list_of_another_language_is_no_word() {
        for line in ["['--a', 'b c']", "{\"a\": 1}", " [\"--a\", 'b']"] {
            let bad = words_of(line).unwrap_err();
            assert_eq!(bad.kind, BadCallKind::Invalid);
            assert_eq!(bad.message, format!("extra_args: `{line}` is no list in JSON"));
        }
        assert_eq!(words_of("[a-z]*.js {a,b}").unwrap(), ["[a-z]*.js", "{a,b}"]);
    }

    #[test]
    fn an_unclosed_quotation_is_invalid() {
        for (line, expected) in [
            ("'a", "No closing quotation"),
            ("\"a", "No closing quotation"),
            ("\"a\\", "No closing quotation"),
            ("a\\", "No escaped character"),
        ] {
            let bad = split_words(line).unwrap_err();
            assert_eq!(bad.kind, BadCallKind::Invalid);
            assert_eq!(bad.message, format!("extra_args: no words can be made of it: {expected}"));
        }
    }
}
