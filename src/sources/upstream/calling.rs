//! One request to a server, from the wait for a connection to the answer.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::conversation::{Answered, Conversation};
use super::life::Life;
use super::message::{self, Reply};
use super::peer::{Heard, Next, Peer};
use super::state::State;

/// The most rounds of questions that one call may take.
const ROUNDS: usize = 16;

/// A request, and what goes with it.
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) params: Value,
    pub(super) timeout: Duration,
    pub(super) conversation: &'a dyn Conversation,
    pub(super) cancel: &'a CancellationToken,
}

/// Sends a request once there is a slot and a connection. The wait for a slot does not count against its time.
pub(super) async fn send(life: &Life, request: Request<'_>) -> Answered {
    let cancelled = request.cancel.clone();
    let ready = async {
        let slot = life.slots.acquire().await.map_err(|_| Answered::Cancelled)?;
        Ok((slot, connected(life).await?))
    };
    let (_slot, peer) = tokio::select! {
        biased;
        () = cancelled.cancelled() => return Answered::Cancelled,
        ready = ready => match ready {
            Ok(ready) => ready,
            Err(answered) => return answered,
        },
    };
    let mut deadline = Instant::now() + request.timeout;
    let mut params = request.params.clone();
    for _ in 0..ROUNDS {
        let reply = match round(life, &peer, &request, params, &mut deadline).await {
            Ok(reply) => reply,
            Err(answered) => return answered,
        };
        let result = match reply {
            Reply::Result(result) => result,
            Reply::Error { code, message, data } => return Answered::Rejected { code, message, data },
            Reply::Refused(reason) => {
                let server = &life.upstream.name;
                return Answered::Unreachable(format!("the server {server} refused the call: {reason}"));
            }
        };
        if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
            return Answered::Result(result);
        }
        let asked = Instant::now();
        let answers = tokio::select! {
            biased;
            () = cancelled.cancelled() => return Answered::Cancelled,
            answers = answers(life, &request, &result) => answers,
        };
        deadline += asked.elapsed();
        params = request.params.clone();
        if let Some(fields) = params.as_object_mut() {
            fields.insert("inputResponses".to_owned(), Value::Object(answers));
            fields.extend(result.get("requestState").map(|state| ("requestState".to_owned(), state.clone())));
        }
    }
    let server = &life.upstream.name;
    Answered::Lost(format!("the server {server} asked for input more than {ROUNDS} times in one call"))
}

/// Waits for the connection. A server that is down is not waited for.
async fn connected(life: &Life) -> Result<std::sync::Arc<Peer>, Answered> {
    let server = &life.upstream.name;
    let mut states = life.state.subscribe();
    let mut may_retry = true;
    loop {
        match &*states.borrow_and_update() {
            State::Connected { peer, .. } => return Ok(std::sync::Arc::clone(peer)),
            // A person has logged in since: what was tried without a login is tried again.
            State::Down { .. } if std::mem::take(&mut may_retry) && life.was_logged_in() => {
                life.retry.notify_one();
            }
            State::Down { reason, at, .. } => {
                let wait = at.saturating_duration_since(Instant::now()).as_secs_f32().ceil();
                let next = format!("the next try is in {wait} s");
                return Err(Answered::Unreachable(format!("the server {server} is down: {reason}; {next}")));
            }
            State::NotStarted | State::Connecting => {}
        }
        if states.changed().await.is_err() {
            return Err(Answered::Unreachable(format!("the server {server} is not connected")));
        }
    }
}

/// One request and its answer. The clock stands while a person is asked.
async fn round(
    life: &Life,
    peer: &Peer,
    request: &Request<'_>,
    params: Value,
    deadline: &mut Instant,
) -> Result<Reply, Answered> {
    let server = &life.upstream.name;
    let lost = |reason| {
        Answered::Lost(if peer.is_lost() {
            format!("the connection to the server {server} was lost: {reason}")
        } else {
            format!("the call to the server {server} failed: {reason}")
        })
    };
    let mut ticket = peer.request(request.method, params, true).await.map_err(lost)?;
    loop {
        let next = tokio::select! {
            biased;
            () = request.cancel.cancelled() => return Err(Answered::Cancelled),
            () = sleep_until(*deadline) => return Err(Answered::TimedOut(request.timeout)),
            next = ticket.next() => next,
        };
        match next {
            Next::Answer(answer) => return answer.map_err(lost),
            Next::Heard(Heard::Progress(raw)) => request.conversation.progress(&raw),
            Next::Heard(Heard::Message(raw)) => request.conversation.message(&raw),
            Next::Heard(Heard::Ask(id, raw)) => {
                let asked = Instant::now();
                let answer = tokio::select! {
                    biased;
                    () = request.cancel.cancelled() => None,
                    answer = request.conversation.ask(server, &raw) => answer,
                };
                *deadline += asked.elapsed();
                peer.tell(message::answer(&id, &answer.unwrap_or_else(nobody)));
            }
        }
    }
}

/// The answers to the questions of a result that asks for input.
async fn answers(life: &Life, request: &Request<'_>, result: &Value) -> Map<String, Value> {
    let mut answers = Map::new();
    let questions = result.get("inputRequests").and_then(Value::as_object);
    for (key, question) in questions.into_iter().flatten() {
        let is_elicitation = question.get("method").and_then(Value::as_str) == Some("elicitation/create");
        let params = question.get("params").cloned().unwrap_or_default();
        let answer =
            if is_elicitation { request.conversation.ask(&life.upstream.name, &params).await } else { None };
        answers.insert(key.clone(), answer.unwrap_or_else(nobody));
    }
    answers
}

/// The answer when nobody can answer.
fn nobody() -> Value {
    json!({"action": "cancel"})
}
