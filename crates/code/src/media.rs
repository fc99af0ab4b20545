//! Images and sounds in the result of a program: content of MCP, which clients show as such.

use serde_json::{Map, Value, json};

/// The most that leave one program, and the most bytes of one, in base64.
const MOST: usize = 20;
const LARGEST: usize = 8 << 20;

/// Takes the blocks of content out of a result; in their places stands which of them it was.
pub(super) fn taken(value: &mut Value, blocks: &mut Vec<Value>) {
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
