//! The raw JSON of a request's answer in the body that the SDK made for it.

use http_body_util::BodyExt as _;
use hyper::body::Bytes;
use serde_json::Value;

use crate::http::HttpAnswer;
use crate::mcp::preserialized::response;
use crate::mcp::raw::RawAnswer;

/// The start of a line of an event that holds the message.
const DATA: &str = "data:";

/// The same answer; where the handler set raw JSON, that stands for the SDK's result.
pub(super) fn with_raw(answer: HttpAnswer, raw: RawAnswer) -> HttpAnswer {
    answer.map(|body| {
        // The SDK makes a frame of each event, and one of a body that is no stream.
        body.map_frame(move |frame| frame.map_data(|bytes| replaced(&raw, bytes))).boxed()
    })
}

fn replaced(raw: &RawAnswer, bytes: Bytes) -> Bytes {
    let Some(text) = std::str::from_utf8(&bytes).ok().filter(|_| raw.is_set()) else { return bytes };
    let is_stream = !text.trim_start().starts_with('{');
    let mut changed = String::new();
    for line in text.split_inclusive('\n') {
        let (message, end) = (line.trim_end_matches('\n'), &line[line.trim_end_matches('\n').len()..]);
        let data = if is_stream { message.strip_prefix(DATA) } else { Some(message) };
        match data.and_then(|data| answered(raw, data)) {
            Some(message) => changed.extend([if is_stream { "data: " } else { "" }, &message, end]),
            None => changed.push_str(line),
        }
    }
    Bytes::from(changed)
}

/// A message with the raw JSON; `None` for all but the answer.
fn answered(raw: &RawAnswer, message: &str) -> Option<String> {
    let mut message: Value = serde_json::from_str(message).ok()?;
    let result = message.get_mut("result")?;
    let joined = raw.join(result.take())?;
    Some(response(&message.get("id")?.to_string(), &joined))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mcp::raw::Raw;

    #[test]
    fn the_answer_alone_is_replaced_and_once() {
        let raw = RawAnswer::default();
        let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
        let event = |message: &str| Bytes::from(format!("event: message\ndata: {message}\n\n"));
        assert_eq!(replaced(&raw, event(answer)), event(answer));
        let place = |raw: &RawAnswer| raw.put(Raw::Result(json!({"content": [], "x": 1})));
        place(&raw);
        assert_eq!(replaced(&raw, event(progress)), event(progress));
        let expected = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":1}}"#;
        assert_eq!(replaced(&raw, event(answer)), event(expected));
        assert_eq!(replaced(&raw, event(answer)), event(answer), "it is used up");
        place(&raw);
        assert_eq!(replaced(&raw, Bytes::from(answer)), Bytes::from(expected), "no stream");
    }
}
