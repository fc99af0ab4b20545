//! The words of a call, judged by the settings.

use super::refusal::Refusal;
use crate::model::{AllowedWords, Command, Origin, shown};

/// Refuses words of the call that the settings do not allow.
pub(super) fn judge(command: &Command, allowed: AllowedWords) -> Result<(), Refusal> {
    let mut brought = command.arguments.iter().filter(|word| word.origin == Origin::Call);
    let refused = match allowed {
        AllowedWords::Flags => return Ok(()),
        AllowedWords::None => brought.next(),
        AllowedWords::Values => brought.find(|word| is_flag(&word.text)),
    };
    let Some(word) = refused else { return Ok(()) };
    Err(match allowed {
        AllowedWords::None => Refusal::new(
            format!(
                "\"{}\" is one word too many: the settings say `words: none` for this tool",
                shown(&word.text)
            ),
            "call it without arguments",
        ),
        AllowedWords::Values | AllowedWords::Flags => Refusal::new(
            format!("\"{}\" is no value: the settings say `words: values` for this tool", shown(&word.text)),
            "leave out words that begin with `-` and words of the form NAME=value",
        ),
    })
}

/// Whether a word is an option, or sets a variable.
fn is_flag(word: &str) -> bool {
    word.starts_with('-') || assignment(word).is_some()
}

/// The two sides of `NAME=value`.
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    word.split_once('=').filter(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '.')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '+' | '?' | '!'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Word;

    #[test]
    fn settings_narrow_the_words() {
        let said = |allowed, words: &[&str]| {
            let command = Command::new(Word::fixed("npm"))
                .arguments(["run", "--x"].map(Word::fixed))
                .arguments(words.iter().map(|word| Word::call(*word)));
            judge(&command, allowed).err().map(|refusal| refusal.message)
        };
        for (allowed, words, refused) in [
            (AllowedWords::Flags, &["-x", "A=b", "c"] as &[&str], None),
            (AllowedWords::Values, &["src/a.ts", "b c", "", "a=b c"], Some("a=b c")),
            (AllowedWords::Values, &["src/a.ts", "b c", "", "1=2", "x/y=z"], None),
            (AllowedWords::Values, &["a", "-x"], Some("-x")),
            (AllowedWords::Values, &["a", "--"], Some("--")),
            (AllowedWords::Values, &["SHELL=/x"], Some("SHELL=/x")),
            (AllowedWords::Values, &[".SHELLFLAGS=-xc"], Some(".SHELLFLAGS=-xc")),
            (AllowedWords::None, &[], None),
            (AllowedWords::None, &["a"], Some("a")),
        ] {
            let message = said(allowed, words);
            assert_eq!(message.is_some(), refused.is_some(), "{words:?}: {message:?}");
            assert!(message.is_none_or(|message| message.starts_with(&format!("{:?}", refused.unwrap()))));
        }
    }
}
