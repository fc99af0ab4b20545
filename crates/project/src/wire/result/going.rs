//! A run that goes on in the background, as a result.

use serde_json::Value;

use super::{Omitted, ToolResult, whole_milliseconds};
use crate::model::{OngoingRun, RunId, visible_lines, within};
use crate::wire::reader::Reader;
use crate::wire::text::MOST_TOKENS;

impl ToolResult {
    /// The result of a call whose run goes on in the background.
    pub fn of_going(going: &OngoingRun, reader: Reader) -> Self {
        let output = &going.output;
        Self {
            success: true,
            tool: Some(going.tool.to_string()),
            run_id: Some(going.run_id.to_string()),
            running: Some(true),
            ready: going.ready.then_some(true),
            help: Some(next(going.run_id, reader)),
            duration_ms: Some(whole_milliseconds(going.duration)),
            output: Some(output.text.clone()),
            output_truncated: Some(output.omitted > 0),
            output_bytes: Some(output.bytes),
            output_omitted: (output.omitted > 0).then(|| Omitted {
                bytes: output.omitted,
                from_line: output.lines.map(|(from, _)| from),
                to_line: output.lines.map(|(_, to)| to),
                see: Some(reader.log(going.run_id, output.lines)),
            }),
            ..Self::default()
        }
    }
}

/// The same result for an agent, by the end of the run's id and with as much output as there is room for.
pub fn compact_of_going(going: &OngoingRun, reader: Reader) -> Value {
    let output = within(going.output.clone(), MOST_TOKENS);
    let whole = ToolResult::of_going(going, reader);
    let is_cut = output.omitted > 0;
    ToolResult {
        tool: None,
        run_id: Some(going.run_id.short()),
        duration_ms: None,
        output_truncated: None,
        output_bytes: None,
        output_omitted: is_cut.then(|| Omitted {
            bytes: output.omitted,
            from_line: None,
            to_line: None,
            see: Some(reader.log_of_named(output.lines)),
        }),
        output: Some(output.text),
        ..whole
    }
    .to_json()
}

/// The same as a compact text that is complete by itself.
pub fn text_of_going(going: &OngoingRun, reader: Reader) -> String {
    let what = if going.ready { "is ready and goes on" } else { "goes on" };
    let silent = if going.output.text.is_empty() { ", it printed nothing so far" } else { "" };
    let (seconds, next) = (going.duration.as_secs_f64(), next(going.run_id, reader));
    let head = format!("{what} in the background ({seconds:.1} s{silent})\nnext: {next}");
    let text = visible_lines(&head).into_owned();
    let output = within(going.output.clone(), MOST_TOKENS).text;
    if output.is_empty() { text } else { format!("{text}\n\n{output}") }
}

/// The tools or commands for a run that goes on. All take its id.
fn next(id: RunId, reader: Reader) -> String {
    let id = id.short();
    match reader {
        Reader::Person => format!(
            "`cuff runs log -f {id}` follows what it prints, `cuff runs status {id}` says whether it has ended, `cuff runs \
             stop {id}` ends it"
        ),
        Reader::Agent(_) => format!(
            "{} with run {id} says whether it has ended (its `wait` waits for that), {} shows what it prints, {} ends it; it \
             ends with this server",
            reader.tool("status"),
            reader.tool("log"),
            reader.tool("stop")
        ),
    }
}
