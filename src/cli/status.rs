//! `cuff status`: how the project stands, an instance a line, and what is kept of it.

use std::path::Path;

use serde_json::{Value, json};

use crate::calls::ago;
use crate::doctor;
use crate::doctor::{KeptFolder, LastFailure, ServerStatus};
use crate::ledger::PinnedBy;
use crate::model::{Caller, ErrorCode, Health, Problem, counted, size, visible};
use crate::project::{Context, OpenError, Project};
use crate::setup::renew_schema;
use crate::terminal::{Failed, Ui, exit, wait_for, widest};
use crate::wire;

/// The lines of an MCP server.
fn of_server(server: &ServerStatus, now: u64, width: usize) -> Vec<String> {
    let ServerStatus { name, is_approved, tools, withheld, needs_login, failure } = server;
    let failure = failure.as_ref().filter(|_| !needs_login);
    let state = match (is_approved, failure, tools) {
        (false, ..) => "waits for approval: `cuff approve settings`".to_owned(),
        (true, ..) if *needs_login => format!("needs a login: `cuff mcp login {name}`"),
        (true, Some(LastFailure { at, reason, .. }), _) => {
            format!("did not work when it was tried {}: {reason}", ago(*at, now))
        }
        (true, None, 0) => "its tools are not known yet".to_owned(),
        (true, None, tools) => {
            let waits = match withheld {
                0 => String::new(),
                some => format!(", {some} of them withheld from agents: `cuff list` says why"),
            };
            format!("{} when it was asked last{waits}", counted(*tools as u64, "tool"))
        }
    };
    let first = visible(&format!("{name:width$} MCP server, {state}")).into_owned();
    let printed = failure.iter().flat_map(|failure| &failure.lines);
    let printed = printed.map(|line| visible(&format!("  | {line}")).into_owned());
    std::iter::once(first).chain(printed).collect()
}

fn server_shape(server: &ServerStatus) -> Value {
    let ServerStatus { name, is_approved, tools, withheld, needs_login, failure } = server;
    let mut shape = json!({ "name": name, "approved": is_approved, "tools": tools });
    if *withheld > 0 {
        shape["withheld"] = json!(withheld);
    }
    if *needs_login {
        shape["needs_login"] = json!(true);
    }
    if let Some(LastFailure { at, reason, lines }) = failure {
        shape["failure"] = json!({ "at_ms": at, "reason": reason, "stderr": lines });
    }
    shape
}

/// Shows it; the exit code is 0 where every instance is healthy.
pub(super) fn status(ui: &Ui, context: &Context, config: Option<&Path>, as_json: bool) -> Result<u8, Failed> {
    let (opened, passed_over) = match Project::open(context.clone(), config, Caller::Human) {
        Err(OpenError::NoSettings { passed_over, .. }) => (None, passed_over),
        opened => (Some(opened?), Vec::new()),
    };
    let (mut health, mut servers) = (Vec::new(), Vec::new());
    if let Some(project) = &opened {
        renew_schema(context, project.settings.place.as_ref());
        let registry = wait_for(ui, project.list())?;
        health = doctor::health(project, &registry);
        servers = doctor::servers(project, &registry);
    }
    // Once it is open: the first use of settings is written down.
    let (runs, decisions) = (doctor::kept_runs(context), doctor::kept_decisions(context));
    if as_json {
        ui.json(&shape(opened.as_ref(), (&health, &servers), runs.as_ref(), decisions.as_ref()))?;
    } else {
        let names = health.iter().map(|health| health.name.as_str());
        let names = names.chain(servers.iter().map(|server| server.name.as_str()));
        let width = widest(names.chain(["settings", "decisions"])) + 1;
        let mut lines = match &opened {
            Some(project) => of_settings(project, width),
            None => vec![format!("{:width$} none; `cuff init` writes some", "settings")],
        };
        lines.extend(passed_over.iter().map(|why| format!("  {}", visible(why))));
        lines.extend(health.iter().flat_map(|health| of_instance(health, width)));
        let now = context.clock.milliseconds();
        lines.extend(servers.iter().flat_map(|server| of_server(server, now, width)));
        lines.extend(runs.iter().map(|kept| kept_line("runs", kept, "recorded", width)));
        lines.extend(
            decisions.iter().map(|kept| kept_line("decisions", kept, "waiting for an answer", width)),
        );
        ui.labels(&lines, width + 1)?;
    }
    Ok(match &opened {
        Some(project) if project.settings.is_partly_broken() => exit::BAD_SETTINGS,
        Some(_) if health.iter().all(Health::is_healthy) => exit::SUCCESS,
        Some(_) | None => exit::FAILURE,
    })
}

