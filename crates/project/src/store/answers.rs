//! Reads the answers of other MCP servers to calls.

use super::files::{ANSWER, LARGEST_ANSWER, LARGEST_META, META};
use super::{changes, format};
use crate::model::Answer;
use crate::sys::private::PrivateFolder;

/// The answer in the folder of a run; `None` for a process, or where there was no answer.
pub(super) fn answer(folder: &PrivateFolder) -> Option<Answer> {
    let inline = folder.read(META, LARGEST_META).ok().and_then(|bytes| changes::inline_answer(&bytes));
    let long = || serde_json::from_slice(&folder.read(ANSWER, LARGEST_ANSWER).ok()?).ok();
    inline.or_else(long).map(Answer::new)
}

/// Whether the run in this folder is a call.
pub(super) fn is_call(folder: &PrivateFolder) -> bool {
    let run = folder.read(META, LARGEST_META).ok().and_then(|bytes| format::read(&bytes).ok());
    run.is_some_and(|run| run.beginning.call.is_some())
}

/// The text of the answer, which is the log of a call; empty while there is none.
pub(super) fn text(folder: &PrivateFolder) -> String {
    answer(folder).map(|answer| answer.text()).unwrap_or_default()
}
