//! Writes a run while it goes on: the log as its bytes come, and its index.

use std::fs::File;
use std::io::Write;

use serde_json::Value;

use super::error::StoreError;
use super::files::{FINDINGS, INDEX, LOG, META, RESULT, SCRIPT, STOPPED};
use super::index::Follower;
use super::{changes, findings, format};
use crate::model::{Beginning, Chunk, End, Findings, Group, Printed, RecordState, Recorded, RunId, Stream};
use crate::sys::private::{Lock, PrivateFolder};

/// A run that is being recorded. While it lives the log is locked; when its process ends, however that is, the lock
/// goes and readers take the run for interrupted.
#[derive(Debug)]
pub struct Recording {
    folder: PrivateFolder,
    id: RunId,
    log: Lock,
    meta: File,
    /// `None`: it is not needed yet.
    index: Option<File>,
    follower: Follower,
    printed: Printed,
    unfinished_line: bool,
}

impl Recording {
    /// Begins to record in this folder, which is empty.
    pub(super) fn begin(folder: PrivateFolder, id: RunId, beginning: Beginning) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Io(folder.path().to_owned(), error);
        let run = Recorded { id, beginning, state: RecordState::Running(None) };
        let log = Lock::exclusive(folder.append(LOG).map_err(failed)?).map_err(failed)?;
        let mut meta = folder.append(META).map_err(failed)?;
        meta.write_all(&format::write(&run)).map_err(failed)?;
        Ok(Self {
            folder,
            id,
            log,
            meta,
            index: None,
            follower: Follower::default(),
            printed: Printed::default(),
            unfinished_line: false,
        })
    }

    /// The run's id.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Notes that its process has started, so that others may end it by its group. If the note cannot be
    /// written, they cannot.
    pub fn started(&mut self, group: Group) {
        let _ = self.meta.write_all(&changes::write_start(group));
    }

    /// Whether another process was asked to end it.
    pub fn was_stopped(&self) -> bool {
        self.folder.view(STOPPED).is_ok()
    }

    /// Takes the next bytes of a stream. If they cannot be written, the run goes on, and its end says so.
    pub fn push(&mut self, chunk: Chunk<'_>) {
        let bytes = chunk.bytes();
        match chunk.stream() {
            Stream::Out | Stream::Both => self.printed.out += bytes.len() as u64,
            Stream::Err => self.printed.err += bytes.len() as u64,
        }
        if let Some(last) = bytes.last() {
            self.unfinished_line = *last != b'\n';
        }
        let mut due = Vec::new();
        self.follower.push(chunk, |checkpoint| due.extend_from_slice(&checkpoint.encode()));
        if self.printed.lost.is_none()
            && let Err(error) = self.write(&due, bytes)
        {
            let kept = self.folder.view(LOG).and_then(|log| log.len()).unwrap_or_default();
            self.printed.lost = Some(format!("the log ends after {kept} bytes: {error}"));
        }
    }

    /// The index goes first: a checkpoint behind the log's end is passed over, bytes without one are found.
    fn write(&mut self, due: &[u8], bytes: &[u8]) -> std::io::Result<()> {
        if !due.is_empty() {
            let index = match &mut self.index {
                Some(index) => index,
                none => none.insert(self.folder.append(INDEX)?),
            };
            index.write_all(due)?;
        }
        self.log.file().write_all(bytes)
    }

    /// Takes the source of a program. When it cannot be written, the run's end says so.
    pub fn source(&mut self, source: &str) {
        if let Err(error) = self.folder.write(SCRIPT, source.as_bytes()) {
            self.printed.lost.get_or_insert_with(|| format!("the program is not recorded: {error}"));
        }
    }

    /// Takes the result of a program, whole. When it cannot be written, the run's end says so.
    pub fn returned(&mut self, result: &Value) {
        if let Err(error) = self.folder.write(RESULT, result.to_string().as_bytes()) {
            self.printed.lost.get_or_insert_with(|| format!("the result is not recorded: {error}"));
        }
    }

    /// How much was printed until now.
    pub fn printed(&self) -> Printed {
        let lines = self.follower.lines() + u64::from(self.unfinished_line);
        Printed { lines, ..self.printed.clone() }
    }

    /// Ends the record of a run, with the findings of its log. The end is one write: a reader meanwhile, or after a crash,
    /// finds the whole end or none.
    ///
    /// # Errors
    /// When its end cannot be written; the log is there, and readers take the run for interrupted.
    pub fn end(mut self, end: &End, findings: &Findings) -> Result<RunId, StoreError> {
        let findings_file = findings::write(findings);
        let is_without = findings_file == findings::write(&Findings::default());
        // Before the end: a reader that sees the end also finds the findings.
        let found = if is_without { Ok(()) } else { self.folder.write(FINDINGS, &findings_file) };
        let written = found.and_then(|()| self.meta.write_all(&changes::write_end(end, is_without)));
        written.map_err(|error| StoreError::Io(self.folder.path().to_owned(), error))?;
        Ok(self.id)
    }
}
