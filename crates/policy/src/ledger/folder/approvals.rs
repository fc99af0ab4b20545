//! Questions that wait for a person, and answers that wait to be used.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Ledger, read};
use crate::ledger::approval::{Approval, ApprovalQuestion, ApprovalState};
use crate::ledger::consent::Consent;
use crate::ledger::error::LedgerError;
use crate::ledger::format;
use crate::sys::{self, private::PrivateFolder};

const FILE: &str = "approvals.json";
const LOCK: &str = "approvals.lock";
/// The prefix for the name of a file that could not be read and was set aside.
const ASIDE: &str = "approvals.corrupt-";
/// The largest file of approvals that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;
/// How many questions may wait at once: an agent must not fill the disk with them.
const MOST: usize = 200;

/// How many questions of one project may wait at once: its agent must leave room for those of others.
const MOST_OF_ONE: usize = 50;

#[derive(Debug, Default, PartialEq, Eq, Clone, Serialize, Deserialize)]
struct ApprovalsFile {
    approvals: Vec<Approval>,
}

impl Ledger {
    /// Records a question for a person, and says what its id is; the same question that waits already is not asked twice.
    ///
    /// # Errors
    /// When the ledger cannot be written, too much is asked already, or nobody could read the question.
    pub fn ask(&self, question: ApprovalQuestion, now: u64) -> Result<String, LedgerError> {
        question.is_legible()?;
        self.change(now, |approvals| {
            let waits =
                |known: &&Approval| known.question == question && known.state == ApprovalState::Waiting;
            if let Some(known) = approvals.iter().find(waits) {
                return Ok(known.id.clone());
            }
            make_room(approvals, &question.project);
            let waiting = approvals.iter().filter(|known| known.state == ApprovalState::Waiting);
            if waiting.count() >= MOST {
                let what = format!("{MOST} questions wait already; `cuff approvals` shows them");
                return Err(LedgerError::NotAsked(what));
            }
            let id = new_id().map_err(|error| self.failed(FILE, error))?;
            approvals.push(Approval { id: id.clone(), question, asked: now, state: ApprovalState::Waiting });
            Ok(id)
        })
    }

    /// The question that can be answered so, by its id or the beginning of it.
    ///
    /// # Errors
    /// When no question that waits is meant, or the ledger cannot be read.
    pub fn open(&self, id: &str, grant: bool, now: u64) -> Result<Approval, LedgerError> {
        self.change(now, |approvals| resolve(approvals, id, grant).cloned())
    }

    /// A person answers a question, by its id or the beginning of it; comes back with it, and what it was before. A no
    /// takes back a yes that was not used yet.
    ///
    /// # Errors
    /// When no question that waits is meant, or the ledger cannot be written.
    pub fn answer(
        &self,
        _: &sys::terminal::TypedConsent,
        id: &str,
        grant: bool,
        now: u64,
    ) -> Result<(Approval, ApprovalState), LedgerError> {
        self.change(now, |approvals| {
            let approval = resolve(approvals, id, grant)?;
            let before = approval.state;
            approval.state = if grant { ApprovalState::Granted(now) } else { ApprovalState::Denied(now) };
            Ok((approval.clone(), before))
        })
    }

