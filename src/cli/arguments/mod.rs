//! The shapes of cuff's own commands and their options.

mod commands;
mod completions;
mod examples;
mod gateway;
mod globals;
mod groups;
mod hook;
mod http;
mod init;
mod install;
mod list;
mod mcp;
mod one_of;
mod option_word;
mod plugin_command;
mod read;
mod run;
mod runs;
mod serve;
mod sorted;
mod toolscript;
mod toolscript_examples;
mod typed;

pub(super) use commands::Commands;
pub(super) use completions::Shell;
#[cfg(all(feature = "code", feature = "http"))]
pub(super) use gateway::{GatewayCommand, GatewayStart, GatewayStatus, GatewayStop, HookCommand};
pub(super) use globals::Globals;
#[cfg(test)]
pub(super) use groups::SEE_ALSO;
pub(super) use hook::CuffHookCommand;
pub(super) use http::{Http, TOKEN_VARIABLE};
pub(super) use init::{ExistingArguments, Init, ScopeArguments};
pub(super) use install::{Doctor, Install};
pub(super) use list::ListOptions;
#[cfg(feature = "http")]
pub(super) use mcp::McpLogin;
pub(super) use mcp::{McpAdd, McpCommand, McpTest};
pub(super) use option_word::{first_word, option_word, takes_value};
pub(super) use read::{FindingsFormat, Form};
pub(super) use run::{CallArguments, RunArguments, RunOptions, Why};
pub(super) use runs::{
    ApprovalsTyped, Approve, Audit, LineRange, LogOptions, Prune, RunAndEarlier, RunAndForm, RunAndJson,
    RunsCommand, RunsList,
};
#[cfg(feature = "team")]
pub(super) use runs::{RunsPush, SharedRun};
pub(super) use serve::Serve;
pub(super) use sorted::{Sorted, sorted};
#[cfg(feature = "code")]
pub(super) use toolscript::{Exec, GetTypes, ListTools, SearchOutput, SearchTools, ToolscriptCommand};
pub(super) use toolscript::{NAME as TOOLSCRIPT, is_toolscript};
pub(super) use typed::{Action, TypedCommand, TypedLine, built_tree, parse, run_options, tree};
