//! `cuff runs`: what ran, how it ended, and what it printed.

mod branch;
pub(super) mod resolve;
mod revision;
mod script;
#[cfg(feature = "team")]
mod shared;

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::arguments::{Prune, RunAndJson, RunsCommand, RunsList};
use super::findings;
use super::log::{PrintedExcerpt, log};
use super::problems::complain_of_preferences;
use crate::calls;
use crate::calls::{RecordedRuns, age, state_summary};
use crate::model::{End, RecordState, Recorded, RunId, counted, size, visible};
use crate::project::Context;
use crate::store::{NoSuchRun, RetentionLimits, StoreError, Swept};
use crate::terminal::{Asking, Failed, NARROWEST, Stop, Ui, columns, exit, widest, widths};
use crate::wire;

use resolve::{no_such, read, unreadable};
use revision::revision;

/// How many runs are listed when nobody says.
const LISTED: usize = 20;
/// How many lines of its log `show` ends with.
const TAIL: u64 = 20;

/// Carries out one of the commands.
pub(super) fn runs(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    mut command: RunsCommand,
) -> Result<u8, Failed> {
    let Some(runs) = calls::runs_for_caller(context, config) else {
        let failed = Failed::usage("neither XDG_DATA_HOME nor HOME says where runs are kept").unable();
        return Err(failed.help("set one of them; tools can be run without it"));
    };
    resolve::settle(context, config, &runs, &mut command);
    if let RunsCommand::Diff(typed) = &mut command {
        branch::settle(ui, (context, config), &runs, typed)?;
    }
    match command {
        #[cfg(feature = "team")]
        RunsCommand::List(typed) if typed.shared => shared::list(ui, (context, config), &runs, &typed),
        #[cfg(feature = "team")]
        RunsCommand::Pull(typed) => shared::pull(ui, (context, config), &runs, &typed),
        #[cfg(feature = "team")]
        RunsCommand::Push(typed) => shared::push(ui, (context, config), &typed),
        #[cfg(not(feature = "team"))]
        RunsCommand::List(RunsList { shared: true, .. }) | RunsCommand::Pull(_) | RunsCommand::Push(_) => {
            let help = "install cuff with its feature `team`";
            Err(Failed::usage("this build of cuff has no records of a team").help(help))
        }
        RunsCommand::List(typed) => list(ui, &runs, &typed),
        RunsCommand::Status(typed) => {
            let run = read(&runs, &typed.run)?;
            if typed.json {
                ui.json(&wire::recorded(&run))?;
            } else {
                ui.result(status(&run, runs.now()))?;
            }
            Ok(exit::SUCCESS)
        }
        RunsCommand::Show(typed) => show(ui, &runs, &typed.run, typed.json),
        RunsCommand::Log(typed) => log(ui, &runs, &typed),
        RunsCommand::Diagnostics(typed) => findings::diagnostics(ui, &runs, &typed),
        RunsCommand::Diff(typed) => findings::diff(ui, &runs, &typed),
        RunsCommand::Stop(typed) => stop(ui, &runs, &typed),
        RunsCommand::Prune(typed) => prune(ui, context, &runs, &typed),
    }
}

fn list(ui: &Ui, runs: &RecordedRuns, typed: &RunsList) -> Result<u8, Failed> {
    let filter = typed.filter.as_deref().map(str::to_lowercase);
    let passes = |run: &Result<Recorded, StoreError>| {
        let tool = |run: &Recorded| format!("{} {}", run.beginning.tool, run.beginning.name()).to_lowercase();
        let tool = run.as_ref().map_or_else(|_| String::new(), tool);
        // The calls of a program are listed with it, unless they are looked for.
        let is_inner = run.as_ref().is_ok_and(|run| run.beginning.parent.is_some());
        (runs.counts(run) || typed.all && runs.may_see(run))
            && filter.as_ref().map_or(!is_inner, |filter| tool.contains(filter))
    };
    let ids = runs.ids().map_err(|error| no_such(runs, &NoSuchRun::Unreadable(error.to_string())))?;
    // Each is read when its turn comes: there may be thousands.
    let wanted = ids.iter().map(|id| (*id, runs.run(*id)));
    let wanted = wanted.filter(|(_, run)| passes(run)).take(typed.number.unwrap_or(LISTED));
    let wanted: Vec<(RunId, Result<Recorded, StoreError>)> = wanted.collect();
    if typed.json {
        let entries: Vec<Value> = wanted
            .iter()
            .map(|(id, run)| match run {
                Ok(run) => wire::recorded(run),
                Err(error) => json!({"run_id": id.to_string(), "error": error.to_string()}),
            })
            .collect();
        ui.json(&json!({ "runs": entries }))?;
        return Ok(exit::SUCCESS);
    }
    if wanted.is_empty() {
        if let Some(failed) = typed.filter.as_deref().and_then(resolve::command) {
            return Err(failed);
        }
        ui.note(nothing(ids.is_empty(), typed, runs.are_of_one_project()));
        return Ok(exit::SUCCESS);
    }
    let shown: Vec<RunId> = wanted.iter().map(|(id, _)| *id).collect();
    let row = |(short, (_, run)): (String, &(RunId, Result<Recorded, StoreError>))| {
        let cells = match run {
            Ok(run) => {
                [short, age(run.id, runs.now()), state_summary(&run.state), run.beginning.name().to_owned()]
            }
            Err(error) => [short, String::new(), "unreadable".into(), error.to_string()],
        };
        cells.map(|cell| visible(&cell).into_owned()).to_vec()
    };
    let rows: Vec<Vec<String>> = runs.shortened(&shown).into_iter().zip(&wanted).map(row).collect();
    let tools = wanted.iter().filter_map(|(_, run)| Some(run.as_ref().ok()?.beginning.name()));
    ui.result(columns(&rows, &widths(&rows, 3), widest(tools).max(NARROWEST), ui.width()))?;
    Ok(exit::SUCCESS)
}

