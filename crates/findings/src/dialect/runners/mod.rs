//! Runners of tests whose reports have one shape: failures with a head, a reason and a place, and counts. They are data,
//! with one reader for all.
//!
//! A runner is added as a row of `rows`, with a sample in `fixtures/lines/`.

mod counts;
mod reader;
mod rows;
mod shape;

pub(super) use rows::RUNNERS;
