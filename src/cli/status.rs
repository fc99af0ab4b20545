//! `cuff status`: how the project stands, an instance a line, and what is kept of it.

use std::path::Path;

use serde_json::{Value, json};

use crate::doctor;
use crate::doctor::{Kept, ServerStatus};
use crate::ledger::PinnedBy;
use crate::model::{Caller, Fault, Health, Problem, counted, size, visible};
use crate::project::{Context, OpenError, Project};
use crate::terminal::{Failed, Ui, exit, wait_for, widest};
use crate::wire;

/// The line of an MCP server.
fn of_server(server: &ServerStatus, width: usize) -> String {
    let name = visible(&server.name);
    match server {
        ServerStatus { is_approved: false, .. } => {
            format!("{name:width$} MCP server, waits for approval: `cuff approve settings`")
        }
        ServerStatus { tools: 0, .. } => format!("{name:width$} MCP server, its tools are not known yet"),
        ServerStatus { tools, withheld, .. } => {
            let tools = counted(*tools as u64, "tool");
            let waits = match withheld {
                0 => String::new(),
                some => format!(", {some} of them withheld from agents: `cuff list` says why"),
            };
            format!("{name:width$} MCP server, {tools} when it was asked last{waits}")
        }
    }
}

fn server_shape(server: &ServerStatus) -> Value {
    let mut shape = json!({ "name": server.name, "approved": server.is_approved, "tools": server.tools });
    if server.withheld > 0 {
        shape["withheld"] = json!(server.withheld);
    }
    shape
}

/// Shows it; the exit code is 0 where every instance is healthy.
pub(super) fn status(
    ui: &Ui,
    surroundings: &Context,
    config: Option<&Path>,
    as_json: bool,
) -> Result<u8, Failed> {
    let (opened, passed_over) = match Project::open(surroundings.clone(), config, Caller::Human) {
        Err(OpenError::NoSettings(passed_over)) => (None, passed_over),
        opened => (Some(opened?), Vec::new()),
    };
    let (mut health, mut servers) = (Vec::new(), Vec::new());
    if let Some(engine) = &opened {
        let registry = wait_for(ui, engine.list())?;
        health = doctor::health(engine, &registry);
        servers = doctor::servers(engine, &registry);
    }
    // Once it is open: the first use of settings is written down.
    let (runs, decisions) = (doctor::kept_runs(surroundings), doctor::kept_decisions(surroundings));
    if as_json {
        ui.json(&shape(opened.as_ref(), (&health, &servers), runs.as_ref(), decisions.as_ref()))?;
    } else {
        let names = health.iter().map(|health| health.name.as_str());
        let names = names.chain(servers.iter().map(|server| server.name.as_str()));
        let width = widest(names.chain(["settings", "decisions"])) + 1;
        let mut lines = match &opened {
            Some(engine) => of_settings(engine, width),
            None => vec![format!("{:width$} none; `cuff init` writes some", "settings")],
        };
        lines.extend(passed_over.iter().map(|why| format!("  {}", visible(why))));
        lines.extend(health.iter().flat_map(|health| of_instance(health, width)));
        lines.extend(servers.iter().map(|server| of_server(server, width)));
        lines.extend(runs.iter().map(|kept| kept_line("runs", kept, "recorded", width)));
        lines.extend(
            decisions.iter().map(|kept| kept_line("decisions", kept, "waiting for an answer", width)),
        );
        ui.labels(&lines, width + 1)?;
    }
    Ok(match &opened {
        Some(engine) if engine.is_partly_broken() => exit::BAD_SETTINGS,
        Some(_) if health.iter().all(Health::is_healthy) => exit::SUCCESS,
        Some(_) | None => exit::FAILURE,
    })
}

fn of_settings(engine: &Project, width: usize) -> Vec<String> {
    let file = engine.settings_file().unwrap_or_default();
    let mut lines = vec![format!("{:width$} {}", "settings", visible(file))];
    let standing = engine.agents_have().map(|have| have.to_string()).or_else(|| {
        let pinned = doctor::pinned_at(engine)?;
        Some(format!("agents have the settings as they are: {}", occasion(pinned.by)))
    });
    let standing = standing.as_deref().unwrap_or("nothing was pinned yet");
    // The label says whom it is about.
    let standing = standing.strip_prefix("agents ").unwrap_or(standing);
    lines.push(format!("{:width$} {}", "  agents", visible(standing)));
    lines
}

fn occasion(by: PinnedBy) -> &'static str {
    match by {
        PinnedBy::Init => "`cuff init` wrote them",
        PinnedBy::Approved => "a person approved them",
        PinnedBy::FirstUse => "they were there at the first use",
    }
}

fn of_instance(health: &Health, width: usize) -> Vec<String> {
    let state = match (health.enabled, health.is_healthy()) {
        (false, _) => "switched off",
        (true, true) => "healthy",
        (true, false) => "not healthy",
    };
    let runner = health.runner.as_ref().map_or_else(String::new, |(_, runner)| format!(", run by {runner}"));
    let tools = counted(health.tools as u64, "tool");
    let is_missing =
        |problem: &&Problem| problem.fault == Some(Fault::ProgramNotFound) && problem.location.is_none();
    let missing: Vec<String> = health.problems.iter().filter(is_missing).map(ToString::to_string).collect();
    let runner = if missing.is_empty() { runner } else { format!(": {}", missing.join(", ")) };
    let cache = if health.is_cache_valid || !health.enabled { "" } else { ", not remembered" };
    let first = format!("{:width$} {state}, {tools}{runner}{cache}", visible(&health.name));
    let others = health.problems.iter().filter(|problem| !is_missing(problem));
    let problems = others.map(|problem| {
        let help = problem.help.as_ref().filter(|_| problem.is_of_pattern());
        let help = help.map_or_else(String::new, |help| format!("; {help}"));
        format!("  {}", visible(&format!("{problem}{help}")))
    });
    std::iter::once(first).chain(problems).collect()
}

fn kept_line(label: &str, kept: &Kept, what: &str, width: usize) -> String {
    format!(
        "{label:width$} {} {what} in all projects, {} in {}",
        kept.count,
        size(kept.bytes),
        visible(&kept.path.display().to_string())
    )
}

fn shape(
    engine: Option<&Project>,
    (health, servers): (&[Health], &[ServerStatus]),
    runs: Option<&Kept>,
    ledger: Option<&Kept>,
) -> Value {
    let mut shape = json!({
        "healthy": engine.is_some() && health.iter().all(Health::is_healthy),
        "instances": health.iter().map(wire::health).collect::<Vec<_>>(),
    });
    if let Some(engine) = engine {
        let mut settings = json!({ "file": engine.settings_file() });
        if let Some(pinned) = doctor::pinned_at(engine) {
            let by = match pinned.by {
                PinnedBy::Init => "init",
                PinnedBy::Approved => "approved",
                PinnedBy::FirstUse => "first_use",
            };
            settings["pinned"] = json!({ "at_ms": pinned.at, "by": by });
        }
        if let Some(standing) = engine.agents_have() {
            settings["agents"] = json!(standing.to_string());
        }
        shape["settings"] = settings;
        let servers: Vec<_> = servers.iter().map(server_shape).collect();
        if !servers.is_empty() {
            shape["servers"] = servers.into();
        }
    }
    if let Some(Kept { path, count, bytes }) = runs {
        shape["store"] = json!({ "path": path.display().to_string(), "runs": count, "bytes": bytes });
    }
    if let Some(Kept { path, count, bytes }) = ledger {
        shape["ledger"] = json!({ "path": path.display().to_string(), "waiting": count, "bytes": bytes });
    }
    shape
}
