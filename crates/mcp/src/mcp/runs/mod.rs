//! The server's own tools: what ran in this project, how it ended, what it printed, and an end to it.
//!
//! `offer` says what they are, `answer` what they find in the run store. They see the runs of this project alone.

mod answer;
mod call;
mod offer;
mod reply;
#[cfg(feature = "team")]
mod shared;

pub(super) use call::call;
pub(super) use offer::{briefly, described, named, tools};
