//! One request to a server, from the wait for a connection to the answer.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::connection_task::UpstreamLife;
use super::conversation::{Conversation, ServerAnswer};
use super::message::{self, Reply};
use super::peer::{NextFromServer, Peer, PeerMessage};
use super::sessionless;
use super::state::ConnectionState;

/// The most rounds of questions that one call may take.
const ROUNDS: usize = 16;
/// How long a server that asks for nothing but the same request again is left alone.
const PAUSE: Duration = Duration::from_millis(200);
/// The key of a question that comes by itself, within a session.
const KEY: &str = "question";
/// The error of a request that needs an ability that the client has not declared (2026-07-28).
const MISSING_CAPABILITY: i64 = -32021;

/// A request, and what goes with it.
pub(super) struct ServerRequest<'a> {
    pub(super) method: &'a str,
    pub(super) params: Value,
    pub(super) timeout: Duration,
    pub(super) conversation: &'a dyn Conversation,
    pub(super) cancel: &'a CancellationToken,
    /// A tool and the digest by which the server must define it.
    pub(super) defined: Option<(&'a str, &'a str)>,
}

/// Sends a request once there is a slot and a connection. The wait for a slot does not count against its time.
pub(super) async fn send(life: &UpstreamLife, request: ServerRequest<'_>) -> ServerAnswer {
    let cancelled = request.cancel.clone();
    let ready = async {
        let slot = life.slots.acquire().await.map_err(|_| ServerAnswer::Cancelled)?;
        let peer = connected(life).await?;
        match request.defined {
            Some((tool, digest)) if !life.defines(&peer, tool, digest).await => Err(ServerAnswer::Changed),
            Some(_) | None => Ok((slot, peer)),
        }
    };
    let (_slot, peer) = tokio::select! {
        biased;
        () = cancelled.cancelled() => return ServerAnswer::Cancelled,
        ready = ready => match ready {
            Ok(ready) => ready,
            Err(answered) => return answered,
        },
    };
    let mut request = request;
    if peer.is_modern() {
        if let Some(result) = sessionless::answer(&life.watched, request.method, &request.params) {
            return ServerAnswer::Result(result);
        }
        sessionless::declare(&mut request.params, request.conversation);
    }
    let mut deadline = Instant::now() + request.timeout;
    let mut params = request.params.clone();
    for _ in 0..ROUNDS {
        let reply = match round(life, &peer, &request, params, &mut deadline).await {
            Ok(reply) => reply,
            Err(answered) => return answered,
        };
        let result = match reply {
            Reply::Result(result) => result,
            Reply::Error { code, message, data } => return ServerAnswer::Rejected { code, message, data },
            Reply::Refused(reason) => {
                let server = &life.upstream.name;
                return ServerAnswer::Unreachable(format!("the server {server} refused the call: {reason}"));
            }
        };
        if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
            return ServerAnswer::Result(result);
        }
        let asked = Instant::now();
        let answers = tokio::select! {
            biased;
            () = cancelled.cancelled() => return ServerAnswer::Cancelled,
            answers = answers(life, &request, &result) => match answers {
                Ok(answers) => answers,
                Err(answered) => return answered,
            },
        };
        deadline += asked.elapsed();
        params = again(&request.params, answers, &result);
    }
    let server = &life.upstream.name;
    ServerAnswer::Lost(format!("the server {server} asked for input more than {ROUNDS} times in one call"))
}

/// The parameters of the next round: those of the first, the answers, and the state that the server wants back.
fn again(first: &Value, answers: Map<String, Value>, result: &Value) -> Value {
    let mut params = first.clone();
    if let Some(fields) = params.as_object_mut() {
        if !answers.is_empty() {
            fields.insert("inputResponses".to_owned(), Value::Object(answers));
        }
        fields.extend(result.get("requestState").map(|state| ("requestState".to_owned(), state.clone())));
    }
    params
}

