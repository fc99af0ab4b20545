//! `cuff mcp login` and `logout`: a person lets cuff in at a server over HTTP.

use std::path::Path;

use super::opened::opened;
use crate::cli::arguments::McpLogin;
use crate::doctor::{ServerState, server_state};
use crate::model::{Caller, Problem};
use crate::project::{self, Begun, Context, LoggedIn, LoggedOut, Project};
use crate::sys::browser;
use crate::terminal::{Failed, Ui, exit, runtime};

/// The help if no browser is near.
const HEADER: &str =
    "set a header from a variable instead: `headers: {Authorization: \"Bearer ${TOKEN}\"}` in settings.yml";

/// Logs in to a server. No agent and no run can.
pub(super) fn login(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &McpLogin,
) -> Result<u8, Failed> {
    let name = &typed.server;
    if context.said_yes().is_none() {
        let failed = Failed::usage("only a person at a terminal can log in to a server").refused();
        return Err(failed.help(format!("run `cuff mcp login {name}` in a terminal, or {HEADER}")));
    }
    let project = opened(ui, context, config, false)?;
    let project = project.ok_or_else(|| unknown(name))?;
    may_connect(&project, name)?;
    let runtime = runtime()?;
    let begun = runtime.block_on(project::begin_login(&project, name, typed.scope.as_deref()));
    let begun = begun.map_err(|reason| failed(name, &reason))?;
    show(ui, context, typed, &begun);
    let waiting = ui.waiting();
    let done = runtime.block_on(begun.finish());
    waiting.finish_and_clear();
    let LoggedIn { issuer, scope, is_renewable } = done.map_err(|reason| failed(name, &reason))?;
    let scope = scope.map(|scope| format!(" with the rights {scope}")).unwrap_or_default();
    ui.result(format!("Logged in to `{name}` at {issuer}{scope}"))?;
    if !is_renewable {
        ui.note("note: this login cannot be renewed; log in again once it has ended");
    }
    Ok(exit::SUCCESS)
}

/// Logs out of a server.
pub(super) fn logout(ui: &Ui, context: &Context, config: Option<&Path>, name: &str) -> Result<u8, Failed> {
    if context.at_terminal() != Caller::Human {
        let failed = Failed::usage("only a person can log out of a server").refused();
        return Err(failed.help(format!("run `cuff mcp logout {name}` in a terminal of your own")));
    }
    let project = opened(ui, context, config, false)?;
    let ended = runtime()?.block_on(project::log_out(context, project.as_ref(), name));
    let ended = ended.map_err(|reason| {
        let failed = Failed::usage(format!("cuff cannot log out of `{name}`: {reason}")).unable();
        failed.help("`cuff doctor` looks for what is in the way")
    })?;
    if ended.is_empty() {
        ui.note(format!("there is no login at `{name}`"));
    }
    for LoggedOut { issuer, revoked } in ended {
        ui.result(format!("Logged out of `{name}` at {issuer}"))?;
        if let Err(reason) = revoked {
            let what = format!("the tokens are removed here, and may count there until they end: {reason}");
            ui.problem(None, None, &Problem::warning(what));
        }
    }
    Ok(exit::SUCCESS)
}

/// Says where to go, and opens it.
fn show(ui: &Ui, context: &Context, typed: &McpLogin, begun: &Begun) {
    let Begun { address, port, issuer, .. } = begun;
    ui.say(format!("Open this address in a browser to log in to `{}` at {issuer}:", typed.server));
    ui.to_copy(address);
    let is_open = !typed.no_browser && browser::open(&context.environment, address).unwrap_or(false);
    if !is_open {
        let forward = format!("`ssh -L {port}:127.0.0.1:{port} HOST`");
        ui.note(format!(
            "A browser on another machine needs the port {port} of this one: {forward}; or {HEADER}"
        ));
    }
}

/// Refuses a server that must not be connected to.
fn may_connect(project: &Project, name: &str) -> Result<(), Failed> {
    let written = project.written_upstreams();
    let server = written.iter().map(|(_, server)| server).find(|server| server.name == *name);
    let server = server.ok_or_else(|| unknown(name))?;
    let (why, help) = match server_state(project, server) {
        ServerState::Approved | ServerState::NeedsLogin => return Ok(()),
        ServerState::Off => ("it is switched off", "take `enabled: false` out of its entry"),
        ServerState::Waits => ("nobody has approved it", "`cuff approve settings` shows it, and asks"),
        ServerState::Wrong => ("its settings have an error", "`cuff mcp list` says which"),
    };
    Err(Failed::usage(format!("cuff cannot log in to `{name}`: {why}")).unable().help(help))
}

fn failed(name: &str, reason: &str) -> Failed {
    let failed = Failed::usage(format!("cuff cannot log in to `{name}`: {reason}")).unable();
    failed.help(format!("`cuff mcp test {name}` says how the server answers"))
}

fn unknown(name: &str) -> Failed {
    let failed = Failed::usage(format!("there is no MCP server `{name}`")).unable();
    failed.help("`cuff mcp list` shows the servers of this project and of its user")
}
