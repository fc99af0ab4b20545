//! Records of runs that a team shares: pushed to an object store, listed there, and pulled into the run store of this machine. And
//! traces: the spans of calls, sent to a collector.
//!
//! A record is one object, made once and never changed: a run as the run store has it, its findings and its log, without
//! secrets, under a digest of all of it. [`TeamStore`] keeps them; [`push_waiting`] pushes the runs that wait, and [`send_traces`]
//! sends the spans.
//!
//! Invariants: a record whose digest is wrong, or that is too large or of another run than its name says, is never shown, and
//! its reader hears of it; nothing that a record says is believed beyond its own text.
//!
//! Begin with [`TeamStore::open`].

use cuff_model as model;
use cuff_project::calls;
use cuff_project::store;
use cuff_system as sys;

mod address;
mod client;
mod key;
mod pull;
mod push;
mod record;
mod team_store;
mod traces;

pub use pull::pull;
pub use push::{Pushed, Unpushable, push_waiting, push_waiting_of};
pub use record::{BadRecord, LogParts, SharedRecord};
pub use team_store::{Listed, TeamError, TeamStore};
pub use traces::{SentTraces, send_traces};
