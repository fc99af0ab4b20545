//! The result of a call as MCP's structured content: as small as the text, since many clients show their model this form.

use serde_json::{Map, Value, json};

use super::{Omitted, ToolResult};
use crate::model::{Report, RunId, Spelling, affordable, occurrences, tokens};
use crate::wire::findings::told;
use crate::wire::listing::grouped;
use crate::wire::reader::Reader;
use crate::wire::text::{self, MOST_TOKENS, MOST_TOKENS_BESIDE, explains};

/// The longest stream that stands beside findings that explain a failure, in bytes.
const BESIDE_FINDINGS: usize = 200;

/// The keys of both streams in `data`.
const STREAMS: [&str; 2] = ["stdout", "stderr"];

/// The result of a call that was carried out, for an agent: findings by file, each stream once, and how to get the rest. A key
/// that says nothing is absent: `called` is the name that the tool was called by.
pub fn compact(report: &Report, called: &str, spelling: Spelling) -> Value {
    let reader = Reader::Agent(spelling);
    let whole = ToolResult::of_report(report, reader);
    let tool = whole.tool.clone().filter(|_| report.tool.spelled(spelling) != called);
    if report.ending.is_none() || report.is_rehearsal() {
        return ToolResult { tool, ..of_no_run(whole) }.to_json();
    }
    let output = text::affordable(report);
    let is_explained = explains(report) || report.is_told && report.findings.total() > 0;
    let has_findings = report.findings.total() > 0 && (is_explained || !report.success || output.omitted > 0);
    let log = |lines| report.run_id.map(|_| reader.log_of_named(lines));
    let most = match (is_explained, has_findings) {
        (true, _) => Most::Short { see: log(None), end: report.log_end.as_deref() },
        _ if output.omitted == 0 => Most::All,
        (false, true) => Most::Tokens(MOST_TOKENS_BESIDE),
        (false, false) => Most::Tokens(MOST_TOKENS),
    };
    let data = report.data.as_ref().map(|data| bounded(data, report.success, &most));
    // Beside findings each stream says itself that it is left out.
    let left_out = (!is_explained && output.omitted > 0).then_some((output.omitted, output.lines));
    let told = if has_findings { told(report) } else { &[] };
    let shape = ToolResult {
        tool,
        run_id: report.run_id.map(RunId::short),
        timed_out: whole.timed_out.filter(|it| *it),
        cancelled: whole.cancelled.filter(|it| *it),
        duration_ms: None,
        contained: whole.contained.filter(|contained| *contained != "yes"),
        denied: if report.success { Vec::new() } else { whole.denied },
        diagnostics: has_findings.then(|| grouped(told)),
        diagnostics_total: whole.diagnostics_total.filter(|total| *total != occurrences(told)),
        output: None,
        output_truncated: None,
        output_bytes: None,
        output_omitted: left_out.map(|(bytes, lines)| Omitted {
            bytes,
            from_line: None,
            to_line: None,
            see: log(lines),
        }),
        data,
        metadata: Map::new(),
        ..whole
    };
    shape.to_json()
}

/// The JSON Schema of results over MCP, for `outputSchema`.
pub fn compact_schema() -> Value {
    let mut schema = ToolResult::schema();
    let lines = json!({"type": "array", "items": {"type": "string"}});
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.insert("diagnostics".into(), json!({"type": "object", "additionalProperties": lines}));
        properties.shift_remove("duration_ms");
    }
    schema
}

/// The result of a dry run or a list: what it says stands in one place.
fn of_no_run(whole: ToolResult) -> ToolResult {
    let (data, output) = match (whole.metadata.contains_key("dry_run"), whole.data) {
        (false, Some(data)) => (Some(data), None),
        _ => (None, whole.output),
    };
    let is_cut = output.is_some() && whole.output_truncated == Some(true);
    ToolResult {
        timed_out: whole.timed_out.filter(|it| *it),
        cancelled: whole.cancelled.filter(|it| *it),
        output_truncated: is_cut.then_some(true),
        output_bytes: whole.output_bytes.filter(|_| is_cut),
        output,
        data,
        ..whole
    }
}

/// How much of the two streams an answer has.
enum Most<'r> {
    All,
    /// Both ends of both, together about so many tokens.
    Tokens(usize),
    /// Short ones, of the others the tool that has them, and the last lines of the log, where nothing was read from them.
    Short {
        see: Option<String>,
        end: Option<&'r str>,
    },
}

/// The data of a run with its streams bounded. A success has no exit code here, and no stream that is empty.
fn bounded(data: &Map<String, Value>, is_success: bool, most: &Most<'_>) -> Map<String, Value> {
    let mut data = data.clone();
    let costs = STREAMS.map(|key| data.get(key).and_then(Value::as_str).map_or(0, tokens));
    for (at, key) in STREAMS.into_iter().enumerate() {
        let Some(Value::String(stream)) = data.get_mut(key) else { continue };
        let text = match most {
            Most::All => continue,
            Most::Short { .. } if stream.trim_end().len() <= BESIDE_FINDINGS => stream.trim_end().to_owned(),
            Most::Short { see, end } => {
                let see = see.as_ref().map_or_else(|| "[…]".to_owned(), |see| format!("[… {see}]"));
                // The end of the log has lines of both streams.
                let is_own = |line: &&str| !line.is_empty() && stream.lines().any(|own| own == *line);
                let own: Vec<&str> = end.unwrap_or_default().lines().filter(is_own).collect();
                std::iter::once(see.as_str()).chain(own).collect::<Vec<_>>().join("\n")
            }
            // A stream has half of the room, and what the other one leaves.
            &Most::Tokens(most) => affordable(stream, (most / 2).max(most.saturating_sub(costs[1 - at]))),
        };
        *stream = text;
    }
    if is_success {
        data.shift_remove("exit_code");
        data.retain(|key, value| key == STREAMS[0] || *value != json!(""));
    }
    data
}
