//! Questions of other MCP servers on their way to the person: each names the server that asks.

use std::time::Duration;

use rmcp::model::{CustomRequest, ProtocolVersion, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use crate::calls::ServerQuestion;
use crate::model::shown;

/// How long a person may think before the server hears that nobody answered.
const PATIENCE: Duration = Duration::from_mins(5);
/// The name of the one question within a result that asks for input.
const KEY: &str = "server";

/// How the client of a call can be asked on behalf of a server.
pub(super) enum Asking {
    /// By a request within the session: the protocols with a handshake.
    InSession(Peer<RoleServer>),
    /// By a result that asks for input: the protocol since 2026-07-28.
    ByResult,
    /// It cannot be asked.
    Not,
}

impl Asking {
    /// The way to ask this client a question of this mode: `form` or `url`.
    pub(super) fn of(context: &RequestContext<RoleServer>, params: &Value) -> Self {
        let capabilities = context.client_capabilities().unwrap_or_default();
        let Some(can) = capabilities.elicitation else { return Self::Not };
        let wants_url = params.get("mode").and_then(Value::as_str) == Some("url");
        // Before there were modes, a client that elicits was one that shows forms.
        let can_show = if wants_url { can.url.is_some() } else { can.form.is_some() || can.url.is_none() };
        let is_newest =
            context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        match (can_show, is_newest) {
            (false, _) => Self::Not,
            (true, false) => Self::InSession(context.peer.clone()),
            (true, true) => Self::ByResult,
        }
    }
}

/// Asks within the session. `None`: no answer came in time.
pub(super) async fn ask(peer: &Peer<RoleServer>, question: &ServerQuestion) -> Option<Value> {
    let request =
        CustomRequest::new("elicitation/create", Some(named(&question.server, question.params.clone())));
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let asked = peer.send_request_with_option(ServerRequest::CustomRequest(request), options).await.ok()?;
    serde_json::to_value(asked.await_response().await.ok()?).ok()
}

/// The result that asks for input, and that a request with this state answers.
pub(super) fn result(server: &str, params: Value, state: &str) -> Value {
    let request = json!({"method": "elicitation/create", "params": named(server, params)});
    json!({"resultType": "input_required", "inputRequests": {KEY: request}, "requestState": state})
}

/// The answer among those that a request brought; `cancel` where there is none.
pub(super) fn answer(responses: Option<&Map<String, Value>>) -> Value {
    let answer = responses.and_then(|responses| responses.get(KEY)).cloned();
    answer.unwrap_or_else(|| json!({"action": "cancel"}))
}

/// The question with the name of the server before its message. cuff's own fields for the session are not the server's.
fn named(server: &str, mut params: Value) -> Value {
    let message = params.get("message").and_then(Value::as_str).unwrap_or_default();
    let message = format!("The MCP server {} asks: {message}", shown(server));
    if let Some(fields) = params.as_object_mut() {
        fields.insert("message".to_owned(), Value::String(message));
        if let Some(meta) = fields.get_mut("_meta").and_then(Value::as_object_mut) {
            meta.shift_remove("progressToken");
        }
    }
    params
}
