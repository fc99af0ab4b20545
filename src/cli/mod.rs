//! The terminal face: reads the command line, calls the project, prints through one `Ui`.

mod approve;
mod arguments;
mod audit;
mod bare_tool;
mod call;
mod choose;
mod command_line;
mod complete;
mod declared;
mod doctor;
mod findings;
mod flags;
mod hook;
mod init;
mod install;
mod list;
mod log;
#[cfg(test)]
mod man;
mod mcp;
mod problems;
mod read;
mod rerun;
mod run;
mod runners;
mod runs;
mod self_test;
mod serve;
mod server_questions;
mod status;
#[cfg(feature = "code")]
mod toolscript;
mod usage;
mod why;

pub use command_line::main;
