//! Plugins' answers about a project.

use serde_json::Value;

use super::{Field, Heading, Location, Member, Problem, Tool, Want};

/// Tools and problems of one instance; never an error.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Discovery {
    /// In the order of the source.
    pub tools: Vec<Tool>,
    /// The problems of the project's own files.
    pub problems: Vec<Problem>,
    /// How it was found, if that is worth a note: shown with more detail.
    pub notes: Vec<String>,
    /// The words above these tools in a list for people.
    pub heading: Heading,
}

/// A plugin's answer about a name that none of its tools has.
#[derive(Debug, Clone, PartialEq)]
pub enum Absence {
    /// Nothing.
    Unknown,
    /// It must look at these first.
    Look(Vec<Want>),
    /// There is such a thing, and this is why it is not offered.
    Because(Box<Problem>),
    /// It is not listed. A person who names it gets this tool, everybody else the reason.
    ByName(Box<Tool>, Box<Problem>),
}

impl Absence {
    /// The reason why it is not offered, where there is one.
    pub fn reason(self) -> Option<Problem> {
        match self {
            Self::Because(problem) | Self::ByName(_, problem) => Some(*problem),
            Self::Unknown | Self::Look(_) => None,
        }
    }

    /// The tool for a person who names it, where there is one.
    pub fn for_person(self) -> Option<Tool> {
        match self {
            Self::ByName(tool, _) => Some(*tool),
            Self::Unknown | Self::Look(_) | Self::Because(_) => None,
        }
    }
}

/// A plugin's report on its own sources for `cuff doctor`, apart from the problems that withhold tools.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checks {
    /// Each thing that was looked at: a note where it is as it should be.
    pub found: Vec<Problem>,
    /// Further wants before the report is complete.
    pub wants: Vec<Want>,
}

/// The part of `cuff init` that one plugin contributes: its description and its config.
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
    /// Those of them that require confirmation with any config.
    pub asking: Vec<String>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Items that are left out on purpose.
    pub notes: Vec<String>,
    /// Reasons why offering a tool is unsafe. Only a person can choose such a suggestion. If tools can be
    /// picked one by one, the risky picks are marked.
    pub risks: Vec<String>,
    /// How the config chooses single tools, where it can.
    pub picking: Option<Picking>,
    /// Questions that the project leaves open. The config above holds the safe answers.
    pub undecided: Vec<Undecided>,
    /// The packages of the workspace that the config could take in.
    pub members: Vec<Member>,
}

/// How a config chooses single tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Picking {
    /// The key that lists the offered tools.
    pub field: &'static Field,
    /// The key that lists exceptions from them, if there is one.
    pub excluding: Option<&'static Field>,
    /// The possible picks, in the order of the tools.
    pub picks: Vec<Pick>,
}

/// One tool that a config may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// Its name in the source.
    pub name: String,
    /// The pattern that matches it and nothing else.
    pub pattern: String,
    /// Its own text in the language of a shell, where the source has it: a script of package.json, a recipe.
    pub text: Option<String>,
    /// The other texts of this name in packages of the workspace, each with its place.
    pub packages: Vec<(Location, String)>,
    /// The place of its definition.
    pub source: Location,
    /// Why `confirm` is suggested for it. Where the source itself says nothing, the core finds a reason in its name or in a
    /// command of its own text.
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
            packages: Vec::new(),
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
    /// The lines that raise the question.
    pub because: Vec<String>,
    /// The answers in words, and the value of each. The first is that of the suggested config.
    pub answers: Vec<(String, Value)>,
}
