//! The messages of `cuff run` once a run has ended, or if none came about.

use std::io;

use serde_json::{Map, Value};

use crate::calls;
use crate::calls::{ErrorReason, RunError};
use crate::cli::findings;
use crate::model::{Ending, Report, RunId, visible};
use crate::project::{Context, Project};
use crate::terminal::{Failed, Ui, exit};
use crate::wire::{
    ToolResult, changed_later_note, denials, leftover_notes, status_for_people, unrecorded_note,
};

/// The circumstances of a run's end.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndCircumstances {
    /// Whether a cancel is the person's own: nothing but Ctrl-C has stopped it.
    pub(super) is_by_keys: bool,
    /// Whether the tool had the terminal of the person.
    pub(super) is_interactive: bool,
}

/// Says what streaming did not: the answer of a tool that ran nothing, and what went wrong. Success says nothing more
/// than the tool did, unless more is asked for, and so does a cancelled run for which that is an ordinary end.
pub(super) fn conclude(ui: &Ui, project: &Project, report: &Report, met: EndCircumstances) -> io::Result<()> {
    if report.ending.is_none() {
        return ui.result(answer(report));
    }
    if is_in_a_line(&report.output.text) {
        ui.end_line();
    }
    if ui.verbose()
        && let Some(words) = report.metadata.get("command").and_then(Value::as_array)
    {
        let line = shlex::try_join(words.iter().filter_map(Value::as_str)).unwrap_or_default();
        ui.note(format!("note: {} was `{line}`", report.shown));
    }
    let is_unfinished = matches!(report.ending, Some(Ending::Exited(_))) && is_in_a_line(&report.output.text);
    if report.error.is_some() && is_unfinished && Ui::hears_a_person() && !met.is_interactive {
        ui.note(format!(
            "note: it may have asked something, and could read no key here; `cuff why {}` shows how to run it by hand",
            report.shown
        ));
    }
    for note in leftover_notes(report) {
        ui.note(format!("note: {note}"));
    }
    if let Some(note) = unrecorded_note(report) {
        ui.say(format!("warning: {note}"));
    }
    if let Some(note) = changed_later_note(&report.changed_later) {
        ui.say(format!("warning: {note}"));
    }
    if let Some(why) = &report.unheld {
        ui.note(format!("note: {why}"));
    }
    if met.is_by_keys && matches!(report.ending, Some(Ending::Cancelled)) && !ui.verbose() {
        return Ok(());
    }
    if report.error.is_some() {
        say_failure(ui, project, report);
        for line in denials(report) {
            ui.note(line);
        }
    } else if ui.verbose() {
        let again = again(&project.context, report).map_or_else(String::new, |again| format!("; {again}"));
        ui.note(format!("note: {}{again}", status_for_people(report)));
    }
    Ok(())
}

/// Whether the cursor is behind something in its line. A line that a spinner has erased is empty.
fn is_in_a_line(printed: &str) -> bool {
    let line = printed.rsplit('\n').next().unwrap_or_default();
    // Both bring the cursor back to the beginning, where the next letters replace the ones before.
    let mut pieces = line.split("\u{1b}[");
    let mut shown = pieces.next().unwrap_or_default().rsplit('\r').next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(piece.len());
        let (sequence, text) = piece.split_at(end);
        let text = text.strip_prefix(|letter: char| letter.is_ascii_alphabetic()).unwrap_or_default();
        if piece[sequence.len()..].starts_with('G') || text.contains('\r') {
            shown.clear();
        }
        shown.push_str(text.rsplit('\r').next().unwrap_or_default());
    }
    !shown.trim().is_empty()
}

/// Says that a run failed. What the tool printed is the message, so that a line follows it: how it ended, what was found in
/// its log, and the command that shows that. An end that cuff brought about is an error of its own.
fn say_failure(ui: &Ui, project: &Project, report: &Report) {
    if !report.is_told {
        findings::list_after_run(ui, &project.settings, report);
    }
    if let Some(Ending::Exited(_) | Ending::Signalled(_)) = report.ending {
        let code = report.error_code.as_deref().filter(|_| ui.verbose());
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        ui.dim(format!("{}{code}", failure(&project.context, report)));
        if let Some(help) = &report.help {
            ui.help(help);
        }
        return;
    }
    let help = match report.ending {
        // As a person types it.
        Some(Ending::TimedOut(_)) => {
            Some("give it more with `--timeout`, or raise `default_timeout` in settings.yml")
        }
        _ => report.help.as_deref(),
    };
    ui.error(status_for_people(report), report.error_code.as_deref(), help);
    let recorded = || {
        let id = calls::runs(&project.context)?.short(report.run_id?);
        Some(format!("`cuff runs show {id}` has what is recorded of it"))
    };
    if let Some(next) = again(&project.context, report).or_else(recorded).filter(|_| !ui.quiet()) {
        ui.help(&next);
    }
}

