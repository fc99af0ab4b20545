//! One connection's requests in flight: ids given, answers matched, notifications passed to the call that they belong to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use tokio::sync::{Notify, broadcast, mpsc, oneshot};

use super::message::{self, Message, Reply};
use super::parameter_headers::ParameterHeaders;
use crate::model::UnreadableMessage;

/// How many messages wait for the transport before a request waits too.
const OUTGOING: usize = 256;
/// How many notifications wait for a call; more are dropped, as a newer one says more.
const HEARD: usize = 64;

/// A message of the server to a call in flight.
#[derive(Debug)]
pub(super) enum PeerMessage {
    /// The parameters of a `notifications/progress`.
    Progress(Value),
    /// The parameters of a `notifications/message`.
    Message(Value),
    /// An `elicitation/create`: its id and its parameters.
    Ask(Value, Value),
}

/// A message on its way to the server.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// The message.
    pub(super) raw: Value,
    /// The id, where it is a request.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "HTTP alone sends each by itself"))]
    pub(super) id: Option<u64>,
}

#[derive(Debug)]
struct ServerQuestion {
    reply: oneshot::Sender<Result<Reply, String>>,
    heard: mpsc::Sender<PeerMessage>,
    is_call: bool,
}

/// cuff's side of a connection.
#[derive(Debug)]
pub(super) struct Peer {
    outgoing: mpsc::Sender<Outgoing>,
    next: AtomicU64,
    pending: Mutex<BTreeMap<u64, ServerQuestion>>,
    /// Fields of `_meta` of each request: the protocol since 2026-07-28 has no session that would know them.
    meta: Mutex<Map<String, Value>>,
    lost: Mutex<Option<String>>,
    is_modern: AtomicBool,
    /// Told when the server's list of tools changed.
    pub(super) lists: Notify,
    /// Whether the server said so and was not asked for the list since.
    is_list_stale: AtomicBool,
    /// The other notifications that belong to no call: methods and parameters.
    pub(super) notices: broadcast::Sender<(String, Value)>,
    /// The arguments that calls over HTTP carry as headers.
    pub(super) parameters: ParameterHeaders,
}

impl Peer {
    /// A connection that nothing was sent on, and the messages that its transport must send.
    pub(super) fn new() -> (Self, mpsc::Receiver<Outgoing>) {
        let (outgoing, messages) = mpsc::channel(OUTGOING);
        let peer = Self {
            outgoing,
            next: AtomicU64::new(1),
            pending: Mutex::default(),
            meta: Mutex::default(),
            lost: Mutex::default(),
            is_modern: AtomicBool::new(false),
            lists: Notify::new(),
            is_list_stale: AtomicBool::new(false),
            notices: broadcast::Sender::new(HEARD),
            parameters: ParameterHeaders::default(),
        };
        (peer, messages)
    }

    /// Whether each request carries what a session would know: the protocol since 2026-07-28.
    pub(super) fn is_modern(&self) -> bool {
        self.is_modern.load(Ordering::Relaxed)
    }

    /// Whether the server said that its list of tools changed, and was not asked for it since. The list is asked for now.
    pub(super) fn takes_stale_list(&self) -> bool {
        self.is_list_stale.swap(false, Ordering::Relaxed)
    }

    /// Sets the fields of `_meta` of each request from now on; none: the protocol with sessions.
    pub(super) fn set_meta(&self, meta: Map<String, Value>) {
        self.is_modern.store(!meta.is_empty(), Ordering::Relaxed);
        *lock(&self.meta) = meta;
    }