/// Why there is nothing to list.
fn nothing(is_empty: bool, typed: &RunsList, is_one_project: bool) -> String {
    let whose = if typed.all && !is_one_project { "of all projects" } else { "of this project" };
    let more = if typed.all || is_one_project { "" } else { "; `--all` has those of all projects" };
    match &typed.filter {
        _ if is_empty => "no runs were recorded yet; each `cuff run` leaves one".to_owned(),
        Some(filter) => format!("none of the recorded runs {whose} is of a tool like `{filter}`{more}"),
        None => format!("none of the recorded runs is {whose}{more}"),
    }
}

fn show(ui: &Ui, runs: &RecordedRuns, wanted: &str, as_json: bool) -> Result<u8, Failed> {
    let run = read(runs, wanted)?;
    let log = runs.log(run.id).map_err(|error| unreadable(&error))?;
    let lines = log.lines()?;
    let first = lines.saturating_sub(TAIL) + 1;
    let tail = PrintedExcerpt::end(&log, log.line(first)?..log.bytes())?;
    if as_json {
        ui.json(&shown_as_json(runs, &run, (first, &tail)))?;
        return Ok(exit::SUCCESS);
    }
    let beginning = &run.beginning;
    let command = shlex::try_join(beginning.command.iter().map(String::as_str)).unwrap_or_default();
    let mut text = vec![status(&run, runs.now()), format!("  run      {} ({})", runs.short(run.id), run.id)];
    text.extend(match &beginning.call {
        None if beginning.script.is_some() => script::about(runs, &run)?,
        None if beginning.is_several => {
            let line = format!("  command  {} in {}", visible(&command), visible(&beginning.project));
            std::iter::once(line).chain(script::calls(runs, &run)?).collect()
        }
        None => vec![
            format!("  command  {}", visible(&command)),
            format!("  in       {} of {}", visible(&beginning.directory), visible(&beginning.project)),
        ]
        .into_iter()
        .chain(beginning.runner.as_ref().map(|runner| format!("  on       {}", visible(runner))))
        .collect(),
        Some(call) => {
            let arguments = call.arguments.clone().map(Value::Object).unwrap_or_default();
            vec![
                format!("  call     {} of the MCP server {}", visible(&call.tool), visible(&call.server)),
                format!("  request  {}", visible(&arguments.to_string())),
            ]
        }
    });
    text.extend(revision(&beginning.revision).map(|revision| format!("  at       {revision}")));
    text.extend([
        format!(
            "  asked by {}{}",
            beginning.caller,
            if beginning.is_pulled { ", on another machine" } else { "" }
        ),
        format!("  log      {}, {}", counted(lines, "line"), size(log.bytes())),
    ]);
    if let RecordState::Ended(end) = &run.state {
        text.extend(notes(end));
    }
    if lines > 0 {
        let which =
            if first > 1 { format!("the last {TAIL} of its lines") } else { "what it printed".to_owned() };
        text.push(format!("\n{which}:"));
        if tail.omitted > 0 {
            text.push(format!(
                "[… {} of them left out; `cuff runs log {}` has all …]",
                size(tail.omitted),
                runs.short(run.id)
            ));
        }
        text.push(tail.text.trim_end_matches('\n').to_owned());
    }
    text.extend(script::result(runs, run.id));
    ui.result(text.join("\n"))?;
    Ok(exit::SUCCESS)
}

/// A run with the last lines of its log, from this one on.
fn shown_as_json(runs: &RecordedRuns, run: &Recorded, (first, tail): (u64, &PrintedExcerpt)) -> Value {
    let mut shape = wire::recorded(run);
    shape["tail"] = json!({"from_line": first, "text": tail.text});
    if tail.omitted > 0 {
        shape["tail"]["omitted_bytes"] = json!(tail.omitted);
    }
    script::add_to(&mut shape, runs, run);
    if let Some(answer) = runs.answer(run.id) {
        shape["answer"] = answer.raw().clone();
    }
    shape
}

