//! The ledger: what people decided, kept outside of every repository, and what was decided for them.
//!
//! Files in the user's state directory, which only this user can read. `approvals.json` has the questions that wait for
//! a person and the answers that were not used yet, `pins/` the settings that a person has seen, `states.key` what signs
//! questions that are put in answers and `states.json` which of them were answered; they are changed under a lock and
//! replaced as a whole, so that a crash leaves the old or the new. `audit.log` has a line for each run and its end,
//! `audit.decisions.log` for each decision of a person, `audit.refused.log` for what was refused, repeats in one line.

mod approvals;
mod audit;
mod client_answer;
mod format;
mod pin_file;
mod pins;
mod refusals;
mod states;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use approvals::{Approval, ApprovalState, Question};
pub use audit::Decided;
pub use client_answer::{ClientAnswer, ClientsYes};
pub use pins::{Pin, PinnedBy, PinnedTools};
pub use states::Closed;

use crate::sys::Environment;
use crate::sys::private::PrivateFolder;

/// Why the ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The operating system's reason.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, std::io::Error),
    /// A newer cuff wrote it.
    #[error("{path} was written by a newer cuff (format {1})", path = .0.display())]
    Newer(PathBuf, u32),
    /// It is no such file.
    #[error("{path} is damaged", path = .0.display())]
    Corrupt(PathBuf),
    /// No approval has an id that begins so, or more than one has.
    #[error("{0}")]
    NoSuchApproval(String),
    /// A question that a person is not asked, and why.
    #[error("{0}")]
    NotAsked(String),
}

/// Proof that a person said yes to one plan. Only an approval that was granted and not used yet makes one, a person who
/// was asked at a terminal, or a client that says so of its person for this very question.
#[derive(Debug)]
pub struct Consent(());

impl Consent {
    /// The consent of a person at a terminal.
    pub fn of_person(_: crate::sys::terminal::Yes) -> Self {
        Self(())
    }

    /// The consent that a client brought for this question; `None` where it was said to another.
    pub fn of_client(yes: &ClientsYes, question: &Question) -> Option<Self> {
        yes.is_to(question).then_some(Self(()))
    }
}

/// Why nobody's decision can be kept.
pub const NO_LEDGER: &str = "neither XDG_STATE_HOME nor HOME says where approvals are kept";

/// The ledger of this user.
#[derive(Debug, Clone)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The ledger in this folder, which is made when something is written.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The ledger of this user: in `$XDG_STATE_HOME/cuff`, else `~/.local/state/cuff`; `None` where neither is known.
    pub fn of(environment: &Environment) -> Option<Self> {
        environment.base("XDG_STATE_HOME", ".local/state").map(|base| Self::at(base.join("cuff")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it takes, the pins among them.
    pub fn bytes(&self) -> u64 {
        let Ok(all) = PrivateFolder::open(&self.path) else { return 0 };
        all.bytes() + all.inner(pins::FOLDER).map_or(0, |pins| pins.bytes())
    }

    fn folder(&self) -> Result<PrivateFolder, LedgerError> {
        PrivateFolder::make(&self.path).map_err(|error| LedgerError::Io(self.path.clone(), error))
    }

    fn failed(&self, name: &str, error: std::io::Error) -> LedgerError {
        LedgerError::Io(self.path.join(name), error)
    }
}
