//! The names that servers, tools and types have in programs. A collision is never silent: all that would share a name
//! get the hash of their own.

use std::collections::{HashMap, HashSet};

use oxc_syntax::identifier::is_identifier_name;
use oxc_syntax::keyword::is_reserved_keyword;

/// Words that mean something else wherever they stand, beside those that the language reserves. A promise that resolves to
/// an object with a `then` waits for that.
const TAKEN: [&str; 5] = ["arguments", "async", "eval", "then", "undefined"];

/// The names as words of JavaScript, in the same order; nothing for one that was there before. Where several would have
/// the same word, each gets the hash of its name.
pub(super) fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Option<String>> {
    let names: Vec<&str> = names.collect();
    let mut seen = HashSet::new();
    let words: Vec<Option<String>> =
        names.iter().map(|name| seen.insert(*name).then(|| camel_case(name))).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in words.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let own = |(name, word): (&&str, &Option<String>)| {
        let word = word.as_ref()?;
        Some(if counts[word.as_str()] > 1 { format!("{word}_{}", hash(name)) } else { word.clone() })
    };
    names.iter().zip(&words).map(own).collect()
}

/// `create_issue`, `create-issue` and `CreateIssue` become `createIssue`, which stays as it is.
pub(super) fn camel_case(name: &str) -> String {
    let shouts = !name.contains(char::is_lowercase) && name.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let name_or_lower = if shouts { name.to_lowercase() } else { name.to_owned() };
    let mut words = name_or_lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut word = words.next().map(uncapitalised).unwrap_or_default();
    words.for_each(|next| word.push_str(&capitalised(next)));
    if word.starts_with(|first: char| first.is_numeric()) {
        word.insert(0, '_');
    }
    if !is_identifier_name(&word) {
        // Letters of other alphabets are letters; what is left is none.
        return format!("tool_{}", hash(name));
    }
    if is_reserved_keyword(&word) || TAKEN.contains(&word.as_str()) {
        word.push('_');
    }
    word
}

/// The name of a type: `CreateIssue` for the function `createIssue`.
pub(super) fn pascal_case(function: &str) -> String {
    capitalised(function)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `getURL` for `GetURL`, `urlOf` for `URLOf`, `api` for `API`.
fn uncapitalised(word: &str) -> String {
    let upper = word.chars().take_while(|c| c.is_uppercase()).count();
    let all = word.chars().count();
    // The last of several capitals begins the next word.
    let lowered = if upper > 1 && upper < all { upper - 1 } else { upper };
    let lower = word.chars().take(lowered).flat_map(char::to_lowercase);
    lower.chain(word.chars().skip(lowered)).collect()
}

fn hash(name: &str) -> String {
    blake3::hash(name.as_bytes()).to_hex()[..8].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_and_separators_are_not() {
        for (name, expected) in [
            ("createIssue", "createIssue"),
            ("create_issue", "createIssue"),
            ("create-issue", "createIssue"),
            ("CreateIssue", "createIssue"),
            ("githubSearchCode", "githubSearchCode"),
            ("admin.tools.list", "adminToolsList"),
            ("npm_test__unit", "npmTestUnit"),
            ("get_URL", "getURL"),
            ("URLFetch", "urlFetch"),
            ("API", "api"),
            ("UPPER_CASE_NAME", "upperCaseName"),
            ("x", "x"),
            ("2fa", "_2fa"),
            ("delete", "delete_"),
            ("then", "then_"),
            ("default", "default_"),
            ("日本", "日本"),
            ("éclair-au-café", "éclairAuCafé"),
            ("🚀", "tool_e6d4dd99"),
            ("", "tool_af1349b9"),
            ("__proto__", "proto"),
        ] {
            assert_eq!(camel_case(name), expected, "{name}");
        }
        assert_eq!(pascal_case("createIssue"), "CreateIssue");
    }

    #[test]
    fn names_that_would_be_one_get_their_own_hash() {
        let names = ["read_file", "read-file", "readFile", "write", "read_file"];
        let found = distinct(names.into_iter());
        let found: Vec<&str> = found.iter().map(|name| name.as_deref().unwrap_or("-")).collect();
        assert_eq!(found, ["readFile_f59a7753", "readFile_1977bab8", "readFile_c7859612", "write", "-"]);
        // Another tool changes nothing about the names of these.
        assert_eq!(
            distinct(["write", "read_file", "read-file"].into_iter())[1].as_deref(),
            Some("readFile_f59a7753")
        );
    }
}
