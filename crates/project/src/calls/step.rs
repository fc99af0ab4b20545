//! The steps of a call, as they are told to those who keep account of calls.

use super::error::RunError;
use super::request::CallRequest;
use crate::model::{Command, Report, RunId};
use crate::project::Project;
use crate::registry::{Registered, Registry};

/// A step of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CallStep<'a> {
    /// The gate decided, or a person did.
    Judged(&'a Judgement),
    /// A process is about to be started for it, or another server is about to be asked. `None`: no process, or only a rehearsal.
    Started(Option<(&'a Command, Option<RunId>)>),
    /// The process, or the other server, is done with it.
    Ended(&'a Report),
    /// The caller gets this report.
    Reported(&'a Report),
    /// The caller gets this error: nothing was started.
    Refused(&'a RunError),
}

/// A decision about a call, as the audit log has it.
#[derive(Debug, Clone)]
pub(crate) struct Judgement {
    /// One word: `permitted`, `granted`, `refused`, `denied`, `asked`, `confirmation_required`.
    pub(crate) decision: &'static str,
    /// The rule that decided, in words.
    pub(crate) rule: String,
    /// Whether the call required a person's yes.
    pub(crate) needs_person: bool,
}

impl Judgement {
    /// A decision that no person was needed for.
    pub(crate) fn of(decision: &'static str, rule: impl Into<String>) -> Self {
        Self { decision, rule: rule.into(), needs_person: false }
    }
}

/// The call whose steps are told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToldCall<'a> {
    pub(crate) project: &'a Project,
    pub(crate) registry: &'a Registry,
    pub(crate) request: &'a CallRequest,
    /// The tool, once it is found.
    pub(crate) found: Option<&'a Registered>,
    /// Whether a decision about it was told.
    pub(crate) is_judged: bool,
}
