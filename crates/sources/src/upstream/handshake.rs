//! The first words with a server, in both eras of the protocol.
//!
//! With a program `initialize` goes first. A server of the new era answers it with an error at once, and is asked
//! `server/discover` then. The other order would cost seconds with every old server that ignores methods it does not know.
//! Over HTTP every request has an answer, and one of the new era says of itself what it is, so `server/discover` goes first.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::message::{self, Reply};
use super::peer::Peer;
use super::steering;

/// The latest protocol that has no sessions.
pub(super) const MODERN: &str = "2026-07-28";
/// The protocols with sessions, latest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The question whether a server speaks the protocol without sessions.
pub(super) const DISCOVERY: &str = "server/discover";
/// How often it is asked.
const DISCOVERIES: usize = 2;
/// How long its answer may take.
const DISCOVERY_TIME: Duration = Duration::from_secs(10);
/// The error of JSON-RPC for a version of the protocol that the server does not speak.
const UNSUPPORTED: i64 = -32022;

/// The era of the protocol that a server is asked for first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// That with sessions: `initialize`.
    Initialize,
    /// That without: `server/discover`.
    Discover,
}

/// A server's introduction of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ServerGreeting {
    /// The protocol that is spoken.
    pub(super) protocol: String,
    /// Its name and version: `serverInfo`.
    pub(super) server: Value,
    /// The features that it offers.
    pub(super) capabilities: Value,
    /// How it wants to be used.
    pub(super) instructions: Option<String>,
    /// A description of text in its instructions that may steer a model.
    pub(super) steering: Option<String>,
}

impl ServerGreeting {
    /// Its instructions, where agents may read them: text that may steer a model is not passed on.
    pub(super) fn passed_on(&self) -> Option<&str> {
        self.instructions.as_deref().filter(|_| self.steering.is_none())
    }

    /// A text field of `serverInfo`.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        self.server.get(name).and_then(Value::as_str).map(str::to_owned)
    }
}

/// Opens a session, or finds out that the server knows none.
///
/// # Errors
/// With the reason when the server refuses both, or answers what is no greeting.
pub(super) async fn greet(peer: &Peer, first: First) -> Result<ServerGreeting, String> {
    if first == First::Discover
        && let Some(greeting) = discover(peer).await?
    {
        return Ok(greeting);
    }
    let params = json!({
        "protocolVersion": LEGACY[0], "capabilities": capabilities(), "clientInfo": client(),
    });
    match peer.ask("initialize", params).await? {
        Reply::Result(result) => {
            let protocol = result.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
            if !LEGACY.contains(&protocol) {
                return Err(format!("it speaks the protocol {protocol:?}, which cuff does not know"));
            }
            let greeting = greeting(protocol, &result);
            peer.tell(message::notification("notifications/initialized", &Value::Null));
            Ok(greeting)
        }
        Reply::Error { code, message, .. } => {
            let modern = if first == First::Initialize { discover(peer).await } else { Ok(None) };
            let refused = || format!("it refused the connection: {message} ({code})");
            modern.ok().flatten().ok_or_else(refused)
        }
        Reply::Refused(reason) => Err(reason),
    }
}

/// Asks a server whether it speaks the protocol without sessions; `None`: it does not.
async fn discover(peer: &Peer) -> Result<Option<ServerGreeting>, String> {
    peer.set_meta(meta());
    for _ in 0..DISCOVERIES {
        let asked = timeout(DISCOVERY_TIME, peer.ask(DISCOVERY, json!({}))).await;
        let data = match asked {
            Ok(Ok(Reply::Result(result))) if names(result.get("supportedVersions")) => {
                return Ok(Some(greeting(MODERN, &result)));
            }
            Ok(Ok(Reply::Error { code: UNSUPPORTED, data, .. })) => data,
            // A server that does not answer what it does not know may answer what it does.
            Ok(Ok(_)) | Err(_) => break,
            Ok(Err(reason)) => {
                peer.set_meta(Map::new());
                return Err(reason);
            }
        };
        // Some instances of a server may be newer than others.
        if !names(data.as_ref().and_then(|data| data.get("supported"))) {
            break;
        }
    }
    peer.set_meta(Map::new());
    Ok(None)
}

/// Whether the protocol without sessions is among these versions.
fn names(versions: Option<&Value>) -> bool {
    let versions = versions.and_then(Value::as_array);
    versions.is_some_and(|versions| versions.iter().any(|version| version == MODERN))
}

fn greeting(protocol: &str, result: &Value) -> ServerGreeting {
    let meta = result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    let instructions = result.get("instructions").and_then(Value::as_str);
    ServerGreeting {
        protocol: protocol.to_owned(),
        server: result.get("serverInfo").or(meta).cloned().unwrap_or_default(),
        capabilities: result.get("capabilities").cloned().unwrap_or_default(),
        instructions: instructions.map(str::to_owned),
        steering: instructions.and_then(steering::of_text),
    }
}

fn meta() -> Map<String, Value> {
    let named = [
        ("protocolVersion", json!(MODERN)),
        ("clientInfo", client()),
        ("clientCapabilities", capabilities()),
    ];
    named.into_iter().map(|(name, value)| (format!("io.modelcontextprotocol/{name}"), value)).collect()
}

fn client() -> Value {
    json!({"name": "cuff", "version": env!("CARGO_PKG_VERSION")})
}

fn capabilities() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}})
}
