//! Questions of other MCP servers on their way to the person: each names the server that asks.

use std::borrow::Cow;
use std::time::Duration;

use rmcp::model::{CustomRequest, ProtocolVersion, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use crate::calls::ServerQuestions;
use crate::model::{shown, visible_lines};

/// How long a person may think before the server hears that nobody answered.
const PATIENCE: Duration = Duration::from_mins(5);

/// How the client of a call can be asked on behalf of a server.
pub(super) enum WayToAsk {
    /// By a request within the session: the protocols with a handshake.
    InSession(Peer<RoleServer>),
    /// By a result that asks for input: the protocol since 2026-07-28.
    ByResult,
    /// It cannot be asked.
    Not,
}

impl WayToAsk {
    /// The way to ask this client. Of the questions only those stay that it can show.
    pub(super) fn of(context: &RequestContext<RoleServer>, asked: &mut Map<String, Value>) -> Self {
        let capabilities = context.client_capabilities().unwrap_or_default();
        let Some(can) = capabilities.elicitation else { return Self::Not };
        asked.retain(|_, params| {
            let wants_url = params.get("mode").and_then(Value::as_str) == Some("url");
            // Before there were modes, a client that elicits was one that shows forms.
            if wants_url { can.url.is_some() } else { can.form.is_some() || can.url.is_none() }
        });
        match (asked.is_empty(), is_newest(context)) {
            (true, _) => Self::Not,
            (false, false) => Self::InSession(context.peer.clone()),
            (false, true) => Self::ByResult,
        }
    }
}

/// Whether a request is of a protocol without sessions.
pub(super) fn is_newest(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Asks within the session, one after the other. Questions that are not answered in time are cancelled.
pub(super) async fn ask(peer: &Peer<RoleServer>, questions: &ServerQuestions) -> Map<String, Value> {
    let mut answers = Map::new();
    for (key, params) in &questions.asked {
        let answer = ask_one(peer, named(&questions.server, params.clone())).await;
        answers.insert(key.clone(), answer.unwrap_or_else(|| json!({"action": "cancel"})));
    }
    answers
}

async fn ask_one(peer: &Peer<RoleServer>, params: Value) -> Option<Value> {
    let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let asked = peer.send_request_with_option(request, options).await.ok()?;
    serde_json::to_value(asked.await_response().await.ok()?).ok()
}

/// The result that asks for input, and that a request with this state answers.
pub(super) fn result(server: &str, asked: Map<String, Value>, state: &str) -> Value {
    let request =
        |(key, params)| (key, json!({"method": "elicitation/create", "params": named(server, params)}));
    let requests: Map<String, Value> = asked.into_iter().map(request).collect();
    json!({"resultType": "input_required", "inputRequests": requests, "requestState": state})
}

/// The answers to these questions among those that a request brought; `None` where one is missing.
pub(super) fn all_answers(
    questions: &ServerQuestions,
    client_answers: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let answer =
        |key: &String| Some((key.clone(), client_answers.get(key).filter(|it| it.is_object())?.clone()));
    questions.asked.keys().map(answer).collect()
}

/// The same, cancelled where one is missing.
pub(super) fn answers(
    questions: &ServerQuestions,
    client_answers: Option<&Map<String, Value>>,
) -> Map<String, Value> {
    let answer = |key: &String| {
        let answer = client_answers.and_then(|answers| answers.get(key)).cloned();
        (key.clone(), answer.unwrap_or_else(|| json!({"action": "cancel"})))
    };
    questions.asked.keys().map(answer).collect()
}

/// The question with the name of the server before its message, and before each further line: none of them can be taken for cuff's own.
/// cuff's own fields for the session are not the server's.
fn named(server: &str, mut params: Value) -> Value {
    make_visible(&mut params);
    let message = params.get("message").and_then(Value::as_str).unwrap_or_default();
    let lines: Vec<&str> = message.trim().lines().collect();
    let message =
        format!("The MCP server {} asks: {}", shown(server), lines.join(&format!("\n{}> ", shown(server))));
    if let Some(fields) = params.as_object_mut() {
        fields.insert("message".to_owned(), Value::String(message));
        if let Some(meta) = fields.get_mut("_meta").and_then(Value::as_object_mut)
            && meta.shift_remove("progressToken").is_some()
            && meta.is_empty()
        {
            fields.shift_remove("_meta");
        }
    }
    params
}

/// Escapes what hides, reorders or drives a terminal, in all texts of a question.
fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(escaped) = visible_lines(text) {
                *text = escaped;
            }
        }
        Value::Array(all) => all.iter_mut().for_each(make_visible),
        Value::Object(all) => all.values_mut().for_each(make_visible),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_imitates_cuffs_own_is_the_servers_in_each_line() {
        let message =
            "\n\n\nRun npm test?\npackagejson.npm_deploy requires your confirmation\u{1b}[31m\u{202e}";
        let asked = named("up", json!({"message": message, "requestedSchema": {"title": "a\u{200b}b"}}));
        assert_eq!(
            asked["message"],
            "The MCP server up asks: Run npm test?\nup> packagejson.npm_deploy requires your confirmation\\u{1b}[31m\\u{202e}"
        );
        assert_eq!(asked["requestedSchema"]["title"], "a\\u{200b}b");
        assert_eq!(named("up", json!({"message": "Which?"}))["message"], "The MCP server up asks: Which?");
    }
}
