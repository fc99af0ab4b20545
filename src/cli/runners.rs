//! `cuff runners`: the engines of the settings, and whether they can be reached.

use std::path::Path;

use serde_json::{Value, json};

use crate::calls::{self, RunnerStatus};
use crate::cli::problems::complain_of;
use crate::execution::Reachability;
use crate::model::{Severity, visible};
use crate::project::{Context, Project};
use crate::sys::process::ExpectedRuns;
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, runtime, widths};

/// Lists them, and says what is wrong with those that are not used; the exit code is 1 where one cannot be reached.
pub(super) fn runners(ui: &Ui, context: Context, config: Option<&Path>, as_json: bool) -> Result<u8, Failed> {
    let project = Project::open_typed(context, config)?;
    let is_of_runners = |instance: Option<&str>| instance.is_none_or(|name| name.starts_with("runners."));
    complain_of(ui, &project.settings, is_of_runners);
    let mut mistakes = project.settings.complaints.iter().filter(|one| one.severity == Severity::Error);
    let is_mistaken = mistakes.any(|one| is_of_runners(one.instance.as_deref()));
    project.prepare_runs(ExpectedRuns::OneRun);
    let runners = runtime()?.block_on(calls::runners(&project, |_| true));
    if as_json {
        ui.json(&json!({ "runners": runners.iter().map(shape).collect::<Vec<_>>() }))?;
    } else if runners.is_empty() {
        if !is_mistaken {
            ui.note("no runners: name them below `runners:` in settings.yml");
        }
    } else {
        let rows: Vec<Vec<String>> = runners.iter().map(row).collect();
        ui.result(columns(&rows, &widths(&rows, rows[0].len() - 1), NARROWEST, ui.width()))?;
    }
    let is_missing = |status: &RunnerStatus| matches!(status.reachability, Reachability::Unreachable(_));
    Ok(match (is_mistaken, runners.iter().any(is_missing)) {
        (true, _) => exit::BAD_SETTINGS,
        (false, true) => exit::FAILURE,
        (false, false) => exit::SUCCESS,
    })
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
