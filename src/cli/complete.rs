//! Completion of the word under the cursor: the scripts in `completions/` ask `cuff __complete SHELL WORD…`, and each
//! line of the answer is a candidate.
//!
//! The words are read by the one clap tree, so a script never grows old. Nothing of the project is started,
//! no probe is carried out, nothing is written and no problem is reported: unknown candidates are not
//! offered.

mod candidate;
mod candidates;
mod position;
mod server_flags;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;

use super::arguments::{Shell, TOOLSCRIPT, built_tree};
use crate::model::{is_hidden, one_line};
use crate::project::Context;
use crate::terminal::{Failed, Ui, exit};
use candidate::{Candidate, Completion};
use candidates::CompletionQuestion;
use position::Position;

/// The hidden command that the scripts call.
pub(super) const ARGUMENT: &str = "__complete";

/// Answers a script. The first word names the shell, and the last is the one under the cursor. The words
/// between are the line before it, the program's own name first. A line of `toolscript` is read as one of `cuff toolscript`.
///
/// The first line says what the shell adds of its own: `files`, `folders` or `nothing`. Each further one is a
/// candidate, and behind a tab what it is.
pub(super) fn answer(context: &Context, is_toolscript: bool, words: &[OsString]) -> ExitCode {
    let Some((shell, mut line)) = read(words) else { return exit::code(exit::USAGE) };
    if is_toolscript && line.len() > 1 {
        line.insert(1, TOOLSCRIPT.to_owned());
    }
    let tree = built_tree(&context.abouts());
    let Completion { also, candidates } = match line.split_last() {
        Some((typed, before)) => {
            let position = Position::of(&tree, before.get(1..).unwrap_or_default(), typed);
            CompletionQuestion { context, position: &position }.answer()
        }
        None => Completion::default(),
    };
    let typed = line.last().map(String::as_str).unwrap_or_default();
    let wanted = candidates.into_iter().filter(|candidate| passes(shell, typed, &candidate.value));
    let mut wanted: Vec<Candidate> = wanted.collect();
    if matches!(shell, Shell::Bash) {
        wanted = told_apart(typed, wanted);
    }
    let lines = std::iter::once(also.name().to_owned()).chain(wanted.into_iter().filter_map(shown));
    // Where nobody reads it any more there is nobody to tell.
    let _ = Ui::plain().result(lines.collect::<Vec<_>>().join("\n"));
    exit::code(exit::SUCCESS)
}

/// Prints the script of a shell for a program: `cuff`, or `toolscript`, whose script differs in the name alone.
pub(super) fn print(ui: &Ui, shell: Shell, program: &str) -> Result<u8, Failed> {
    ui.result(script(shell).replace("cuff", program).trim_end())?;
    Ok(exit::SUCCESS)
}

fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("../../completions/cuff.bash"),
        Shell::Zsh => include_str!("../../completions/_cuff"),
        Shell::Fish => include_str!("../../completions/cuff.fish"),
        Shell::Powershell => include_str!("../../completions/cuff.ps1"),
        Shell::Elvish => include_str!("../../completions/cuff.elv"),
    }
}

fn read(words: &[OsString]) -> Option<(Shell, Vec<String>)> {
    let (shell, words) = words.split_first()?;
    let shell = Shell::from_str(shell.to_str()?, false).ok()?;
    let words = words.iter().map(|word| word.to_string_lossy());
    let mut words: Vec<String> = match shell {
        // These hand over what was typed, quotation marks and all.
        Shell::Bash | Shell::Fish | Shell::Powershell => words.map(|word| unquoted(&word)).collect(),
        Shell::Zsh | Shell::Elvish => words.map(String::from).collect(),
    };
    if let (Shell::Powershell, Some(last)) = (shell, words.last_mut()) {
        // It drops empty words, so its script puts this before the last.
        *last = last.strip_prefix('=').unwrap_or(last).to_owned();
    }
    Some((shell, words))
}

/// A word without its quotation, closed or not.
fn unquoted(word: &str) -> String {
    let (mut text, mut quote, mut letters) = (String::new(), None, word.chars());
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None | Some('"'), '\\') => text.extend(letters.next()),
            _ => text.push(letter),
        }
    }
    text
}

/// Whether a candidate goes on from what was typed. Some shells judge that themselves, as their users have set them up.
fn passes(shell: Shell, typed: &str, value: &str) -> bool {
    match shell {
        Shell::Bash => value.starts_with(typed),
        Shell::Powershell => value.to_lowercase().starts_with(&typed.to_lowercase()),
        Shell::Zsh | Shell::Fish | Shell::Elvish => true,
    }
}

/// Replaces a name that several tools share by their own names, once it is all there is or as far as it goes.
/// This shell shows no more than names, and would complete the shared one as if it were meant.
fn told_apart(typed: &str, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let is_alone = candidates.len() == 1;
    let theirs = |candidate: Candidate| match candidate {
        Candidate { value, owners, about } if !owners.is_empty() && (is_alone || value == typed) => {
            owners.into_iter().map(|owner| Candidate::new(owner, about.clone())).collect()
        }
        other => vec![other],
    };
    candidates.into_iter().flat_map(theirs).collect()
}

/// A line of the answer; `None` for what would not be one, or would show something else than it types.
fn shown(Candidate { value, about, .. }: Candidate) -> Option<String> {
    let is_plain = !value.is_empty() && !value.contains(is_hidden);
    is_plain.then(|| format!("{value}\t{}", one_line(&about).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_is_taken_off_whether_it_is_closed_or_not() {
        for (word, expected) in [
            ("te", "te"),
            ("'te", "te"),
            (r#""a b"#, "a b"),
            (r"a\ b", "a b"),
            (r#"'a\b'"c\"d""#, r#"a\bc"d"#),
            (r"a\", "a"),
            ("''", ""),
        ] {
            assert_eq!(unquoted(word), expected, "{word}");
        }
    }

    #[test]
    fn names_that_would_break_the_line_are_no_candidates() {
        let line = |value: &str, about: &str| shown(Candidate::new(value, about));
        assert_eq!(line("a.b", "first\nsecond").as_deref(), Some("a.b\tfirst"));
        assert_eq!(line("a", "\u{202e}x\ty").as_deref(), Some("a\tx y"));
        for value in ["", "a\tb", "a\nb", "\u{1b}[2J", "a\u{202e}b"] {
            assert_eq!(line(value, "x"), None, "{value:?}");
        }
    }
}
