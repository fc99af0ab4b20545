//! Three tools for all: search, types, and a program in TypeScript that calls the others in a sandbox.
//!
//! They can be called however the tools are offered; `--expose code` lists them alone.

mod call;
mod offer;
mod program_call;
mod run;

pub(super) use call::call;
pub(super) use offer::{named, tools};
pub(super) use program_call::ProgramCall;
