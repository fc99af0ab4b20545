//! The JSON shapes that `--json` and MCP share. Absent means not applicable; nothing is null.

mod findings;
mod going;
mod reader;
mod runs;

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

pub use findings::{
    count as count_of_findings, diagnostic, line as line_of_diagnostic, summary, tests as text_of_tests,
};

pub use going::{GoesOn, text_of_going};
pub use reader::Reader;
pub use runs::{compared, found_in, recorded};

use crate::model::{Ending, Location, Problem, Report, ToolName, visible_lines};

/// What a call came to, as every face writes it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ToolResult {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ready: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrecorded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timed_out: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancelled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics_total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_truncated: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_omitted: Option<Omitted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leftovers: Option<Leftovers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
}

/// What of the output is not shown.
#[derive(Debug, Clone, Serialize)]
struct Omitted {
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
}

/// Processes that outlived the one that was started.
#[derive(Debug, Clone, Serialize)]
struct Leftovers {
    killed: u32,
    detached: u32,
}

impl ToolResult {
    /// The result of a call that was carried out.
    pub fn of_report(report: &Report, reader: Reader) -> Self {
        let ending = report.ending.as_ref();
        let found = report.findings.total() > 0;
        Self {
            success: report.success,
            tool: Some(report.tool.to_string()),
            run_id: report.run_id.map(|id| id.to_string()),
            running: None,
            ready: None,
            unrecorded: report.unrecorded.clone(),
            exit_code: match ending {
                Some(Ending::Exited(code)) => Some(*code),
                _ => None,
            },
            signal: match ending {
                Some(Ending::Signalled(signal)) => Some(*signal),
                _ => None,
            },
            error: report.error.as_deref().map(|error| visible_lines(error).into_owned()),
            error_code: report.error_code.clone(),
            help: report.help.as_deref().map(|help| visible_lines(help).into_owned()),
            timed_out: ending.map(|ending| matches!(ending, Ending::TimedOut(_))),
            cancelled: ending.map(|ending| matches!(ending, Ending::Cancelled)),
            duration_ms: ending.map(|_| whole_milliseconds(report.duration)),
            summary: report.findings.tests.as_ref().map(summary),
            diagnostics: found.then(|| findings::shown(&report.findings).iter().map(diagnostic).collect()),
            diagnostics_total: found.then(|| report.findings.total()),
            output: Some(report.output.text.clone()),
            output_truncated: Some(report.output.omitted > 0),
            output_bytes: Some(report.output.bytes),
            output_omitted: (report.output.omitted > 0).then(|| Omitted {
                bytes: report.output.omitted,
                from_line: report.output.lines.map(|(from, _)| from),
                to_line: report.output.lines.map(|(_, to)| to),
                see: see(report, reader),
            }),
            leftovers: (report.leftovers.killed + report.leftovers.detached > 0).then_some(Leftovers {
                killed: report.leftovers.killed,
                detached: report.leftovers.detached,
            }),
            data: report.data.clone(),
            metadata: report.metadata.clone(),
        }
    }

    /// The result of a call that started nothing.
    pub fn of_failure(tool: Option<&ToolName>, code: &str, error: &str, help: Option<&str>) -> Self {
        Self {
            tool: tool.map(ToString::to_string),
            error: Some(visible_lines(error).into_owned()),
            error_code: Some(code.to_owned()),
            help: help.map(|help| visible_lines(help).into_owned()),
            ..Self::default()
        }
    }

    /// The same result for a reader who pays for each word: where a failure is explained by what was found, the log
    /// stays in the store.
    #[must_use]
    pub fn brief(mut self, report: &Report) -> Self {
        if explains(report) {
            self.output_truncated = Some(self.output.take().is_some_and(|output| !output.is_empty()));
            if let Some(data) = &mut self.data {
                data.shift_remove("stdout");
                data.shift_remove("stderr");
            }
        }
        self
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!(self)
    }

    /// The JSON Schema of this shape, for MCP's `outputSchema`.
    pub fn schema() -> Value {
        let text = json!({"type": "string"});
        let number = json!({"type": "integer"});
        let flag = json!({"type": "boolean"});
        let object = json!({"type": "object"});
        json!({
            "type": "object",
            "properties": {
                "success": flag, "tool": text, "run_id": text, "running": flag, "ready": flag, "unrecorded": text, "exit_code": number, "signal": number, "error": text,
                "error_code": text, "help": text, "timed_out": flag, "cancelled": flag, "duration_ms": number,
                "summary": object, "diagnostics": {"type": "array", "items": object}, "diagnostics_total": number,
                "output": text, "output_truncated": flag, "output_bytes": number, "output_omitted": object, "leftovers": object,
                "data": object, "metadata": object,
            },
            "required": ["success"],
        })
    }
}

/// Whether what was found says why a run failed, and the log is in the store for who wants more.
fn explains(report: &Report) -> bool {
    let Report { findings, run_id, unrecorded, .. } = report;
    let failed_tests = findings.tests.is_some_and(|tests| tests.failed + tests.broken > 0);
    !report.success
        && (findings.errors > 0 || (failed_tests && findings.total() > 0))
        && run_id.is_some()
        && unrecorded.is_none()
}

