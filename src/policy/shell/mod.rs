//! A tool's own text, such as a script of package.json or a recipe of make, split into the commands that a shell starts.

mod fallback;
mod through;
mod walk;
mod words;

use self::walk::Walk;

/// The longest text that is parsed, in bytes. A longer one is split at blanks.
const LONGEST: usize = 64 * 1024;
/// The most brackets and reserved words that may be open at once in a text that is parsed: the parser recurses.
const DEEPEST: usize = 24;

/// Signs that make replaces, and text for a shell. `$<` and `$|` would be redirections and pipes.
const MAKES_OWN: [(&str, &str); 7] = [
    ("$(MAKE)", "make"),
    ("${MAKE}", "make"),
    ("$(RM)", "rm -f"),
    ("${RM}", "rm -f"),
    ("$$", "$"),
    ("$<", "$_"),
    ("$|", "$_"),
];

/// A command of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The program and its arguments, without quotes. Text that a shell replaces stays as it is written: `$HOME`, `$(CC)`.
    /// Programs that only start another one, such as `sudo` and `npx`, are left out.
    pub words: Vec<String>,
    /// The line of the text that it begins in, from 1.
    pub line: usize,
}

impl ShellCommand {
    /// The name of the program, without its folder: `rm` of `/bin/rm -r x`; empty for assignments alone.
    pub fn program(&self) -> &str {
        let word = self.words.first().map_or("", String::as_str);
        word.rsplit('/').next().unwrap_or(word)
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }
}

/// Returns the commands of a text, inner ones first: those of pipelines, lists, compound commands, functions,
/// substitutions and of a text behind `sh -c`.
///
/// The text may be a recipe of make: `@`, `-` and `+` before a line are left out, `$$` counts as `$`, and `$(MAKE)` as
/// `make`. Lines that cannot be parsed are split at blanks and at the signs between commands.
pub fn commands(text: &str) -> Vec<ShellCommand> {
    commands_below(text, 0)
}

/// The same of a text inside of another one.
fn commands_below(text: &str, depth: usize) -> Vec<ShellCommand> {
    let text = without_make(text);
    if let Some(found) = Walk::of(&text, depth) {
        return found;
    }
    let mut found = Vec::new();
    for (line, text) in logical_lines(&text) {
        let parsed = Walk::of(&text, depth).unwrap_or_else(|| fallback::commands(&text));
        found.extend(
            parsed.into_iter().map(|command| ShellCommand { line: command.line + line - 1, ..command }),
        );
    }
    found
}

/// A text without the signs that only make understands. The number of its lines stays the same.
fn without_make(text: &str) -> String {
    let mut is_continued = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start();
        lines.push(if is_continued { line } else { bare.trim_start_matches(['@', '-', '+', ' ', '\t']) });
        is_continued = line.ends_with('\\');
    }
    let mut text = lines.join("\n");
    for (make, shell) in MAKES_OWN {
        if text.contains(make) {
            text = text.replace(make, shell);
        }
    }
    text
}

/// The lines of a text with their numbers, those that end with a backslash joined with the next.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut is_continued = false;
    for (number, line) in (1..).zip(text.lines()) {
        let (part, continues) = line.strip_suffix('\\').map_or((line, false), |part| (part, true));
        match lines.last_mut().filter(|_| is_continued) {
            Some((_, last)) => last.extend([" ", part]),
            None => lines.push((number, part.to_owned())),
        }
        is_continued = continues;
    }
    lines
}

#[cfg(test)]
mod tests;