/// The line about a failed run: `test failed: exit code 1, 0.4 s, 2 errors; tests: 1 failed`, and the command that shows more.
fn failure(context: &Context, report: &Report) -> String {
    let error = report.error.as_deref().unwrap_or_default();
    let seconds = format!("{:.1} s", report.duration.as_secs_f64());
    let reason = match error.split_once("failed with ") {
        Some((_, code)) if code.starts_with("exit code") => {
            let found = findings::total(&report.findings);
            found.map_or_else(|| format!("{code}, {seconds}"), |found| format!("{code}, {seconds}, {found}"))
        }
        // The plugin has read the tool's report, and words it.
        _ => format!("{error} ({seconds})"),
    };
    let id = report.run_id.and_then(|id| Some(calls::runs(context)?.short(id)));
    let next = match id {
        Some(id) if report.findings.total() > 0 => format!("; `cuff runs diagnostics {id}`"),
        Some(id) if report.output.bytes > 0 => format!("; `cuff runs log {id}`"),
        _ if report.output.bytes == 0 => {
            format!("; it printed nothing: `cuff why {}` shows what it runs", report.shown)
        }
        _ => String::new(),
    };
    let kind = if report.is_rehearsal() { "the dry run of " } else { "" };
    format!("{kind}{} failed: {reason}{next}", report.shown)
}

/// The output of a dry run, or the answer of a list tool: a line for each entry, as a person reads it.
pub(super) fn answer(report: &Report) -> String {
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
fn again(context: &Context, report: &Report) -> Option<String> {
    let id = calls::runs(context)?.short(report.run_id.filter(|_| report.output.bytes > 0)?);
    let log = if report.unrecorded.is_none() { "its log" } else { "what was recorded of its log" };
    Some(format!("`cuff runs log {id}` prints {log} again"))
}

/// The last words about a run that nobody waited for.
pub(super) fn say_left(ui: &Ui, context: &Context, run: Option<RunId>) -> u8 {
    let run = run.and_then(|id| Some(calls::runs(context)?.short(id)));
    ui.say(match run {
        Some(id) => format!("left without its end; `cuff runs show {id}` has what is recorded of it"),
        None => "left without its end; nothing of it is recorded".to_owned(),
    });
    exit::INTERRUPTED
}

/// Says that nothing was run: the exit code, and the result as JSON where that was asked for. A person who said no,
/// or typed Ctrl-C, needs no error.
pub(super) fn say_nothing_ran(
    ui: &Ui,
    error: &RunError,
    stopped: Option<u8>,
    json: bool,
) -> (u8, Option<Value>) {
    let code = stopped.unwrap_or_else(|| exit_code(error));
    if json {
        return (code, Some(as_json(error)));
    }
    match stopped {
        Some(_) => ui.say("Nothing was run"),
        None => ui.error(error, Some(&error.code), error.help.as_deref()),
    }
    (code, None)
}

/// Says why a call starts nothing; the exit code for it.
pub(in crate::cli) fn say_error(ui: &Ui, error: &RunError, json: bool) -> Result<u8, Failed> {
    let (code, result) = say_nothing_ran(ui, error, None, json);
    if let Some(result) = result {
        ui.json(&result).map_err(unwritable)?;
    }
    Ok(code)
}

fn as_json(error: &RunError) -> Value {
    let shape =
        ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, error.help.as_deref());
    shape.waiting_for(error.approval.as_deref()).to_json()
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
        ErrorReason::NoSuchTool => exit::NO_SUCH_TOOL,
        ErrorReason::BadArguments => exit::USAGE,
        ErrorReason::Refused => exit::REFUSED,
        ErrorReason::Unusable => exit::CANNOT,
    }
}

#[cfg(test)]
mod tests {
    use super::is_in_a_line;

    #[test]
    fn an_erased_line_is_no_line() {
        for (printed, is_one) in [
            ("", false),
            ("done\n", false),
            ("Name: ", true),
            ("done\n\u{1b}[1G\u{1b}[0K⠙\u{1b}[1G\u{1b}[0K", false),
            ("done\r\n", false),
            ("50 %\r100 %", true),
            ("100 %\r", false),
            ("\u{1b}[31mred", true),
            ("\u{1b}[0m", false),
        ] {
            assert_eq!(is_in_a_line(printed), is_one, "{printed:?}");
        }
    }
}
