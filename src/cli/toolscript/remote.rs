//! The commands of a session that has a gateway, which `TOOLSCRIPT_GATEWAY_URL` names: it knows all tools and keeps their
//! servers connected.

mod answers;
mod exec;
mod hint;
mod listings;

use super::gateway::{shown, unhealthy};
use super::steps::step;
use crate::cli::arguments::ToolscriptCommand;
use crate::gateway::GatewayConnection;
use crate::project::Context;
use crate::terminal::{Failed, Ui, exit};

/// Carries out a command in the session's gateway; `None` where there is none, or the command is not for it.
pub(super) fn remote(ui: &Ui, context: &Context, typed: &ToolscriptCommand) -> Option<Result<u8, Failed>> {
    let is_for_it = match typed {
        // A check runs nothing, and the compiler that it asks is the project's own.
        ToolscriptCommand::Exec(typed) => !typed.standalone && !typed.check,
        ToolscriptCommand::Doctor(_)
        | ToolscriptCommand::Gateway(_)
        | ToolscriptCommand::Completions(_)
        | ToolscriptCommand::Hook(_) => false,
        _ => true,
    };
    let connection = GatewayConnection::named(context).filter(|_| is_for_it)?;
    let url = context.environment.get(crate::gateway::URL_VARIABLE).unwrap_or_default();
    step(context, "The session's gateway answers", &[("url", url.to_string_lossy().into_owned())]);
    if let ToolscriptCommand::Status(typed) = typed {
        return Some(shown(ui, connection, typed.json, true));
    }
    Some(match connection {
        Ok(connection) => ask_gateway(ui, context, &connection, typed),
        Err(error) => Err(unhealthy(&error)),
    })
}

fn ask_gateway(
    ui: &Ui,
    context: &Context,
    connection: &GatewayConnection,
    typed: &ToolscriptCommand,
) -> Result<u8, Failed> {
    match typed {
        ToolscriptCommand::Exec(typed) => exec::exec(ui, context, connection, typed),
        ToolscriptCommand::ListServers(typed) => listings::servers(ui, connection, typed.json),
        ToolscriptCommand::ListTools(typed) => listings::tools(ui, connection, typed),
        ToolscriptCommand::GetTypes(typed) => listings::types(ui, connection, typed),
        ToolscriptCommand::Search(typed) => listings::search(ui, connection, typed),
        ToolscriptCommand::Status(_)
        | ToolscriptCommand::Doctor(_)
        | ToolscriptCommand::Gateway(_)
        | ToolscriptCommand::Completions(_)
        | ToolscriptCommand::Hook(_) => Ok(exit::SUCCESS),
    }
}
