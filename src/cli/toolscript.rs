//! `cuff toolscript`, and the program `toolscript`: programs in TypeScript against all tools.

#[cfg(feature = "http")]
mod doctor;
mod exec;
mod found_tools;
#[cfg(feature = "http")]
mod gateway;
#[cfg(feature = "http")]
mod gateway_service;
#[cfg(feature = "http")]
mod hook;
mod listings;
mod opened;
mod service;
mod source;
mod steps;

use std::path::Path;

#[cfg(feature = "http")]
use gateway_service::GatewayService;
use service::ToolService;

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
    let service = || ToolService::of(ui, context, config);
    match typed {
        ToolscriptCommand::Exec(typed) => {
            // A check runs nothing, and the compiler that it asks is the project's own.
            #[cfg(feature = "http")]
            if !typed.standalone
                && !typed.check
                && let Some(gateway) = GatewayService::named(context)
            {
                return gateway?.exec(ui, context, typed);
            }
            exec::exec(ui, context, config, typed)
        }
        ToolscriptCommand::ListServers(typed) => listings::servers(ui, &service()?, typed.json),
        ToolscriptCommand::ListTools(typed) => listings::tools(ui, &service()?, typed),
        ToolscriptCommand::GetTypes(typed) => listings::types(ui, &service()?, typed),
        ToolscriptCommand::Search(typed) => listings::search(ui, &service()?, typed),
        ToolscriptCommand::Status(typed) => {
            #[cfg(feature = "http")]
            if let Some(connection) = gateway_service::connection(context) {
                return gateway::shown(ui, connection, typed.json, true);
            }
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
