//! The words of names and texts: split, stemmed, and beside others that mean the same.

/// Groups of stems that mean the same of a tool.
const SYNONYMS: &[&[&str]] = &[
    &["creat", "add", "new", "mak", "open", "insert", "regist", "generat"],
    &["delet", "remov", "drop", "destroy", "eras", "clear", "purg"],
    &["get", "fetch", "read", "show", "retriev", "view", "load", "display", "describ"],
    &["list", "enumerat", "all", "brows"],
    &["search", "find", "query", "lookup", "look", "grep", "locat"],
    &["updat", "edit", "modify", "chang", "set", "patch", "alter"],
    &["send", "post", "publish", "submit", "emit"],
    &["run", "execut", "start", "launch", "invok", "trigg", "call"],
    &["stop", "cancel", "abort", "kill", "end", "terminat"],
    &["mov", "renam", "transf"],
    &["copy", "duplicat", "clon"],
    &["writ", "sav", "stor", "put"],
    &["directory", "fold", "dir"],
    &["file", "document", "doc"],
    &["repository", "repo"],
    &["pull", "pr"],
    &["issu", "ticket", "bug"],
    &["messag", "msg", "chat"],
    &["mail", "email"],
    &["databas", "db", "sql"],
    &["tabl", "schema"],
    &["imag", "pictur", "photo", "screenshot"],
    &["websit", "webpag", "pag", "url", "web"],
    &["us", "memb", "person", "peopl"],
    &["time", "date", "clock"],
    &["test", "check", "verify", "validat"],
    &["build", "compil", "bundl"],
    &["lint", "styl", "format"],
    &["depend", "packag", "modul"],
    &["comment", "reply", "not"],
    &["branch", "ref"],
    &["commit", "revision"],
    &["diff", "compar", "differenc"],
    &["click", "press", "tap"],
    &["navigat", "visit", "goto"],
];

/// The words of an identifier or a sentence, in small letters: `createIssue`, `create_issue` and `create issue` are two.
pub(super) fn split(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        let begins = before.is_some_and(|before| {
            let of_case = letter.is_uppercase()
                && (before.is_lowercase() || after.is_some_and(|next| next.is_lowercase()));
            let of_digits = before.is_alphanumeric() && before.is_numeric() != letter.is_numeric();
            of_case || of_digits
        });
        if begins {
            words.push(std::mem::take(&mut word));
        }
        word.extend(letter.to_lowercase());
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// A word without its ending: `issues`, `creating` and `created` become `issu`, `creat` and `creat`.
pub(super) fn stem(word: &str) -> String {
    const ENDINGS: &[&str] =
        &["ations", "ation", "ings", "ing", "ies", "ied", "ers", "ed", "es", "er", "e", "s"];
    for ending in ENDINGS {
        if let Some(front) = word.strip_suffix(ending)
            && front.chars().count() >= 3
        {
            let front = if ending.starts_with("ie") { format!("{front}y") } else { front.to_owned() };
            return front;
        }
    }
    word.to_owned()
}

/// The other stems that mean the same.
pub(super) fn synonyms(stem: &str) -> impl Iterator<Item = &'static str> {
    let groups = SYNONYMS.iter().filter(move |group| group.contains(&stem));
    let own = stem.to_owned();
    groups.flat_map(|group| group.iter().copied()).filter(move |other| *other != own)
}

/// How many letters are to be changed, added, taken away or swapped; more than `most` counts as one more.
pub(super) fn distance(one: &str, other: &str, most: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_sentences_have_the_same_words() {
        for (text, expected) in [
            ("createIssue", vec!["create", "issue"]),
            ("create_pull-request", vec!["create", "pull", "request"]),
            ("getHTTPResponse2xx", vec!["get", "http", "response", "2", "xx"]),
            ("A sentence, with words.", vec!["a", "sentence", "with", "words"]),
            ("日本 Café", vec!["日本", "café"]),
            ("", vec![]),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in
            [("issues", "issue"), ("creating", "created"), ("queries", "query"), ("file", "files")]
        {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        assert_eq!(stem("pr"), "pr");
    }

    #[test]
    fn slips_are_counted() {
        for (one, other, expected) in [
            ("issue", "isue", 1),
            ("create", "craete", 1),
            ("list", "lost", 1),
            ("a", "abcd", 3),
            ("", "", 0),
        ] {
            assert_eq!(distance(one, other, 2), expected, "{one} {other}");
        }
    }
}
