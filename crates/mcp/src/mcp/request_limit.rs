//! How many requests are under way at once. More wait their turn, and can be taken back meanwhile.

use std::collections::VecDeque;
use std::sync::Arc;

use rmcp::model::{ClientNotification, ClientRequest, GetExtensions as _, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many places there are: a call takes one.
const PLACES: usize = 256;
/// The cost of a list: its answer is long.
const FOR_A_LIST: u32 = 16;
/// How many bytes of requests may wait before nothing more is read.
const MOST_WAITING: usize = 1024 * 1024;

/// The requests that are under way, and those that wait.
pub(super) struct Admission {
    places: Arc<Semaphore>,
    waiting: VecDeque<WaitingRequest>,
}

struct WaitingRequest {
    message: RxJsonRpcMessage<RoleServer>,
    places: u32,
    bytes: usize,
}

/// The places of a request that is under way: it carries them along until its handler has ended.
#[derive(Clone)]
struct RequestSlots {
    _held: Arc<OwnedSemaphorePermit>,
}

impl Admission {
    pub(super) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(PLACES)), waiting: VecDeque::new() }
    }

    /// Takes a message of so many bytes. Comes back with what need not wait: it concerns what is under way, or asks for
    /// next to nothing.
    pub(super) fn take(
        &mut self,
        message: RxJsonRpcMessage<RoleServer>,
        bytes: usize,
    ) -> Option<RxJsonRpcMessage<RoleServer>> {
        match &message {
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification {
                    self.forget(cancelled.params.request_id.as_ref());
                }
                return Some(message);
            }
            JsonRpcMessage::Request(request) => {
                let places = places(&request.request);
                if places == 0 {
                    return Some(message);
                }
                self.waiting.push_back(WaitingRequest { message, places, bytes });
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => return Some(message),
        }
        None
    }

    /// Ends with the next request, when there is a slot for it; never if none waits. Safe to cancel.
    pub(super) async fn next(&mut self) -> RxJsonRpcMessage<RoleServer> {
        let Some(first) = self.waiting.front() else { return std::future::pending().await };
        let held = Arc::clone(&self.places).acquire_many_owned(first.places).await;
        match (self.waiting.pop_front(), held) {
            (Some(WaitingRequest { mut message, .. }), Ok(held)) => {
                if let JsonRpcMessage::Request(request) = &mut message {
                    request.request.extensions_mut().insert(RequestSlots { _held: Arc::new(held) });
                }
                message
            }
            // Neither comes about: the first is still there, and nobody closes the semaphore.
            _ => std::future::pending().await,
        }
    }

    /// Whether all that came was passed on.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether more may wait.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.iter().map(|waiting| waiting.bytes).sum::<usize>() < MOST_WAITING
    }

    /// A request that was taken back while it waited is not begun; nobody waits for an answer.
    fn forget(&mut self, id: Option<&RequestId>) {
        self.waiting.retain(|waiting| match &waiting.message {
            JsonRpcMessage::Request(request) => Some(&request.id) != id,
            _ => true,
        });
    }
}

/// How many places a request takes.
fn places(request: &ClientRequest) -> u32 {
    match request {
        // A listener listens for as long as the session lasts.
        ClientRequest::PingRequest(_) | ClientRequest::SubscriptionsListenRequest(_) => 0,
        ClientRequest::ListToolsRequest(_) => FOR_A_LIST,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(value: serde_json::Value) -> RxJsonRpcMessage<RoleServer> {
        serde_json::from_value(value).unwrap()
    }

    fn call(id: usize) -> RxJsonRpcMessage<RoleServer> {
        message(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "t"}}))
    }

    fn list(id: usize) -> RxJsonRpcMessage<RoleServer> {
        message(json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}))
    }

    fn cancelled(id: usize) -> RxJsonRpcMessage<RoleServer> {
        let params = json!({"requestId": id});
        message(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
    }

    fn id(message: &RxJsonRpcMessage<RoleServer>) -> String {
        match message {
            JsonRpcMessage::Request(request) => request.id.to_string(),
            other => panic!("{other:?}"),
        }
    }

    /// The next request, if there is a slot for it now.
    async fn next(admission: &mut Admission) -> Option<RxJsonRpcMessage<RoleServer>> {
        tokio::select! {
            biased;
            message = admission.next() => Some(message),
            () = tokio::task::yield_now() => None,
        }
    }

    #[tokio::test]
    async fn requests_wait_in_order_for_those_that_are_under_way() {
        let mut admission = Admission::new();
        for number in 0..PLACES + 2 {
            assert!(admission.take(call(number), 10).is_none());
        }
        let mut under_way = Vec::new();
        while let Some(message) = next(&mut admission).await {
            under_way.push(message);
        }
        assert_eq!(under_way.len(), PLACES);
        drop(under_way.remove(7));
        let after = next(&mut admission).await.unwrap();
        assert_eq!(id(&after), PLACES.to_string());
        assert!(next(&mut admission).await.is_none(), "one place is one request");
        assert!(!admission.is_empty());
    }

    #[tokio::test]
    async fn pings_answers_and_cancellations_never_wait() {
        let mut admission = Admission::new();
        for number in 0..PLACES {
            admission.take(list(number), 10);
        }
        let mut under_way = Vec::new();
        while let Some(message) = next(&mut admission).await {
            under_way.push(message);
        }
        assert_eq!(under_way.len(), PLACES / FOR_A_LIST as usize);
        let ping = message(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
        let answer = message(json!({"jsonrpc": "2.0", "id": 1, "result": {"action": "accept"}}));
        for message in [ping, answer, cancelled(3)] {
            assert!(admission.take(message, 10).is_some());
        }
    }

    #[tokio::test]
    async fn a_request_that_is_taken_back_while_it_waits_is_not_begun() {
        let mut admission = Admission::new();
        for number in 0..3 {
            admission.take(call(number), MOST_WAITING / 3 + 1);
        }
        assert!(!admission.has_room(), "no more is read");
        assert!(admission.take(cancelled(1), 10).is_some());
        assert!(admission.has_room());
        let begun = [next(&mut admission).await.unwrap(), next(&mut admission).await.unwrap()];
        assert_eq!(begun.each_ref().map(id), ["0", "2"]);
        assert!(admission.is_empty() && next(&mut admission).await.is_none());
    }
}
