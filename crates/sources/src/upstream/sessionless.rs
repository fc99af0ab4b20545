//! Requests to a server that keeps no session: what a session would know goes with each of them (2026-07-28).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::conversation::Conversation;

/// Adds what the client of this request can do and wants to hear.
pub(super) fn declare(params: &mut Value, conversation: &dyn Conversation) {
    if params.is_null() {
        *params = json!({});
    }
    let mut capabilities = Map::new();
    let elicitation = conversation.elicitation().map(|can| ("elicitation".to_owned(), can.clone()));
    capabilities.extend(elicitation);
    let Some(params) = params.as_object_mut() else { return };
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    let Some(meta) = meta.as_object_mut() else { return };
    meta.insert("io.modelcontextprotocol/clientCapabilities".to_owned(), Value::Object(capabilities));
    let level = conversation.log_level().map(Value::from);
    meta.extend(level.map(|level| ("io.modelcontextprotocol/logLevel".to_owned(), level)));
}

/// The answer to a request that only a session could carry out. A wish for log messages goes with each request, and
/// changes of these resources come on the stream of the connection's other changes.
pub(super) fn answer(
    resources: &watch::Sender<BTreeSet<String>>,
    method: &str,
    params: &Value,
) -> Option<Value> {
    let uri = || params.get("uri").and_then(Value::as_str).map(str::to_owned);
    match method {
        "logging/setLevel" => {}
        "resources/subscribe" => resources.send_modify(|watched| watched.extend(uri())),
        "resources/unsubscribe" => {
            resources.send_modify(|watched| watched.retain(|known| Some(known) != uri().as_ref()));
        }
        _ => return None,
    }
    Some(json!({}))
}

/// The parameters of the request that brings changes: of all lists, and of these resources.
pub(super) fn wanted(watched: &BTreeSet<String>) -> Value {
    let lists = ["tools", "prompts", "resources"].map(|list| (format!("{list}ListChanged"), json!(true)));
    let mut notifications = Map::from_iter(lists);
    if !watched.is_empty() {
        notifications.insert("resourceSubscriptions".to_owned(), json!(watched));
    }
    json!({"notifications": notifications})
}
