//! The run store: every run's log, its command, and how it ended.
//!
//! A folder for each run, named by its id, has four files:
//!
//! - `raw.log` has the output of both streams, in order of arrival, without secrets.
//! - `raw.index` has the positions of its lines, and the stream of each byte.
//! - `meta.json` is written when the run begins and again when it ends.
//! - `diagnostics.json` is written when it ends.
//!
//! A call of another MCP server has `meta.json` alone, with its answer; one that is long has a file of its own,
//! `answer.json`. The log of a call is the text of its answer.
//!
//! A crash at any moment keeps all of a log that was written.

mod answers;
mod call_recording;
mod cut;
mod error;
mod files;
mod findings;
mod folder;
mod format;
mod index;
mod record;
mod recording;
#[cfg(test)]
mod tests;

pub use call_recording::CallRecording;
pub use error::{NoSuchRun, StoreError};
pub use folder::retention::{Limits, Swept};
pub use folder::{LATEST, Store};
pub use format::BadMeta;
pub use record::Log;
pub use recording::Recording;
