//! How the settings that count now stand to those that a person approved.

use std::fmt;

use super::pins::SettingsPin;
use crate::model::AgentShell;
use crate::settings::Withheld;

/// How the settings that count now stand to what was pinned.
#[derive(Debug, Default)]
pub(crate) struct ApprovalStatus {
    /// The pin; `None` where it is not known.
    pub(crate) pinned: Option<SettingsPin>,
    /// The parts that nobody has approved.
    pub(crate) withheld: Vec<Withheld>,
    /// The fate of an agent's shell commands: the stricter of what was pinned and what the file says.
    pub(crate) agent_shell: AgentShell,
    /// Whether they take away something of what was pinned.
    pub(crate) stricter: bool,
    /// Whether nothing was pinned of this very file, and something else was.
    pub(crate) unseen: bool,
    /// Why it is not known what was pinned.
    pub(crate) unknown: Option<String>,
}

/// The part of the settings that agents have, where that is not all.
#[derive(Debug)]
pub struct AgentsHave {
    /// The part, in one sentence without a full stop.
    pub what: String,
    /// The remedy; `None` where the sentence says it.
    pub remedy: Option<&'static str>,
}

impl fmt::Display for AgentsHave {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.what)?;
        self.remedy.map_or(Ok(()), |remedy| write!(out, "; {remedy}"))
    }
}
