//! `cuff mcp`: the other MCP servers whose tools are offered here.

mod edit;
mod list;

use std::path::Path;

use super::arguments::McpCommand;
use crate::project::Context;
use crate::terminal::{Failed, Ui};

/// Adds, removes or lists servers.
pub(super) fn mcp(
    ui: &Ui,
    surroundings: &Context,
    config: Option<&Path>,
    typed: &McpCommand,
) -> Result<u8, Failed> {
    match typed {
        McpCommand::Add(typed) => edit::add(ui, surroundings, config, typed),
        McpCommand::Remove(typed) => edit::remove(ui, surroundings, config, &typed.name),
        McpCommand::List(typed) => list::list(ui, surroundings, config, typed.json),
    }
}
