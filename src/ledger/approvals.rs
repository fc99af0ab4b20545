//! Questions that wait for a person, and answers that wait to be used.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::format::{self, BadFile};
use super::{Consent, Ledger, LedgerError};
use crate::model::{Quoted, quoted, visible};
use crate::sys::{self, private::PrivateFolder};

const FILE: &str = "approvals.json";
const LOCK: &str = "approvals.lock";
/// What the name of a file begins with that could not be read and was set aside.
const ASIDE: &str = "approvals.corrupt-";
/// The largest file of approvals that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;
/// How long a question waits for an answer, in milliseconds: a day.
const QUESTION_LASTS: u64 = 24 * 3600 * 1000;
/// How long a yes may wait to be used, in milliseconds: a quarter of an hour.
const ANSWER_LASTS: u64 = 15 * 60 * 1000;
/// How many questions may wait at once: an agent must not fill the disk with them.
const MOST: usize = 200;

/// How many questions of one project may wait at once: its agent must leave room for those of others.
const MOST_OF_ONE: usize = 50;
/// The longest command line that a person can be asked about, in bytes.
const LONGEST: usize = 16 * 1024;

/// What a person is asked to allow, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What tells this plan from every other: tool, program, words, folder, environment with values.
    pub digest: String,
    /// The tool's qualified name.
    pub tool: String,
    /// The command line for people to read, secrets taken out.
    pub command: String,
    /// The project's own text of what that runs, where it is known, secrets taken out.
    pub text: Option<String>,
    /// The project's root.
    pub project: String,
    /// Who asked: `agent`, `human`, or `run` for a process of a run.
    pub caller: String,
}

/// A question, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// What people type to answer it.
    pub id: String,
    /// What is asked.
    pub question: Question,
    /// When it was asked, in milliseconds since 1970.
    pub asked: u64,
    /// Whether it was answered, and how.
    pub state: ApprovalState,
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalState {
    /// Nobody has answered yet.
    Waiting,
    /// A person said yes, at this time in milliseconds since 1970; it was not used yet.
    Granted(u64),
    /// A person said no, at this time.
    Denied(u64),
}

impl Question {
    /// The question as every face puts it: one line, or with the project's own text before its last. A text with a hidden
    /// middle says so, and what shows all of it.
    pub fn sentence(&self) -> String {
        let (tool, command) = (&self.tool, visible(&self.command));
        match self.quoted() {
            Some(quoted) => {
                let notice = quoted.notice(&format!("cuff why {tool}"));
                let notice = notice.map_or_else(String::new, |notice| notice + "\n");
                format!("{tool} needs your yes. What it runs:\n{}\n{notice}Run `{command}`?", quoted.text)
            }
            None => format!("{tool} needs your yes. Run `{command}`?"),
        }
    }

    /// The project's own text as people are shown it; `None` where nothing is known that the command line does not say.
    pub fn quoted(&self) -> Option<Quoted> {
        self.text.as_deref().map(quoted).filter(|quoted| !quoted.text.is_empty())
    }

    /// Why nobody can be asked, if so.
    ///
    /// # Errors
    /// When it is too long to be judged.
    pub fn is_legible(&self) -> Result<(), LedgerError> {
        if self.command.len() <= LONGEST {
            return Ok(());
        }
        let what = format!("a command line of more than {} KiB is too long to be judged", LONGEST / 1024);
        Err(LedgerError::NotAsked(what))
    }
}

impl Approval {
    /// Whether it is too old to matter at this time, in milliseconds since 1970.
    fn has_expired(&self, now: u64) -> bool {
        match self.state {
            ApprovalState::Waiting => now.saturating_sub(self.asked) >= QUESTION_LASTS,
            // One of later than now was said by another clock, and nobody knows when.
            ApprovalState::Granted(at) => at > now || now - at >= ANSWER_LASTS,
            ApprovalState::Denied(at) => now.saturating_sub(at) >= QUESTION_LASTS,
        }
    }
}

