//! Arguments of another MCP server's tool as the flags that somebody types for them.

use serde_json::{Map, Value};

use super::flag::Flag;
use super::kind::FlagKind;

/// The words behind the tool's name; arguments that no flag is known for are left to `--json-input`.
pub(in crate::cli) fn line(flags: &[Flag], arguments: &Map<String, Value>) -> Vec<String> {
    let (mut words, mut behind) = (Vec::new(), Vec::new());
    for (property, value) in arguments {
        let Some(flag) = flags.iter().find(|flag| flag.property == *property) else { continue };
        let target = if flag.is_shadowed { &mut behind } else { &mut words };
        match value {
            Value::Array(values) if flag.is_list => values.iter().for_each(|value| add(target, flag, value)),
            value => add(target, flag, value),
        }
    }
    if !behind.is_empty() {
        words.push("--".to_owned());
        words.append(&mut behind);
    }
    words
}

fn add(words: &mut Vec<String>, flag: &Flag, value: &Value) {
    let text = match value {
        Value::String(text) if !matches!(flag.kind, FlagKind::Json { or_text: false }) => text.clone(),
        other => other.to_string(),
    };
    match value {
        Value::Bool(true) if flag.kind == FlagKind::Switch => words.push(format!("--{}", flag.name)),
        _ if text.starts_with('-') || flag.kind == FlagKind::Switch => {
            words.push(format!("--{}={text}", flag.name));
        }
        _ => words.extend([format!("--{}", flag.name), text]),
    }
}
