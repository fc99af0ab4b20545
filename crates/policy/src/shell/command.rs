//! A command of a text.

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
