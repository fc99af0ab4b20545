//! The text of a message of another MCP server, read as far as it can be: half an emoji, `NaN`, or a value that is nested too
//! deep costs one entry of a list or one answer, and no connection.

use std::borrow::Cow;

use serde_json::{Error, Map, Value};

/// The field of a list's entry that could not be read: the reason.
pub(super) const UNREADABLE: &str = "cuff/unreadable";
/// The fields of results that are lists of entries.
const LISTS: [&str; 4] = ["tools", "prompts", "resources", "resourceTemplates"];
/// The fields that name an entry.
const NAMES: [&str; 3] = ["name", "uri", "uriTemplate"];
/// How much of the text is shown from where it cannot be read, in characters.
const SHOWN: usize = 20;

/// A message that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableMessage {
    /// The id of the request that it answers, where it does.
    pub id: Option<u64>,
    /// The reason: `has JSON that cannot be read: …`.
    pub reason: String,
}

/// Reads a message. Half of a surrogate pair becomes U+FFFD; an entry of a list that cannot be read becomes one without
/// fields, which no client is offered.
///
/// # Errors
/// When it is no JSON, and the trouble is not within entries of a list.
pub fn read_message(text: &[u8]) -> Result<Value, UnreadableMessage> {
    // Nearly all messages are read here.
    if let Ok(message) = serde_json::from_slice(text) {
        return Ok(message);
    }
    let text = String::from_utf8_lossy(text);
    let text = with_whole_pairs(text.trim_start_matches('\u{feff}'));
    serde_json::from_str(&text).or_else(|error| {
        // The end may be missing.
        let ended = [&*text, "}"].concat();
        let fields = members(&text).or_else(|| members(&ended)).unwrap_or_default();
        with_entries(&fields)
            .ok_or_else(|| UnreadableMessage { id: id(&fields), reason: reason(&error, &text) })
    })
}

/// The message whose result is a list, without the entries that cannot be read.
fn with_entries(fields: &[(String, &str)]) -> Option<Value> {
    let message = fields.iter().map(|(key, value)| match key.as_str() {
        "result" => Some((key.clone(), result(value)?)),
        _ => Some((key.clone(), serde_json::from_str(value).ok()?)),
    });
    let message = message.collect::<Option<Map<_, _>>>()?;
    message.contains_key("result").then_some(Value::Object(message))
}

fn result(text: &str) -> Option<Value> {
    let fields = members(text)?.into_iter().map(|(key, value)| {
        let value = if LISTS.contains(&key.as_str()) {
            Value::Array(items(value)?.into_iter().map(entry).collect())
        } else {
            serde_json::from_str(value).ok()?
        };
        Some((key, value))
    });
    Some(Value::Object(fields.collect::<Option<_>>()?))
}

fn entry(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| {
        let fields = members(text).unwrap_or_default().into_iter();
        let names = fields.filter(|(key, _)| NAMES.contains(&key.as_str()));
        let names = names.filter_map(|(key, value)| Some((key, serde_json::from_str(value).ok()?)));
        let mut entry: Map<String, Value> = names.collect();
        entry.insert(UNREADABLE.to_owned(), Value::String(reason(&error, text)));
        Value::Object(entry)
    })
}

/// The id of the request that a message answers.
fn id(fields: &[(String, &str)]) -> Option<u64> {
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
    field("result").or_else(|| field("error"))?;
    field("id")?.trim_matches('"').parse().ok()
}

fn reason(error: &Error, text: &str) -> String {
    let told = error.to_string();
    let told = told.split(" at line ").next().unwrap_or_default();
    if told.starts_with("recursion limit") {
        return "has JSON that cannot be read: it is nested deeper than 128 levels".to_owned();
    }
    if told.starts_with("EOF") {
        return format!("has JSON that cannot be read: {told} at its end");
    }
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let at = line.floor_char_boundary(error.column().saturating_sub(1));
    let from: String = line[at..].chars().take(SHOWN).collect();
    format!("has JSON that cannot be read: {told} at `{from}`")
}

/// A text in which each half of a surrogate pair that stands alone is U+FFFD.
fn with_whole_pairs(text: &str) -> Cow<'_, str> {
    let (mut whole, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        let (first, second) = (unit(escape), escape.get(6..).and_then(unit));
        let (kept, taken) = match (first, second) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (&escape[..12], 12),
            (Some(0xD800..=0xDFFF), _) => ("\\ufffd", 6),
            _ => {
                // An escaped backslash begins no other escape.
                let end = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
                (&escape[..end], end)
            }
        };
        whole.push_str(&rest[..at]);
        whole.push_str(kept);
        rest = &escape[taken..];
    }
    if whole.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(whole + rest) }
}

