//! What plugins answer when they have looked at a project.

use serde_json::Value;

use super::{Field, Problem, Tool, Want};

/// Tools and problems of one instance; never an error.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Discovery {
    /// In the order of the source.
    pub tools: Vec<Tool>,
    /// What is wrong with the project's own files.
    pub problems: Vec<Problem>,
    /// How it was found out, where that is worth a word: shown to who asks for more.
    pub notes: Vec<String>,
}

/// What a plugin knows of a name that none of its tools has.
#[derive(Debug, Clone, PartialEq)]
pub enum Absence {
    /// Nothing.
    Unknown,
    /// It must look at these first.
    Look(Vec<Want>),
    /// There is such a thing, and this is why it is not offered.
    Because(Box<Problem>),
}

/// What `cuff init` shows and writes for a plugin that applies.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// One line: `Found package.json with 5 scripts (npm)`.
    pub description: String,
    /// From 0 (a guess) to 1 (certain).
    pub confidence: f32,
    /// The config to write, in the order to write it.
    pub config: Vec<(&'static Field, Value)>,
    /// The local names of the tools it would offer.
    pub items: Vec<String>,
    /// What the user should look at first.
    pub warnings: Vec<String>,
}