    /// Sends a request. A call hears what the server says meanwhile, and has its id as progress token.
    ///
    /// # Errors
    /// With the reason when the connection is lost.
    pub(super) async fn request(
        &self,
        method: &str,
        mut params: Value,
        is_call: bool,
    ) -> Result<Ticket<'_>, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.add_meta(&mut params, is_call.then_some(id));
        let ((reply, answer), (heard, listener)) = (oneshot::channel(), mpsc::channel(HEARD));
        lock(&self.pending).insert(id, ServerQuestion { reply, heard, is_call });
        let ticket = Ticket { peer: self, id, answer, hears: listener, is_open: true };
        let raw = message::request(id, method, &params);
        // Looked at after the request is pending: a connection that is lost now answers it.
        if let Some(reason) = lock(&self.lost).clone() {
            return Err(reason);
        }
        match self.outgoing.send(Outgoing { raw, id: Some(id) }).await {
            Ok(()) => Ok(ticket),
            Err(_) => Err(self.reason()),
        }
    }

    fn add_meta(&self, params: &mut Value, token: Option<u64>) {
        let fields = lock(&self.meta).clone();
        if fields.is_empty() && token.is_none() {
            return;
        }
        if params.is_null() {
            *params = json!({});
        }
        let Some(params) = params.as_object_mut() else { return };
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            // A request may say more exactly what its client can do.
            for (name, value) in fields {
                meta.entry(name).or_insert(value);
            }
            meta.extend(token.map(|token| ("progressToken".to_owned(), json!(token))));
        }
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// With the reason when the connection is lost.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Reply, String> {
        self.request(method, params, false).await?.answer().await
    }

    /// Sends a message that has no answer, if there is room for it.
    pub(super) fn tell(&self, raw: Value) {
        let _ = self.outgoing.try_send(Outgoing { raw, id: None });
    }

    /// Takes a message of the server. `origin`: the request whose stream it came on, where the transport knows it.
    /// `false`: it is no message of JSON-RPC.
    pub(super) fn receive(&self, raw: Value, origin: Option<u64>) -> bool {
        match Message::of(raw) {
            None => return false,
            Some(Message::Stray) => {}
            Some(Message::Response { id, reply }) => {
                // An answer to an id that nobody waits for comes too late, or was never asked.
                if let Some(asked) = lock(&self.pending).remove(&id) {
                    let _ = asked.reply.send(Ok(reply));
                }
            }
            Some(Message::Request { id, method, params }) => self.serve(&id, &method, params, origin),
            Some(Message::Notification { method, params }) => self.hear(&method, params, origin),
        }
        true
    }

    fn serve(&self, id: &Value, method: &str, params: Value, origin: Option<u64>) {
        match method {
            "ping" => self.tell(message::answer(id, &json!({}))),
            "elicitation/create" => {
                if !self.pass(PeerMessage::Ask(id.clone(), params), origin) {
                    self.tell(message::answer(id, &json!({"action": "cancel"})));
                }
            }
            method => self.tell(message::decline(id, method)),
        }
    }

    fn hear(&self, method: &str, params: Value, origin: Option<u64>) {
        match method {
            "notifications/tools/list_changed" => {
                self.is_list_stale.store(true, Ordering::Relaxed);
                self.lists.notify_one();
            }
            "notifications/progress" => {
                let token = params.get("progressToken").and_then(Value::as_u64);
                if let Some(asked) = token
                    .and_then(|token| lock(&self.pending).get(&token).map(|question| question.heard.clone()))
                {
                    let _ = asked.try_send(PeerMessage::Progress(params));
                }
            }
            "notifications/prompts/list_changed"
            | "notifications/resources/list_changed"
            | "notifications/resources/updated"
            | "notifications/elicitation/complete" => {
                // Where nobody listens, nobody wants to know.
                let _ = self.notices.send((method.to_owned(), params));
            }
            "notifications/message" if !self.pass(PeerMessage::Message(params.clone()), origin) => {
                let _ = self.notices.send((method.to_owned(), params));
            }
            _ => {}
        }
    }

    /// Passes something to the call that it belongs to: the one of its stream, else the latest. Whether it was taken.
    fn pass(&self, heard: PeerMessage, origin: Option<u64>) -> bool {
        let pending = lock(&self.pending);
        let named = origin.and_then(|id| pending.get(&id));
        let asked = named.or_else(|| pending.values().rev().find(|asked| asked.is_call));
        asked.is_some_and(|asked| asked.heard.try_send(heard).is_ok())
    }

    /// Ends all requests in flight: the connection is lost for this reason.
    pub(super) fn lose(&self, reason: &str) {
        lock(&self.lost).get_or_insert_with(|| reason.to_owned());
        lock(&self.pending).clear();
    }

    /// Ends the request whose answer cannot be read: the one that it names, else the one of its stream. `false`: it is no
    /// answer to a request.
    pub(super) fn refuse(&self, unreadable: UnreadableMessage, origin: Option<u64>) -> bool {
        let UnreadableMessage { id, reason } = unreadable;
        id.or(origin).is_some_and(|id| {
            self.settle(id, Err(format!("its answer {reason}")));
            true
        })
    }

    /// Ends one request, if it is in flight still, with an error or with the reason why no answer comes.
    pub(super) fn settle(&self, id: u64, answer: Result<Reply, String>) {
        if let Some(asked) = lock(&self.pending).remove(&id) {
            let _ = asked.reply.send(answer);
        }
    }

    /// Whether a request is in flight.
    #[cfg(feature = "http")]
    pub(super) fn is_pending(&self, id: u64) -> bool {
        lock(&self.pending).contains_key(&id)
    }

    /// Whether the connection is lost, and not one request alone.
    pub(super) fn is_lost(&self) -> bool {
        lock(&self.lost).is_some()
    }

    fn reason(&self) -> String {
        lock(&self.lost).clone().unwrap_or_else(|| "the connection ended".to_owned())
    }
}

