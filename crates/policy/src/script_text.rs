//! The text that a tool runs, as the rules for a call's words and variables read it.

use super::PolicyContext;
use crate::model::{Command, Identity, Origin, Registered, Seen};

/// The longest script whose text is looked at, in bytes.
const LONGEST_SCRIPT: u64 = 256 * 1024;

/// The programs that read a script as a shell does.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];

/// The text that a tool runs: its own with its hooks, and that of a script for a shell.
pub(super) fn text_of(found: &Registered, command: &Command, ground: &dyn PolicyContext) -> Option<String> {
    let script = command.script.as_ref().and_then(|script| text_of_script(script, command, ground));
    let own = found.tool.text.iter().cloned();
    // Script and hooks come first: the call's words are behind the tool's own text. A hook's line begins with
    // its name.
    let along = found
        .tool
        .along
        .iter()
        .map(|also| also.split_once(" it: ").map_or_else(|| also.clone(), |(_, text)| text.to_owned()));
    let lines: Vec<String> = script.into_iter().chain(along).chain(own).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The text of a script, where a shell reads it.
fn text_of_script(script: &Identity, command: &Command, ground: &dyn PolicyContext) -> Option<String> {
    let Seen::File(file) = ground.script(&script.path, LONGEST_SCRIPT) else { return None };
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    let words = command.words();
    let (_, interpreter) = words.split_last()?;
    let brought = command.arguments.iter().filter(|word| word.origin == Origin::Call).count();
    let interpreter = &words[..(interpreter.len() + 1).saturating_sub(brought)];
    let mut named =
        interpreter.iter().flat_map(|word| word.split(' ')).chain(first[first.len().min(2)..].split(' '));
    let is_shell = named.any(|word| SHELLS.contains(&word.rsplit('/').next().unwrap_or(word)));
    is_shell.then_some(text)
}
