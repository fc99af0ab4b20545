//! The state of a question that was put in the answer to a call. A client that brings it back brings the
//! person's answer.
//!
//! It is signed with a key of this user's, so any server on this machine recognises it, and none has to
//! remember it. It is about one question, for a while, and used once. Used ones are written down under the
//! lock.
//!
//! The codec for states in `rmcp` only signs, with another hash, and would bring the protocol into the gate. That each state counts once, and
//! leaves room for those of other projects, is all but some twenty lines of this file.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use blake3::{Hash, Hasher};
use serde::{Deserialize, Serialize};

use super::{Ledger, read as read_file, write};
use crate::ledger::approval::ApprovalQuestion;
use crate::ledger::error::LedgerError;
use crate::sys::{self, private::PrivateFolder};

const KEY: &str = "states.key";
const USED: &str = "states.json";
const LOCK: &str = "states.lock";
/// How many bytes a key has.
const KEY_BYTES: usize = 32;
/// How long a state is worth something, in milliseconds: a quarter of an hour.
const LASTS: u64 = 15 * 60 * 1000;
/// How many used ones are remembered, each for as long as it would last.
const MOST: usize = 4096;
/// How many of one project: its agent must leave room for those of others.
const MOST_OF_ONE: usize = 512;
/// The largest file of used ones that is read, in bytes.
const LARGEST: u64 = 1024 * 1024;
/// The prefix of the signed text, so that nothing else that this key might ever sign can be taken for a
/// state.
const DOMAIN: &[u8] = b"cuff, state of a question, 1\n";
/// How many hexadecimal digits say when it ends.
const TIME: usize = 16;
/// How many are a number that no other state has.
const NUMBER: usize = 32;
/// How many are a hash: what it is about, and after that the signature.
const HASH: usize = 64;

/// The result of using up the state that an answer came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedState {
    /// It was of this question, and open: the answer counts.
    Answered,
    /// It is not of an open question about this plan.
    Unknown,
    /// Too many were answered of late to tell used ones apart: a person has to answer in another way.
    TooMany,
}

/// The states of questions that were used: the number of each with its project, and when it would have ended.
type Used = BTreeMap<String, u64>;

#[derive(Debug, Default, Serialize, Deserialize)]
struct UsedFile {
    used: Used,
}

/// The content of a state.
struct RequestState<'a> {
    /// When it ends, in milliseconds since 1970.
    until: u64,
    number: &'a str,
    about: &'a str,
}

impl Ledger {
    /// A state for this question.
    ///
    /// # Errors
    /// When the key cannot be read or made.
    pub fn state(&self, question: &ApprovalQuestion, now: u64) -> Result<String, LedgerError> {
        let folder = self.folder()?;
        let key = self.key(&folder)?;
        let number = u128::from_ne_bytes(self.secret()?);
        let said = format!("{:016x}{number:032x}{}", now.saturating_add(LASTS), about(question));
        let signature = sign(&key, &said);
        Ok(format!("{said}{signature}"))
    }

    /// Whether a state was made here, at any time and about any question.
    ///
    /// # Errors
    /// When the key cannot be read.
    pub fn has_made(&self, state: &str) -> Result<bool, LedgerError> {
        let Ok(folder) = PrivateFolder::open(self.path()) else { return Ok(false) };
        Ok(self.known_key(&folder)?.is_some_and(|key| read(&key, state).is_some()))
    }

    /// Whether a state is of this question, neither too old nor used before. The state is used up in any
    /// case, unless there is no room to write that down.
    ///
    /// # Errors
    /// When the ledger cannot be read, or not be written: a state that stays could be used twice.
    pub fn use_up(
        &self,
        state: &str,
        question: &ApprovalQuestion,
        now: u64,
    ) -> Result<ClosedState, LedgerError> {
        let (folder, _lock) = self.locked(LOCK)?;
        let Some(key) = self.known_key(&folder)? else { return Ok(ClosedState::Unknown) };
        let state = read(&key, state).filter(|state| now < state.until);
        let (Some(state), Some(mut used)) = (state, self.used(&folder)?) else {
            return Ok(ClosedState::Unknown);
        };
        used.retain(|_, until| now < *until);
        let was_used = used.range(state.number.to_owned()..).next();
        if was_used.is_some_and(|(number, _)| number.starts_with(state.number)) {
            return Ok(ClosedState::Unknown);
        }
        let project = mark(&question.project);
        let of_this = used.keys().filter(|number| number.ends_with(&project)).count();
        if used.len() >= MOST || of_this >= MOST_OF_ONE {
            return Ok(ClosedState::TooMany);
        }
        used.insert(format!("{}{project}", state.number), state.until);
        write(&folder, USED, &UsedFile { used }, LARGEST)?;
        Ok(if state.about == about(question) { ClosedState::Answered } else { ClosedState::Unknown })
    }

