//! Cancelling a call of the versions with a handshake: it comes as a request of its own, under the name of a session.
//!
//! The session is nothing but a name that the client got from its handshake and sends along. It says which
//! client's call is meant, since all clients number theirs alike. No server needs to know it: behind a
//! balancer, the server that gets the cancellation ends the call if it has it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

use crate::http::{Answer, holding};

/// The header that names a session.
const SESSION: &str = "mcp-session-id";
/// The header that says which version of MCP a request is of.
const VERSION: &str = "mcp-protocol-version";
/// The first version with requests that are complete by themselves: hanging up cancels.
const WITHOUT_HANDSHAKE: &str = "2026-07-28";
/// The longest name of a session that is remembered, in bytes: ours are shorter.
const LONGEST: usize = 128;

/// Whether a request is of a version without a handshake.
pub(super) fn is_by_itself(headers: &HeaderMap) -> bool {
    headers.get(VERSION).is_some_and(|version| version.as_bytes() >= WITHOUT_HANDSHAKE.as_bytes())
}

/// The session that a request names.
pub(super) fn session(headers: &HeaderMap) -> Option<String> {
    let name = headers.get(SESSION)?.to_str().ok()?;
    (name.len() <= LONGEST).then(|| name.to_owned())
}

/// A call that is under way.
struct Call {
    session: String,
    id: RequestId,
    cancel: CancellationToken,
}

/// The calls that can be cancelled so.
pub(super) struct Underway {
    seed: [u8; 32],
    sessions: AtomicU64,
    /// By a number of ours: a client may give two calls of a session one id, and then both are meant.
    calls: Mutex<HashMap<u64, Call>>,
    numbers: AtomicU64,
}

impl Underway {
    pub(super) fn new(seed: [u8; 32]) -> Self {
        Self { seed, sessions: AtomicU64::new(0), calls: Mutex::default(), numbers: AtomicU64::new(0) }
    }

    /// The answer to a handshake, with a name for the session.
    pub(super) fn labelled(&self, mut answer: Answer) -> Answer {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        let name = blake3::keyed_hash(&self.seed, &number.to_le_bytes()).to_hex();
        if answer.status().is_success()
            && let Ok(name) = HeaderValue::from_str(&name[..32])
        {
            answer.headers_mut().insert(SESSION, name);
        }
        answer
    }

    /// The answer to a call, which ends when the call is cancelled.
    pub(super) fn watched(self: &Arc<Self>, session: String, id: RequestId, answer: Answer) -> Answer {
        let (number, cancel) = (self.numbers.fetch_add(1, Ordering::Relaxed), CancellationToken::new());
        self.calls().insert(number, Call { session, id, cancel: cancel.clone() });
        let known = Known { underway: Arc::clone(self), number };
        holding(answer, known, cancel)
    }

    /// Ends a call, if it is under way here.
    pub(super) fn cancel(&self, session: &str, id: &RequestId) {
        for call in self.calls().values().filter(|call| call.session == session && call.id == *id) {
            call.cancel.cancel();
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<u64, Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that can be cancelled until this is dropped.
struct Known {
    underway: Arc<Underway>,
    number: u64,
}

impl Drop for Known {
    fn drop(&mut self) {
        self.underway.calls().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt as _, Full};
    use hyper::Response;
    use hyper::body::Bytes;

    use super::*;

    #[tokio::test]
    async fn a_cancelled_call_has_no_answer_and_others_go_on() {
        let underway = Arc::new(Underway::new([1; 32]));
        let answer = || Response::new(Full::new(Bytes::from_static(b"answer")).boxed());
        let names: Vec<HeaderValue> =
            (0..2).map(|_| underway.labelled(answer()).headers()[SESSION].clone()).collect();
        assert!(names[0] != names[1] && names[0].len() == 32);
        let call = |session: &str| underway.watched(session.to_owned(), RequestId::Number(1), answer());
        let (mine, others, done) = (call("mine"), call("other"), call("done"));
        let twin = call("mine");
        drop((done, twin));
        underway.cancel("mine", &RequestId::Number(1));
        underway.cancel("other", &RequestId::String("1".into()));
        underway.cancel("none", &RequestId::Number(1));
        assert_eq!(underway.calls().len(), 2);
        assert!(mine.into_body().collect().await.unwrap().to_bytes().is_empty());
        assert_eq!(&others.into_body().collect().await.unwrap().to_bytes()[..], b"answer");
        assert!(underway.calls().is_empty());
    }
}
