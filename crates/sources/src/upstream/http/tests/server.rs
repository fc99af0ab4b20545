//! A server on a socket of this machine; the test chooses every response.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;

/// The head of a response with JSON.
pub(super) const JSON: &str = "200 OK\r\ncontent-type: application/json";
/// The head of a response with JSON that opens a session.
pub(super) const SESSION: &str = "200 OK\r\ncontent-type: application/json\r\nmcp-session-id: s1";

/// The answer to one request over HTTP.
pub(super) enum Act {
    /// The status with further headers, and the body.
    Say(&'static str, String),
    /// No response, for as long as the client waits.
    Hang,
    /// No response: the connection is closed.
    Close,
    /// A stream of events that begins with this text and stays open.
    Stream(String),
    /// A message for all streams that are open.
    Push(String),
}

impl From<(&'static str, String)> for Act {
    fn from((head, body): (&'static str, String)) -> Self {
        Self::Say(head, body)
    }
}

type Respond = dyn Fn(&str, &Value) -> Act + Send + Sync;

/// A server that runs until the test ends.
pub(super) struct Server {
    /// Its address without a scheme: `127.0.0.1:4711/mcp`.
    pub(super) place: String,
    /// How many clients hung up before the response ended.
    pub(super) hung_up: Arc<AtomicUsize>,
}

impl Server {
    /// A server that answers a request's head, in lower case, and its message.
    pub(super) async fn start<Given: Into<Act>>(
        respond: impl Fn(&str, &Value) -> Given + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let place = format!("{}/mcp", listener.local_addr().unwrap());
        let hung_up = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&hung_up);
        let respond: Arc<Respond> = Arc::new(move |head, message| respond(head, message).into());
        tokio::spawn(async move {
            let events = broadcast::Sender::new(64);
            while let Ok((stream, _)) = listener.accept().await {
                let (respond, events, counted) = (Arc::clone(&respond), events.clone(), Arc::clone(&counted));
                tokio::spawn(serve(stream, respond, events, counted));
            }
        });
        Self { place, hung_up }
    }
}

async fn serve(
    mut stream: TcpStream,
    respond: Arc<Respond>,
    events: broadcast::Sender<String>,
    hung_up: Arc<AtomicUsize>,
) {
    let mut bytes = Vec::new();
    let (head, message) = loop {
        let mut chunk = [0; 4096];
        let Ok(count @ 1..) = stream.read(&mut chunk).await else { return };
        bytes.extend_from_slice(&chunk[..count]);
        // The first byte of TLS.
        if bytes.starts_with(&[0x16]) {
            return respond_with(&mut stream, "400 Bad Request", "").await;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            break (head, serde_json::from_str(body).unwrap_or_default());
        }
    };
    match respond(&head, &message) {
        Act::Say(extra, body) => respond_with(&mut stream, extra, &body).await,
        Act::Push(message) => {
            let _ = events.send(format!("event: message\ndata: {message}\n\n"));
            respond_with(&mut stream, "202 Accepted", "Accepted").await;
        }
        Act::Hang => {
            let _ = stream.read(&mut [0; 1]).await;
            hung_up.fetch_add(1, Ordering::Relaxed);
        }
        Act::Close => {}
        Act::Stream(first) => {
            let mut listener = events.subscribe();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let mut next = format!("{head}{first}");
            let mut byte = [0; 1];
            while stream.write_all(next.as_bytes()).await.is_ok() {
                next = tokio::select! {
                    Ok(next) = listener.recv() => next,
                    _ = stream.read(&mut byte) => break,
                };
            }
            hung_up.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn respond_with(stream: &mut TcpStream, extra: &str, body: &str) {
    let text =
        format!("HTTP/1.1 {extra}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    let _ = stream.write_all(text.as_bytes()).await;
}

/// The body with a result.
pub(super) fn result(message: &Value, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

/// The usual answers of a server with sessions and one tool.
pub(super) fn usual(message: &Value) -> Act {
    match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}});
            Act::Say(SESSION, result(message, &greeting))
        }
        "tools/list" => {
            let tools = json!({"tools": [{"name": "buy", "inputSchema": {"type": "object"}}]});
            Act::Say(JSON, result(message, &tools))
        }
        "tools/call" => Act::Say(JSON, result(message, &json!({"bought": true}))),
        "" => Act::Say("405 Method Not Allowed", String::new()),
        _ => Act::Say("202 Accepted", String::new()),
    }
}
