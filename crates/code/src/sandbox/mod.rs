//! TypeScript in, a result out: programs that call tools, in an interpreter that can do nothing else.
//!
//! A program is read, checked and run in a child process of its own, which has nothing but a pipe. The parent
//! never looks into it. No IO happens here: a [`SandboxHost`] makes the calls, and both sides bring their end of the
//! pipe along.

mod absences;
mod bounds;
mod call_site;
mod catalog;
mod check;
mod code_frame;
mod compile;
mod dialect;
mod elision;
mod execution;
mod failure;
mod finding;
mod frame;
mod host;
pub mod interpreter;
mod journal;
mod limits;
mod modules;
mod names;
mod program;
mod protocol;
mod session;
mod span;
mod stopwatch;
mod transform;
pub mod types;
mod withheld;

pub use bounds::LONGEST_SOURCE;
pub use catalog::{Catalog, NamedServer, NamedTool, ResultShape, ToolDescription, ToolServer};
pub use code_frame::TextPosition;
pub(crate) use code_frame::{NAME, offset};
pub use dialect::unfenced;
pub use elision::{Elided, elided};
pub use execution::{Execution, ExecutionTask, Outcome, execute};
pub use failure::{Failure, FailureKind};
pub use finding::CheckFinding;
pub use frame::StackFrame;
pub use host::{CallFailure, SandboxHost, ToolCall};
pub use journal::{CallEnd, CallRecord, summary};
pub use limits::ExecutionLimits;
pub use protocol::{HostQuestion, Isolation, PrintedStream, StartLimits, framed, take};
#[cfg(test)]
pub(crate) use protocol::{InterpreterMessage, StartMessage, answer};
pub use withheld::WithheldName;
