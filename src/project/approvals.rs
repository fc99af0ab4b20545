//! What waits for a person's answer, and what was decided.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::calls::runs::Whose;
use crate::engine::Engine;
use crate::engine::Surroundings;
use crate::ledger::{Approval, ApprovalState, Decided, Ledger, LedgerError, Question};
use crate::model::Caller;
use crate::settings;
use crate::sys::terminal::{self, Yes};
use crate::sys::{Clock, agents};

/// The approvals and the audit log of this user, of all projects.
#[derive(Debug)]
pub struct Approvals {
    ledger: Ledger,
    near: Whose,
    clock: Clock,
}

/// A question that a person has answered.
#[derive(Debug)]
pub struct Answered {
    /// The question, and the answer.
    pub approval: Approval,
    /// Whether a yes was taken back.
    pub is_revoked: bool,
    /// Why the audit log has no line of it, if so.
    pub unwritten: Option<String>,
}

impl Surroundings {
    /// The approvals; `None` where the environment names no place for them.
    pub fn approvals(&self) -> Option<Approvals> {
        let ledger = Ledger::of(&self.environment)?;
        Some(Approvals { ledger, near: Whose::near(&self.environment), clock: self.clock.clone() })
    }

    /// A person's yes by typing a command. It counts at a terminal, or where the user's own preferences let programs
    /// say it (`noninteractive_yes: true`). A process of a run and an agent's shell cannot say it.
    pub fn said_yes(&self) -> Option<Yes> {
        if self.at_terminal() != Caller::Human {
            return None;
        }
        terminal::said(settings::preferences(&self.environment).noninteractive_yes)
    }

    /// The caller of commands that are typed in this environment.
    pub fn at_terminal(&self) -> Caller {
        match self.over_mcp() {
            Caller::Agent if self.agent_marker().is_none() => Caller::Human,
            caller => caller,
        }
    }

    /// The caller of what comes over MCP to a server in this environment. A server inside a run serves nobody else.
    pub fn over_mcp(&self) -> Caller {
        if self.environment.is_within_run() { Caller::Run } else { Caller::Agent }
    }

    /// The variable by which a coding agent marks its shells, where this is one.
    pub fn agent_marker(&self) -> Option<&'static str> {
        agents::marker(&self.environment)
    }
}

impl Engine {
    /// What a person says by typing a command, as [`Surroundings::said_yes`] has it.
    pub fn said_yes(&self) -> Option<Yes> {
        self.surroundings.said_yes()
    }

    /// The caller of commands that are typed here.
    pub fn at_terminal(&self) -> Caller {
        self.surroundings.at_terminal()
    }

    /// Whether this user lets the clients of agents ask him, and say that he said yes. Not while his preferences cannot
    /// be understood.
    pub fn lets_clients_say_yes(&self) -> bool {
        let preferences = settings::preferences(&self.surroundings.environment);
        !preferences.terminal_only && preferences.complaints.is_empty()
    }
}

impl Approvals {
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
    pub fn answer(&self, yes: &Yes, id: &str, grant: bool) -> Result<Answered, LedgerError> {
        // Who was shown it has read for a while: a yes lasts from when it is said.
        let now = self.now();
        let (approval, before) = self.ledger.answer(yes, id, grant, now)?;
        let is_revoked = matches!(before, ApprovalState::Granted(_));
        let Question { tool, project, .. } = &approval.question;
        let (decision, what) = match (grant, is_revoked) {
            (true, _) => ("approved", "a person approved"),
            (false, true) => ("revoked", "a person took back the yes to"),
            (false, false) => ("rejected", "a person denied"),
        };
        let noted = self.ledger.note(&Decided {
            at: now,
            caller: Caller::Human.name().to_owned(),
            tool: tool.clone(),
            project: project.clone(),
            arguments: Vec::new(),
            decision,
            rule: format!("{what} {}, asked by {}", approval.id, approval.question.caller),
        });
        let unwritten = noted.err().map(|error| format!("the audit log cannot be written: {error}"));
        Ok(Answered { approval, is_revoked, unwritten })
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
