//! Tools that look irreversible: by their name, or by a command in their own text. `cuff init` suggests `confirm` for
//! them and says why; nothing here decides about a call.

mod names;
mod programs;
mod removal;

use super::shell;

/// Why a tool looks irreversible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Irreversible {
    /// `its name`, or the command in question: `` `git push --tags` ``.
    pub because: String,
    /// The line of the text that has the command, counted from 1; `None` for a name.
    pub line: Option<usize>,
}

/// The longest command that is quoted, in characters.
const LONGEST: usize = 60;

/// Whether a tool of this name and own text looks irreversible, and why. The text counts first: it says more.
pub fn irreversible(name: &str, text: Option<&str>) -> Option<Irreversible> {
    let commands = shell::commands(text.unwrap_or_default());
    let found = commands.iter().find(|command| {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        programs::is_irreversible(&words)
    });
    match found {
        Some(command) => {
            Some(Irreversible { because: format!("`{}`", quoted(&command.words)), line: Some(command.line) })
        }
        None => names::says_so(name, &commands)
            .then(|| Irreversible { because: "its name".to_owned(), line: None }),
    }
}

fn quoted(words: &[String]) -> String {
    let line = words.join(" ");
    let cut = line.char_indices().nth(LONGEST).map(|(at, _)| at);
    cut.map_or_else(|| line.clone(), |at| format!("{}…", &line[..at]))
}

#[cfg(test)]
mod tests;
