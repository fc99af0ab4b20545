//! `cuff toolscript`, and the program `toolscript`: programs in TypeScript against all tools.

#[cfg(feature = "http")]
mod doctor;
mod exec;
#[cfg(feature = "http")]
mod gateway;
#[cfg(feature = "http")]
mod hook;
mod listings;
mod opened;
#[cfg(feature = "http")]
mod remote;
mod search;
mod source;
mod steps;

use std::path::Path;

use super::arguments::{McpCommand, McpTest, TOOLSCRIPT, ToolscriptCommand};
use super::{complete, mcp};
use crate::project::Context;
use crate::terminal::{Failed, Ui};

/// Carries out one of the commands.
pub(super) fn toolscript(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &ToolscriptCommand,
) -> Result<u8, Failed> {
    let context = &steps::observed(context);
    #[cfg(feature = "http")]
    if let Some(done) = remote::remote(ui, context, typed) {
        return done;
    }
    match typed {
        ToolscriptCommand::Exec(typed) => exec::exec(ui, context, config, typed),
        ToolscriptCommand::ListServers(typed) => listings::servers(ui, context, config, typed.json),
        ToolscriptCommand::ListTools(typed) => listings::tools(ui, context, config, typed),
        ToolscriptCommand::GetTypes(typed) => listings::types(ui, context, config, typed),
        ToolscriptCommand::Search(typed) => search::search(ui, context, config, typed),
        ToolscriptCommand::Status(typed) => {
            let test = McpTest { server: None, json: typed.json };
            mcp::mcp(ui, context, config, &McpCommand::Test(test))
        }
        ToolscriptCommand::Completions(typed) => complete::print(ui, typed.shell, TOOLSCRIPT),
        #[cfg(feature = "http")]
        ToolscriptCommand::Doctor(typed) => doctor::doctor(ui, context, typed.json),
        #[cfg(feature = "http")]
        ToolscriptCommand::Gateway(typed) => gateway::gateway(ui, context, config, &typed.command),
        #[cfg(feature = "http")]
        ToolscriptCommand::Hook(typed) => Ok(hook::hook(ui, context, typed.command)),
        #[cfg(not(feature = "http"))]
        ToolscriptCommand::Doctor(_) | ToolscriptCommand::Gateway(_) | ToolscriptCommand::Hook(_) => {
            let help = "a gateway speaks HTTP; install cuff with its feature `http`";
            Err(Failed::usage("this build of cuff has no HTTP").help(help))
        }
    }
}
