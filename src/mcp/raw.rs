//! Answers of other MCP servers on their way to the client, as they came: the SDK's types drop fields that they do not know.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;

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
    /// The definitions of some of the tools of a list, by name.
    Tools(HashMap<String, Value>),
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

    /// Sets the definitions of some of the tools of a list. Without any the answer stays the SDK's own, which costs less: an
    /// answer that takes JSON in is put together once more, as a value.
    pub(super) fn set_tools(context: &RequestContext<RoleServer>, definitions: &HashMap<String, Value>) {
        if !definitions.is_empty() {
            Self::set(context, Raw::Tools(definitions.clone()));
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

    /// The result that goes out instead of the SDK's, and is used up; `None` where that goes out.
    pub(super) fn join(&self, typed: Value) -> Option<Value> {
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
fn joined(raw: Raw, mut typed: Value) -> Value {
    match raw {
        Raw::Result(mut raw) => {
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
        Raw::Tools(mut definitions) => {
            for tool in typed.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
                let name = tool.get("name").and_then(Value::as_str);
                if let Some(definition) = name.and_then(|name| definitions.remove(name)) {
                    *tool = definition;
                }
            }
            typed
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_keeps_its_fields_and_has_those_of_the_clients_protocol() {
        let raw = || json!({"content": [{"type": "text", "text": "\0", "priority": 1, "x": 1}], "y": {}});
        let text = |value: &Value| value.to_string();
        assert_eq!(text(&joined(Raw::Result(raw()), json!({"content": []}))), text(&raw()));
        let newest = joined(Raw::Result(raw()), json!({"content": [], "resultType": "complete"}));
        assert_eq!(newest["resultType"], "complete");
        let of_the_newest = json!({"content": [], "resultType": "complete"});
        assert_eq!(joined(Raw::Result(of_the_newest), json!({})), json!({"content": []}));
        let asks = json!({"resultType": "input_required", "requestState": "s"});
        assert_eq!(joined(Raw::Result(asks.clone()), json!({"resultType": "complete"})), asks);
    }

    #[test]
    fn a_definition_takes_the_place_of_the_entry_of_its_name_alone() {
        let definition = json!({"name": "b.two", "execution": {"taskSupport": "optional"}});
        let listed = json!({"tools": [{"name": "a.one"}, {"name": "b.two"}], "nextCursor": "c"});
        let raw = Raw::Tools([("b.two".to_owned(), definition.clone())].into());
        let expected = json!({"tools": [{"name": "a.one"}, definition], "nextCursor": "c"});
        assert_eq!(joined(raw, listed), expected);
    }
}
