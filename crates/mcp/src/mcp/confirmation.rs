//! A person's yes through the client: a question in the session where the client can ask, else an answer that asks back.

use std::time::Duration;

use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequiredResult, InputResponses, ProtocolVersion, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::calls;
use crate::calls::{ClientQuestion, RunError};
use crate::ledger::ClosedState;
use crate::project::Project;

/// How long a person may think before the call is answered without him.
const PATIENCE: Duration = Duration::from_mins(5);
/// A no that comes sooner is the client's own: nobody has read the question. `codex exec` says no by itself.
const READING: Duration = Duration::from_millis(300);
/// The name of the one question within an answer that asks back.
pub(super) const KEY: &str = "confirm";

/// How the client of a call can be asked.
pub(super) enum ElicitationMode {
    /// By a request within the session: the era with a handshake.
    InSession(Peer<RoleServer>),
    /// By answering the call with a question; the same call comes again with the answer.
    AskingBack(ElicitationReply),
    /// It cannot.
    None,
}

/// State and answers that a call brings back after cuff answered it with a question.
pub(super) struct ElicitationReply {
    pub(super) state: Option<String>,
    pub(super) responses: Option<InputResponses>,
}

impl ElicitationMode {
    pub(super) fn of(context: &RequestContext<RoleServer>, reply: ElicitationReply) -> Self {
        let capabilities = context.client_capabilities().unwrap_or_default();
        // Before there were modes, a client that elicits was one that shows forms.
        let asks = capabilities.elicitation.is_some_and(|can| can.form.is_some() || can.url.is_none());
        let is_newest =
            context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        match (asks, is_newest) {
            (false, _) => Self::None,
            (true, false) => Self::InSession(context.peer.clone()),
            (true, true) => Self::AskingBack(reply),
        }
    }

    pub(super) fn can_ask(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Puts a question to the client. Comes back with the answer to the call, where that asks back.
    ///
    /// # Errors
    /// When what was asked, or that it was answered, cannot be kept.
    pub(super) async fn put(
        &mut self,
        asked: ClientQuestion,
        project: &Project,
    ) -> Result<Option<InputRequiredResult>, RunError> {
        match self {
            Self::InSession(peer) => {
                let answer = elicit(peer, form_of(&asked)).await;
                asked.answer(&answer);
                Ok(None)
            }
            Self::AskingBack(reply) => {
                let response = reply.responses.as_ref().and_then(|responses| responses.get(KEY));
                let closed = match reply.state.take() {
                    Some(state) => calls::close_question(project, &state, asked.question())?,
                    None => ClosedState::Unknown,
                };
                let answer = match closed {
                    ClosedState::Answered => Some(response.unwrap_or(&Value::Null)),
                    // The question waits for an answer that does not come through a client.
                    ClosedState::TooMany => Some(&Value::Null),
                    ClosedState::Unknown => None,
                };
                if let Some(answer) = answer {
                    asked.answer(answer);
                    return Ok(None);
                }
                // No state, or one that is not of an open question of this very plan: it is asked afresh.
                let request = InputRequest::Elicitation(ElicitRequest::new(form_of(&asked)));
                let state = calls::open_question(project, asked.question())?;
                asked.put_off();
                Ok(Some(InputRequiredResult::new(Some([(KEY.to_owned(), request)].into()), Some(state))))
            }
            Self::None => {
                asked.answer(&Value::Null);
                Ok(None)
            }
        }
    }
}

/// The result that asks the question, and that a request with this state answers.
pub(super) fn result(asked: &ClientQuestion, state: &str) -> Value {
    let request = json!({"method": "elicitation/create", "params": form_of(asked)});
    json!({"resultType": "input_required", "inputRequests": {KEY: request}, "requestState": state})
}

/// The client's answer as it came; nothing where none came in time, or a no before a person could read the question.
pub(super) async fn elicit(peer: &Peer<RoleServer>, form: ElicitRequestParams) -> Value {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let answer = async { peer.send_request_with_option(request, options).await?.await_response().await };
    let begun = Instant::now();
    match answer.await {
        Ok(ClientResult::ElicitResult(answer))
            if answer.action == ElicitationAction::Decline && begun.elapsed() < READING =>
        {
            Value::Null
        }
        Ok(ClientResult::ElicitResult(answer)) => json!(answer),
        Ok(_) | Err(_) => Value::Null,
    }
}

/// The question as a terminal would show it, and one box that says yes.
pub(super) fn form_of(asked: &ClientQuestion) -> ElicitRequestParams {
    form(asked.message(), asked.agrees())
}

fn form(message: &str, agrees: &str) -> ElicitRequestParams {
    let schema = ElicitationSchema::builder()
        .required_bool_property(ClientQuestion::YES, |answer| answer.title(agrees.to_owned()))
        .build_unchecked();
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: schema,
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
    use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, duplex, split};

    use super::*;

    /// Answers a call with what a client brought for a question.
    struct Asks;

    impl ServerHandler for Asks {
        async fn call_tool(
            &self,
            _: CallToolRequestParams,
            context: RequestContext<RoleServer>,
        ) -> Result<CallToolResponse, ErrorData> {
            let brought = elicit(&context.peer, form("t requires your confirmation", "Run it")).await;
            Ok(CallToolResult::structured(json!({"brought": brought})).into())
        }
    }

    /// A person who never answers holds nothing up for ever: the client learns that the question is off.
    #[tokio::test(start_paused = true)]
    async fn a_question_that_nobody_answers_in_time_is_withdrawn() {
        let (client, server) = duplex(1 << 16);
        tokio::spawn(async move { Asks.serve(server).await.unwrap().waiting().await });
        let (read, mut write) = split(client);
        let mut lines = BufReader::new(read).lines();
        let began = Instant::now();
        let about = json!({
            "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "t", "version": "1"},
        });
        for message in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "t"}}),
        ] {
            write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        }
        let mut hear =
            async || -> Value { serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap() };
        assert_eq!(hear().await["id"], 1);
        let asked = hear().await;
        assert_eq!(asked["method"], "elicitation/create");
        let (one, other) = (hear().await, hear().await);
        let (withdrawn, answer) = if one["id"] == 2 { (other, one) } else { (one, other) };
        assert_eq!(withdrawn["method"], "notifications/cancelled");
        assert_eq!(withdrawn["params"]["requestId"], asked["id"]);
        assert_eq!(answer["result"]["structuredContent"], json!({"brought": null}));
        assert!((PATIENCE..PATIENCE * 2).contains(&began.elapsed()), "{:?}", began.elapsed());
    }
}
