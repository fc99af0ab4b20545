//! The terminal face: what a person types, sees and gets.

mod commands;
mod completions;
mod doctor;
mod error_messages;
mod init;
mod install;
mod interactive_terminal;
mod mcp;
mod readme_session;
mod server_questions;
mod server_tools;
mod why_and_status;
