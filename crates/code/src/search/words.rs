//! The words of names and texts: split and stemmed.

/// The words of an identifier or a sentence, in small letters: `createIssue`, `create_issue` and `create issue` are two.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each(text, |word| words.push(word.to_owned()));
    words
}

/// Hands over each word of an identifier or a sentence.
pub(super) fn each(text: &str, mut hand: impl FnMut(&str)) {
    let mut word = String::new();
    let mut before: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let begins = before.is_some_and(|before| {
            let of_case = letter.is_uppercase()
                && (before.is_lowercase() || letters.peek().is_some_and(|next| next.is_lowercase()));
            of_case || before.is_numeric() != letter.is_numeric()
        });
        let is_part = letter.is_alphanumeric();
        if !word.is_empty() && (begins || !is_part) {
            hand(&word);
            word.clear();
        }
        before = is_part.then_some(letter);
        match letter {
            _ if letter.is_ascii() && is_part => word.push(letter.to_ascii_lowercase()),
            _ if is_part => word.extend(letter.to_lowercase()),
            _ => {}
        }
    }
    if !word.is_empty() {
        hand(&word);
    }
}

/// An ending, the least that must be left of a word, and the replacement.
const ENDINGS: &[(&str, usize, &str)] = &[
    ("ied", 3, "y"),
    ("ment", 5, ""),
    ("tion", 3, "t"),
    ("sion", 3, "s"),
    ("ing", 3, ""),
    ("ed", 3, ""),
    ("er", 4, ""),
    ("al", 5, ""),
    ("e", 3, ""),
];

/// A word without its ending: `issues`, `creation` and `stopped` become `issu`, `creat` and `stop`.
pub(super) fn stem(word: &str) -> String {
    let singular = match word {
        _ if word.len() < 4 || !word.is_ascii() => return word.to_owned(),
        _ if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ if ["sses", "xes", "ches", "shes", "zes"].iter().any(|ending| word.ends_with(ending)) => {
            word[..word.len() - 2].to_owned()
        }
        _ if word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) => {
            word[..word.len() - 1].to_owned()
        }
        _ => word.to_owned(),
    };
    let shorter = ENDINGS.iter().find_map(|(ending, least, instead)| {
        let front = singular.strip_suffix(ending)?;
        let is_word = front.len() >= *least && front.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        is_word.then(|| format!("{front}{instead}"))
    });
    let mut stem = shorter.unwrap_or(singular);
    stem.truncate(stem.strip_suffix('e').filter(|front| front.len() >= 3).map_or(stem.len(), str::len));
    // `stopped` is `stop`, and so that both have one stem, `install` is `instal`.
    let mut last = stem.bytes().rev();
    if let (Some(one), Some(other)) = (last.next(), last.next())
        && stem.len() > 3
        && one == other
        && one.is_ascii_alphabetic()
    {
        stem.pop();
    }
    stem
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
        for (one, other) in [
            ("issues", "issue"),
            ("creating", "created"),
            ("queries", "query"),
            ("file", "files"),
            ("migration", "migrate"),
            ("stopped", "stop"),
            ("installed", "install"),
            ("boxes", "box"),
            ("deployment", "deploys"),
            ("creation", "create"),
            ("stopping", "stops"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        for (one, other) in [("comment", "come"), ("user", "use"), ("status", "state")] {
            assert_ne!(stem(one), stem(other), "{one} {other}");
        }
        assert_eq!(stem("pr"), "pr");
    }
}
