//! An execution that is over, as text and as JSON, the same for every face.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::host::held;
use crate::model::{RunId, visible_lines};
use crate::sandbox::{
    CallEnd, CallRecord, CheckFinding, Execution, Failure, NAME, Outcome, PrintedStream, StackFrame,
    TextPosition, elided, summary,
};

/// How much of a result is shown, as JSON in bytes: agents' hosts cut at about 30,000 characters.
const RESULT: usize = 20 << 10;
/// How much of each stream is shown, in bytes.
const PRINTED: usize = 8 << 10;
/// How many calls are listed.
const CALLS: usize = 50;

/// The advice to a program that nobody could be asked for.
const TO_GO_ON: &str =
    "\nto go on: what succeeded is done; after the yes, run a program that begins with the call that waits";

/// The text that a program printed, kept as it comes.
#[derive(Debug, Clone, Default)]
pub struct Collected(Arc<Mutex<PrintedText>>);

/// The text of both streams.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrintedText {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Collected {
    /// Takes what is printed.
    pub fn push(&self, stream: PrintedStream, text: &str) {
        let mut kept = held(&self.0);
        match stream {
            PrintedStream::Out => kept.out.push_str(text),
            PrintedStream::Err => kept.err.push_str(text),
        }
    }

    /// The text that was printed until now.
    pub fn text(&self) -> PrintedText {
        held(&self.0).clone()
    }
}

/// An execution that is over.
#[derive(Debug)]
pub struct Executed {
    /// The name of the program's file, where it has one.
    pub file: Option<String>,
    /// How it ended, and the calls that it made.
    pub execution: Execution,
    /// Whether it was ended from outside.
    pub was_cancelled: bool,
    /// How long it took, its calls included.
    pub took: Duration,
    /// Its record; `None` for a check, or where nothing could be recorded.
    pub run: Option<RunId>,
    /// Why it is not recorded, or not whole.
    pub unrecorded: Option<String>,
}

impl Executed {
    /// Whether the program ran to its end, or was found to be right.
    pub fn is_success(&self) -> bool {
        matches!(self.execution.outcome, Outcome::Returned(_)) && !self.was_cancelled
    }

    /// The result as it is shown, and whether it was cut. The whole is with the run.
    pub fn shown_result(&self, whole: bool) -> Option<(Value, bool)> {
        let Outcome::Returned(Some(result)) = &self.execution.outcome else { return None };
        if whole {
            return Some((result.clone(), false));
        }
        let elided = elided(result.clone(), RESULT);
        Some((elided.value, elided.is_cut))
    }

    /// Takes images and sounds out of the result, as blocks of MCP's content. In their places stands which block it is.
    pub fn take_media(&mut self) -> Vec<Value> {
        let mut blocks = Vec::new();
        if let Outcome::Returned(Some(result)) = &mut self.execution.outcome {
            taken(result, &mut blocks);
        }
        blocks
    }

    /// The failure as people and models read it, with lines of their own source; empty for a success.
    pub fn complaint(&self, source: &str) -> String {
        if self.was_cancelled {
            return "error: the program was cancelled".to_owned();
        }
        let file = self.file.as_deref().unwrap_or(NAME);
        match &self.execution.outcome {
            Outcome::Returned(_) => String::new(),
            Outcome::Rejected(findings) => {
                let texts: Vec<String> =
                    findings.iter().map(|finding| finding.render_as(file, source)).collect();
                format!("{}\nnothing of the program was run", texts.join("\n\n"))
            }
            Outcome::Failed(failure) => {
                let calls = &self.execution.journal;
                let journal = if calls.is_empty() { String::new() } else { format!("\n{}", summary(calls)) };
                let waits = failure.data.as_ref().is_some_and(|data| data["confirmation_required"] == true);
                let to_go_on = if waits { TO_GO_ON } else { "" };
                format!("{}{journal}{to_go_on}", failure.render_as(file, source))
            }
        }
    }

    /// The execution as JSON. Large results and texts are cut, and say so, unless the whole is wanted.
    pub fn to_json(&self, source: &str, printed: &PrintedText, whole: bool) -> Value {
        let mut shape = Map::new();
        let mut put = |key: &str, value: Value| shape.insert(key.to_owned(), value);
        put("success", self.is_success().into());
        if let Some(run) = self.run {
            put("run_id", run.to_string().into());
        }
        if let Some((result, is_cut)) = self.shown_result(whole) {
            put("result", result);
            if is_cut {
                put("result_cut", true.into());
            }
        }
        for (key, text) in [("stdout", &printed.out), ("stderr", &printed.err)] {
            let (shown, omitted) = if whole { (text.clone(), 0) } else { ends(text) };
            put(key, shown.into());
            if omitted > 0 {
                put(&format!("{key}_omitted_bytes"), omitted.into());
            }
        }
        if self.execution.unprinted > 0 {
            put("unprinted_bytes", self.execution.unprinted.into());
        }
        match &self.execution.outcome {
            Outcome::Returned(_) => {}
            Outcome::Rejected(findings) => {
                put("findings", findings.iter().map(|finding| finding_shape(finding, source)).collect());
            }
            Outcome::Failed(failure) => _ = put("error", failure_shape(failure, source)),
        }
        if !self.is_success() {
            put("text", self.complaint(source).into());
        }
        let calls = &self.execution.journal;
        put("calls", calls.iter().take(CALLS).map(call_shape).collect());
        if calls.len() > CALLS {
            put("calls_total", calls.len().into());
        }
        put("duration_ms", u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX).into());
        if let Some(why) = &self.unrecorded {
            put("unrecorded", why.as_str().into());
        }
        shape.into()
    }
}

