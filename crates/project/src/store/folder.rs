//! The folder of all runs of a user.

pub(super) mod retention;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use serde_json::Value;

use super::call_recording::CallRecording;
use super::error::{NoSuchRun, StoreError};
use super::files::{
    FINDINGS, LARGEST_ANSWER, LARGEST_FINDINGS, LARGEST_META, LARGEST_SCRIPT, LOG, META, RESULT, SCRIPT,
    STOPPED,
};
use super::format::BadMeta;
use super::record::Log;
use super::recording::Recording;
use super::{answers, changes, findings, format};
use crate::model::{Answer, Beginning, Findings, RecordState, Recorded, RunId};
use crate::sys::Environment;
use crate::sys::private::PrivateFolder;

/// The shortest end of an id that is looked up: a shorter text may be a word.
const SHORTEST_END: usize = 6;
/// The shortest part of what people see of an id.
const SHORTEST_PART: usize = 4;

/// The name of the newest run.
pub const LATEST: &str = "latest";

/// The folder of all runs of a user.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    /// When it was swept last, in milliseconds since 1970; 0: that was not read yet.
    swept: Arc<AtomicU64>,
}

impl Store {
    /// The store in this folder, which is made when the first run is recorded.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), swept: Arc::default() }
    }

    /// The store of this user: in `$XDG_DATA_HOME/cuff/runs`, else `~/.local/share/cuff/runs`; `None` where neither is known.
    pub fn of(environment: &Environment) -> Option<Self> {
        environment.base("XDG_DATA_HOME", ".local/share").map(|base| Self::at(base.join("cuff").join("runs")))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins to record the run of a process.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin(&self, id: RunId, beginning: Beginning) -> Result<Recording, StoreError> {
        self.begin_in_new(id, |folder| Recording::begin(folder, id, beginning))
    }

    /// Begins to record a call of another MCP server.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin_call(&self, id: RunId, beginning: Beginning) -> Result<CallRecording, StoreError> {
        self.begin_in_new(id, |folder| CallRecording::begin(folder, id, beginning))
    }

    fn begin_in_new<R>(
        &self,
        id: RunId,
        begin: impl FnOnce(PrivateFolder) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let failed = |error| self.failed(error);
        let all = PrivateFolder::make(&self.path).map_err(failed)?;
        let folder = all.make_new(&id.to_string()).map_err(failed)?;
        begin(folder).inspect_err(|_| {
            // Nothing ran yet, and an empty folder would be in the way of readable ones.
            let _ = all.remove(&id.to_string());
        })
    }

    /// The ids of all runs, the newest first; those of another kind of name are none.
    ///
    /// # Errors
    /// When the store cannot be read. One that is not there has no runs.
    pub fn ids(&self) -> Result<Vec<RunId>, StoreError> {
        match PrivateFolder::open(&self.path).and_then(|folder| folder.names()) {
            Ok(names) => Ok(names.iter().rev().filter_map(|name| name.parse().ok()).collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// How many bytes all runs take together.
    pub fn bytes(&self) -> u64 {
        let Ok(all) = PrivateFolder::open(&self.path) else { return 0 };
        let ids = self.ids().unwrap_or_default();
        ids.iter().filter_map(|id| all.inner(&id.to_string()).ok()).map(|run| run.bytes()).sum()
    }

    fn failed(&self, error: std::io::Error) -> StoreError {
        StoreError::Io(self.path.clone(), error)
    }

    /// Finds a run by `latest`, an id, or a part of one, among those that count. The beginning of an id goes before
    /// its end, and both before a part of what people see of it, and that before any other part.
    ///
    /// # Errors
    /// When there is none, or more than one, or the store cannot be read.
    pub fn find(&self, wanted: &str, counts: &dyn Fn(RunId) -> bool) -> Result<RunId, NoSuchRun> {
        let ids = self.ids().map_err(|error| NoSuchRun::Unreadable(error.to_string()))?;
        let mut all = ids.into_iter();
        if wanted == LATEST {
            return all.find(|id| counts(*id)).ok_or(NoSuchRun::None);
        }
        let lower = wanted.to_ascii_lowercase();
        let is_long = lower.len() >= SHORTEST_END;
        // People see the end of an id, and copy what they like of it.
        let end_has = |text: &str| text.rsplit('-').next().is_some_and(|end| end.contains(&lower));
        let steps: [&dyn Fn(&str) -> bool; 3] = [
            &|text| text.starts_with(&lower) || (is_long && text.ends_with(&lower)),
            &|text| lower.len() >= SHORTEST_PART && end_has(text),
            &|text| is_long && text.contains(&lower),
        ];
        let ids: Vec<RunId> = all.collect();
        let meant = steps.into_iter().filter(|_| !lower.is_empty()).map(|is_meant| {
            let is_it = |id: &&RunId| is_meant(&id.to_string()) && counts(**id);
            ids.iter().filter(is_it).copied().collect::<Vec<_>>()
        });
        let mut meant = meant.into_iter().find(|meant| !meant.is_empty()).unwrap_or_default();
        match (meant.pop(), meant.is_empty()) {
            (None, _) if !ids.into_iter().any(counts) => Err(NoSuchRun::None),
            (None, _) => Err(NoSuchRun::Unknown(wanted.to_owned())),
            (Some(id), true) => Ok(id),
            (Some(id), false) => {
                // The newest first.
                meant.push(id);
                Err(NoSuchRun::Ambiguous(wanted.to_owned(), meant))
            }
        }
    }

    /// The record of a run. A run whose recorder was killed is marked as interrupted.
    ///
    /// # Errors
    /// When it cannot be read, or a newer cuff wrote it.
    pub fn run(&self, id: RunId) -> Result<Recorded, StoreError> {
        let folder = self.folder(id)?;
        let read = || {
            let bytes = folder.read(META, LARGEST_META);
            let bytes = bytes.map_err(|error| StoreError::Io(folder.path().to_owned(), error))?;
            let run = format::read(&bytes).map_err(|bad| StoreError::Meta(id, bad))?;
            if run.id == id {
                return Ok(run);
            }
            Err(StoreError::Meta(id, BadMeta::Corrupt("it is of another run".to_owned())))
        };
        // Asked before it is read: a run that ends meanwhile has written its end before it lets go.
        let is_live = is_recorded(&folder);
        let run = read()?;
        if !matches!(run.state, RecordState::Running(_)) || is_live {
            return Ok(run);
        }
        let run = read()?;
        if !matches!(run.state, RecordState::Running(_)) {
            return Ok(run);
        }
        let run = Recorded { state: RecordState::Interrupted, ..run };
        // If the mark cannot be written, the next reader repeats the check.
        let _ = folder.write(META, &format::write(&run));
        Ok(run)
    }

    /// The record of a run's beginning. Unlike [`run`](Self::run) this marks nothing.
    pub fn beginning(&self, id: RunId) -> Option<Beginning> {
        let bytes = self.folder(id).ok()?.read(META, LARGEST_META).ok()?;
        format::read(&bytes).ok().filter(|run| run.id == id).map(|run| run.beginning)
    }

    /// Whether a process records the run now.
    pub fn is_recorded(&self, id: RunId) -> bool {
        self.folder(id).is_ok_and(|folder| is_recorded(&folder))
    }

    /// Notes that a run is ended on purpose, so that its recorder does not take it for a crash. If the note
    /// cannot be written, the run is reported with its signal.
    pub fn note_stop(&self, id: RunId) {
        let _ = self.folder(id).map(|folder| folder.write(STOPPED, b""));
    }

    /// Takes that note back: there was nothing to end.
    pub fn forget_stop(&self, id: RunId) {
        let _ = self.folder(id).map(|folder| folder.remove_file(STOPPED));
    }

    /// The findings of a run that has ended. `None` if there are none, or a newer cuff wrote them: the log
    /// can be read again.
    pub fn findings(&self, id: RunId) -> Option<Findings> {
        let folder = self.folder(id).ok()?;
        match folder.read(FINDINGS, LARGEST_FINDINGS) {
            Ok(bytes) => findings::read(&bytes),
            // An answer is not looked through. Calls of format 2 do not say so.
            Err(_) => (is_without_findings(&folder) || answers::is_call(&folder)).then(Findings::default),
        }
    }

    /// The answer of another MCP server to a call; `None` for a process, or where there was no answer.
    pub fn answer(&self, id: RunId) -> Option<Answer> {
        answers::answer(&self.folder(id).ok()?)
    }

    /// The source of a program; `None` where the run is none.
    pub fn script(&self, id: RunId) -> Option<String> {
        String::from_utf8(self.folder(id).ok()?.read(SCRIPT, LARGEST_SCRIPT).ok()?).ok()
    }

    /// The result of a program; `None` where it returned nothing, or the run is none.
    pub fn result(&self, id: RunId) -> Option<Value> {
        serde_json::from_slice(&self.folder(id).ok()?.read(RESULT, LARGEST_ANSWER).ok()?).ok()
    }

    /// A run's log.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn log(&self, id: RunId) -> Result<Log, StoreError> {
        Log::open(&self.folder(id)?)
    }

    fn folder(&self, id: RunId) -> Result<PrivateFolder, StoreError> {
        let folder = PrivateFolder::open(&self.path).and_then(|all| all.inner(&id.to_string()));
        folder.map_err(|error| StoreError::Io(self.path.join(id.to_string()), error))
    }
}

fn is_without_findings(folder: &PrivateFolder) -> bool {
    folder.read(META, LARGEST_META).is_ok_and(|bytes| changes::is_without_findings(&bytes))
}

/// Whether the run in this folder is being recorded.
fn is_recorded(folder: &PrivateFolder) -> bool {
    let locked = folder.view(LOG).or_else(|_| folder.view(META));
    locked.is_ok_and(|file| file.is_locked())
}