    /// Which were used; `None` where nobody knows any more. Then there is another key, and none of them counts.
    fn used(&self, folder: &PrivateFolder) -> Result<Option<Used>, LedgerError> {
        match read_file::<UsedFile>(folder, USED, LARGEST) {
            Ok(UsedFile { used }) => Ok(Some(used)),
            Err(error) if error.is_of_no_such_file() => {
                self.make_key(folder)?;
                write(folder, USED, &UsedFile::default(), LARGEST)?;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The key; made where there is none, or none that is one.
    fn key(&self, folder: &PrivateFolder) -> Result<[u8; KEY_BYTES], LedgerError> {
        if let Some(key) = self.known_key(folder)? {
            return Ok(key);
        }
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
        match self.known_key(folder)? {
            Some(key) => Ok(key),
            None => self.make_key(folder),
        }
    }

    fn known_key(&self, folder: &PrivateFolder) -> Result<Option<[u8; KEY_BYTES]>, LedgerError> {
        match folder.read(KEY, KEY_BYTES as u64) {
            Ok(bytes) => Ok(bytes.try_into().ok()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidInput) => Ok(None),
            Err(error) => Err(self.failed(KEY, error)),
        }
    }

    fn make_key(&self, folder: &PrivateFolder) -> Result<[u8; KEY_BYTES], LedgerError> {
        let key = self.secret()?;
        folder.write_durably(KEY, &key).map_err(|error| self.failed(KEY, error))?;
        Ok(key)
    }

    /// Without what nobody can foresee nothing is signed.
    fn secret<const BYTES: usize>(&self) -> Result<[u8; BYTES], LedgerError> {
        sys::random::secret().map_err(|error| self.failed(KEY, error))
    }
}

/// The mark behind the number of a used state: the hash of its project.
fn mark(project: &str) -> String {
    format!("@{}", &blake3::hash(project.as_bytes()).to_hex()[..16])
}

/// The hash of a question: its caller, its project, its tool and its plan.
fn about(question: &ApprovalQuestion) -> String {
    let mut hasher = Hasher::new();
    for part in [&question.caller, &question.project, &question.tool, &question.digest] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

fn sign(key: &[u8; KEY_BYTES], said: &str) -> Hash {
    Hasher::new_keyed(key).update(DOMAIN).update(said.as_bytes()).finalize()
}

/// Reads a state; `None` if it was not made with this key.
fn read<'a>(key: &[u8; KEY_BYTES], state: &'a str) -> Option<RequestState<'a>> {
    let sound = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    if state.len() != TIME + NUMBER + HASH + HASH || !state.bytes().all(sound) {
        return None;
    }
    let (said, signature) = state.split_at(TIME + NUMBER + HASH);
    // The comparison of hashes takes the same time for all of them.
    if sign(key, said) != Hash::from_hex(signature).ok()? {
        return None;
    }
    let (until, rest) = said.split_at(TIME);
    let (number, about) = rest.split_at(NUMBER);
    Some(RequestState { until: u64::from_str_radix(until, 16).ok()?, number, about })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests break the files that they look at")]

    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn question(digest: &str) -> ApprovalQuestion {
        let text = String::new;
        ApprovalQuestion {
            digest: digest.into(),
            tool: text(),
            original: text(),
            reason: text(),
            command: text(),
            text: None,
            facts: Vec::new(),
            project: text(),
            caller: text(),
        }
    }

    fn counts(ledger: &Ledger, state: &str, question: &ApprovalQuestion, now: u64) -> bool {
        ledger.use_up(state, question, now).unwrap() == ClosedState::Answered
    }

    #[test]
    fn a_state_is_of_its_own_question_once_and_for_a_while_on_the_whole_machine() {
        let base = tempfile::tempdir().unwrap();
        let ledger = Ledger::at(base.path().join("cuff"));
        let plan = question("plan");
        assert!(!ledger.has_made(&"0".repeat(176)).unwrap(), "nothing was made yet");
        let state = ledger.state(&plan, 1000).unwrap();
        // Another process has nothing but the folder.
        let other = Ledger::at(base.path().join("cuff"));
        assert!(other.has_made(&state).unwrap());
        assert!(counts(&other, &state, &plan, 1001));
        assert!(!counts(&ledger, &state, &plan, 1002), "used up");
        let state = ledger.state(&plan, 1000).unwrap();
        assert!(!counts(&ledger, &state, &question("other"), 1000), "of another plan");
        assert!(!counts(&ledger, &state, &plan, 1000), "and used up by that");
        let elsewhere = ApprovalQuestion { project: "/other".into(), ..question("plan") };
        let state = ledger.state(&elsewhere, 1000).unwrap();
        assert!(!counts(&ledger, &state, &plan, 1000), "of another project");
        let late = ledger.state(&plan, 1000).unwrap();
        assert!(!counts(&ledger, &late, &plan, 1000 + LASTS), "too old");
        assert!(ledger.has_made(&late).unwrap(), "and still ours");
        let key = base.path().join("cuff").join(KEY);
        assert_eq!(fs::metadata(key).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_changed_state_is_rejected() {
        let base = tempfile::tempdir().unwrap();
        let ledger = Ledger::at(base.path().join("cuff"));
        let state = ledger.state(&question("plan"), 1000).unwrap();
        for place in 0..state.len() {
            let other = if &state[place..=place] == "0" { "1" } else { "0" };
            let changed = format!("{}{other}{}", &state[..place], &state[place + 1..]);
            assert!(!ledger.has_made(&changed).unwrap(), "{place}");
        }
        let (half, upper) = (&state[..state.len() / 2], state.to_uppercase());
        let spaced = format!(" {state}");
        for none in ["", half, &upper, &spaced, &"é".repeat(88), &format!("{state}00")] {
            assert!(!ledger.has_made(none).unwrap(), "{none}");
            assert!(!counts(&ledger, none, &question("plan"), 1000), "{none}");
        }
        let strangers = Ledger::at(base.path().join("stranger"));
        let strange = strangers.state(&question("plan"), 1000).unwrap();
        assert!(!ledger.has_made(&strange).unwrap());
    }

    #[test]
    fn without_the_list_of_used_states_none_counts() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("cuff");
        let ledger = Ledger::at(&folder);
        let plan = question("plan");
        let (used, open) = (ledger.state(&plan, 1000).unwrap(), ledger.state(&plan, 1000).unwrap());
        assert!(counts(&ledger, &used, &plan, 1000));
        fs::write(folder.join(USED), "{").unwrap();
        assert!(!counts(&ledger, &used, &plan, 1000));
        assert!(!counts(&ledger, &used, &plan, 1000) && !ledger.has_made(&open).unwrap());
        let fresh = ledger.state(&plan, 1000).unwrap();
        assert!(counts(&ledger, &fresh, &plan, 1000), "and it goes on");
        fs::write(folder.join(USED), r#"{"format": 99, "used": {}}"#).unwrap();
        let fresh = ledger.state(&plan, 1000).unwrap();
        assert!(matches!(ledger.use_up(&fresh, &plan, 1000), Err(LedgerError::Newer(_, 99))));
        fs::write(folder.join(KEY), "short").unwrap();
        assert!(!ledger.has_made(&fresh).unwrap());
        let mended = ledger.state(&plan, 1000).unwrap();
        assert!(ledger.has_made(&mended).unwrap());
    }

    #[test]
    fn used_ones_are_forgotten_when_they_would_have_ended_and_there_are_not_too_many() {
        let base = tempfile::tempdir().unwrap();
        let ledger = Ledger::at(base.path().join("cuff"));
        let plan = question("plan");
        let state = ledger.state(&plan, 0).unwrap();
        let elsewhere = ApprovalQuestion { project: "/other".into(), ..question("plan") };
        let others = ledger.state(&elsewhere, 0).unwrap();
        let folder = PrivateFolder::open(ledger.path()).unwrap();
        let fill = |count: usize, mark: &str| {
            let used: Used = (0..count).map(|number| (format!("{number:032x}{mark}"), LASTS)).collect();
            write(&folder, USED, &UsedFile { used }, LARGEST).unwrap();
        };
        fill(MOST_OF_ONE, &mark(&plan.project));
        assert_eq!(ledger.use_up(&state, &plan, 1).unwrap(), ClosedState::TooMany);
        assert!(counts(&ledger, &others, &elsewhere, 1), "another project has room");
        assert!(!counts(&ledger, &others, &elsewhere, 1) && !counts(&ledger, &others, &plan, 1), "used up");
        fill(MOST_OF_ONE - 1, &mark(&plan.project));
        assert!(counts(&ledger, &state, &plan, 1));
        let state = ledger.state(&plan, 0).unwrap();
        fill(MOST, "");
        assert_eq!(ledger.use_up(&state, &plan, 1).unwrap(), ClosedState::TooMany);
        let later = ledger.state(&plan, LASTS).unwrap();
        assert!(counts(&ledger, &later, &plan, LASTS));
        let left: UsedFile = read_file(&folder, USED, LARGEST).unwrap();
        assert_eq!(left.used.len(), 1);
    }
}
