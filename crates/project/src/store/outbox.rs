//! The things of a project that wait until a process of cuff's own sends them: runs for the records of its team, and the spans of
//! calls. A small file for each.

use std::io::{self, ErrorKind};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::RunId;
use crate::sys::Environment;
use crate::sys::private::{Lock, PrivateFolder};

/// How many entries wait at most. Beyond that the oldest are given up.
const MOST: usize = 1_000;
/// The largest file of the folder that is read, in bytes.
const LARGEST: u64 = 64 * 1024;
/// Held by the process that sends.
const LOCK: &str = "lock";
/// Why the last attempt failed.
const PROBLEM: &str = "problem";
/// How many entries were given up.
const GIVEN_UP: &str = "given-up";

/// A thing that can wait.
pub trait OutboxEntry: Serialize + DeserializeOwned {
    /// The name of the folder of all that wait.
    const FOLDER: &'static str;
}

/// A run that waits to be pushed to the records of its team, noted when it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingRun {
    /// The store of the settings under which it ran.
    pub store: String,
    /// The name of the project, the same on all machines.
    pub project: String,
}

impl OutboxEntry for WaitingRun {
    const FOLDER: &'static str = "unpushed";
}

/// The entries of a project that wait.
#[derive(Debug, Clone)]
pub struct Outbox<Entry> {
    path: PathBuf,
    entries: PhantomData<fn() -> Entry>,
}

impl<Entry: OutboxEntry> Outbox<Entry> {
    /// Those of the project at this root; `None` where the environment names no place for them.
    pub fn of(environment: &Environment, root: &Path) -> Option<Self> {
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        Self::named(environment, &hash[..16])
    }

    /// Those of the project of this [`name`](Self::name).
    pub fn named(environment: &Environment, name: &str) -> Option<Self> {
        let is_name = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let base = environment.base("XDG_STATE_HOME", ".local/state").filter(|_| is_name)?;
        Some(Self { path: base.join("cuff").join(Entry::FOLDER).join(name), entries: PhantomData })
    }

    /// The name of their folder.
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Notes an entry. Beyond a thousand the oldest is given up, and counted.
    ///
    /// # Errors
    /// The operating system's.
    pub fn note(&self, id: RunId, entry: &Entry) -> io::Result<()> {
        let folder = PrivateFolder::make(&self.path)?;
        let waiting = self.waiting()?;
        let too_many = &waiting[..(waiting.len() + 1).saturating_sub(MOST)];
        if !too_many.is_empty() {
            folder.write(GIVEN_UP, (self.given_up() + too_many.len() as u64).to_string().as_bytes())?;
            for id in too_many {
                self.forget(*id);
            }
        }
        let text = serde_json::to_vec(entry).unwrap_or_default();
        folder.write(&id.to_string(), &text)
    }

    /// The ids of those that wait, the oldest first.
    ///
    /// # Errors
    /// The operating system's. Where nothing was ever noted, none wait.
    pub fn waiting(&self) -> io::Result<Vec<RunId>> {
        match PrivateFolder::open(&self.path).and_then(|folder| folder.names()) {
            Ok(names) => Ok(names.iter().filter_map(|name| name.parse().ok()).collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// The entry of this id; `None` where there is none that can be read.
    pub fn read(&self, id: RunId) -> Option<Entry> {
        serde_json::from_slice(&self.file(&id.to_string())?).ok()
    }

    /// Removes an entry.
    pub fn forget(&self, id: RunId) {
        // Where it stays, it is sent again, which changes nothing.
        let _ = PrivateFolder::open(&self.path).and_then(|folder| folder.remove_file(&id.to_string()));
    }

    /// How many were given up, since too many waited.
    pub fn given_up(&self) -> u64 {
        let count = || String::from_utf8(self.file(GIVEN_UP)?).ok()?.trim().parse().ok();
        count().unwrap_or_default()
    }

    /// Why the last attempt to send failed.
    pub fn problem(&self) -> Option<String> {
        String::from_utf8(self.file(PROBLEM)?).ok()
    }

    /// Keeps why an attempt failed, or that the last one did not.
    pub fn keep_problem(&self, problem: Option<&str>) {
        let Ok(folder) = PrivateFolder::open(&self.path) else { return };
        // The failure is said where it can be: they wait either way.
        let _ = match problem {
            Some(problem) => folder.write(PROBLEM, problem.as_bytes()),
            None => folder.remove_file(PROBLEM),
        };
    }

    /// The lock of the one process that sends; `None` while another does, or where nothing waits.
    pub fn lock(&self) -> Option<Lock> {
        PrivateFolder::open(&self.path).ok()?.try_lock(LOCK).ok()?
    }

    fn file(&self, name: &str) -> Option<Vec<u8>> {
        PrivateFolder::open(&self.path).ok()?.read(name, LARGEST).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_wait_in_order_and_the_oldest_are_given_up() {
        let base = tempfile::tempdir().unwrap();
        let environment = Environment::new(base.path(), [("XDG_STATE_HOME", base.path())]);
        let unpushed = Outbox::<WaitingRun>::of(&environment, Path::new("/project")).unwrap();
        assert_eq!((unpushed.waiting().unwrap(), unpushed.lock().is_none()), (vec![], true));
        let run = WaitingRun { store: "/records".into(), project: "example.com/x".into() };
        let ids: Vec<RunId> = (0..MOST as u64 + 3).map(|at| RunId::new(at, [1; 10])).collect();
        for id in &ids {
            unpushed.note(*id, &run).unwrap();
        }
        assert_eq!((unpushed.waiting().unwrap(), unpushed.given_up()), (ids[3..].to_vec(), 3));
        assert_eq!(unpushed.read(ids[3]), Some(run));
        unpushed.forget(ids[3]);
        assert_eq!((unpushed.read(ids[3]), unpushed.waiting().unwrap().len()), (None, MOST - 1));
        unpushed.keep_problem(Some("no network"));
        assert_eq!(unpushed.problem().as_deref(), Some("no network"));
        unpushed.keep_problem(None);
        assert_eq!(unpushed.problem(), None);
        let held = unpushed.lock().unwrap();
        assert!(unpushed.lock().is_none());
        drop(held);
        let same = Outbox::<WaitingRun>::named(&environment, &unpushed.name()).unwrap();
        assert_eq!(same.waiting().unwrap().len(), MOST - 1);
        assert!(Outbox::<WaitingRun>::named(&environment, "../../somewhere0").is_none());
    }
}
