//! A log and the dialects in, findings out: in order, each once, in bounded memory, while the log is written.
//!
//! ```text
//! bytes of a stream ── background_reader   reads a long log on a thread of its own
//!                        └─ stream_reader   cuts them into lines, passes over those that can concern nobody
//!                             ├─ margin      takes off the text that stands before every line
//!                             ├─ jobs        learns the prefixes of the jobs that a runner mixes
//!                             └─ job_reader  the lines of one job; a reader for each dialect
//!                                  └─ collection   what they found: each thing once, the first thousand in full
//! ```

mod annotations;
mod background_reader;
mod collection;
mod declared;
mod difference;
mod echo;
mod files;
mod git;
mod interrupted;
mod job_reader;
mod jobs;
mod log_end;
mod margin;
mod moved;
mod prefix;
#[cfg(test)]
mod prefix_grid;
mod reader;
#[cfg(test)]
mod samples;
mod scripts;
mod set;
mod stream_reader;
mod tail;
mod test_runs;
#[cfg(test)]
mod tests;
mod triggers;

pub use background_reader::Reading;
pub use difference::{Difference, difference};
pub use interrupted::without_interruptions;
pub use log_end::log_end;
pub use reader::{Reader, dialects_of, is_compiling};
