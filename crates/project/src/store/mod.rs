//! The run store: every run's log, its command, and how it ended.
//!
//! A folder for each run, named by its id, has up to four files:
//!
//! - `raw.log` has the output of both streams, in order of arrival, without secrets.
//! - `raw.index` has the positions of its lines, and the stream of each byte. It comes with the first output.
//! - `meta.json` is begun when the run begins, and goes on when it starts and ends.
//! - `diagnostics.json` is written when it ends with findings.
//!
//! A call of another MCP server has `meta.json` alone, with its answer; one that is long has a file of its own,
//! `answer.json`. The log of a call is the text of its answer.
//!
//! A crash at any moment keeps all of a log that was written.

mod answers;
mod call_recording;
mod changes;
mod cut;
mod ending;
mod error;
mod files;
mod findings;
mod folder;
mod format;
mod index;
#[cfg(feature = "team")]
mod outbox;
mod record;
mod recording;
#[cfg(test)]
mod tests;
#[cfg(feature = "team")]
mod waiting_trace;

pub use call_recording::CallRecording;
pub use error::{NoSuchRun, StoreError};
pub use findings::{read as findings_of_bytes, write as findings_as_bytes};
pub use folder::retention::{RetentionLimits, Swept};
pub use folder::{LATEST, Store};
pub use format::{BadMeta, read as run_of_bytes, write as run_as_bytes};
#[cfg(feature = "team")]
pub use outbox::{Outbox, OutboxEntry, WaitingRun};
pub use record::Log;
pub use recording::Recording;
#[cfg(feature = "team")]
pub use waiting_trace::{RecordedSpan, SpanRole, WaitingTrace};
