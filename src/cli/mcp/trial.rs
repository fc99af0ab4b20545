//! `cuff mcp test`: each server connected to now, and how that went.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::opened::opened;
use crate::cli::arguments::McpTest;
use crate::doctor::{self, ServerState, Trial, TrialResult, Works};
use crate::model::{counted, visible};
use crate::project::{Connect, Context};
use crate::terminal::{Failed, Ui, exit, runtime, widest};

/// Tries the servers, or the one that is named. It ends with 1 where one that is switched on does not work.
pub(super) fn test(ui: &Ui, context: &Context, config: Option<&Path>, typed: &McpTest) -> Result<u8, Failed> {
    let context = Context { connect: Connect::WhenCalled, ..context.clone() };
    let project = opened(ui, &context, config, typed.json)?;
    let only = typed.server.as_deref();
    let trials = match &project {
        Some(project) => {
            let waiting = ui.waiting();
            let trials = runtime()?.block_on(async {
                let trials = doctor::trials(project, only).await;
                project.catalog.close().await;
                trials
            });
            waiting.finish_and_clear();
            trials
        }
        None => Vec::new(),
    };
    if let (Some(name), []) = (only, trials.as_slice()) {
        let failed = Failed::usage(format!("there is no MCP server `{name}`")).unable();
        return Err(failed.help("`cuff mcp list` shows the servers of this project and of its user"));
    }
    if typed.json {
        let servers: Vec<Value> = trials.iter().map(shape).collect();
        ui.json(&json!({ "servers": servers }))?;
    } else if trials.is_empty() {
        ui.note("there are no MCP servers here; `cuff mcp add` adds one");
    } else {
        let width = widest(trials.iter().map(|trial| trial.server.as_str())) + 1;
        let lines: Vec<String> = trials.iter().flat_map(|trial| lines(trial, width)).collect();
        ui.labels(&lines, width + 1)?;
    }
    Ok(if trials.iter().all(Trial::is_well) { exit::SUCCESS } else { exit::FAILURE })
}

fn lines(trial: &Trial, width: usize) -> Vec<String> {
    let name = &trial.server;
    let (first, rest) = match &trial.result {
        TrialResult::Works(works) => {
            let about = format!("works: {}, protocol {}{}", trial.transport, works.protocol, called(works));
            let problems = works.problems.iter().map(|problem| format!("! {problem}"));
            (about, std::iter::once(offered(works)).chain(problems).collect())
        }
        TrialResult::Failed { reason, lines } => {
            (format!("failed: {reason}"), lines.iter().map(|line| format!("| {line}")).collect())
        }
        TrialResult::NotTried(state) => (not_tried(*state, name), Vec::new()),
    };
    let first = visible(&format!("{name:width$} {first}")).into_owned();
    let rest = rest.into_iter().map(|line| visible(&format!("{:width$} {line}", "")).into_owned());
    std::iter::once(first).chain(rest).collect()
}

/// The server's own name and version.
fn called(works: &Works) -> String {
    let name = works.name.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
    let version = works.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    format!("{name}{version}")
}

fn offered(works: &Works) -> String {
    let listed = |count: &Option<Result<usize, String>>, what| match count {
        Some(Ok(count)) => Some(counted(*count as u64, what)),
        Some(Err(_)) => Some(format!("{what}s that it does not list")),
        None => None,
    };
    let others = [listed(&works.prompts, "prompt"), listed(&works.resources, "resource")];
    let offered = std::iter::once(counted(works.tools as u64, "tool")).chain(others.into_iter().flatten());
    let offered: Vec<String> = offered.collect();
    let (connect, list) = (took(works.took.connect), took(works.took.list));
    format!("{}; connected in {connect}, listed in {list}", offered.join(", "))
}

fn took(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f32())
    }
}

fn not_tried(state: ServerState, name: &str) -> String {
    match state {
        ServerState::Off => "is switched off".to_owned(),
        ServerState::Waits => "waits for approval: `cuff approve settings` shows it, and asks".to_owned(),
        ServerState::Wrong => "has an error in its settings".to_owned(),
        ServerState::NeedsLogin => format!("needs a login: `cuff mcp login {name}`"),
        ServerState::Approved => "was not tried".to_owned(),
    }
}

fn shape(trial: &Trial) -> Value {
    let mut shape = json!({ "name": trial.server, "transport": trial.transport });
    let state = match &trial.result {
        TrialResult::Works(works) => {
            shape["protocol"] = json!(works.protocol);
            for (key, text) in [("name", &works.name), ("version", &works.version)] {
                if let Some(text) = text {
                    shape["server"][key] = json!(text);
                }
            }
            shape["tools"] = json!(works.tools);
            for (key, count) in [("prompts", &works.prompts), ("resources", &works.resources)] {
                if let Some(Ok(count)) = count {
                    shape[key] = json!(count);
                }
            }
            shape["connect_ms"] = json!(milliseconds(works.took.connect));
            shape["list_ms"] = json!(milliseconds(works.took.list));
            if !works.problems.is_empty() {
                shape["problems"] = json!(works.problems);
            }
            "works"
        }
        TrialResult::Failed { reason, lines } => {
            shape["reason"] = json!(reason);
            shape["stderr"] = json!(lines);
            "failed"
        }
        TrialResult::NotTried(ServerState::Off) => "off",
        TrialResult::NotTried(ServerState::Waits) => "waiting",
        TrialResult::NotTried(ServerState::NeedsLogin) => "needs_login",
        TrialResult::NotTried(ServerState::Wrong | ServerState::Approved) => "error",
    };
    shape["state"] = json!(state);
    shape
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
