//! `toolscript doctor`: the sandbox, the program, the session, its gateway, and each server.

use std::time::Duration;

use serde_json::Value;

use crate::cli::doctor::report;
use crate::code::trial;
use crate::doctor::{Check, ServerState, Trial, TrialResult, trials};
use crate::gateway::{GatewayConnection, SessionFolder, URL_VARIABLE};
use crate::model::{Caller, counted};
use crate::project::{Connect, Context, OpenError, Project};
use crate::sandbox::Isolation;
use crate::sys::programs;
use crate::terminal::{Failed, Ui, runtime};

/// The program that an agent's shell looks for.
const PROGRAM: &str = "toolscript";
/// How long a gateway may take to try its servers.
const PATIENCE: Duration = Duration::from_mins(1);
/// The next step where a layer of the sandbox is missing.
const REMEDY: &str = if cfg!(target_os = "linux") {
    "a newer kernel has them"
} else {
    "only Linux has them; do not run programs that you do not trust here"
};
/// How many of the last lines of a session's log are shown.
const LINES: usize = 5;

/// Looks, and says what is in the way. It ends with 1 where something does not work.
pub(super) fn doctor(ui: &Ui, context: &Context, is_json: bool) -> Result<u8, Failed> {
    let waiting = ui.waiting();
    let runtime = runtime()?;
    let mut checks = vec![sandbox(runtime.block_on(trial(&context.supervisor))), program(context)];
    checks.extend(match GatewayConnection::named(context) {
        Some(Ok(connection)) => of_gateway(&connection),
        Some(Err(unhealthy)) => vec![with_log(
            Check::fail(unhealthy.to_string(), unhealthy.help()),
            context,
            unhealthy.session.as_deref(),
        )],
        None => {
            let none = Check::pass(format!(
                "{URL_VARIABLE} names no gateway: each command opens the project itself"
            ));
            std::iter::once(none).chain(runtime.block_on(of_project(context))).collect()
        }
    });
    waiting.finish_and_clear();
    report(ui, checks, is_json)
}

fn sandbox(tried: Result<Isolation, String>) -> Check {
    match tried {
        Ok(isolation) => {
            let layers = [
                (isolation.system_calls, "seccomp"),
                (isolation.files, "Landlock"),
                (isolation.resources, "limits"),
            ];
            let (there, missing): (Vec<_>, Vec<_>) = layers.into_iter().partition(|(is_there, _)| *is_there);
            let names =
                |all: &[(bool, &str)]| all.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
            let what = format!("the sandbox runs programs, kept in by {}", names(&there));
            if missing.is_empty() {
                Check::pass(what)
            } else {
                Check::warn(format!("{what}, without {}", names(&missing)), REMEDY)
            }
        }
        Err(why) => Check::fail(
            format!("the sandbox runs no programs: {why}"),
            "a kernel with seccomp and Landlock is needed",
        ),
    }
}

fn program(context: &Context) -> Check {
    let environment = &context.environment;
    let path = programs::inherited_search_path(environment);
    match programs::find(PROGRAM, path, environment.directory()) {
        Some(found) => Check::pass(format!("agents' shells find {}", found.display())),
        None => Check::warn(
            "no shell finds the program toolscript, which the plugin's skill and hooks start",
            "put it on the PATH beside cuff, or into the plugin's `bin` folder",
        ),
    }
}

/// The session's gateway, and each server as it is there.
fn of_gateway(connection: &GatewayConnection) -> Vec<Check> {
    let status = match connection.get_json("/status?test=true", PATIENCE) {
        Ok(status) => status,
        Err(unhealthy) => return vec![Check::fail(unhealthy.to_string(), unhealthy.help())],
    };
    let tools = counted(status["tools"].as_u64().unwrap_or_default(), "tool");
    let record = &connection.record;
    let what = format!("the gateway of {} answers at {}, with {tools}", record.session, record.url);
    let servers = status["servers"].as_array().into_iter().flatten().map(of_server);
    let problems = status["problems"].as_array().into_iter().flatten().map(|problem| {
        let text = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        Check::fail(format!("{}: {}", text("path"), text("message")), text("help"))
    });
    std::iter::once(Check::pass(what)).chain(servers).chain(problems).collect()
}

fn of_server(server: &Value) -> Check {
    let text = |name: &str| server[name].as_str().unwrap_or_default().to_owned();
    let name = text("name");
    match (server["error"].as_str(), server["help"].as_str()) {
        (Some(error), help) => {
            let help = help.map_or_else(|| format!("`cuff mcp test {name}` tries it alone"), str::to_owned);
            Check::fail(format!("the MCP server {name} is {}: {error}", text("state")), help)
        }
        (None, Some(help)) => Check::warn(format!("the MCP server {name}: {}", text("state")), help),
        (None, None) => {
            let tools = counted(server["tools"].as_u64().unwrap_or_default(), "tool");
            Check::pass(format!("the MCP server {name} is {}, with {tools}", text("state")))
        }
    }
}

/// Each server of the project, tried now.
async fn of_project(context: &Context) -> Vec<Check> {
    let context = Context { connect: Connect::WhenCalled, ..context.clone() };
    let project = match Project::open(context, None, Caller::Code) {
        Ok(project) => project,
        Err(OpenError::NoSettings { .. }) => {
            let create = "`cuff init` writes settings.yml, and `.toolscript.json` names MCP servers";
            return vec![Check::warn("there are neither settings nor MCP servers here", create)];
        }
        Err(error) => {
            let help = error.help().unwrap_or_else(|| "mend the settings".to_owned());
            return vec![Check::fail(error.to_string(), help)];
        }
    };
    let tried = trials(&project, None).await;
    project.catalog.close().await;
    let check = |trial: Trial| {
        let name = &trial.server;
        match trial.result {
            TrialResult::Works(works) => Check::pass(format!(
                "the MCP server {name} works, with {}",
                counted(works.tools as u64, "tool")
            )),
            TrialResult::Failed { reason, lines } => {
                let what = format!("the MCP server {name} failed: {reason}");
                Check::fail(what, "mend its entry, then `cuff mcp test` tries it again").with_lines(lines)
            }
            TrialResult::NotTried(ServerState::Off) => {
                Check::pass(format!("the MCP server {name} is switched off"))
            }
            TrialResult::NotTried(ServerState::NeedsLogin) => Check::warn(
                format!("the MCP server {name} needs a login"),
                format!("`cuff mcp login {name}`"),
            ),
            TrialResult::NotTried(_) => Check::warn(
                format!("the MCP server {name} waits for approval, or has an error in its entry"),
                "`cuff approve settings` shows it, and asks",
            ),
        }
    };
    tried.into_iter().map(check).collect()
}

/// The same with the end of the session's log, which the hooks write.
fn with_log(check: Check, context: &Context, session: Option<&str>) -> Check {
    let sessions = SessionFolder::all(&context.environment).into_iter().flat_map(|folder| folder.sessions());
    let files = sessions.into_iter().find(|files| {
        files.record().is_some_and(|record| session.is_some_and(|session| record.session == session))
    });
    match files {
        Some(files) => check.with_lines(files.last_lines(LINES)),
        None => check,
    }
}
