//! A permit in, an outcome out: supervise, time out, cancel, kill the tree.

mod contained_tool;
mod containing;
mod copied_project;
mod copy_script;
mod inheritance;
mod prepare;
mod remote_run;
mod returned_files;
mod run;
mod runner;
mod runner_client;
mod serve;
mod server_input;
mod sink;
mod slots;
mod tool_marks;
mod upstream_call;
mod watch;

pub use contained_tool::contain_tool;
pub use containing::{KnownHiddenPaths, probe as containment_probe};
pub use run::{ReadyRun, RunHost, queue, without_process};
pub use runner_client::{ClientHost, Reachability, reach};
pub use serve::{ServerProcess, StartedServer, serve};
pub use server_input::ServerInput;
pub use sink::{KeySignals, Sink};
pub use slots::Slots;
pub use upstream_call::relay;