    /// A person was asked and has answered: what this caller left for another time is settled.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn settle(&self, question: &ApprovalQuestion, now: u64) -> Result<(), LedgerError> {
        let is_same = |known: &Approval| {
            known.question.digest == question.digest && known.question.caller == question.caller
        };
        let is_open = |known: &Approval| !matches!(known.state, ApprovalState::Granted(_));
        self.change(now, |approvals| {
            approvals.retain(|known| !(is_same(known) && is_open(known)));
            Ok(())
        })
    }

    /// Uses up the yes to a plan, and says which approval it was; `None` when there is none.
    ///
    /// # Errors
    /// When the ledger cannot be read, or not be written: a yes that stays could be used twice.
    pub fn take(&self, digest: &str, now: u64) -> Result<Option<(Consent, String)>, LedgerError> {
        self.change(now, |approvals| {
            let granted = |known: &Approval| {
                known.question.digest == digest && matches!(known.state, ApprovalState::Granted(_))
            };
            let Some(place) = approvals.iter().position(granted) else { return Ok(None) };
            let approval = approvals.remove(place);
            Ok(Consent::of_approval(&approval).map(|consent| (consent, approval.id)))
        })
    }

    /// Whether a person said no to a plan lately.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn is_denied(&self, digest: &str, now: u64) -> Result<bool, LedgerError> {
        let denied = |known: &Approval| {
            known.question.digest == digest && matches!(known.state, ApprovalState::Denied(_))
        };
        Ok(self.approvals(now)?.iter().any(denied))
    }

    /// Every question that still matters, the oldest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn approvals(&self, now: u64) -> Result<Vec<Approval>, LedgerError> {
        self.change(now, |approvals| Ok(approvals.clone()))
    }

    /// The questions that wait for an answer, for a mere look: nothing is made, locked or written. If they
    /// cannot be read, there are none.
    pub fn waiting(&self, now: u64) -> Vec<Approval> {
        let file =
            PrivateFolder::open(self.path()).ok().map(|folder| read::<ApprovalsFile>(&folder, FILE, LARGEST));
        let mut known = file.and_then(Result::ok).unwrap_or_default().approvals;
        known.retain(|approval| approval.state == ApprovalState::Waiting && !approval.has_expired(now));
        known
    }

    /// The files of approvals that could not be read and were set aside: the questions and answers in them are lost.
    pub fn set_aside(&self) -> Vec<PathBuf> {
        let names = self.folder().ok().and_then(|folder| folder.names().ok()).unwrap_or_default();
        let names = names.into_iter().filter(|name| name.starts_with(ASIDE));
        names.map(|name| self.path().join(name)).collect()
    }

    /// Reads, changes and writes the approvals under the lock; those that have expired go.
    fn change<Answer>(
        &self,
        now: u64,
        change: impl FnOnce(&mut Vec<Approval>) -> Result<Answer, LedgerError>,
    ) -> Result<Answer, LedgerError> {
        let (folder, _lock) = self.locked(LOCK)?;
        let mut file: ApprovalsFile = match read(&folder, FILE, LARGEST) {
            Err(error) if error.is_of_no_such_file() => {
                // It is kept for people who want to know; no answer in it can be trusted.
                let aside = format!("{ASIDE}{now}.json");
                folder.rename(FILE, &aside).map_err(|error| self.failed(&aside, error))?;
                ApprovalsFile::default()
            }
            read => read?,
        };
        let before = file.clone();
        file.approvals.retain(|approval| !approval.has_expired(now));
        let answer = change(&mut file.approvals)?;
        if file != before {
            let bytes = format::bytes(&file);
            if bytes.len() as u64 > LARGEST {
                // Nobody could read it again, and so answer nothing.
                return Err(LedgerError::NotAsked("the questions take too much room together".into()));
            }
            folder.write_durably(FILE, &bytes).map_err(|error| self.failed(FILE, error))?;
        }
        Ok(answer)
    }
}

/// The one question that an id, or the beginning of one, means to who says yes, or no.
fn resolve<'a>(
    approvals: &'a mut [Approval],
    id: &str,
    grant: bool,
) -> Result<&'a mut Approval, LedgerError> {
    let id = id.to_ascii_lowercase();
    let is_open = |state| match state {
        ApprovalState::Waiting => true,
        ApprovalState::Granted(_) => !grant,
        ApprovalState::Denied(_) => false,
    };
    let mut meant = approvals
        .iter_mut()
        .filter(|known| !id.is_empty() && known.id.starts_with(&id) && is_open(known.state));
    match (meant.next(), meant.next()) {
        (Some(approval), None) => Ok(approval),
        (None, _) => {
            Err(LedgerError::NoSuchApproval(format!("no question with the id {id} waits for an answer")))
        }
        (Some(_), Some(_)) => Err(LedgerError::NoSuchApproval(format!("more than one id begins with {id}"))),
    }
}

/// Removes the oldest question of a project that has as many as it may. So an agent that asks more and more
/// loses only its own earlier questions. Answers stay.
fn make_room(approvals: &mut Vec<Approval>, project: &str) {
    let waits = |known: &Approval| known.state == ApprovalState::Waiting && known.question.project == project;
    let waiting = approvals.iter().filter(|known| waits(known)).count();
    if waiting >= MOST_OF_ONE
        && let Some(oldest) = approvals.iter().position(waits)
    {
        approvals.remove(oldest);
    }
}

/// A new id of letters and digits that nobody can mistake for each other: 130 random bits.
fn new_id() -> std::io::Result<String> {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    const LENGTH: usize = 26;
    let random: [u8; LENGTH] = sys::random::secret()?;
    Ok(random.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}
