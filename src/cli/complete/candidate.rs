//! A word that may stand under the cursor, and what the shell adds of its own.

/// A word that may stand there, and what it is.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) value: String,
    pub(super) about: String,
    /// Where several have this name: theirs.
    pub(super) owners: Vec<String>,
}

impl Candidate {
    pub(super) fn new(value: impl Into<String>, about: impl Into<String>) -> Self {
        Self { value: value.into(), about: about.into(), owners: Vec::new() }
    }
}

/// Candidates, and what the shell adds of its own.
#[derive(Debug, Default)]
pub(super) struct Completion {
    pub(super) also: Also,
    pub(super) candidates: Vec<Candidate>,
}

/// Candidates that the shell adds by itself.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Also {
    #[default]
    Nothing,
    Files,
    Folders,
}

impl Also {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Files => "files",
            Self::Folders => "folders",
        }
    }
}

impl From<Vec<Candidate>> for Completion {
    fn from(candidates: Vec<Candidate>) -> Self {
        Self { also: Also::Nothing, candidates }
    }
}