/// The lines about what a run did and was refused.
fn notes(end: &End) -> Vec<String> {
    let later = wire::changed_later_note(&end.changed_later);
    let denied = end.denied.iter().map(|what| format!("  denied   {}", visible(what)));
    let notes = later.iter().chain(&end.printed.lost).map(|note| format!("  note     {note}"));
    notes.chain(denied).collect()
}

/// The run to stop. Its output may come before its process is recorded, so this waits a moment for that.
fn started(runs: &RecordedRuns, wanted: &str) -> Result<Recorded, Failed> {
    const LOOKS: u32 = 100;
    const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
    let mut run = read(runs, wanted)?;
    for _ in 0..LOOKS {
        if run.beginning.is_several || !matches!(run.state, RecordState::Running(None)) {
            break;
        }
        std::thread::sleep(BETWEEN_LOOKS);
        run = runs.run(run.id).map_err(|error| unreadable(&error))?;
    }
    Ok(run)
}

fn stop(ui: &Ui, runs: &RecordedRuns, typed: &RunAndJson) -> Result<u8, Failed> {
    let run = started(runs, &typed.run)?;
    let ended = runs.stop(&run);
    let stopped = matches!(ended, Ok(true));
    if typed.json {
        ui.json(&json!({"run_id": run.id.to_string(), "stopped": stopped}))?;
    } else if stopped {
        ui.result(format!("stopped {}", run.beginning.name()))?;
    } else {
        let why = not_stopped(&run.state, ended.err());
        ui.say(format!("{} was not stopped: {why}", run.beginning.name()));
    }
    Ok(if stopped { exit::SUCCESS } else { exit::FAILURE })
}

/// Why a run was not stopped; `refused`: what the operating system says to it.
fn not_stopped(state: &RecordState, refused: Option<io::Error>) -> String {
    match (state, refused) {
        (_, Some(error)) => {
            format!(
                "the operating system refuses that ({error}); it goes on, and whose processes they are can end it"
            )
        }
        (RecordState::Running(Some(_)), None) => "it has just ended".to_owned(),
        (RecordState::Running(None), None) => "it has not started within 2 s; try again".to_owned(),
        (ended @ (RecordState::Interrupted | RecordState::Ended(_)), None) => {
            format!("it has ended: {}", state_summary(ended))
        }
    }
}

fn prune(ui: &Ui, context: &Context, runs: &RecordedRuns, typed: &Prune) -> Result<u8, Failed> {
    if context.at_terminal().is_governed() && !typed.dry_run {
        let failed = Failed::usage("agents and runs remove no records").refused();
        return Err(failed
            .help("a person types `cuff runs prune` in a terminal; `--dry-run` shows what it would remove"));
    }
    let preferred = calls::limits(&context.environment);
    if complain_of_preferences(ui, context) {
        ui.help("until that is mended, runs are removed only for what --days and --megabytes say");
    }
    let limits = RetentionLimits {
        age: typed.days.map_or(preferred.age, RetentionLimits::days),
        bytes: typed.megabytes.map_or(preferred.bytes, |megabytes| megabytes.saturating_mul(1 << 20)),
    };
    // Runs that are due go anyway; with these options a person may have meant fewer, or one project alone.
    let is_more = typed.days.is_some() || typed.megabytes.is_some();
    let asks = is_more && ui.can_ask() && !(typed.dry_run || typed.yes || typed.json);
    let due = if asks { runs.would_prune(limits) } else { Swept::default() };
    if !due.removed.is_empty() {
        let removed = counted(due.removed.len() as u64, "run");
        let question = format!("Remove {removed} of all projects, {}?", size(due.bytes));
        match Asking::new(ui).confirm(&question, false) {
            Ok(true) => {}
            Ok(false) | Err(Stop::Declined | Stop::Back) => return Ok(exit::SUCCESS),
            Err(Stop::Failed(failed)) => return Err(failed),
        }
    }
    let swept = if typed.dry_run { runs.would_prune(limits) } else { runs.prune(limits) };
    if typed.json {
        let which = if typed.dry_run { "would_remove" } else { "removed" };
        let removed: Vec<String> = swept.removed.iter().map(ToString::to_string).collect();
        let projects = swept.projects;
        ui.json(
            &json!({which: removed, "projects": projects, "bytes": swept.bytes, "failed": swept.failed}),
        )?;
    } else {
        let done = if typed.dry_run { "would remove" } else { "removed" };
        let runs = counted(swept.removed.len() as u64, "run");
        let of = match swept.projects {
            0 => String::new(),
            projects => format!(" of {}", counted(projects as u64, "project")),
        };
        ui.result(format!("{done} {runs}{of}, {}", size(swept.bytes)))?;
    }
    for failed in &swept.failed {
        ui.error(failed, None, None);
    }
    Ok(if swept.failed.is_empty() { exit::SUCCESS } else { exit::FAILURE })
}

fn status(run: &Recorded, now: u64) -> String {
    format!("{}: {}, {}", run.beginning.name(), state_summary(&run.state), age(run.id, now))
}
