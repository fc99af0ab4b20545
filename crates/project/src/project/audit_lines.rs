//! Lines in the audit log for processes that a project needs for itself: probes and servers.

use crate::execution::RunHost;
use crate::ledger::{AuditDecision, Ledger};

/// Writes the lines of one kind of process.
#[derive(Debug)]
pub(super) struct AuditLines {
    ledger: Option<Ledger>,
    /// The caller of such a process in the log: `discovery`.
    caller: &'static str,
    /// Why it may be started: `a probe that the settings allow`.
    reason: &'static str,
}

impl AuditLines {
    pub(super) fn new(host: &RunHost, caller: &'static str, reason: &'static str) -> Self {
        Self { ledger: Ledger::of(&host.environment), caller, reason }
    }

    /// Adds a line for a command of an instance or a server. `command` holds no secrets any more. Where the log cannot
    /// be written, the next call of a tool says so.
    pub(super) fn add(&self, host: &RunHost, name: &str, decision: &'static str, command: &str) {
        let decided = AuditDecision {
            at: host.clock.milliseconds(),
            caller: self.caller.to_owned(),
            tool: name.to_owned(),
            project: host.root.display().to_string(),
            arguments: Vec::new(),
            decision,
            rule: format!("{}: {command}", self.reason),
        };
        if let Some(ledger) = &self.ledger {
            let _ = ledger.note(&decided);
        }
    }
}
