//! The plans that a person allows always.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize};

use super::{Ledger, read, write};
use crate::ledger::always::AlwaysAllowed;
use crate::ledger::approval::ApprovalQuestion;
use crate::ledger::consent::Consent;
use crate::ledger::error::LedgerError;
use crate::sys::private::PrivateFolder;
use crate::sys::terminal;

const FILE: &str = "always.json";
/// The name of a file that could not be read and was set aside.
const ASIDE: &str = "always.corrupt.json";
const LOCK: &str = "always.lock";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;
/// How many plans are kept; the oldest goes first.
const MOST: usize = 1000;

#[derive(Debug, Default, Serialize, Deserialize)]
struct AlwaysFile {
    always: Vec<AlwaysAllowed>,
}

impl Ledger {
    /// A person allows a plan always. An older entry for the same command of the tool is replaced.
    ///
    /// # Errors
    /// When the ledger cannot be written: then the person is asked again next time.
    pub fn allow_always(
        &self,
        _: &terminal::AlwaysConsent,
        question: &ApprovalQuestion,
        now: u64,
    ) -> Result<(), LedgerError> {
        let new = AlwaysAllowed::of(question, now);
        self.change_always(|all| {
            all.retain(|one| {
                (&one.project, &one.tool, &one.command) != (&new.project, &new.tool, &new.command)
            });
            let surplus = (all.len() + 1).saturating_sub(MOST);
            all.drain(..surplus);
            all.push(new);
        })
    }

    /// The consent to a plan that the person at the terminal allows always.
    pub fn always_allows(&self, _: &terminal::Person, question: &ApprovalQuestion) -> Option<Consent> {
        let all = self.always().ok()?;
        let one = all.iter().find(|one| one.is_for(question))?;
        Some(Consent::of_always(one))
    }

    /// Every plan that is allowed always, the oldest first. Nothing is made, locked or written.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn always(&self) -> Result<Vec<AlwaysAllowed>, LedgerError> {
        match PrivateFolder::open(self.path()) {
            Ok(folder) => Ok(read::<AlwaysFile>(&folder, FILE, LARGEST)?.always),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.failed(FILE, error)),
        }
    }

    /// Takes back those that are meant, and returns them.
    ///
    /// # Errors
    /// When the ledger cannot be read or written: then they still hold.
    pub fn revoke_always(
        &self,
        is_meant: impl Fn(&AlwaysAllowed) -> bool,
    ) -> Result<Vec<AlwaysAllowed>, LedgerError> {
        if self.always()?.is_empty() {
            return Ok(Vec::new());
        }
        let mut revoked = Vec::new();
        self.change_always(|all| {
            let (gone, kept) = std::mem::take(all).into_iter().partition(&is_meant);
            (revoked, *all) = (gone, kept);
        })?;
        Ok(revoked)
    }

    fn change_always(&self, change: impl FnOnce(&mut Vec<AlwaysAllowed>)) -> Result<(), LedgerError> {
        let (folder, _lock) = self.locked(LOCK)?;
        let mut file: AlwaysFile = match read(&folder, FILE, LARGEST) {
            Err(LedgerError::Corrupt(_)) => {
                // Kept for whoever wants to know; nothing in it can be trusted.
                folder.rename(FILE, ASIDE).map_err(|error| self.failed(ASIDE, error))?;
                AlwaysFile::default()
            }
            read => read?,
        };
        change(&mut file.always);
        write(&folder, FILE, &file, LARGEST)
    }
}
