//! The first words with a server, in both eras of the protocol.
//!
//! `initialize` goes first. A server of the new era answers it with an error at once, and is asked `server/discover`
//! then. The other order would cost seconds with every old server that ignores methods it does not know.

use serde_json::{Map, Value, json};

use super::message::{self, Reply};
use super::peer::Peer;
use super::steering;

/// The latest protocol that has no sessions.
pub(super) const MODERN: &str = "2026-07-28";
/// The protocols with sessions, latest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// What a server says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Greeting {
    /// The protocol that is spoken.
    pub(super) protocol: String,
    /// Its name and version: `serverInfo`.
    pub(super) server: Value,
    /// What it offers.
    pub(super) capabilities: Value,
    /// How it wants to be used.
    pub(super) instructions: Option<String>,
    /// Whatever in its instructions may steer a model, in words.
    pub(super) steering: Option<String>,
}

impl Greeting {
    /// A text field of `serverInfo`.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        self.server.get(name).and_then(Value::as_str).map(str::to_owned)
    }
}

/// Opens a session, or finds out that the server knows none.
///
/// # Errors
/// With the reason when the server refuses both, or answers what is no greeting.
pub(super) async fn greet(peer: &Peer) -> Result<Greeting, String> {
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
            discover(peer).await.map_err(|_| format!("it refused the connection: {message} ({code})"))
        }
    }
}

async fn discover(peer: &Peer) -> Result<Greeting, String> {
    peer.set_meta(meta());
    match peer.ask("server/discover", json!({})).await? {
        Reply::Result(result) => {
            let versions = result.get("supportedVersions").and_then(Value::as_array);
            if versions.is_some_and(|known| !known.iter().any(|version| version == MODERN)) {
                return Err("it speaks no protocol that cuff knows".to_owned());
            }
            Ok(greeting(MODERN, &result))
        }
        Reply::Error { message, code, .. } => {
            peer.set_meta(Map::new());
            Err(format!("{message} ({code})"))
        }
    }
}

fn greeting(protocol: &str, result: &Value) -> Greeting {
    let meta = result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    let instructions = result.get("instructions").and_then(Value::as_str);
    Greeting {
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