/// Both ends of a text, and how much is not there.
fn ends(text: &str) -> (String, usize) {
    if text.len() <= PRINTED {
        return (text.to_owned(), 0);
    }
    let head = text.floor_char_boundary(PRINTED / 2);
    let tail = text.ceil_char_boundary(text.len() - PRINTED / 2);
    let omitted = tail - head;
    (format!("{}\n[… {omitted} bytes left out …]\n{}", &text[..head], &text[tail..]), omitted)
}

fn finding_shape(finding: &CheckFinding, source: &str) -> Value {
    let TextPosition { line, column } = finding.place(source);
    let mut shape = json!({"message": visible_lines(&finding.message), "line": line, "column": column});
    if let Some(help) = &finding.help {
        shape["help"] = visible_lines(help).into();
    }
    shape
}

fn failure_shape(failure: &Failure, source: &str) -> Value {
    let frame = |frame: &StackFrame| {
        let TextPosition { line, column } = frame.place(source);
        json!({"function": frame.function, "line": line, "column": column})
    };
    let mut shape = json!({
        "name": failure.name,
        "message": visible_lines(&failure.message),
        "stack": failure.frames.iter().map(frame).collect::<Vec<_>>(),
    });
    for (key, text) in [("help", &failure.help), ("tool", &failure.tool)] {
        if let Some(text) = text {
            shape[key] = visible_lines(text).into();
        }
    }
    if let Some(data) = &failure.data {
        shape["data"] = data.clone();
    }
    if !failure.causes.is_empty() {
        shape["causes"] = failure.causes.iter().map(|cause| visible_lines(cause)).collect();
    }
    shape
}

fn call_shape(call: &CallRecord) -> Value {
    let mut shape = json!({"tool": call.tool, "arguments": call.arguments});
    match &call.ended {
        CallEnd::Succeeded => shape["ok"] = true.into(),
        CallEnd::Failed(why) => {
            shape["ok"] = false.into();
            shape["error"] = visible_lines(why).into();
        }
        CallEnd::Unfinished => shape["cancelled"] = true.into(),
    }
    if let Some(took) = call.took {
        shape["ms"] = u64::try_from(took.as_millis()).unwrap_or(u64::MAX).into();
    }
    shape
}

/// The most that leave one program, and the most bytes of one, in base64.
const MOST: usize = 20;
const LARGEST: usize = 8 << 20;

/// Takes the blocks of content out of a result; in their places stands which of them it was.
fn taken(value: &mut Value, blocks: &mut Vec<Value>) {
    match value {
        Value::Object(fields) if is_block(fields) && blocks.len() < MOST => {
            let place = format!("block {} of the content", blocks.len() + 1);
            let kind = fields.get("type").cloned().unwrap_or_default();
            let shown = json!({"type": kind, "mimeType": fields.get("mimeType"), "shown": place});
            blocks.push(std::mem::replace(value, shown));
        }
        Value::Object(fields) => fields.values_mut().for_each(|inner| taken(inner, blocks)),
        Value::Array(items) => items.iter_mut().for_each(|inner| taken(inner, blocks)),
        _ => {}
    }
}

/// Whether an object is an image or a sound as tools of MCP return it.
fn is_block(fields: &Map<String, Value>) -> bool {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let kind = text("mimeType").unwrap_or_default();
    let is_kind = match text("type") {
        Some("image") => kind.starts_with("image/"),
        Some("audio") => kind.starts_with("audio/"),
        _ => false,
    };
    let is_base64 = |data: &str| {
        data.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
    };
    is_kind && text("data").is_some_and(|data| data.len() <= LARGEST && !data.is_empty() && is_base64(data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_taken_out_wherever_they_stand_and_nothing_else_is() {
        let image = json!({"type": "image", "mimeType": "image/png", "data": "aGk="});
        let sound = json!({"type": "audio", "mimeType": "audio/wav", "data": "aGk="});
        let mut value = json!({"a": [image, 1], "b": sound, "c": {"type": "image", "data": "not base64!"}});
        let mut blocks = Vec::new();
        taken(&mut value, &mut blocks);
        assert_eq!(blocks, [image, sound]);
        assert_eq!(
            value,
            json!({
                "a": [{"type": "image", "mimeType": "image/png", "shown": "block 1 of the content"}, 1],
                "b": {"type": "audio", "mimeType": "audio/wav", "shown": "block 2 of the content"},
                "c": {"type": "image", "data": "not base64!"},
            })
        );
    }
}
