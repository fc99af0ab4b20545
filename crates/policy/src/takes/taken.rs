//! The words that a tool takes.

use super::runners::KnownRunner;

/// The words that a tool takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TakenWords {
    /// Every word, since all come behind a script of the project.
    Any,
    /// Every word but those in which node looks for options, wherever they stand.
    OfNode,
    /// Flags that filter, select and report, and values in the project.
    Listed(&'static KnownRunner),
    /// Every word where the run is contained, since nobody knows what the program does with it.
    Contained(String),
    /// None, and why.
    None(String),
}

impl TakenWords {
    /// The words that a program of this name takes behind its own; `None`: it is no runner.
    pub(super) fn of_runner(program: &str, own: &[String]) -> Option<Self> {
        let runner = KnownRunner::of(program, own)?;
        Some(if runner.is_open(own) { Self::Contained(program.to_owned()) } else { Self::Listed(runner) })
    }
}
