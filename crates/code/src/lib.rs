//! Code mode: programs in TypeScript that call the tools of a project.
//!
//! A program runs in a process of its own that can do nothing but call tools. Its calls take the way of every call, as
//! those of code: the same policy, confirmation and records.
//!
//! [`sandbox`] reads, checks and runs a program in a process that has nothing but a pipe.
//!
//! Begin with [`execute()`].

use cuff_findings::redact;
use cuff_project::{calls, doctor, execution, project, registry, store, wire};

use cuff_model as model;
use cuff_sources as sources;
use cuff_system as sys;
pub mod sandbox;

mod answer;
mod compiler;
mod execute;
mod executed;
mod host;
mod interpreter;
mod observed;
mod only;
mod script;
mod search;
mod server_list;
mod tool_list;
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
pub use server_list::{server_list, settings_problems, tried_servers};
pub use tool_list::{hit_list, tool_list};
pub use tools::{Tools, is_of_server, not_found, types};
pub use trial::trial;
