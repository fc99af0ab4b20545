//! The MCP servers of a project, and how each is, as JSON: what commands show and a gateway answers.

use serde_json::{Value, json};

use crate::doctor::{ServerState, ServerStatus, TrialResult, server_state, servers, transport, trials};
use crate::model::visible;
use crate::project::Project;
use crate::registry::Registry;
use crate::sources::upstream::UpstreamHealth;

/// The servers of the settings, as they are known to be. None is connected to.
pub fn server_list(project: &Project, registry: &Registry) -> Vec<Value> {
    let known = servers(project, registry);
    let written = project.written_upstreams().into_iter();
    let shape = |(_, server)| {
        let state = server_state(project, &server);
        let known = known.iter().find(|known| known.name == server.name);
        shape(project, registry, (&server.name, transport(&server)), state, known)
    };
    written.map(shape).collect()
}

/// The same, each connected to now.
pub async fn tried_servers(project: &Project, registry: &Registry) -> Vec<Value> {
    let trials = trials(project, None).await;
    let mut all = server_list(project, registry);
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
                server["help"] = json!(try_it(server["name"].as_str().unwrap_or_default()));
            }
            Some(TrialResult::NotTried(_)) | None => {}
        }
    }
    all
}

/// The problems of the settings.
pub fn settings_problems(project: &Project) -> Vec<Value> {
    let problem = |path: Option<String>, message: String, help: Option<&str>, server: Option<&str>| {
        let mut problem = json!({ "message": visible(&message) });
        for (key, value) in [("path", path.as_deref()), ("help", help), ("server", server)] {
            if let Some(value) = value {
                problem[key] = json!(value);
            }
        }
        problem
    };
    let settings = &project.settings;
    let complaints = settings.complaints.iter().map(|complaint| {
        let path = Some(complaint.location.to_string());
        problem(path, complaint.message.clone(), complaint.help.as_deref(), complaint.instance.as_deref())
    });
    let waits = settings.withheld_settings().filter(|_| settings.is_never_approved());
    let waits = waits.map(|waits| problem(None, waits.to_string(), waits.help.as_deref(), None));
    complaints.chain(waits).collect()
}

fn shape(
    project: &Project,
    registry: &Registry,
    (name, transport): (&str, &str),
    state: ServerState,
    known: Option<&ServerStatus>,
) -> Value {
    let tools = known.map_or(0, |known| known.tools);
    let mut shape = json!({ "name": name, "transport": transport, "tools": tools });
    // The registry is an agent's: those that no person has approved are not among its tools.
    let withheld = registry.withheld().iter().filter(|found| found.name.instance == *name).count();
    let (state, help) = match (state, project.server(name).map(|source| source.health())) {
        (ServerState::Off, _) => ("off", None),
        (ServerState::Wrong, _) => ("wrong", None),
        (ServerState::Waits, _) => {
            ("waiting", Some("the user must run `cuff approve settings` in a terminal".to_owned()))
        }
        (ServerState::NeedsLogin, _) => {
            ("needs_login", Some(format!("the user must run `cuff mcp login {name}`")))
        }
        (ServerState::Approved, Some(UpstreamHealth::Connected { .. })) => ("connected", None),
        (ServerState::Approved, Some(UpstreamHealth::Down { reason, .. })) => {
            let reason = project.secrets_of_server(name).redact(&reason).into_owned();
            shape["error"] = json!(visible(&reason));
            ("down", Some(try_it(name)))
        }
        (ServerState::Approved, Some(UpstreamHealth::Connecting)) => ("connecting", None),
        (ServerState::Approved, Some(UpstreamHealth::NotStarted) | None) => ("not_started", None),
    };
    shape["state"] = json!(state);
    if let Some(failure) = known.and_then(|known| known.failure.as_ref()).filter(|_| state == "down") {
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

fn try_it(server: &str) -> String {
    format!("look at its entry in .toolscript.json or settings.yml; `cuff mcp test {server}` tries it now")
}
