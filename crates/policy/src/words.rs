//! The words of a call, judged by the settings.

use super::refusal::Refusal;
use crate::model::{AllowedWords, Limits, shown};

/// Refuses words of a call that the settings do not allow. Behind a tool `NAME=value` may be a variable as well.
pub(super) fn judge(words: &[&str], limits: &Limits) -> Result<(), Refusal> {
    let mut brought = words.iter();
    let (refused, why, help) = match limits.words {
        Some(AllowedWords::None) => (
            brought.next(),
            "is one word too many: the settings say `words: none` for this tool",
            "call it without arguments",
        ),
        Some(AllowedWords::Values) => (
            brought.find(|word| is_flag(word)),
            "is no value: the settings say `words: values` for this tool",
            "leave out words that begin with `-` and words of the form NAME=value",
        ),
        Some(AllowedWords::Flags) | None => (
            brought.find(|word| {
                let name = assignment(word).map(|(name, _)| name);
                name.zip(limits.env.as_ref())
                    .is_some_and(|(name, allowed)| !allowed.iter().any(|one| one == name))
            }),
            "sets a variable that the settings do not allow: `env` names the others",
            "leave it out",
        ),
    };
    refused.map_or(Ok(()), |word| Err(Refusal::new(format!("\"{}\" {why}", shown(word)), help)))
}

/// Whether a word is an option, or sets a variable.
pub(super) fn is_flag(word: &str) -> bool {
    word.starts_with('-') || assignment(word).is_some()
}

/// The two sides of `NAME=value`, in each way that a shell or make writes it: `A := b`, `export A=b`.
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.trim_end_matches([' ', '\t', ':', '+', '?', '!']);
    let name = name.rsplit([' ', '\t']).next().unwrap_or(name);
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '.')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_narrow_the_words() {
        let said = |allowed, words: &[&str]| {
            let limits = Limits { words: Some(allowed), ..Limits::default() };
            judge(words, &limits).err().map(|refusal| refusal.message)
        };
        for (allowed, words, refused) in [
            (AllowedWords::Flags, &["-x", "A=b", "c"] as &[&str], None),
            (AllowedWords::Values, &["src/a.ts", "b c", "", "a=b c"], Some("a=b c")),
            (AllowedWords::Values, &["src/a.ts", "b c", "", "1=2", "x/y=z"], None),
            (AllowedWords::Values, &["a", "-x"], Some("-x")),
            (AllowedWords::Values, &["a", "--"], Some("--")),
            (AllowedWords::Values, &["SHELL=/x"], Some("SHELL=/x")),
            (AllowedWords::Values, &[".SHELLFLAGS=-xc"], Some(".SHELLFLAGS=-xc")),
            (AllowedWords::Values, &["A:=b"], Some("A:=b")),
            (AllowedWords::Values, &["A::=b"], Some("A::=b")),
            (AllowedWords::Values, &["A:::=b"], Some("A:::=b")),
            (AllowedWords::Values, &["A?=b"], Some("A?=b")),
            (AllowedWords::Values, &["A+=b"], Some("A+=b")),
            (AllowedWords::Values, &["A!=b"], Some("A!=b")),
            (AllowedWords::Values, &["A = b"], Some("A = b")),
            (AllowedWords::Values, &["A  :=b"], Some("A  :=b")),
            (AllowedWords::Values, &["export A=b"], Some("export A=b")),
            (AllowedWords::Values, &["é=b"], Some("é=b")),
            (AllowedWords::None, &[], None),
            (AllowedWords::None, &["a"], Some("a")),
        ] {
            let message = said(allowed, words);
            assert_eq!(message.is_some(), refused.is_some(), "{words:?}: {message:?}");
            assert!(message.is_none_or(|message| message.starts_with(&format!("{:?}", refused.unwrap()))));
        }
    }
}
