//! A word of the command line as an option of a command.

use std::ffi::OsString;

use clap::{Arg, Command};

/// The option that a word is, and its value where that stands in the same word: `--cwd=web`, `-Cweb`. Of short ones
/// in one word (`-qv`) it is the last that counts.
pub(in crate::cli) fn option_word<'a>(
    command: &'a Command,
    word: &'a str,
) -> Option<(&'a Arg, Option<&'a str>)> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        return Some((command.get_arguments().find(|arg| arg.get_long() == Some(name))?, value));
    }
    let letters = word.strip_prefix('-')?;
    let short = |letter| command.get_arguments().find(|arg| arg.get_short() == Some(letter));
    let mut last = None;
    for (at, letter) in letters.char_indices() {
        let option = short(letter)?;
        let rest = &letters[at + letter.len_utf8()..];
        if takes_value(option) {
            return Some((option, (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest))));
        }
        last = Some((option, None));
    }
    last
}

/// Whether a value belongs to an option.
pub(in crate::cli) fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

/// The place of the first word that is no option of cuff and no value of one.
pub(in crate::cli) fn first_word(tree: &Command, words: &[OsString]) -> Option<usize> {
    let mut is_value = false;
    for (at, word) in words.iter().enumerate().skip(1) {
        let text = word.to_str()?;
        if std::mem::take(&mut is_value) {
            continue;
        }
        match option_word(tree, text).filter(|_| text.len() > 1) {
            Some((option, value)) => is_value = value.is_none() && takes_value(option),
            None if text.starts_with('-') => return None,
            None => return Some(at),
        }
    }
    None
}
