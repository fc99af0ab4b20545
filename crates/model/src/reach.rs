//! The words of a call, and the part of a tool's own text that they reach.

/// The part of a tool's own text that the words of a call reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// None: the tool declares the words that it takes, and its plugin holds them to that.
    Declared,
    /// The last command of the text, behind which they are put.
    Appended,
    /// The script that the tool is.
    Script,
}