/// A request in flight. Dropped before its answer came, it is cancelled.
#[derive(Debug)]
pub(super) struct Ticket<'a> {
    peer: &'a Peer,
    id: u64,
    answer: oneshot::Receiver<Result<Reply, String>>,
    hears: mpsc::Receiver<PeerMessage>,
    is_open: bool,
}

/// The next thing that a request in flight brings.
#[derive(Debug)]
pub(super) enum NextFromServer {
    /// Its answer, or the reason why none comes.
    Answer(Result<Reply, String>),
    /// A message of the server meanwhile.
    Heard(PeerMessage),
}

impl Ticket<'_> {
    /// Waits for the next thing. Messages that came before the answer are returned before it.
    pub(super) async fn next(&mut self) -> NextFromServer {
        tokio::select! {
            biased;
            Some(heard) = self.hears.recv() => NextFromServer::Heard(heard),
            answer = &mut self.answer => {
                self.is_open = false;
                NextFromServer::Answer(answer.unwrap_or_else(|_| Err(self.peer.reason())))
            }
        }
    }

    /// Waits for the end of a request that brings no result as a rule; whether the server refused it.
    pub(super) async fn refused(&mut self) -> bool {
        loop {
            if let NextFromServer::Answer(answer) = self.next().await {
                return matches!(answer, Ok(Reply::Error { .. }));
            }
        }
    }

    /// Waits for the answer alone.
    ///
    /// # Errors
    /// With the reason when the connection is lost.
    pub(super) async fn answer(mut self) -> Result<Reply, String> {
        loop {
            match self.next().await {
                NextFromServer::Answer(Ok(Reply::Refused(reason))) => return Err(reason),
                NextFromServer::Answer(answer) => return answer,
                NextFromServer::Heard(PeerMessage::Ask(id, _)) => {
                    self.peer.tell(message::answer(&id, &json!({"action": "cancel"})));
                }
                NextFromServer::Heard(_) => {}
            }
        }
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        lock(&self.peer.pending).remove(&self.id);
        if self.is_open {
            let params = json!({"requestId": self.id, "reason": "cancelled by the caller"});
            self.peer.tell(message::notification("notifications/cancelled", &params));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
