//! What `cuff run` says once a run has ended, or where none came about.

use std::io;

use serde_json::{Map, Value};

use crate::calls;
use crate::calls::{Reason, RunError};
use crate::cli::findings;
use crate::model::{Caller, Ending, Report, RunId, visible};
use crate::project::Project;
use crate::sys::terminal;
use crate::terminal::{Failed, Ui, exit};
use crate::wire::{ToolResult, leftover_notes, status, unrecorded_note};

/// Says what streaming did not: the answer of a tool that ran nothing, and what went wrong. Success says nothing more
/// than the tool did, unless more is asked for.
pub(super) fn conclude(ui: &Ui, engine: &Project, report: &Report) -> io::Result<()> {
    if report.ending.is_none() {
        return ui.result(answer(report));
    }
    if !report.output.text.is_empty() && !report.output.text.ends_with('\n') {
        ui.end_line();
    }
    if ui.verbose()
        && let Some(words) = report.metadata.get("command").and_then(Value::as_array)
    {
        let line = shlex::try_join(words.iter().filter_map(Value::as_str)).unwrap_or_default();
        ui.note(format!("note: {} was `{line}`", report.tool));
    }
    if engine.at_terminal() == Caller::Human && terminal::has_unread_input() {
        ui.note(format!(
            "note: tools get no standard input, so that nothing of it was read; name a file behind `--`, or run by hand \
             what `cuff why {}` shows",
            report.tool
        ));
    }
    let is_unfinished =
        matches!(report.ending, Some(Ending::Exited(_))) && !report.output.text.ends_with('\n');
    if report.error.is_some() && is_unfinished && Ui::hears_a_person() {
        // It may have asked something, and got no answer.
        ui.note(format!(
            "note: tools get no standard input; one that asks for something is run by hand: `cuff why {}` shows how",
            report.tool
        ));
    }
    for note in leftover_notes(report) {
        ui.note(format!("note: {note}"));
    }
    if let Some(note) = unrecorded_note(report) {
        ui.say(format!("warning: {note}"));
    }
    if report.error.is_some() {
        if !report.is_told {
            findings::after_run(ui, engine, report);
        }
        let help = match report.ending {
            // As a person types it.
            Some(Ending::TimedOut(_)) => {
                Some("give it more with `--timeout`, or raise `default_timeout` in settings.yml")
            }
            _ => report.help.as_deref(),
        };
        ui.error(status(report), report.error_code.as_deref(), help);
        // Where it printed nothing, what it is may say why.
        let next = again(engine, report).or_else(|| {
            if matches!(report.ending, Some(Ending::Cancelled)) {
                let id = calls::runs(engine)?.short(report.run_id?);
                return Some(format!("it printed nothing; `cuff runs show {id}` has what is recorded of it"));
            }
            let why = format!("`cuff why {}` shows what it runs", report.tool);
            Some(why).filter(|_| report.help.is_none())
        });
        if let Some(next) = next.filter(|_| !ui.quiet()) {
            ui.help(&next);
        }
    } else if ui.verbose() {
        let again = again(engine, report).map_or_else(String::new, |again| format!("; {again}"));
        ui.note(format!("note: {}{again}", status(report)));
    }
    Ok(())
}

/// What a dry run says, or the answer of a list tool: a line for each entry, as a person reads it.
fn answer(report: &Report) -> String {
    let entries = report.data.iter().flat_map(Map::values).find_map(Value::as_array);
    let Some(entries) = entries.filter(|entries| !entries.is_empty()) else {
        return report.output.text.trim_end().to_owned();
    };
    let text =
        |value: Option<&Value>| visible(value.and_then(Value::as_str).unwrap_or_default()).into_owned();
    let row = |entry: &Value| match entry {
        Value::Object(facts) => (text(facts.get("name")), text(facts.get("description"))),
        name => (text(Some(name)), String::new()),
    };
    let rows: Vec<(String, String)> = entries.iter().map(row).collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let lines = rows.iter().map(|(name, about)| format!("{name:width$}  {about}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// How to see again what a run printed; `None` where there is nothing to see.
fn again(engine: &Project, report: &Report) -> Option<String> {
    let id = calls::runs(engine)?.short(report.run_id.filter(|_| report.output.bytes > 0)?);
    if report.is_told {
        return Some(format!(
            "`cuff runs diagnostics {id}` shows it again, `cuff runs log {id}` the report that it is from"
        ));
    }
    let log = if report.unrecorded.is_none() { "its log" } else { "what was recorded of its log" };
    Some(format!("`cuff runs log {id}` prints {log} again"))
}

pub(super) fn print_json(ui: &Ui, result: &ToolResult) -> io::Result<()> {
    ui.json(&result.to_json())
}

/// The last words about a run whose end nobody waited for.
pub(super) fn say_left(ui: &Ui, engine: &Project, run: Option<RunId>) -> u8 {
    let run = run.and_then(|id| Some(calls::runs(engine)?.short(id)));
    ui.say(match run {
        Some(id) => format!("left without its end; `cuff runs show {id}` has what is recorded of it"),
        None => "left without its end; nothing of it is recorded".to_owned(),
    });
    exit::INTERRUPTED
}

/// Says that nothing was run. Who said no, or typed Ctrl-C, needs no error to be told so.
pub(super) fn say_nothing_ran(
    ui: &Ui,
    error: &RunError,
    stopped: Option<u8>,
    json: bool,
) -> Result<u8, Failed> {
    if let Some(code) = stopped.filter(|_| !json) {
        ui.say("Nothing was run");
        return Ok(code);
    }
    say_error(ui, error, json).map(|code| stopped.unwrap_or(code))
}

/// Says why a call starts nothing; the exit code for it.
pub(in crate::cli) fn say_error(ui: &Ui, error: &RunError, json: bool) -> Result<u8, Failed> {
    if json {
        let help = error.help.as_deref();
        let shape = ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, help);
        let shape = shape.waiting_for(error.approval.as_deref());
        print_json(ui, &shape).map_err(unwritable)?;
    } else {
        ui.error(error, Some(&error.code), error.help.as_deref());
    }
    Ok(exit_code(error))
}

/// Standard output takes no more: silent where its reader left, else said.
pub(super) fn unwritable(error: io::Error) -> Failed {
    let whole = format!("standard output cannot be written: {error}");
    let failed = Failed::from(error).before_a_run();
    if failed.message.is_empty() {
        return failed;
    }
    let help = "what ran has run, and `cuff runs log` prints what was recorded of it";
    Failed { message: whole, ..failed }.help(help)
}

/// The exit code of a call that started nothing.
fn exit_code(error: &RunError) -> u8 {
    match error.reason {
        Reason::NoSuchTool => exit::NO_SUCH_TOOL,
        Reason::BadArguments => exit::USAGE,
        Reason::Refused => exit::REFUSED,
        Reason::Unusable => exit::CANNOT,
    }
}
