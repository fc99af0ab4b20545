//! Commands of a text that is no shell's, or too long or too deep to be parsed: split at blanks and signs.

use super::command::ShellCommand;
use super::through::look_through;

/// Words that begin or end compound commands, and are no programs.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "case", "esac", "{", "}", "!", "time",
];

/// Returns everything between two signs as a command, quotes left out.
pub(super) fn commands(text: &str) -> Vec<ShellCommand> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        for part in text.split([';', '&', '|', '(', ')', '`']) {
            let words = part.split_whitespace().map(|word| word.replace(['"', '\''], ""));
            let words: Vec<String> = words.skip_while(|word| RESERVED.contains(&word.as_str())).collect();
            if !words.is_empty() {
                found.push(ShellCommand { words: look_through(words), line });
            }
        }
    }
    found
}
