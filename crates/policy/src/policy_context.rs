//! The project as the gate sees it: its settings, pins and files about a tool.

use std::fmt::Debug;
use std::path::Path;
use std::pin::Pin;

use super::{ContentBinding, Unbound};
use crate::ledger::Unreviewed;
use crate::model::{Containment, Limits, Profile, Reach, Registered, Seen, Values, containment};

/// An answer that is waited for: a look at files, which may start a probe.
pub type Looking<'a, Answer> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// The comparison of a tool's text, or of its definition by another MCP server, with the approved one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextApproval {
    /// The settings do not ask for it.
    NotAsked,
    /// It is the text that was approved.
    Approved,
    /// It is another one, or cannot be known.
    Unapproved,
    /// The definition is none that was pinned.
    Unreviewed(Unreviewed),
}

/// The project that a tool is of, as a decision asks about it.
pub trait PolicyContext: Debug + Send + Sync {
    /// The project's root, from which a plan's folder is resolved.
    fn root(&self) -> &Path;

    /// Whether `confirm` in the settings of a tool's instance names it.
    fn confirms(&self, tool: &Registered) -> bool;

    /// The settings of a tool's instance or server.
    fn config(&self, tool: &Registered) -> &Values;

    /// The rules that the kernel holds for an agent's run of it, by this profile and the settings.
    fn containment(&self, tool: &Registered, profile: Profile) -> Containment {
        containment(profile, self.config(tool), |pattern| tool.is_meant_by(pattern))
    }

    /// The words and variables that the settings allow a call of it.
    fn limits(&self, tool: &Registered) -> Limits {
        Limits::of(self.config(tool), &tool.rule_names())
    }

    /// The comparison of its text or its definition with the approved one.
    fn approval(&self, tool: &Registered) -> TextApproval;

    /// The part of its text that a call's words reach.
    fn reach(&self, tool: &Registered) -> Reach;

    /// A file whose text says what a call's words reach; one that is larger than `limit` bytes cannot be read.
    fn script(&self, path: &Path, limit: u64) -> Seen;

    /// Whether a program runs tools of this project by their name, as `npm run deploy` does.
    fn runs_tools(&self, program: &str) -> bool;

    /// Whether an agent's run of it is contained, without open network.
    fn is_contained(&self, tool: &Registered) -> bool;

    /// The tool of this name as it is offered now.
    fn current<'a>(&'a self, tool: &'a Registered) -> Looking<'a, Option<Registered>>;

    /// The current state of the files that the tool reads to know what to run.
    fn bind<'a>(&'a self, tool: &'a Registered) -> Looking<'a, Result<ContentBinding, Unbound>>;
}
