//! Recorded runs as JSON: their end, their findings, and the changes since an earlier one. Agents get the same in brief, each run
//! by the end of its id and findings by file.

use serde_json::{Value, json};

use super::findings::{diagnostic, summary};
use super::listing::grouped;
use crate::model::{Beginning, Diagnostic, End, Ending, Findings, RecordState, Recorded, RunId, visible};

/// So much of a command line as a note has, in bytes.
const LONGEST_COMMAND: usize = 200;

/// A recorded run as JSON.
pub fn recorded(run: &Recorded) -> Value {
    let Recorded { id, beginning, state } = run;
    let mut shape = json!({
        "run_id": id.to_string(), "tool": beginning.tool, "started_ms": id.milliseconds(), "caller": beginning.caller,
        "project": beginning.project, "command": beginning.command, "cwd": beginning.directory,
    });
    if let Some(call) = &beginning.call {
        shape["kind"] = json!("call");
        shape["call"] = json!({"server": call.server, "tool": call.tool, "arguments": call.arguments});
    }
    if beginning.script.is_some() {
        shape["kind"] = json!("script");
    }
    if beginning.is_several {
        shape["kind"] = json!("several");
    }
    if let Some(runner) = &beginning.runner {
        shape["runner"] = json!(runner);
    }
    if let Some(parent) = beginning.parent {
        shape["parent"] = json!(parent.to_string());
    }
    for (name, text) in [("commit", &beginning.revision.commit), ("branch", &beginning.revision.branch)] {
        if let Some(text) = text {
            shape[name] = json!(text);
        }
    }
    if beginning.is_pulled {
        shape["pulled"] = json!(true);
    }
    match state {
        RecordState::Running(_) => shape["state"] = json!("running"),
        RecordState::Interrupted => shape["state"] = json!("interrupted"),
        RecordState::Ended(end) => add_end(&mut shape, end),
    }
    shape
}

/// How a run ended, and how much it printed.
fn add_end(shape: &mut Value, end: &End) {
    shape["state"] = json!("ended");
    shape["success"] = json!(end.success);
    match end.ending {
        Ending::Exited(code) => shape["exit_code"] = json!(code),
        Ending::Signalled(signal) => shape["signal"] = json!(signal),
        Ending::TimedOut(_) => shape["timed_out"] = json!(true),
        Ending::Cancelled => shape["cancelled"] = json!(true),
        Ending::Answered { .. }
        | Ending::Rejected(_)
        | Ending::Disconnected(_)
        | Ending::NotStarted(_)
        | Ending::Lost => {}
    }
    let printed = &end.printed;
    let texts = [
        ("error", &end.error),
        ("error_code", &end.error_code),
        ("lost", &printed.lost),
        ("contained", &end.contained),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            shape[name] = json!(text);
        }
    }
    for (name, texts) in [("changed_later", &end.changed_later), ("denied", &end.denied)] {
        if !texts.is_empty() {
            shape[name] = json!(texts);
        }
    }
    if let Some(at) = end.at {
        shape["ended_ms"] = json!(at);
    }
    shape["duration_ms"] = json!(end.duration);
    shape["stdout_bytes"] = json!(printed.out);
    shape["stderr_bytes"] = json!(printed.err);
    shape["lines"] = json!(printed.lines);
}

/// The keys of a recorded run that differ from run to run, for agents.
const IN_BRIEF: &[&str] = &[
    "run_id",
    "tool",
    "kind",
    "parent",
    "state",
    "success",
    "exit_code",
    "signal",
    "timed_out",
    "cancelled",
    "error_code",
    "changed_later",
    "denied",
    "started_ms",
    "duration_ms",
];

/// A recorded run for agents: which tool, when, and how it ended.
pub fn in_brief(run: &Recorded) -> Value {
    let mut shape = recorded(run);
    shape["run_id"] = json!(run.id.short());
    if let Some(parent) = run.beginning.parent {
        shape["parent"] = json!(parent.short());
    }
    let has_ended = matches!(run.state, RecordState::Ended(_));
    if let Value::Object(fields) = &mut shape {
        // The exit code says the same as some others.
        let has_code = fields.contains_key("exit_code");
        let is_said = |key: &str| match key {
            "state" => has_ended,
            "success" | "error_code" => has_code,
            _ => false,
        };
        fields.retain(|key, _| IN_BRIEF.contains(&key.as_str()) && !is_said(key));
    }
    shape
}

