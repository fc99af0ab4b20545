//! How the settings that count now stand to those that a person approved.

use std::fmt;

use super::pins::Pinned;
use crate::settings::Withheld;

/// How the settings that count now stand to what was pinned.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// What was pinned; `None` where that is not known.
    pub(crate) pinned: Option<Pinned>,
    /// What they have and nobody has approved.
    pub(crate) withheld: Vec<Withheld>,
    /// Whether they take away something of what was pinned.
    pub(crate) stricter: bool,
    /// Whether nothing was pinned of this very file, and something else was.
    pub(crate) unseen: bool,
    /// Why it is not known what was pinned.
    pub(crate) unknown: Option<String>,
}

/// What agents have of the settings, where that is not simply all of them.
#[derive(Debug)]
pub struct AgentsHave {
    /// What they have, in one sentence without a full stop.
    pub what: String,
    /// What to do about it; `None` where the sentence says it.
    pub remedy: Option<&'static str>,
}

impl fmt::Display for AgentsHave {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.what)?;
        self.remedy.map_or(Ok(()), |remedy| write!(out, "; {remedy}"))
    }
}
