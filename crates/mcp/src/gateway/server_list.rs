//! The MCP servers of a session, and how each is.

use serde_json::{Value, json};

use crate::doctor::{ServerStatus, TrialResult, servers, trials};
use crate::model::visible;
use crate::project::Project;
use crate::registry::Registry;
use crate::sources::upstream::UpstreamHealth;

/// The servers of the settings that are switched on, as they are known to be.
pub(super) fn known(project: &Project, registry: &Registry) -> Vec<Value> {
    servers(project, registry).iter().map(|server| shape(project, registry, server)).collect()
}

/// The same, each connected to now.
pub(super) async fn tested(project: &Project, registry: &Registry) -> Vec<Value> {
    let trials = trials(project, None).await;
    let mut all = known(project, registry);
    for server in &mut all {
        let trial = trials.iter().find(|trial| server["name"] == trial.server);
        match trial.map(|trial| &trial.result) {
            Some(TrialResult::Works(works)) => {
                server["state"] = json!("connected");
                server["connect_ms"] = json!(works.took.connect.as_millis());
            }
            Some(TrialResult::Failed { reason, lines }) => {
                server["state"] = json!("down");
                server["error"] = json!(visible(reason));
                server["stderr"] = lines.iter().map(|line| visible(line).into_owned()).collect();
                server["help"] = json!(help(server["name"].as_str().unwrap_or_default()));
            }
            Some(TrialResult::NotTried(_)) | None => {}
        }
    }
    all
}

fn shape(project: &Project, registry: &Registry, server: &ServerStatus) -> Value {
    let ServerStatus { name, is_approved, tools, needs_login, failure, .. } = server;
    let mut shape = json!({ "name": name, "tools": tools });
    // The registry is an agent's: those that no person has approved are not among its tools.
    let withheld = registry.withheld().iter().filter(|found| found.name.instance == *name).count();
    let health = project.server(name).map(|source| source.health());
    let (state, help) = match (is_approved, needs_login, health) {
        (false, ..) => {
            ("waiting", Some("the user must run `cuff approve settings` in a terminal".to_owned()))
        }
        (true, true, _) => ("needs_login", Some(format!("the user must run `cuff mcp login {name}`"))),
        (true, false, Some(UpstreamHealth::Connected { .. })) => ("connected", None),
        (true, false, Some(UpstreamHealth::Down { reason, .. })) => {
            let reason = project.secrets_of_server(name).redact(&reason).into_owned();
            shape["error"] = json!(visible(&reason));
            ("down", Some(help(name)))
        }
        (true, false, Some(UpstreamHealth::Connecting | UpstreamHealth::NotStarted)) => ("connecting", None),
        (true, false, None) => ("off", None),
    };
    shape["state"] = json!(state);
    if let Some(failure) = failure.as_ref().filter(|_| state == "down") {
        shape["stderr"] = failure.lines.iter().map(|line| visible(line).into_owned()).collect();
    }
    if withheld > 0 {
        shape["withheld_tools"] = json!(withheld);
    }
    let review = || "its new and changed tools wait: the user must run `cuff approve settings` in a terminal";
    if let Some(help) = help.or_else(|| (withheld > 0).then(|| review().to_owned())) {
        shape["help"] = json!(help);
    }
    shape
}

fn help(server: &str) -> String {
    format!("look at its entry in .toolscript.json or settings.yml; `cuff mcp test {server}` tries it now")
}
