//! Writes a call of another MCP server: its beginning before the call, its answer and end after it.
//!
//! Calls are short and many: a call has one small file, and another one only for a long answer.

use std::io::Write;

use super::error::StoreError;
use super::files::{ANSWER, META};
use super::{changes, format};
use crate::model::{Answer, Beginning, End, RecordState, Recorded, RunId};
use crate::sys::private::{Lock, PrivateFolder};

/// The longest answer that is kept in `meta.json`, in bytes.
const LONGEST_INLINE: usize = 16 * 1024;

/// A call that is being recorded. While it lives `meta.json` is locked; when its process ends, however that is, the lock
/// goes and readers take the call for interrupted.
#[derive(Debug)]
pub struct CallRecording {
    folder: PrivateFolder,
    id: RunId,
    meta: Lock,
}

impl CallRecording {
    /// Begins to record in this folder, which is empty.
    pub(super) fn begin(folder: PrivateFolder, id: RunId, beginning: Beginning) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Io(folder.path().to_owned(), error);
        let run = Recorded { id, beginning, state: RecordState::Running(None) };
        let mut meta = Lock::exclusive(folder.append(META).map_err(failed)?).map_err(failed)?;
        meta.file().write_all(&format::write(&run)).map_err(failed)?;
        Ok(Self { folder, id, meta })
    }

    /// The id of the call.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Ends the record, behind its beginning and in one write: a reader meanwhile, or after a crash, finds
    /// the whole end or none. Returns the reason why the answer is not recorded, if it is not.
    ///
    /// # Errors
    /// When the end cannot be written; readers take the call for interrupted.
    pub fn end(mut self, mut end: End, answer: Option<&Answer>) -> Result<Option<String>, StoreError> {
        let bytes = answer.map(|answer| answer.raw().to_string());
        let long = bytes.as_deref().filter(|bytes| bytes.len() > LONGEST_INLINE);
        if let Some(Err(error)) = long.map(|bytes| self.folder.write(ANSWER, bytes.as_bytes())) {
            end.printed.lost = Some(format!("the answer is not recorded: {error}"));
        }
        let inline = answer.map(Answer::raw).filter(|_| long.is_none());
        let written = self.meta.file().write_all(&changes::write_call_end(&end, inline));
        written.map_err(|error| StoreError::Io(self.folder.path().to_owned(), error))?;
        Ok(end.printed.lost)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests break the files that they look at")]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use serde_json::{Map, json};

    use super::*;
    use crate::model::{Called, Ending, Findings, Leftovers, Printed, Revision};
    use crate::store::{Log, RetentionLimits, Store};

    fn store() -> (tempfile::TempDir, Store) {
        let base = tempfile::tempdir().unwrap();
        let store = Store::at(base.path().join("cuff/runs"));
        (base, store)
    }

    fn id() -> RunId {
        RunId::new(5, [7; 10])
    }

    fn begun(store: &Store) -> CallRecording {
        let arguments = Some(Map::from_iter([("title".to_owned(), json!("x"))]));
        let called = Called { server: "github".into(), tool: "create-issue".into(), arguments };
        let beginning = Beginning {
            tool: "github.create_issue".into(),
            called: None,
            project: "/project".into(),
            caller: "agent".into(),
            command: Vec::new(),
            directory: String::new(),
            absolute_directory: None,
            arguments: None,
            call: Some(called),
            script: None,
            is_several: false,
            runner: None,
            parent: None,
            revision: Revision::default(),
            is_pulled: false,
        };
        store.begin_call(id(), beginning).unwrap()
    }

    fn end() -> End {
        End {
            ending: Ending::Answered { is_error: false },
            success: true,
            duration: 3,
            at: Some(8),
            error: None,
            error_code: None,
            leftovers: Leftovers::default(),
            changed_later: Vec::new(),
            contained: None,
            denied: Vec::new(),
            printed: Printed::default(),
        }
    }

    fn answer(text: &str) -> Answer {
        Answer::new(json!({"content": [{"type": "text", "text": text, "x": 1}], "vendor": [2.50]}))
    }

    fn lines(log: &Log) -> (String, u64) {
        let mut text = Vec::new();
        log.each(0..log.bytes(), &mut |bytes| {
            text.extend_from_slice(bytes);
            ControlFlow::Continue(())
        })
        .unwrap();
        (String::from_utf8(text).unwrap(), log.lines().unwrap())
    }

    #[test]
    fn a_call_is_read_back_with_its_answer_short_or_long() {
        let many = "line\n".repeat(LONGEST_INLINE / 5 + 1);
        for (text, files) in [("one\ntwo", 1), (many.as_str(), 2)] {
            let (_base, store) = store();
            let recording = begun(&store);
            assert_eq!(store.run(id()).unwrap().state, RecordState::Running(None));
            assert!(store.is_recorded(id()) && store.answer(id()).is_none());
            let mut log = store.log(id()).unwrap();
            assert_eq!(lines(&log), (String::new(), 0));
            assert_eq!(recording.end(end(), Some(&answer(text))).unwrap(), None);
            assert_eq!(store.run(id()).unwrap().state, RecordState::Ended(Box::new(end())));
            assert_eq!(store.answer(id()), Some(answer(text)));
            assert_eq!(store.findings(id()), Some(Findings::default()));
            log.grow().unwrap();
            assert_eq!(lines(&log).0.trim_end(), text.trim_end());
            assert_eq!((log.streams_lost(), store.is_recorded(id())), (None, false));
            let folder = store.path().join(id().to_string());
            assert_eq!(std::fs::read_dir(folder).unwrap().count(), files);
        }
    }

    #[test]
    fn an_end_that_a_crash_has_cut_is_none() {
        let (_base, store) = store();
        let recording = begun(&store);
        let meta = store.path().join(id().to_string()).join(META);
        let before = std::fs::read(&meta).unwrap().len();
        recording.end(end(), Some(&answer("done"))).unwrap();
        let whole = std::fs::read(&meta).unwrap();
        for kept in [before, before + 1, before + 40, whole.len() - 3] {
            std::fs::write(&meta, &whole[..kept]).unwrap();
            assert_eq!(store.run(id()).unwrap().state, RecordState::Interrupted, "{kept} bytes");
            assert_eq!(store.answer(id()), None);
            assert_eq!(store.run(id()).unwrap().beginning.tool, "github.create_issue");
        }
    }

    #[test]
    fn a_call_that_goes_on_is_left_alone_and_one_whose_recorder_is_gone_was_interrupted() {
        let (_base, store) = store();
        let recording = begun(&store);
        let all = RetentionLimits { age: Duration::ZERO, bytes: 0 };
        assert_eq!(store.sweep(all, 99).removed, []);
        drop(recording);
        assert_eq!(store.run(id()).unwrap().state, RecordState::Interrupted);
        assert_eq!(store.sweep(all, 99).removed, [id()]);
    }
}
