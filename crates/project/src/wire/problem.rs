//! A problem as JSON.

use serde_json::{Map, Value, json};

use crate::model::{Location, Problem, visible_lines};

/// A problem as JSON.
pub fn problem(instance: Option<&str>, code: Option<String>, problem: &Problem) -> Value {
    let mut shape = Map::new();
    shape.insert("severity".into(), json!(problem.severity.name()));
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            shape.insert(name.into(), value);
        }
    };
    put("instance", instance.map(|instance| json!(instance)));
    put("code", code.map(|code| json!(code)));
    put("message", Some(json!(visible_lines(&problem.message))));
    let place = problem.location.as_ref();
    put("file", place.map(|Location { file, .. }| json!(file)));
    put("line", place.and_then(|place| place.line).map(|line| json!(line)));
    put("column", place.and_then(|place| place.column).map(|column| json!(column)));
    put("help", problem.help.as_ref().map(|help| json!(visible_lines(help))));
    Value::Object(shape)
}
