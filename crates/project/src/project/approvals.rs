//! Questions that wait for a person, and the decisions about earlier ones.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::project_scope::ProjectScope;
use crate::ledger::{
    AlwaysAllowed, Approval, ApprovalQuestion, ApprovalState, AuditDecision, Ledger, LedgerError,
};
use crate::model::Caller;
use crate::project::context::Context;
use crate::sys::Clock;
use crate::sys::terminal::TypedConsent;

/// The approvals and the audit log of this user, of all projects.
#[derive(Debug)]
pub struct Approvals {
    ledger: Ledger,
    near: ProjectScope,
    clock: Clock,
}

/// A question that a person has answered.
#[derive(Debug)]
pub struct AnsweredQuestion {
    /// The question, and the answer.
    pub approval: Approval,
    /// Whether a yes was taken back.
    pub is_revoked: bool,
    /// Why the audit log has no line of it, if so.
    pub unwritten: Option<String>,
}

/// The calls that are no longer allowed always.
#[derive(Debug)]
pub struct Revoked {
    /// All of it.
    pub revoked: Vec<AlwaysAllowed>,
    /// Why the audit log has no line of it, if so.
    pub unwritten: Option<String>,
}

impl Approvals {
    /// The approvals of this user; `None` where the environment names no place for them.
    pub fn of(context: &Context) -> Option<Self> {
        let ledger = context.ledger()?;
        Some(Self { ledger, near: ProjectScope::near(&context.environment), clock: context.clock.clone() })
    }

    /// Every question that still matters, the oldest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn all(&self) -> Result<Vec<Approval>, LedgerError> {
        self.ledger.approvals(self.now())
    }

    /// The questions that wait for an answer, for somebody who only looks: nothing is written, and what cannot be read
    /// is not there.
    pub fn waiting(&self) -> Vec<Approval> {
        self.ledger.waiting(self.now())
    }

    /// The files of approvals that could not be read and were set aside.
    pub fn set_aside(&self) -> Vec<PathBuf> {
        self.ledger.set_aside()
    }

    /// The question that a yes, or a no, would answer, by its id or the beginning of it. Nothing is answered.
    ///
    /// # Errors
    /// When no question that waits is meant, or the ledger cannot be read.
    pub fn open(&self, id: &str, grant: bool) -> Result<Approval, LedgerError> {
        self.ledger.open(id, grant, self.now())
    }

    /// Answers a question, by its id or the beginning of it. A no takes back a yes that was not used yet.
    ///
    /// # Errors
    /// When no question that waits is meant, or the ledger cannot be written.
    pub fn answer(&self, yes: &TypedConsent, id: &str, grant: bool) -> Result<AnsweredQuestion, LedgerError> {
        // The person has read for a while before answering: a yes lasts from when it is said.
        let now = self.now();
        let (approval, before) = self.ledger.answer(yes, id, grant, now)?;
        let is_revoked = matches!(before, ApprovalState::Granted(_));
        let ApprovalQuestion { tool, project, .. } = &approval.question;
        let (decision, what) = match (grant, is_revoked) {
            (true, _) => ("approved", "a person approved"),
            (false, true) => ("revoked", "a person took back the yes to"),
            (false, false) => ("rejected", "a person denied"),
        };
        let noted = self.ledger.note(&AuditDecision {
            at: now,
            caller: Caller::Human.name().to_owned(),
            tool: tool.clone(),
            project: project.clone(),
            arguments: Vec::new(),
            decision,
            rule: format!("{what} {}, asked by {}", approval.id, approval.question.caller),
        });
        let unwritten = noted.err().map(|error| format!("the audit log cannot be written: {error}"));
        Ok(AnsweredQuestion { approval, is_revoked, unwritten })
    }

    /// Every plan that is allowed always, the oldest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn always(&self) -> Result<Vec<AlwaysAllowed>, LedgerError> {
        self.ledger.always()
    }

    /// Takes back what is allowed always under a name, in this project if there is any here, else in all. `None` takes
    /// back everything.
    ///
    /// # Errors
    /// When the ledger cannot be read or written: then it still holds.
    pub fn revoke(&self, caller: Caller, name: Option<&str>) -> Result<Revoked, LedgerError> {
        let is_called = |one: &AlwaysAllowed| name.is_none_or(|name| one.is_called(name));
        let is_here = |one: &AlwaysAllowed| is_called(one) && self.is_near(&one.project);
        let here = name.is_some() && self.ledger.always()?.iter().any(is_here);
        let revoked = self.ledger.revoke_always(|one| if here { is_here(one) } else { is_called(one) })?;
        let mut unwritten = None;
        for AlwaysAllowed { tool, project, command, .. } in &revoked {
            let noted = self.ledger.note(&AuditDecision {
                at: self.now(),
                caller: caller.name().to_owned(),
                tool: tool.clone(),
                project: project.clone(),
                arguments: Vec::new(),
                decision: "revoked",
                rule: format!("it is no longer allowed always: {command}"),
            });
            unwritten =
                noted.err().map(|error| format!("the audit log cannot be written: {error}")).or(unwritten);
        }
        Ok(Revoked { revoked, unwritten })
    }

    /// The last decisions that are wanted, the newest first.
    ///
    /// # Errors
    /// When there is an audit log, and it cannot be read.
    pub fn audit(
        &self,
        most: usize,
        wanted: &dyn Fn(&Map<String, Value>) -> bool,
    ) -> Result<Vec<Map<String, Value>>, LedgerError> {
        self.ledger.audit(most, wanted)
    }

    /// Whether somebody in the working directory means this project who names none.
    pub fn is_near(&self, project: &str) -> bool {
        self.near.counts(project)
    }

    /// Now, in milliseconds since 1970.
    pub fn now(&self) -> u64 {
        self.clock.milliseconds()
    }
}
