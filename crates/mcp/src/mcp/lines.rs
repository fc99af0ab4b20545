//! Lines of input, bounded, and what each of them says.

use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// The longest message, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;

/// A line that came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// All of it, without its end.
    Whole(Vec<u8>),
    /// It was too long, and is gone.
    TooLong,
}

/// Input, line by line. Memory is bounded by the longest message.
pub(super) struct InputLines<Input> {
    input: BufReader<Input>,
    longest: usize,
    partial: Vec<u8>,
    /// The line under way is too long: the rest of it is passed over.
    passing: bool,
}

impl<Input: AsyncRead + Unpin> InputLines<Input> {
    pub(super) fn of(input: Input) -> Self {
        Self { input: BufReader::new(input), longest: LONGEST, partial: Vec::new(), passing: false }
    }

    /// The next line; `None` at the end of the input. Dropping this future loses nothing: the next call goes
    /// on with the part of the line that has come.
    pub(super) async fn next(&mut self) -> Option<InputLine> {
        loop {
            let come = self.input.fill_buf().await.ok().filter(|come| !come.is_empty())?;
            let end = memchr::memchr(b'\n', come);
            let part = &come[..end.unwrap_or(come.len())];
            if !self.passing && self.partial.len() + part.len() <= self.longest {
                self.partial.extend_from_slice(part);
            } else {
                self.partial = Vec::new();
                self.passing = true;
            }
            let taken = end.map_or(come.len(), |end| end + 1);
            self.input.consume(taken);
            if end.is_some() {
                let line = std::mem::take(&mut self.partial);
                let too_long = std::mem::take(&mut self.passing);
                return Some(if too_long { InputLine::TooLong } else { InputLine::Whole(line) });
            }
        }
    }
}

/// The content of a line.
pub(super) enum LineContent {
    /// A message for the SDK.
    Message(RxJsonRpcMessage<RoleServer>),
    /// No message, and this is the answer.
    Wrong(TxJsonRpcMessage<RoleServer>),
    /// Nothing that is answered.
    Nothing,
}

/// Reads a line as JSON-RPC has it. Text that is no JSON and JSON that is no message are different errors. A
/// request that cannot be read is answered under its own id.
pub(super) fn read(line: &InputLine) -> LineContent {
    let InputLine::Whole(line) = line else {
        let why = format!("a message is at most {LONGEST} bytes long; this one was not read");
        return LineContent::Wrong(JsonRpcMessage::error(ErrorData::invalid_request(why, None), None));
    };
    read_text(line)
}

/// The same, of a text of any length.
pub(super) fn read_text(line: &[u8]) -> LineContent {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return LineContent::Nothing;
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return LineContent::Message(message);
    }
    match serde_json::from_slice::<Value>(line) {
        Err(error) => {
            let why = format!("this is not JSON: {error}");
            LineContent::Wrong(JsonRpcMessage::error(ErrorData::new(ErrorCode::PARSE_ERROR, why, None), None))
        }
        // A notification is never answered, and neither is an answer.
        Ok(Value::Object(message)) if message.contains_key("method") != message.contains_key("id") => {
            LineContent::Nothing
        }
        Ok(message) => {
            let id = message.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
            let why = match message {
                Value::Array(_) => "cuff takes one message at a time, and no batches",
                _ => {
                    "this is no JSON-RPC message: it needs `jsonrpc`, \"2.0\"; `id`, a string or a whole number; \
                      `method`, a string; and `params`, where there are any, is an object"
                }
            };
            LineContent::Wrong(JsonRpcMessage::error(ErrorData::invalid_request(why, None), id))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_whole_however_they_come_and_too_long_ones_are_passed_over() {
        for capacity in [1, 2, 3, 7, 64] {
            let input = BufReader::with_capacity(capacity, &b"one\n\n123456789\n1234567\ntwo\nrest"[..]);
            let mut lines = InputLines {
                input: BufReader::with_capacity(capacity, input),
                ..InputLines::of(BufReader::new(&b""[..]))
            };
            lines.longest = 7;
            let mut seen = Vec::new();
            while let Some(line) = lines.next().await {
                seen.push(match line {
                    InputLine::Whole(line) => String::from_utf8(line).unwrap(),
                    InputLine::TooLong => "too long".to_owned(),
                });
            }
            assert_eq!(seen, ["one", "", "too long", "1234567", "two"], "an unfinished line is no message");
        }
    }

    fn answer(line: &str) -> Option<Value> {
        match read(&InputLine::Whole(line.into())) {
            LineContent::Message(_) => panic!("{line} was taken for a message"),
            LineContent::Wrong(answer) => Some(serde_json::to_value(answer).unwrap()),
            LineContent::Nothing => None,
        }
    }

    #[test]
    fn lines_that_are_no_messages_get_the_right_error() {
        for (line, code, id) in [
            ("{nonsense", -32700, None),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":", -32700, None),
            ("[]", -32600, None),
            ("5", -32600, None),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, None),
            (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600, Some(7)),
            (r#"{"id":8,"method":"ping"}"#, -32600, Some(8)),
            (r#"{"jsonrpc":"2.0","id":9,"method":5}"#, -32600, Some(9)),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, None),
        ] {
            let answer = answer(line).unwrap();
            assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
            assert_eq!(answer.get("id").and_then(Value::as_i64), id, "{line}: {answer}");
        }
        for silent in ["", "  ", "\r", "\u{feff}", r#"{"method":"notifications/x","params":[1]}"#] {
            assert_eq!(answer(silent), None, "{silent}");
        }
    }
}