/// A result as a compact text that is complete by itself: a status line, what to do, what was found, and the output
/// where that does not say it.
pub fn text_of_report(report: &Report, reader: Reader) -> String {
    if report.ending.is_none() {
        return report.output.text.clone();
    }
    let code = report.error_code.as_ref().map_or_else(String::new, |code| format!(" [{code}]"));
    let mut lines = vec![format!("{}{code}", status(report))];
    lines.extend(report.help.iter().map(|help| format!("help: {help}")));
    lines.extend(report.findings.tests.iter().map(|tests| format!("tests: {}", text_of_tests(tests))));
    lines.extend(report.run_id.iter().map(|id| format!("run: {id}")));
    lines.extend(unrecorded_note(report).iter().map(|note| format!("note: {note}")));
    lines.extend(leftover_notes(report).iter().map(|note| format!("note: {note}")));
    let explained = explains(report);
    let unseen = if explained { unshown_note(report, reader) } else { omitted_note(report, reader) };
    lines.extend(unseen.iter().map(|note| format!("note: {note}")));
    let text = visible_lines(&lines.join("\n")).into_owned() + &findings::block(report, reader);
    if explained || report.output.text.is_empty() {
        text
    } else {
        format!("{text}\n\n{}", report.output.text)
    }
}

/// What became of a tool whose process ended, in one sentence: `npm_test: Script failed with exit code 1 (0.8 s)`.
pub fn status(report: &Report) -> String {
    let rehearsal = report.metadata.get("dry_run") == Some(&Value::Bool(true));
    let kind = if rehearsal { "dry run: " } else { "" };
    let what = match (&report.error, &report.ending) {
        (Some(error), _) => error.clone(),
        (None, Some(Ending::Exited(code))) => format!("{kind}succeeded with exit code {code}"),
        (None, _) => format!("{kind}succeeded"),
    };
    let tool = &report.tool;
    // Of what never ran nobody expects time or output.
    if matches!(report.ending, None | Some(Ending::NotStarted(_))) {
        return format!("{tool}: {what}");
    }
    let silent = if report.output.text.is_empty() { ", it printed nothing" } else { "" };
    format!("{tool}: {what} ({:.1} s{silent})", report.duration.as_secs_f64())
}

/// That what was found stands in the place of the output, and how to see that.
fn unshown_note(report: &Report, reader: Reader) -> Option<String> {
    let id = report.run_id?;
    let bytes = report.output.bytes;
    let log = reader.log(id, None);
    Some(format!("what it printed ({bytes} bytes) is not shown here; `{log}` prints it"))
}

/// How much of the output is left out, and how to see it.
fn omitted_note(report: &Report, reader: Reader) -> Option<String> {
    let omitted = report.output.omitted;
    let rest = match (see(report, reader), &report.unrecorded) {
        _ if omitted == 0 => return None,
        (Some(command), None) => format!("`{command}` prints them"),
        (Some(command), Some(_)) => format!("`{command}` prints what was recorded of them"),
        (None, _) => "they are nowhere, since the run was not recorded".to_owned(),
    };
    Some(format!("{omitted} bytes of the output are left out below; {rest}"))
}

/// The command that prints what is left out; `None` where nothing was recorded.
fn see(report: &Report, reader: Reader) -> Option<String> {
    Some(reader.log(report.run_id?, report.output.lines))
}

fn whole_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Why a run left no record, or not all of one.
pub fn unrecorded_note(report: &Report) -> Option<String> {
    let why = report.unrecorded.as_deref()?;
    Some(match report.run_id {
        Some(_) => format!("not all of this run was recorded: {why}"),
        None => format!("this run was not recorded: {why}"),
    })
}

/// One sentence for each kind of process that outlived the run.
pub fn leftover_notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if report.leftovers.killed > 0 {
        notes
            .push(format!("{} background process(es) outlived it and were stopped", report.leftovers.killed));
    }
    if report.leftovers.detached > 0 {
        notes.push(format!(
            "{} process(es) detached themselves and are still running",
            report.leftovers.detached
        ));
    }
    notes
}

/// A problem as JSON.
pub fn problem(instance: Option<&str>, code: Option<String>, problem: &Problem) -> Value {
    let mut shape = Map::new();
    shape.insert("severity".into(), json!(problem.severity.name()));
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            shape.insert(name.into(), value);
        }
    };
    put("instance", instance.map(|instance| json!(instance)));
    put("code", code.map(|code| json!(code)));
    put("message", Some(json!(visible_lines(&problem.message))));
    let place = problem.location.as_ref();
    put("file", place.map(|Location { file, .. }| json!(file)));
    put("line", place.and_then(|place| place.line).map(|line| json!(line)));
    put("column", place.and_then(|place| place.column).map(|column| json!(column)));
    put("help", problem.help.as_ref().map(|help| json!(visible_lines(help))));
    Value::Object(shape)
}
