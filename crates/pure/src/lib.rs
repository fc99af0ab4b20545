//! The values of cuff, and the readers of what tools print: all that does no IO.
//!
//! A package of its own, so that it is compiled for speed in a binary that is compiled for size: every byte of a run passes
//! through `redact`, `dialect` and `diagnostics`. The map of the whole is in the front page of the package cuff.

pub mod diagnostics;
pub mod dialect;
pub mod model;
pub mod redact;
