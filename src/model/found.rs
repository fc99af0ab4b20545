//! What plugins answer when they have looked at a project.

use serde_json::Value;

use super::{Field, Location, Pathname, Problem, Tool, Want};

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

/// What a plugin says about its own sources for `cuff doctor`, beside the problems that take tools away.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checks {
    /// Each thing that was looked at: a note where it is as it should be.
    pub found: Vec<Problem>,
    /// What must be looked at to say all of it.
    pub wants: Vec<Want>,
}

/// What `cuff init` shows and writes for a plugin that applies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Suggestion {
    /// One line: `Found package.json with 5 scripts (npm)`.
    pub description: String,
    /// From 0 (a guess) to 1 (certain).
    pub confidence: f32,
    /// The config to write, in the order to write it.
    pub config: Vec<(&'static Field, Value)>,
    /// The local names of the tools it would offer.
    pub items: Vec<String>,
    /// Those of them that ask for a yes each time, whatever the config says.
    pub asking: Vec<String>,
    /// What the user should look at first.
    pub warnings: Vec<String>,
    /// What is left out, and is as it should be.
    pub notes: Vec<String>,
    /// What makes it unsafe to offer a tool; a person must choose it, and nobody else does. Of several that can be picked one
    /// by one, those that are meant say so.
    pub risks: Vec<String>,
    /// How the config chooses single tools, where it can.
    pub picking: Option<Picking>,
    /// What the project leaves open, and the config above answers in the safe way.
    pub undecided: Vec<Undecided>,
    /// The packages of a workspace, each an instance of its own.
    pub members: Vec<Member>,
}

/// How a config chooses single tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Picking {
    /// The key that lists what is offered.
    pub field: &'static Field,
    /// The key that lists what of it is not offered, where there is one.
    pub excluding: Option<&'static Field>,
    /// What may stand there, in the order of the tools.
    pub picks: Vec<Pick>,
}

/// One tool that a config may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// What its source calls it.
    pub name: String,
    /// The pattern that matches it and nothing else.
    pub pattern: String,
    /// Its own text in the language of a shell, where the source has it: a script of package.json, a recipe.
    pub text: Option<String>,
    /// Where it is defined.
    pub source: Location,
    /// Why `confirm` is suggested for it: its name or a command in its own text. The core fills this in; no plugin does.
    pub irreversible: Option<String>,
    /// Whether it is one of the [risks](Suggestion::risks).
    pub risky: bool,
}

impl Pick {
    /// A tool that this pattern chooses.
    pub fn of(tool: &Tool, pattern: String) -> Self {
        Self {
            name: tool.original.clone(),
            pattern,
            text: tool.text.clone(),
            source: tool.source.clone(),
            irreversible: None,
            risky: false,
        }
    }
}

/// Something that the project leaves open.
#[derive(Debug, Clone, PartialEq)]
pub struct Undecided {
    /// The key that decides it.
    pub field: &'static Field,
    /// A short question.
    pub question: &'static str,
    /// What raises it, a line each.
    pub because: Vec<String>,
    /// The answers in words, and what each writes. The first is what the suggested config says.
    pub answers: Vec<(String, Value)>,
}

/// A package of a workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// What it calls itself, where it does.
    pub name: Option<String>,
    /// Its folder.
    pub folder: Pathname,
    /// What is suggested for it.
    pub suggestion: Suggestion,
}