/// The unit of UTF-16 that a text begins with as an escape.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// The fields of an object, each with the text of its value; `None` where it is no object.
fn members(text: &str) -> Option<Vec<(String, &str)>> {
    let mut fields = Vec::new();
    for part in parts(text, '{', '}')? {
        let key = &part[..value_end(part)];
        let value = part[key.len()..].trim_start().strip_prefix(':')?;
        fields.push((serde_json::from_str(key).ok()?, value.trim()));
    }
    Some(fields)
}

/// The texts of a list's values; `None` where it is no list.
fn items(text: &str) -> Option<Vec<&str>> {
    parts(text, '[', ']')
}

/// The texts between the commas of a value in brackets.
fn parts(text: &str, open: char, close: char) -> Option<Vec<&str>> {
    let mut rest = text.trim().strip_prefix(open)?.strip_suffix(close)?.trim();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let mut end = 0;
        while end < rest.len() && !rest[end..].starts_with(',') {
            end += value_end(&rest[end..]);
        }
        parts.push(rest[..end].trim());
        rest = rest.get(end + 1..).unwrap_or_default().trim();
    }
    Some(parts)
}

/// The length of the string, the brackets, or the single sign that a text begins with.
fn value_end(text: &str) -> usize {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '{' | '[' if !is_quoted => depth += 1,
            '}' | ']' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !is_quoted && !is_escaped {
            return at + letter.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, (Option<u64>, String)> {
        read_message(text.as_bytes()).map_err(|unreadable| (unreadable.id, unreadable.reason))
    }

    #[test]
    fn half_a_pair_is_replaced_and_the_rest_stays() {
        for (text, expected) in [
            (r#"["\ud83d"]"#, "\u{fffd}"),
            (r#"["a\ud83d\ud83d\ude00b\ude00"]"#, "a\u{fffd}😀b\u{fffd}"),
            (r#"["\\ud83d"]"#, r"\ud83d"),
            (r#"["\ud83dx\n\u0041"]"#, "\u{fffd}x\nA"),
            ("\u{feff}[\"x\"]", "x"),
        ] {
            assert_eq!(read(text), Ok(json!([expected])), "{text}");
        }
        assert_eq!(read_message(b"[\"\xed\xa0\xbd\"]").unwrap(), json!(["\u{fffd}\u{fffd}\u{fffd}"]));
    }

    #[test]
    fn what_cannot_be_read_says_why_and_whose_answer_it_is() {
        let deep = format!(r#"{{"id":"8","result":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
        for (text, id, reason) in [
            (r#"{"id":7,"result":{"x":NaN,"y":1}}"#, Some(7), "expected value at `NaN,\"y\":1}}`"),
            (
                r#"{"result":{"x":"{\"id\":1}"},"id":7,"x":-Infinity}"#,
                Some(7),
                "invalid number at `Infinity}`",
            ),
            (deep.as_str(), Some(8), "it is nested deeper than 128 levels"),
            (r#"{"id":7,"result":{"content":["#, Some(7), "EOF while parsing a list at its end"),
            (
                r#"{"id":7,"result":{"tools":[{"name":"a"},{"na"#,
                Some(7),
                "EOF while parsing a string at its end",
            ),
            (r#"{"id":7,"method":"x","params":NaN}"#, None, "expected value at `NaN}`"),
            ("Server is starting…", None, "expected value at `Server is starting…`"),
        ] {
            let expected = (id, format!("has JSON that cannot be read: {reason}"));
            assert_eq!(read(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn of_a_list_only_the_entry_is_lost() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{"name":"a","x":"],}}"}},{{"name":"b","x":NaN}}, {{"x":{deep},"name":"c"}},7],"nextCursor":null}}}}"#
        );
        let expected = json!({"jsonrpc": "2.0", "id": 1, "result": {
            "tools": [
                {"name": "a", "x": "],}"},
                {"name": "b", (UNREADABLE): "has JSON that cannot be read: expected value at `NaN}`"},
                {"name": "c", (UNREADABLE): "has JSON that cannot be read: it is nested deeper than 128 levels"},
                7,
            ],
            "nextCursor": null,
        }});
        assert_eq!(read(&text), Ok(expected));
    }
}
