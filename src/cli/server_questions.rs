//! Questions of MCP servers to the person at the terminal, while one of their tools is called.

use std::io;

use serde_json::{Map, Value, json};

use crate::calls::{Conversation, Waiting};
use crate::model::schema::misfits;
use crate::model::{shown, visible_lines};
use crate::sys::terminal;
use crate::terminal::{FormField, StopReason, fill_in};

/// The person at the terminal, as the one who answers questions of servers.
#[derive(Debug)]
pub(super) struct AnswersServers {
    reason: StopReason,
    /// The capability `elicitation` of a terminal.
    can: Value,
}

impl AnswersServers {
    /// Ctrl-C at a question is a reason to stop.
    pub(super) fn new(reason: StopReason) -> Self {
        Self { reason, can: json!({"form": {}, "url": {}}) }
    }
}

impl Conversation for AnswersServers {
    // The terminal is for the tool's own words; `cuff runs show` has the answer.
    fn progress(&self, _raw: &Value) {}

    fn message(&self, _raw: &Value) {}

    fn ask<'a>(
        &'a self,
        server: &'a str,
        questions: &'a Map<String, Value>,
    ) -> Waiting<'a, Map<String, Value>> {
        Box::pin(async move {
            let mut answers = Map::new();
            if !terminal::is_there() {
                return answers;
            }
            for (key, params) in questions {
                let (server, params) = (server.to_owned(), params.clone());
                // The connection goes on while a person thinks.
                match tokio::task::spawn_blocking(move || answer(&server, &params)).await {
                    Ok(Ok(answer)) => answers.extend([(key.clone(), answer)]),
                    Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {
                        self.reason.interrupted();
                        break;
                    }
                    Ok(Err(_)) | Err(_) => break,
                }
            }
            answers
        })
    }

    fn elicitation(&self) -> Option<&Value> {
        Some(&self.can)
    }

    fn log_level(&self) -> Option<&str> {
        None
    }
}

/// The person's answer: the result of an `elicitation/create`.
fn answer(server: &str, params: &Value) -> io::Result<Value> {
    let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
    let message = visible_lines(text("message")).into_owned();
    let server = shown(server);
    if text("mode") == "url" {
        let url = shown(text("url"));
        let question = format!(
            "The MCP server {server} asks: {message}\nIt wants you to open this page: {url}\nDid you do that?"
        );
        let action = if terminal::ask(&question)?.is_some() { "accept" } else { "decline" };
        return Ok(json!({"action": action}));
    }
    let question = format!("The MCP server {server} asks: {message}\nAnswer it?");
    if terminal::ask(&question)?.is_none() {
        return Ok(json!({"action": "decline"}));
    }
    let schema = params.get("requestedSchema").cloned().unwrap_or_default();
    let mut content = Map::new();
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let field = field(name, property, &schema);
        let judge = |typed: &str| {
            let wrong = misfits(property, &typed_value(property, typed));
            wrong.first().map_or(Ok(()), |misfit| Err(misfit.wrong.clone()))
        };
        if let Some(typed) = fill_in(&field, judge)? {
            content.insert(name.clone(), chosen_value(property, &typed));
        }
    }
    Ok(json!({"action": "accept", "content": content}))
}

fn field(name: &str, property: &Value, schema: &Value) -> FormField {
    let text = |key: &str| property.get(key).and_then(Value::as_str);
    let mut prompt = text("title").unwrap_or(name).to_owned();
    if let Some(description) = text("description") {
        prompt = format!("{prompt} ({description})");
    }
    if is_list(property) {
        prompt.push_str(", several with commas");
    }
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|names| names.iter().any(|required| required == name));
    let usual = property.get("default").map(|usual| match usual {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    });
    let choices: Vec<String> = choices(property).into_iter().map(|(_, label)| label).collect();
    let usual = usual.map(|usual| label_of(property, &usual).unwrap_or(usual));
    FormField { prompt, choices, usual, is_optional: !is_required }
}

