//! How long runs are kept: by age, and by the room they take.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Store, is_recorded};
use crate::model::RunId;
use crate::store::files::{LARGEST_META, META};
use crate::store::format::{self, BadMeta};
use crate::sys::private::PrivateFolder;

/// The file that says when the store was swept last.
const SWEPT: &str = "last-sweep";
/// The time that a recorder may take to write its metadata, in milliseconds.
const BEGINS_WITHIN: u64 = 60_000;

/// The limits of what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionLimits {
    /// How long a run is kept.
    pub age: Duration,
    /// How many bytes all runs together may take; the oldest go first.
    pub bytes: u64,
}

impl RetentionLimits {
    /// So many days.
    pub fn days(days: u64) -> Duration {
        Duration::from_secs(days.saturating_mul(86_400))
    }
}

impl Default for RetentionLimits {
    /// Fourteen days, 2 GiB.
    fn default() -> Self {
        Self { age: Duration::from_hours(14 * 24), bytes: 2 << 30 }
    }
}

/// The result of a sweep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    /// The runs that were removed.
    pub removed: Vec<RunId>,
    /// How many bytes that freed.
    pub bytes: u64,
    /// Of how many projects these were, as far as that can be read.
    pub projects: usize,
    /// The runs that could not be removed, in words.
    pub failed: Vec<String>,
}

impl Store {
    /// When the store was swept last, in milliseconds since 1970. Of what other processes do meanwhile nothing is read.
    pub fn last_sweep(&self) -> Option<u64> {
        let read = || {
            let bytes = PrivateFolder::open(self.path()).ok()?.read(SWEPT, 32).ok()?;
            String::from_utf8(bytes).ok()?.trim().parse().ok()
        };
        let known = self.swept.load(Ordering::Relaxed);
        let last = if known > 0 { Some(known) } else { read() };
        self.swept.store(last.unwrap_or_default(), Ordering::Relaxed);
        last
    }

    /// Notes that the store is swept now. If the note cannot be written, the next run sweeps again.
    pub fn note_sweep(&self, now: u64) {
        self.swept.store(0, Ordering::Relaxed);
        if let Ok(folder) = PrivateFolder::open(self.path()) {
            let _ = folder.write(SWEPT, format!("{now}\n").as_bytes());
        }
    }

    /// Removes the runs that are too old, and the oldest while all take too much room. `now` is in milliseconds since
    /// 1970. Runs that go on are left alone, and so are those of a newer cuff.
    pub fn sweep(&self, limits: RetentionLimits, now: u64) -> Swept {
        self.sweep_by(limits, now, PrivateFolder::remove)
    }

    /// The result of a sweep, without removing anything.
    pub fn rehearse_sweep(&self, limits: RetentionLimits, now: u64) -> Swept {
        self.sweep_by(limits, now, |_, _| Ok(()))
    }

    fn sweep_by(
        &self,
        limits: RetentionLimits,
        now: u64,
        remove: impl Fn(&PrivateFolder, &str) -> io::Result<()>,
    ) -> Swept {
        let mut projects = BTreeSet::new();
        let mut swept = Swept::default();
        let (folder, ids) = match (PrivateFolder::open(self.path()), self.ids()) {
            (Ok(folder), Ok(ids)) => (folder, ids),
            (_, Err(error)) => {
                swept.failed.push(error.to_string());
                return swept;
            }
            // It is not there.
            (Err(_), Ok(_)) => return swept,
        };
        let youngest = now.saturating_sub(u64::try_from(limits.age.as_millis()).unwrap_or(u64::MAX));
        let mut kept = 0_u64;
        for id in ids {
            let Ok(run) = folder.inner(&id.to_string()) else { continue };
            let bytes = run.bytes();
            kept = kept.saturating_add(bytes);
            let is_due = id.milliseconds() < youngest || kept > limits.bytes;
            if !is_due || !may_go(&run, now.saturating_sub(id.milliseconds())) {
                continue;
            }
            let project = self.beginning(id).map(|run| run.project);
            match remove(&folder, &id.to_string()) {
                // Another process sweeps, too.
                Err(error) if error.kind() == ErrorKind::NotFound => kept -= bytes,
                Ok(()) => {
                    kept -= bytes;
                    swept.bytes += bytes;
                    swept.removed.push(id);
                    projects.extend(project);
                }
                Err(error) => swept.failed.push(format!("{id}: {error}")),
            }
        }
        swept.projects = projects.len();
        swept
    }
}

/// Whether a run may be removed: no process records it, and no newer cuff did. A run without a `meta.json` is
/// about to be recorded, or its recorder was killed before it had begun. `age` is in milliseconds.
fn may_go(run: &PrivateFolder, age: u64) -> bool {
    let is_live = is_recorded(run);
    let meta = run.read(META, LARGEST_META);
    let is_unwritten = match &meta {
        Ok(bytes) => bytes.is_empty(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    };
    let begins = age < BEGINS_WITHIN && is_unwritten;
    let is_newer = matches!(format::read(&meta.unwrap_or_default()), Err(BadMeta::Newer(_)));
    !is_live && !begins && !is_newer
}
