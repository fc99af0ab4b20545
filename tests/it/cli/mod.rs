//! The terminal face: what a person types, sees and gets.

mod as_without_cuff;
mod commands;
mod completions;
mod doctor;
mod error_messages;
#[cfg(target_os = "linux")]
mod fan_out;
mod first_minute;
mod init;
mod install;
mod interactive_runs;
mod interactive_terminal;
mod list_graph;
mod mcp;
mod mistakes;
mod original_names;
mod packages;
mod pager;
mod picture;
mod read;
mod recorded_session;
mod runs_of_several;
mod server_questions;
mod server_tools;
mod several_tools;
mod version;
mod why_and_status;
mod workspace_runs;
