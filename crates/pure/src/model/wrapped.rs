//! A program that a tool's own text names, with the words of a call that reach it.

/// A program that a tool's own text names, with the words of a call that reach it: `eslint .` and `--quiet`.
#[derive(Debug, Clone, Copy)]
pub struct Wrapped<'a> {
    /// Its name, without a folder: `eslint`.
    pub program: &'a str,
    /// The arguments that the text gives to it.
    pub own: &'a [String],
    /// The words that the call adds.
    pub words: &'a [String],
}

impl Wrapped<'_> {
    /// The first argument of the text that is no option: `build` of `npm --silent build`.
    pub fn subcommand(&self) -> Option<&str> {
        self.own.iter().map(String::as_str).find(|word| !word.starts_with('-'))
    }
}

/// The commands of a tool's own text that the words of a call reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// None: the words are for the tool's program alone.
    Nothing,
    /// The last command, as package managers append them; and those that name them: `"$@"`.
    Appended,
    /// Those that name them: `"$@"`, `$1`.
    Named,
}
