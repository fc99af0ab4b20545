//! Answers of other MCP servers on their way to the client, as they came: the SDK's types drop fields that they do not know.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

/// The fields that the protocol adds to results, and the SDK knows when to.
const OF_THE_PROTOCOL: [&str; 3] = ["resultType", "ttlMs", "cacheScope"];

/// The place in a request's context where a handler puts the JSON that goes out instead of its own result.
#[derive(Debug, Clone, Default)]
pub(super) struct RawAnswer(Arc<Mutex<Option<Raw>>>);

/// The JSON that goes out instead of the SDK's.
#[derive(Debug)]
pub(super) enum Raw {
    /// A whole result.
    Result(Value),
    /// The result of a list of tools up to the end of the array: `{"tools":[…]`. The other fields are the SDK's.
    Tools(String),
}

impl RawAnswer {
    /// Sets the JSON for the answer to a request; `false` where the request has no place for it.
    pub(super) fn set(context: &RequestContext<RoleServer>, raw: Raw) -> bool {
        let place = (context.extensions.get::<Self>()).or_else(|| of_http(context));
        place.is_some_and(|place| {
            place.put(raw);
            true
        })
    }

    /// Changes a result that is set for the answer to a request.
    pub(super) fn edit(context: &RequestContext<RoleServer>, change: impl FnOnce(&mut Value)) {
        let place = (context.extensions.get::<Self>()).or_else(|| of_http(context));
        let mut set = place.map(|place| place.0.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(Some(Raw::Result(result))) = set.as_deref_mut() {
            change(result);
        }
    }

    /// Sets the JSON.
    pub(super) fn put(&self, raw: Raw) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raw);
    }

    /// Whether there is JSON that was not used yet.
    pub(super) fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The JSON of the result that goes out instead of the SDK's, and is used up; `None` where that goes out.
    pub(super) fn join(&self, typed: Value) -> Option<String> {
        self.take().map(|raw| joined(raw, typed))
    }

    fn take(&self) -> Option<Raw> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The place in the HTTP request that a request came with.
#[cfg(feature = "http")]
fn of_http(context: &RequestContext<RoleServer>) -> Option<&RawAnswer> {
    context.extensions.get::<hyper::http::request::Parts>()?.extensions.get()
}

#[cfg(not(feature = "http"))]
fn of_http(_: &RequestContext<RoleServer>) -> Option<&RawAnswer> {
    None
}

/// The raw JSON, with the fields that the client's version of the protocol has and without those that it has not.
fn joined(raw: Raw, typed: Value) -> String {
    match raw {
        Raw::Result(raw) => result(raw, typed).to_string(),
        Raw::Tools(begun) => list(begun, typed),
    }
}

fn result(mut raw: Value, mut typed: Value) -> Value {
    let Some(fields) = raw.as_object_mut() else { return raw };
    if fields.get("resultType").is_some_and(|kind| kind == "input_required") {
        return raw;
    }
    for name in OF_THE_PROTOCOL {
        match typed.get_mut(name).map(Value::take) {
            Some(value) => {
                fields.entry(name).or_insert(value);
            }
            None if fields.get(name).is_some_and(|value| value == "complete") => {
                fields.shift_remove(name);
            }
            None => {}
        }
    }
    raw
}

/// The definitions are most of the answer. They are not read, and not moved.
fn list(mut begun: String, mut typed: Value) -> String {
    if let Some(fields) = typed.as_object_mut() {
        fields.shift_remove("tools");
        for (name, value) in fields {
            begun.extend([",", &json!(name).to_string(), ":", &value.to_string()]);
        }
    }
    begun.push('}');
    begun
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_answer_keeps_its_fields_and_has_those_of_the_clients_protocol() {
        let raw = || json!({"content": [{"type": "text", "text": "\0", "priority": 1, "x": 1}], "y": {}});
        assert_eq!(joined(Raw::Result(raw()), json!({"content": []})), raw().to_string());
        let newest = joined(Raw::Result(raw()), json!({"content": [], "resultType": "complete"}));
        assert_eq!(read(&newest)["resultType"], "complete");
        let of_the_newest = json!({"content": [], "resultType": "complete"});
        assert_eq!(joined(Raw::Result(of_the_newest), json!({})), r#"{"content":[]}"#);
        let asks = json!({"resultType": "input_required", "requestState": "s"});
        let answer = joined(Raw::Result(asks.clone()), json!({"resultType": "complete"}));
        assert_eq!(answer, asks.to_string());
        let none = joined(Raw::Result(json!("},\"id\":2,{")), json!({}));
        assert_eq!(none, r#""},\"id\":2,{""#, "a result that is no object stays one value");
    }

    #[test]
    fn a_list_has_the_definitions_and_all_other_fields() {
        let begun = r#"{"tools":[{"name":"b.two","execution":{"taskSupport":"optional"}}]"#;
        let listed = json!({"resultType": "complete", "nextCursor": "c\"", "tools": [], "ttlMs": 0});
        let answer = joined(Raw::Tools(begun.to_owned()), listed.clone());
        let mut expected = listed;
        expected["tools"] = json!([{"name": "b.two", "execution": {"taskSupport": "optional"}}]);
        assert_eq!(read(&answer), expected);
        assert_eq!(joined(Raw::Tools(r#"{"tools":[]"#.to_owned()), json!({"tools": []})), r#"{"tools":[]}"#);
    }
}
