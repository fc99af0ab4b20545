//! The run store: every run's log, what was run, and how it ended.
//!
//! A folder for each run, named by its id, with four files. `raw.log` has what both streams printed, in order of
//! arrival, secrets taken out; `raw.index` says where its lines are and which stream printed what; `meta.json` is
//! written when the run begins and again when it ends, `diagnostics.json` when it ends. A crash at any moment leaves all of a log that was written.

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

pub use error::{NoSuchRun, StoreError};
pub use folder::retention::{Limits, Swept};
pub use folder::{LATEST, Store};
pub use format::BadMeta;
pub use record::Log;
pub use recording::Recording;
