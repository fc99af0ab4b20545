//! `cuff mcp`: the other MCP servers whose tools are offered here.

mod edit;
mod list;
#[cfg(feature = "http")]
mod login;
mod opened;
mod trial;

use std::path::Path;

use super::arguments::McpCommand;
use crate::project::Context;
use crate::terminal::{Failed, Ui};

/// Adds, removes, lists or tries servers.
pub(super) fn mcp(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &McpCommand,
) -> Result<u8, Failed> {
    match typed {
        McpCommand::Add(typed) => edit::add(ui, context, config, typed),
        McpCommand::Remove(typed) => edit::remove(ui, context, config, &typed.name),
        McpCommand::List(typed) => list::list(ui, context, config, typed.json),
        McpCommand::Test(typed) => trial::test(ui, context, config, typed),
        #[cfg(feature = "http")]
        McpCommand::Login(typed) => login::login(ui, context, config, typed),
        #[cfg(feature = "http")]
        McpCommand::Logout(typed) => login::logout(ui, context, config, &typed.name),
        #[cfg(not(feature = "http"))]
        McpCommand::Login(_) | McpCommand::Logout(_) => {
            let help = "servers over HTTP need it; install cuff with its feature `http`";
            Err(Failed::usage("this build of cuff has no HTTP").help(help))
        }
    }
}