fn is_list(property: &Value) -> bool {
    property.get("type").and_then(Value::as_str) == Some("array")
}

/// The values to choose one from, and how each is called; empty where the person types.
fn choices(property: &Value) -> Vec<(Value, String)> {
    let called = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let is_boolean = property.get("type").and_then(Value::as_str) == Some("boolean");
    if let Some(options) = property.get("oneOf").and_then(Value::as_array) {
        let option = |option: &Value| {
            let value = option.get("const")?.clone();
            let title = option.get("title").and_then(Value::as_str).map(str::to_owned);
            Some((value.clone(), title.unwrap_or_else(|| called(&value))))
        };
        return options.iter().filter_map(option).collect();
    }
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let names = property.get("enumNames").and_then(Value::as_array);
        let name = |at: usize| names.and_then(|names| names.get(at)).and_then(Value::as_str);
        let labelled = values.iter().enumerate();
        return labelled
            .map(|(at, value)| (value.clone(), name(at).map_or_else(|| called(value), str::to_owned)))
            .collect();
    }
    if is_boolean {
        vec![(json!(true), "true".to_owned()), (json!(false), "false".to_owned())]
    } else {
        Vec::new()
    }
}

fn label_of(property: &Value, usual: &str) -> Option<String> {
    let found = choices(property).into_iter().find(|(value, _)| value.as_str() == Some(usual));
    found.map(|(_, label)| label)
}

/// The value of what was typed, by the type of its property.
fn typed_value(property: &Value, typed: &str) -> Value {
    match property.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => {
            serde_json::from_str::<serde_json::Number>(typed).map_or_else(|_| json!(typed), Value::Number)
        }
        Some("array") => {
            typed.split(',').map(str::trim).filter(|word| !word.is_empty()).map(Value::from).collect()
        }
        _ => json!(typed),
    }
}

/// The value of an answer: the one behind the label that was chosen, or what was typed.
fn chosen_value(property: &Value, typed: &str) -> Value {
    let chosen = choices(property).into_iter().find(|(_, label)| label == typed);
    chosen.map_or_else(|| typed_value(property, typed), |(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_becomes_a_field_and_an_answer_its_value() {
        let schema = json!({"required": ["name"], "properties": {}});
        for (name, property, prompt, choices, typed, value) in [
            ("name", json!({"type": "string", "title": "Your name"}), "Your name", vec![], "x", json!("x")),
            (
                "age",
                json!({"type": "integer", "description": "in years"}),
                "age (in years)",
                vec![],
                "42",
                json!(42),
            ),
            ("ok", json!({"type": "boolean"}), "ok", vec!["true", "false"], "false", json!(false)),
            (
                "one",
                json!({"enum": ["a", "b"], "enumNames": ["Ay", "Bee"]}),
                "one",
                vec!["Ay", "Bee"],
                "Bee",
                json!("b"),
            ),
            (
                "two",
                json!({"oneOf": [{"const": "r", "title": "Red"}]}),
                "two",
                vec!["Red"],
                "Red",
                json!("r"),
            ),
            (
                "many",
                json!({"type": "array"}),
                "many, several with commas",
                vec![],
                "a, b",
                json!(["a", "b"]),
            ),
        ] {
            let made = field(name, &property, &schema);
            assert_eq!((made.prompt.as_str(), made.is_optional), (prompt, name != "name"));
            assert_eq!(made.choices, choices);
            assert_eq!(chosen_value(&property, typed), value);
        }
        let usual = |property: Value| field("x", &property, &schema).usual;
        assert_eq!(usual(json!({"type": "number", "default": 1.5})).as_deref(), Some("1.5"));
        assert_eq!(usual(json!({"enum": ["a"], "enumNames": ["Ay"], "default": "a"})).as_deref(), Some("Ay"));
    }
}
