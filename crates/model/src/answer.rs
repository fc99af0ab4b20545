//! The answer of another MCP server to a call.

use std::fmt::Write;

use serde_json::Value;

/// The result object of a call, as the server sent it: content blocks, structured content, `isError`, `_meta`
/// and all other fields, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer(Value);

impl Answer {
    /// The answer that this result object is.
    pub fn new(result: Value) -> Self {
        Self(result)
    }

    /// The result object.
    pub fn raw(&self) -> &Value {
        &self.0
    }

    /// Whether the server says that the tool failed.
    pub fn is_error(&self) -> bool {
        self.0.get("isError").and_then(Value::as_bool).unwrap_or_default()
    }

    /// The answer for a reader of text: each text as it is, and a line for each other block. The structured
    /// content if there is no block.
    pub fn text(&self) -> String {
        let blocks = self.0.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut text = String::new();
        for block in blocks {
            push_block(&mut text, block);
        }
        if blocks.is_empty()
            && let Some(structured) = self.0.get("structuredContent")
        {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{structured:#}");
        }
        text
    }
}

fn push_block(text: &mut String, block: &Value) {
    let field = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    let line = match field("type") {
        "text" => field("text").to_owned(),
        kind @ ("image" | "audio") => {
            format!("[{kind} {}, {} bytes]", field("mimeType"), decoded(field("data")))
        }
        "resource_link" => format!("[resource {} {}]", field("name"), field("uri")),
        "resource" => {
            let resource = &block["resource"];
            let of = |name: &str| resource.get(name).and_then(Value::as_str);
            match (of("text"), of("blob")) {
                (Some(text), _) => text.to_owned(),
                (None, blob) => {
                    let bytes = decoded(blob.unwrap_or_default());
                    format!("[resource {}, {bytes} bytes]", of("uri").unwrap_or_default())
                }
            }
        }
        _ => block.to_string(),
    };
    text.push_str(&line);
    if !line.ends_with('\n') {
        text.push('\n');
    }
}

/// The decoded length of a base64 text, in bytes.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_block_has_its_line() {
        let answer = Answer::new(json!({"content": [
            {"type": "text", "text": "two\nlines"},
            {"type": "image", "mimeType": "image/png", "data": "aGVsbG8="},
            {"type": "audio", "mimeType": "audio/wav", "data": "aGk="},
            {"type": "resource_link", "name": "notes", "uri": "file:///notes"},
            {"type": "resource", "resource": {"uri": "a:b", "text": "inside\n"}},
            {"type": "resource", "resource": {"uri": "a:c", "blob": "aGVsbG8="}},
            {"type": "new", "x": 1},
        ], "structuredContent": {"not": "shown beside blocks"}}));
        let expected = "two\nlines\n[image image/png, 5 bytes]\n[audio audio/wav, 2 bytes]\n[resource notes file:///notes]\ninside\n[resource a:c, 5 bytes]\n{\"type\":\"new\",\"x\":1}\n";
        assert_eq!(answer.text(), expected);
    }

    #[test]
    fn structured_content_alone_is_shown() {
        let answer = Answer::new(json!({"structuredContent": [1, 2], "isError": true}));
        assert_eq!((answer.text(), answer.is_error()), ("[\n  1,\n  2\n]\n".to_owned(), true));
        assert_eq!(Answer::new(json!({"content": []})).text(), "");
    }
}