fn of_settings(project: &Project, width: usize) -> Vec<String> {
    let lacking = doctor::lacking_settings(project);
    if project.settings.is_suggested() {
        return lacking.map(|what| format!("{:width$} {what}", "settings")).into_iter().collect();
    }
    let file = project.settings.file().unwrap_or_default();
    let mut lines = vec![format!("{:width$} {}", "settings", visible(file))];
    lines.extend(lacking.map(|what| format!("{:width$} {}", "  lacking", visible(&what))));
    let standing = project.settings.agents_have().map(|have| have.to_string()).or_else(|| {
        let pinned = doctor::pinned_at(&project.settings)?;
        Some(format!("agents use the current settings: {}", occasion(pinned.by)))
    });
    let standing = standing.as_deref().unwrap_or("nothing waits for approval");
    // The label says whom it is about.
    let standing = standing.strip_prefix("agents ").unwrap_or(standing);
    lines.push(format!("{:width$} {}", "  agents", visible(standing)));
    lines
}

fn occasion(by: PinnedBy) -> &'static str {
    match by {
        PinnedBy::Init => "`cuff init` wrote them",
        PinnedBy::Approved | PinnedBy::FirstUse => "a person approved them",
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
        |problem: &&Problem| problem.fault == Some(ErrorCode::ProgramNotFound) && problem.location.is_none();
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

fn kept_line(label: &str, kept: &KeptFolder, what: &str, width: usize) -> String {
    format!(
        "{label:width$} {} {what} in all projects, {} in {}",
        kept.count,
        size(kept.bytes),
        visible(&kept.path.display().to_string())
    )
}

fn shape(
    project: Option<&Project>,
    (health, servers): (&[Health], &[ServerStatus]),
    runs: Option<&KeptFolder>,
    ledger: Option<&KeptFolder>,
) -> Value {
    let mut shape = json!({
        "healthy": project.is_some() && health.iter().all(Health::is_healthy),
        "instances": health.iter().map(wire::health).collect::<Vec<_>>(),
    });
    if let Some(project) = project {
        let mut settings = json!({ "file": project.settings.file() });
        if let Some(pinned) = doctor::pinned_at(&project.settings) {
            let by = match pinned.by {
                PinnedBy::Init => "init",
                PinnedBy::Approved | PinnedBy::FirstUse => "approved",
            };
            settings["pinned"] = json!({ "at_ms": pinned.at, "by": by });
        }
        if let Some(standing) = project.settings.agents_have() {
            settings["agents"] = json!(standing.to_string());
        }
        shape["settings"] = settings;
        let servers: Vec<_> = servers.iter().map(server_shape).collect();
        if !servers.is_empty() {
            shape["servers"] = servers.into();
        }
    }
    if let Some(KeptFolder { path, count, bytes }) = runs {
        shape["store"] = json!({ "path": path.display().to_string(), "runs": count, "bytes": bytes });
    }
    if let Some(KeptFolder { path, count, bytes }) = ledger {
        shape["ledger"] = json!({ "path": path.display().to_string(), "waiting": count, "bytes": bytes });
    }
    shape
}
