//! The records of a team, as settings name them.

/// The place where a team keeps records of its runs, and the runs that are pushed there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamRecords {
    /// The address of an object store, `s3://bucket/prefix`, or the absolute path of a folder.
    pub store: String,
    /// When a run is pushed.
    pub push: PushWhen,
    /// Whether agents see the records of others.
    pub is_open_to_agents: bool,
}

/// The runs that are pushed to the records of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PushWhen {
    /// Those on a build server.
    #[default]
    Ci,
    /// All.
    Always,
    /// None.
    Never,
}

impl PushWhen {
    /// The words of settings, each in the place of its variant.
    pub const WORDS: &'static [&'static str] = &["ci", "always", "never"];

    /// The variant of one of the words.
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "ci" => Some(Self::Ci),
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => None,
        }
    }

    /// Whether a run is pushed, on a build server or elsewhere.
    pub fn pushes(self, is_ci: bool) -> bool {
        match self {
            Self::Ci => is_ci,
            Self::Always => true,
            Self::Never => false,
        }
    }
}