/// The findings of a run for agents: the counts of all, and the first so many by file.
pub fn found_by_file(run: RunId, findings: &Findings, most: usize) -> Value {
    let mut shape = found_in(run, None, findings, 0);
    let shown = &findings.diagnostics[..findings.diagnostics.len().min(most)];
    shape["run_id"] = json!(run.short());
    shape["diagnostics"] = grouped(shown);
    shape
}

/// The new, fixed and remaining findings between two runs for agents; the first so many of each, by file.
pub fn compared_by_file(
    (later, earlier): (RunId, RunId),
    found: [&[Diagnostic]; 3],
    not_compared: u64,
    most: usize,
) -> Value {
    let [new, fixed, still] = found.map(|found| grouped(&found[..found.len().min(most)]));
    json!({
        "run_id": later.short(), "earlier_run_id": earlier.short(), "new": new, "fixed": fixed, "still": still,
        "not_compared": not_compared,
    })
}

/// The findings of a run: the counts of all, and the first so many in full.
pub fn found_in(run: RunId, success: Option<bool>, findings: &Findings, most: usize) -> Value {
    let mut shape = json!({"run_id": run.to_string()});
    if let Some(success) = success {
        shape["success"] = json!(success);
    }
    if let (Value::Object(shape), Value::Object(found)) = (&mut shape, found(findings, most)) {
        shape.extend(found);
    }
    shape
}

/// The findings of an output: the counts of all, and the first so many in full.
pub fn found(findings: &Findings, most: usize) -> Value {
    let entries: Vec<Value> = findings.diagnostics.iter().take(most).map(diagnostic).collect();
    let mut shape = json!({
        "errors": findings.errors, "warnings": findings.warnings, "infos": findings.infos,
        "diagnostics_total": findings.total(), "diagnostics": entries,
    });
    if findings.incomplete {
        shape["diagnostics_incomplete"] = json!(true);
    }
    if let Some(tests) = &findings.tests {
        shape["summary"] = summary(tests);
    }
    shape
}

/// Whether two runs had the same words, as far as both are known: of a pulled run only the program is.
fn has_equal_words(one: &Beginning, other: &Beginning) -> bool {
    let known = if one.is_pulled || other.is_pulled { 1 } else { usize::MAX };
    one.words_from_root().into_iter().take(known).eq(other.words_from_root().into_iter().take(known))
}

/// The reason why a missing finding may not have been checked: two equal calls of one tool have no such note.
pub fn unlike(later: &Recorded, earlier: &Recorded) -> Option<String> {
    let words = |run: &Recorded| visible(&run.beginning.words_from_root().join(" ")).into_owned();
    let (one, other) = (&later.beginning, &earlier.beginning);
    if later.id == earlier.id {
        Some("this is one run, compared with itself".into())
    } else if one.tool != other.tool {
        Some(format!("these are runs of two tools: {} and {}", visible(&one.tool), visible(&other.tool)))
    } else if !has_equal_words(one, other) {
        let [later, earlier] = [later, earlier].map(|run| short(&words(run)));
        Some(format!("these were called with other arguments: `{later}`, and before that `{earlier}`"))
    } else {
        None
    }
}

/// So much of a command line as a sentence may have.
fn short(line: &str) -> String {
    match line.get(..line.floor_char_boundary(LONGEST_COMMAND)) {
        Some(begin) if begin.len() < line.len() => format!("{begin}…"),
        _ => line.to_owned(),
    }
}

/// The new, fixed and remaining findings between two runs; the first so many of each.
pub fn compared(
    (later, earlier): (RunId, RunId),
    [new, fixed, still]: [&[Diagnostic]; 3],
    not_compared: u64,
    most: usize,
) -> Value {
    let entries = |found: &[Diagnostic]| -> Vec<Value> { found.iter().take(most).map(diagnostic).collect() };
    json!({
        "run_id": later.to_string(), "earlier_run_id": earlier.to_string(), "new": entries(new),
        "fixed": entries(fixed), "still": entries(still), "not_compared": not_compared,
    })
}
