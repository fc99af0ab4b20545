//! The operating system: files, processes, clock, environment; the only IO.
//!
//! [`files`] and [`read_file`] read files, with limits, and [`Stamps`] say whether what was read is still there. [`Clock`] and [`Environment`]
//! are handed in, so that tests can bring their own. [`process`] starts programs under a [`supervisor`], which outlives nothing that it
//! started, and [`containment`] holds by the kernel what a run of an agent may do.
//!
//! Invariants: no other package touches files, processes, clock or environment; `unsafe` is here alone, each block with its reason.
//!
//! Begin with [`process`].

use cuff_model as model;

pub mod agents;
pub mod ancestors;
pub mod browser;
mod cache;
#[cfg(target_os = "linux")]
mod capabilities;
mod clock;
pub mod containment;
mod copied_files;
pub mod daemon;
mod descriptors;
mod entries_below;
mod environment;
mod expected_runs;
pub mod files;
pub mod folder;
pub mod glob;
pub mod group;
pub mod heap;
mod held_files;
pub mod host_names;
pub mod input;
#[cfg(feature = "code")]
pub mod isolation;
pub mod journal;
mod kept_files;
mod keyboard;
mod known_process;
mod later_files;
pub mod line_process;
mod mounts;
mod outputs;
mod own_name;
pub mod pager;
mod passed_descriptors;
pub mod peer;
pub mod private;
pub mod process;
mod process_handle;
pub mod process_hardening;
mod process_table;
pub mod programs;
pub mod random;
pub mod read_file;
pub mod repository;
pub mod revision;
mod run_ancestry;
mod run_markers;
#[cfg(feature = "code")]
mod scratch;
mod screen;
#[cfg(feature = "code")]
mod session;
pub mod signal;
#[cfg(target_os = "linux")]
mod spawner;
mod stamps;
pub mod streams;
pub mod supervisor;
pub mod suspension;
pub mod terminal;
pub mod uncontained;
pub mod user;
pub mod watch;

pub use cache::Cache;
pub use clock::{Clock, local_time};
pub use copied_files::{CopiedFiles, CopyResults, GONE, LIST, LeftOut, ReturnedFiles, UNNAMEABLE};
pub use descriptors::raise_limit;
pub use environment::Environment;
pub use held_files::{FileToHold, HeldFiles, Hold, Keeps, Write};
pub use kept_files::{KeptAnswers, KeptFiles};
pub use known_process::{HowEnded, KnownProcess};
pub use later_files::{FileReader, LaterFiles};
pub use mounts::MountTable;
pub use run_ancestry::RunAncestry;
#[cfg(feature = "code")]
pub use scratch::Scratch;
#[cfg(feature = "code")]
pub use session::session;
pub use stamps::{Stamped, Stamps, WatchScope};