impl Ledger {
    /// Records a question for a person, and says what its id is; the same question that waits already is not asked twice.
    ///
    /// # Errors
    /// When the ledger cannot be written, too much is asked already, or nobody could read the question.
    pub fn ask(&self, question: Question, now: u64) -> Result<String, LedgerError> {
        question.is_legible()?;
        self.change(now, |approvals| {
            let waits =
                |known: &&Approval| known.question == question && known.state == ApprovalState::Waiting;
            if let Some(known) = approvals.iter().find(waits) {
                return Ok(known.id.clone());
            }
            make_room(approvals, &question.project);
            if approvals.len() >= MOST {
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
        self.change(now, |approvals| meant(approvals, id, grant).cloned())
    }

    /// A person answers a question, by its id or the beginning of it; comes back with it, and what it was before. A no
    /// takes back a yes that was not used yet.
    ///
    /// # Errors
    /// When no question that waits is meant, or the ledger cannot be written.
    pub fn answer(
        &self,
        _: &sys::terminal::Yes,
        id: &str,
        grant: bool,
        now: u64,
    ) -> Result<(Approval, ApprovalState), LedgerError> {
        self.change(now, |approvals| {
            let approval = meant(approvals, id, grant)?;
            let before = approval.state;
            approval.state = if grant { ApprovalState::Granted(now) } else { ApprovalState::Denied(now) };
            Ok((approval.clone(), before))
        })
    }

    /// A person was asked and has answered: what this caller left for another time is settled.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn settle(&self, question: &Question, now: u64) -> Result<(), LedgerError> {
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
            let place = approvals.iter().position(granted);
            Ok(place.map(|place| (Consent(()), approvals.remove(place).id)))
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

    /// The questions that wait for an answer, for somebody who only looks: nothing is made, locked or written, and where
    /// they cannot be read there are none.
    pub fn waiting(&self, now: u64) -> Vec<Approval> {
        let bytes = PrivateFolder::open(self.path()).and_then(|folder| folder.read(FILE, LARGEST));
        let mut known = bytes.ok().and_then(|bytes| format::read(&bytes).ok()).unwrap_or_default();
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
        let folder = self.folder()?;
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
        let (before, read) = match folder.read(FILE, LARGEST) {
            Ok(bytes) => {
                let read = format::read(&bytes);
                (bytes, read)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (Vec::new(), Ok(Vec::new())),
            // No file, or one that was not written here.
            Err(error) if error.kind() == ErrorKind::InvalidInput => (Vec::new(), Err(BadFile::Corrupt)),
            Err(error) => return Err(self.failed(FILE, error)),
        };
        let mut approvals = match read {
            Ok(approvals) => approvals,
            Err(BadFile::Newer(found)) => return Err(LedgerError::Newer(self.path().join(FILE), found)),
            Err(BadFile::Corrupt) => {
                // Kept for whoever wants to know; no answer in it can be trusted.
                let aside = format!("{ASIDE}{now}.json");
                folder.rename(FILE, &aside).map_err(|error| self.failed(&aside, error))?;
                Vec::new()
            }
        };
        approvals.retain(|approval| !approval.has_expired(now));
        let answer = change(&mut approvals)?;
        let after = format::write(&approvals);
        if after != before {
            if after.len() as u64 > LARGEST {
                // Nobody could read it again, and so answer nothing.
                return Err(LedgerError::NotAsked("the questions take too much room together".into()));
            }
            folder.write_durably(FILE, &after).map_err(|error| self.failed(FILE, error))?;
        }
        Ok(answer)
    }
}

/// The one question that an id, or the beginning of one, means to who says yes, or no.
fn meant<'a>(approvals: &'a mut [Approval], id: &str, grant: bool) -> Result<&'a mut Approval, LedgerError> {
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

/// Where as many questions of a project wait as may, the oldest of them goes: whoever asks more and more loses what he
/// asked before, and nobody else does. Answers stay.
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
