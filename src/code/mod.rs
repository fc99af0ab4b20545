//! Code mode: programs in TypeScript that call the tools of a project.
//!
//! A program runs in a process of its own that can do nothing but call tools. Its calls take the way of every call, as
//! those of code: the same policy, confirmation and records.

mod answer;
mod compiler;
mod execute;
mod executed;
mod host;
mod interpreter;
mod look_up;
mod media;
mod observed;
mod only;
mod results;
mod script;
mod search;
mod tools;
mod trial;

pub use crate::sandbox::{CheckFinding, ExecutionLimits, ExecutionTask, Outcome, PrintedStream};
pub use crate::sys::isolation::ARGUMENT;
pub use compiler::{CompilerFindings, compile};
pub use execute::{ExecutionAudience, Program, execute};
pub use executed::{Collected, Executed, PrintedText};
pub use host::OnPrint;
pub use interpreter::main as interpret;
pub use only::Only;
pub use script::{PendingScript, WaitingInterpreter};
pub use search::{Hit, ToolIndex, search};
pub use tools::{Tools, is_of_server, not_found, types};
pub use trial::trial;
