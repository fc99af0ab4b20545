//! The result of a call, as every face writes it.

pub(super) mod compact;
pub(super) mod going;

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::findings::{self, diagnostic, summary};
use super::reader::Reader;
use super::text::{see, settings_line};
use crate::model::{Contained, Denial, Ending, Report, ToolName, visible, visible_lines};

/// The result of a call, as every face writes it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ToolResult {
    success: bool,
    tool: Option<String>,
    run_id: Option<String>,
    running: Option<bool>,
    ready: Option<bool>,
    unrecorded: Option<String>,
    unheld: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed_later: Vec<String>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    error: Option<String>,
    error_code: Option<String>,
    help: Option<String>,
    confirmation_required: Option<bool>,
    approval_id: Option<String>,
    approve_command: Option<String>,
    timed_out: Option<bool>,
    cancelled: Option<bool>,
    duration_ms: Option<u64>,
    summary: Option<Value>,
    diagnostics: Option<Value>,
    diagnostics_total: Option<u64>,
    diagnostics_incomplete: Option<bool>,
    output: Option<String>,
    output_truncated: Option<bool>,
    output_bytes: Option<u64>,
    output_omitted: Option<Omitted>,
    leftovers: Option<Leftovers>,
    contained: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_contained: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    denied: Vec<Denied>,
    data: Option<Map<String, Value>>,
    answer: Option<Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
}

/// The part of the output that is not shown.
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

/// Something that a contained run was refused.
#[derive(Debug, Clone, Serialize)]
struct Denied {
    what: String,
    /// The line of settings that allows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_by: Option<String>,
}

impl Denied {
    fn of(denial: &Denial, tool: &ToolName) -> Self {
        let what = visible_lines(&denial.sentence()).into_owned();
        Self { what, allowed_by: denial.allowed_by().map(|rules| settings_line(&rules, &tool.instance)) }
    }
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
            unheld: report.unheld.as_deref().map(|why| visible_lines(why).into_owned()),
            changed_later: report.changed_later.iter().map(|path| visible(path).into_owned()).collect(),
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
            confirmation_required: None,
            approval_id: None,
            approve_command: None,
            timed_out: ending.map(|ending| matches!(ending, Ending::TimedOut(_))),
            cancelled: ending.map(|ending| matches!(ending, Ending::Cancelled)),
            duration_ms: ending.map(|_| whole_milliseconds(report.duration)),
            summary: report.findings.tests.as_ref().map(summary),
            diagnostics: found
                .then(|| findings::shown(&report.findings).iter().map(diagnostic).collect::<Value>()),
            diagnostics_total: found.then(|| report.findings.total()),
            diagnostics_incomplete: report.findings.incomplete.then_some(true),
            output: Some(report.output.text.clone()),
            output_truncated: Some(report.output.omitted > 0),
            output_bytes: Some(report.output.bytes),
            output_omitted: (report.output.omitted > 0).then(|| Omitted {
                bytes: report.output.omitted,
                from_line: report.output.lines.map(|(from, _)| from),
                to_line: report.output.lines.map(|(_, to)| to),
                see: see(report, reader, report.output.lines),
            }),
            leftovers: (report.leftovers.killed + report.leftovers.detached > 0).then_some(Leftovers {
                killed: report.leftovers.killed,
                detached: report.leftovers.detached,
            }),
            contained: report.contained.as_ref().map(Contained::word),
            not_contained: report.contained.as_ref().map_or(&[][..], Contained::missing).to_vec(),
            denied: report.denials.iter().map(|denial| Denied::of(denial, &report.tool)).collect(),
            data: report.data.clone(),
            answer: report.answer.as_ref().map(|answer| answer.raw().clone()),
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

    /// The same failure, if a question to a person waits under this id.
    #[must_use]
    pub fn waiting_for(self, approval: Option<&str>) -> Self {
        let Some(id) = approval else { return self };
        Self {
            confirmation_required: Some(true),
            approval_id: Some(id.to_owned()),
            approve_command: Some(format!("cuff approve {id}")),
            ..self
        }
    }

    /// As JSON, without what is not known of it.
    pub fn to_json(&self) -> Value {
        let mut shape = json!(self);
        if let Value::Object(fields) = &mut shape {
            fields.retain(|_, value| !value.is_null());
        }
        shape
    }

    /// The JSON Schema of this shape, for programs.
    pub fn schema() -> Value {
        let text = json!({"type": "string"});
        let number = json!({"type": "integer"});
        let flag = json!({"type": "boolean"});
        let object = json!({"type": "object"});
        json!({
            "type": "object",
            "properties": {
                "success": flag, "tool": text, "run_id": text, "running": flag, "ready": flag, "unrecorded": text, "unheld": text, "changed_later": {"type": "array", "items": text}, "exit_code": number, "signal": number, "error": text,
                "error_code": text, "help": text, "confirmation_required": flag, "approval_id": text,
                "approve_command": text, "timed_out": flag, "cancelled": flag, "duration_ms": number,
                "summary": object, "diagnostics": {"type": "array", "items": object}, "diagnostics_total": number, "diagnostics_incomplete": flag,
                "output": text, "output_truncated": flag, "output_bytes": number, "output_omitted": object, "leftovers": object,
                "contained": text, "not_contained": {"type": "array", "items": text},
                "denied": {"type": "array", "items": object},
                "data": object, "answer": object, "metadata": object,
            },
            "required": ["success"],
        })
    }
}

fn whole_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