/// Waits for the connection. A server that is down is not waited for.
async fn connected(life: &UpstreamLife) -> Result<std::sync::Arc<Peer>, ServerAnswer> {
    let server = &life.upstream.name;
    let mut states = life.state.subscribe();
    let mut may_retry = true;
    loop {
        match &*states.borrow_and_update() {
            ConnectionState::Connected { peer, .. } => return Ok(std::sync::Arc::clone(peer)),
            // A person has logged in since: what was tried without a login is tried again.
            ConnectionState::Down { .. } if std::mem::take(&mut may_retry) && life.was_logged_in() => {
                life.retry.notify_one();
            }
            ConnectionState::Down { reason, at, .. } => {
                let wait = at.saturating_duration_since(Instant::now()).as_secs_f32().ceil();
                let next = format!("the next try is in {wait} s");
                return Err(ServerAnswer::Unreachable(format!(
                    "the server {server} is down: {reason}; {next}"
                )));
            }
            ConnectionState::NotStarted | ConnectionState::Connecting => {}
        }
        if states.changed().await.is_err() {
            return Err(ServerAnswer::Unreachable(format!("the server {server} is not connected")));
        }
    }
}

/// One request and its answer. The clock stands while a person is asked.
async fn round(
    life: &UpstreamLife,
    peer: &Peer,
    request: &ServerRequest<'_>,
    params: Value,
    deadline: &mut Instant,
) -> Result<Reply, ServerAnswer> {
    let server = &life.upstream.name;
    let lost = |reason| {
        ServerAnswer::Lost(if peer.is_lost() {
            format!("the connection to the server {server} was lost: {reason}")
        } else {
            format!("the call to the server {server} failed: {reason}")
        })
    };
    let mut ticket = peer.request(request.method, params, true).await.map_err(lost)?;
    loop {
        let next = tokio::select! {
            biased;
            () = request.cancel.cancelled() => return Err(ServerAnswer::Cancelled),
            () = sleep_until(*deadline) => return Err(ServerAnswer::TimedOut(request.timeout)),
            next = ticket.next() => next,
        };
        match next {
            NextFromServer::Answer(answer) => return answer.map_err(lost),
            NextFromServer::Heard(PeerMessage::Progress(raw)) => request.conversation.progress(&raw),
            NextFromServer::Heard(PeerMessage::Message(raw)) => request.conversation.message(&raw),
            NextFromServer::Heard(PeerMessage::Ask(id, raw)) => {
                let asked = Instant::now();
                let questions = Map::from_iter([(KEY.to_owned(), raw)]);
                let answers = tokio::select! {
                    biased;
                    () = request.cancel.cancelled() => Map::new(),
                    answers = request.conversation.ask(server, &questions) => answers,
                };
                *deadline += asked.elapsed();
                peer.tell(message::answer(&id, answers.get(KEY).unwrap_or(&nobody())));
            }
        }
    }
}

/// The answers to the questions of a result that asks for input; none where it asks for nothing.
///
/// # Errors
/// When nobody can give what it asks for.
async fn answers(
    life: &UpstreamLife,
    request: &ServerRequest<'_>,
    result: &Value,
) -> Result<Map<String, Value>, ServerAnswer> {
    let asked = result.get("inputRequests").and_then(Value::as_object);
    let mut questions = Map::new();
    for (key, question) in asked.into_iter().flatten() {
        match question.get("method").and_then(Value::as_str).unwrap_or_default() {
            "elicitation/create" => {
                let params = question.get("params").cloned().unwrap_or_default();
                questions.insert(key.clone(), params);
            }
            "sampling/createMessage" => return Err(unanswerable("sampling")),
            "roots/list" => return Err(unanswerable("roots")),
            other => return Err(unanswerable(other)),
        }
    }
    if questions.is_empty() {
        sleep(PAUSE).await;
        return Ok(Map::new());
    }
    let mut answers = request.conversation.ask(&life.upstream.name, &questions).await;
    if answers.is_empty() {
        return Err(unanswerable("elicitation"));
    }
    for key in questions.keys() {
        answers.entry(key).or_insert_with(nobody);
    }
    Ok(answers)
}

/// The end of a request for which the server wants what no client here offers.
fn unanswerable(capability: &str) -> ServerAnswer {
    let mut capabilities = Map::new();
    capabilities.insert(capability.to_owned(), json!({}));
    ServerAnswer::Rejected {
        code: MISSING_CAPABILITY,
        message: format!("it asks for {capability}, which no client here offers"),
        data: Some(json!({"requiredCapabilities": capabilities})),
    }
}

/// The answer to a question that nobody can be asked.
fn nobody() -> Value {
    json!({"action": "cancel"})
}
