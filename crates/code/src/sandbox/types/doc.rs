//! Descriptions as comments that editors show.

use serde_json::Value;

use crate::model::visible_lines;

/// The longest description, in characters.
const LONGEST: usize = 2000;

/// The longest default that is shown, in characters.
const LONGEST_VALUE: usize = 120;

/// A comment with all that a schema says of a value beside its type; empty if that is nothing.
pub(super) fn of_schema(schema: &Value, indent: &str) -> String {
    let mut lines = Vec::new();
    let text = |name: &str| schema.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    lines.extend(text("description").or_else(|| text("title")).map(str::to_owned));
    if schema.get("deprecated").and_then(Value::as_bool) == Some(true) {
        lines.push("@deprecated".to_owned());
    }
    if let Some(format) = text("format") {
        lines.push(format!("@format {format}"));
    }
    if let Some(default) = schema.get("default") {
        lines.push(format!("@default {}", short(default)));
    }
    for bound in ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"]
        .into_iter()
        .chain(["minLength", "maxLength", "pattern", "minItems", "maxItems"])
    {
        if let Some(value) = schema.get(bound).filter(|value| value.is_number() || value.is_string()) {
            lines.push(format!("@{bound} {}", value.as_str().map_or_else(|| short(value), str::to_owned)));
        }
    }
    if schema.get("type").and_then(Value::as_str) == Some("integer") {
        lines.push("@integer".to_owned());
    }
    comment(&lines.join("\n"), indent)
}

/// A text as a comment above what it is about. Nothing in it ends the comment.
pub(super) fn comment(text: &str, indent: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    let text = visible_lines(&cut.replace("\r\n", "\n")).replace("*/", "*\\/");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [only] => format!("{indent}/** {only} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n");
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    let cut: String = text.chars().take(LONGEST_VALUE).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}
