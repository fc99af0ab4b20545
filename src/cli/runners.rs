//! `cuff runners`: the engines of the settings, and whether they can be reached.

use std::path::Path;

use serde_json::{Value, json};

use crate::calls::{self, RunnerStatus};
use crate::execution::Reachability;
use crate::model::visible;
use crate::project::{Context, Project};
use crate::sys::process::ExpectedRuns;
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, runtime, widths};

/// Lists them; the exit code is 1 where one cannot be reached.
pub(super) fn runners(ui: &Ui, context: Context, config: Option<&Path>, as_json: bool) -> Result<u8, Failed> {
    let project = Project::open_typed(context, config)?;
    project.prepare_runs(ExpectedRuns::OneRun);
    let runners = runtime()?.block_on(calls::runners(&project, |_| true));
    if as_json {
        ui.json(&json!({ "runners": runners.iter().map(shape).collect::<Vec<_>>() }))?;
    } else if runners.is_empty() {
        ui.note("no runners: name them below `runners:` in settings.yml");
    } else {
        let rows: Vec<Vec<String>> = runners.iter().map(row).collect();
        ui.result(columns(&rows, &widths(&rows, rows[0].len() - 1), NARROWEST, ui.width()))?;
    }
    let is_missing = |status: &RunnerStatus| matches!(status.reachability, Reachability::Unreachable(_));
    Ok(if runners.iter().any(is_missing) { exit::FAILURE } else { exit::SUCCESS })
}

fn row(RunnerStatus { runner, reachability }: &RunnerStatus) -> Vec<String> {
    let state = match reachability {
        Reachability::Reachable => "reachable".to_owned(),
        Reachability::Unreachable(why) => format!("not reachable: {why}"),
        Reachability::Unknown => "not known: it has no `check`".to_owned(),
    };
    let agents = if runner.is_open_to_agents { "you and agents" } else { "you" };
    let client = runner.via.first().map_or("", String::as_str);
    [&runner.name, client, agents, &state].map(|cell| visible(cell).into_owned()).to_vec()
}

fn shape(RunnerStatus { runner, reachability }: &RunnerStatus) -> Value {
    let mut shape = json!({ "name": runner.name, "via": runner.via, "agents": runner.is_open_to_agents });
    match reachability {
        Reachability::Reachable => shape["reachable"] = json!(true),
        Reachability::Unreachable(why) => {
            shape["reachable"] = json!(false);
            shape["why"] = json!(why);
        }
        Reachability::Unknown => {}
    }
    shape
}
