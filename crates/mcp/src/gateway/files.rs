//! The files of one session.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use super::record::{GatewayRecord, OwnerRecord};
use crate::sys::private::{Lock, PrivateFolder};
use crate::sys::{Clock, KnownProcess, files};

/// The largest record, in bytes.
const LARGEST: u64 = 64 * 1024;
/// The largest log that is added to, in bytes: a session that lasts for weeks does not fill the folder.
const LARGEST_LOG: u64 = 4 * 1024 * 1024;
/// The endings of all files of a session.
const ENDINGS: [&str; 5] = ["pid", "json", "log", "lock", "start"];
/// How long a killed process may take to disappear.
const LONGEST_DEATH: Duration = Duration::from_secs(2);
/// The pause between two tries of a lock.
const PAUSE: Duration = Duration::from_millis(5);

/// The files of one session: `.pid` with the number of the gateway's process alone, `.json` with all that is
/// needed to reach it, and `.log`. The gateway holds `.lock` while it lives. A process that starts or ends it
/// holds `.start`.
#[derive(Debug, Clone)]
pub struct SessionFiles {
    folder: PrivateFolder,
    stem: String,
}

impl SessionFiles {
    pub(super) fn new(folder: PrivateFolder, stem: String) -> Self {
        Self { folder, stem }
    }

    /// How their names begin.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// The path of the file with the process id.
    pub fn pid_path(&self) -> PathBuf {
        self.folder.path().join(self.name("pid"))
    }

    /// The path of the log.
    pub fn log_path(&self) -> PathBuf {
        self.folder.path().join(self.name("log"))
    }

    /// The record of the gateway; `None` where there is nothing that can be read as one.
    pub fn record(&self) -> Option<GatewayRecord> {
        let bytes = self.folder.read(&self.name("json"), LARGEST).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Whether there is a record, readable or not.
    pub fn has_record(&self) -> bool {
        self.folder.view(&self.name("json")).is_ok()
    }

    /// Whether a gateway holds its lock.
    pub fn is_held(&self) -> bool {
        self.folder.view(&self.name("lock")).is_ok_and(|view| view.is_locked())
    }

    /// Writes the record, and then the process id: a reader that finds the id finds the record as well.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn publish(&self, record: &GatewayRecord) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(record)?;
        self.folder.write(&self.name("json"), &bytes)?;
        self.folder.write(&self.name("pid"), record.pid.to_string().as_bytes())
    }

    /// Takes the lock of the gateway for this process; `None` while another has it.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn hold(&self) -> io::Result<Option<Lock>> {
        let name = self.name("lock");
        let mut lock = self.folder.try_lock(&name)?;
        for _ in 0..LONGEST_DEATH.as_millis() / PAUSE.as_millis() {
            // A killed process keeps it until its last thread has ended.
            let is_dying = || self.holder().is_some_and(|holder| !holder.is_alive());
            if lock.is_some() || !is_dying() {
                break;
            }
            sleep(PAUSE);
            lock = self.folder.try_lock(&name)?;
        }
        let Some(mut lock) = lock else { return Ok(None) };
        let holder = serde_json::to_vec(&OwnerRecord::from(KnownProcess::this()))?;
        lock.file().set_len(0)?;
        lock.file().write_all(&holder)?;
        Ok(Some(lock))
    }

    /// The process that took the lock of the gateway last.
    pub(super) fn holder(&self) -> Option<KnownProcess> {
        let bytes = self.folder.read(&self.name("lock"), LARGEST).ok()?;
        let OwnerRecord { pid, started } = serde_json::from_slice(&bytes).ok()?;
        Some(KnownProcess { pid, started })
    }

    /// Takes the lock for starting or ending a gateway; `None` while another holds it for longer than
    /// `patience`.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn change(&self, patience: Duration) -> io::Result<Option<Lock>> {
        let name = self.name("start");
        for _ in 0..=patience.as_millis() / PAUSE.as_millis() {
            // Another process may have removed the file while it held the lock: then the lock is of nothing.
            if let Some(lock) = self.folder.try_lock(&name)?.filter(|lock| self.folder.has(&name, lock)) {
                return Ok(Some(lock));
            }
            sleep(PAUSE);
        }
        Ok(None)
    }

    /// The log, to write to the end of.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn open_log(&self) -> io::Result<File> {
        self.folder.open_end(&self.name("log"))
    }

    /// Adds a line to the log, where that has room.
    pub fn log(&self, line: &str) {
        let has_room = self.folder.view(&self.name("log")).and_then(|view| view.len());
        if has_room.is_ok_and(|bytes| bytes > LARGEST_LOG) {
            return;
        }
        // A log that cannot be written is no reason to do less.
        let _ = self.folder.extend(&self.name("log"), format!("{line}\n").as_bytes());
    }

    /// The last lines of the log.
    pub fn last_lines(&self, count: usize) -> Vec<String> {
        let bytes = self.folder.read(&self.name("log"), 2 * LARGEST_LOG).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(count)..].iter().map(|line| (*line).to_owned()).collect()
    }

    /// Whether there are any.
    pub(super) fn has_remains(&self) -> bool {
        self.changed().is_some()
    }

    /// Whether the last change of any of them is longer ago.
    pub(super) fn is_older_than(&self, age: Duration, clock: &Clock) -> bool {
        let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        self.changed().is_some_and(|changed| clock.milliseconds().saturating_sub(changed) > age)
    }

    /// The last change of any of them, in milliseconds since 1970.
    fn changed(&self) -> Option<u64> {
        let paths = ENDINGS.iter().map(|ending| self.folder.path().join(self.name(ending)));
        paths.filter_map(|path| files::changed(&path)).max()
    }

    /// Removes all of them; the lock for changes last.
    pub fn remove(&self) {
        for ending in ENDINGS {
            // One that is not there need not be removed.
            let _ = self.folder.remove_file(&self.name(ending));
        }
    }

    fn name(&self, ending: &str) -> String {
        format!("{}.{ending}", self.stem)
    }
}
