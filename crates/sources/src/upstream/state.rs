//! How the connection to a server is.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use super::handshake::ServerGreeting;
use super::peer::Peer;

/// When a source connects to its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connect {
    /// Never: the list of before is all that is offered (`cuff list`).
    Never,
    /// When a tool is called, or a list is asked for that nobody remembers (`cuff run`).
    WhenCalled,
    /// At once, and again whenever the connection is lost (`cuff serve`).
    AtOnce,
}

/// How the connection to a server is, for people.
#[derive(Debug, Clone, PartialEq)]
pub enum UpstreamHealth {
    /// Nobody asked for it yet.
    NotStarted,
    /// The first words are being exchanged.
    Connecting,
    /// It answers.
    Connected {
        /// Since when.
        since: SystemTime,
        /// The server's name, as it says.
        name: Option<String>,
        /// Its version, as it says.
        version: Option<String>,
        /// The protocol that is spoken.
        protocol: String,
        /// How long it took.
        took: Took,
    },
    /// It is down.
    Down {
        /// Why.
        reason: String,
        /// When it is tried again.
        next_try: SystemTime,
    },
}

/// How long a connection took until it could be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Took {
    /// The start of the program or the way to the address, and the first words.
    pub connect: Duration,
    /// The list of tools.
    pub list: Duration,
}

/// How the connection is, for calls.
#[derive(Debug, Clone)]
pub(super) enum ConnectionState {
    NotStarted,
    Connecting,
    Connected { peer: Arc<Peer>, greeting: Arc<ServerGreeting>, since: SystemTime, took: Took },
    Down { reason: String, next_try: SystemTime, at: Instant },
}

impl ConnectionState {
    /// The same for people.
    pub(super) fn health(&self) -> UpstreamHealth {
        match self {
            Self::NotStarted => UpstreamHealth::NotStarted,
            Self::Connecting => UpstreamHealth::Connecting,
            Self::Connected { greeting, since, took, .. } => UpstreamHealth::Connected {
                since: *since,
                name: greeting.field("name"),
                version: greeting.field("version"),
                protocol: greeting.protocol.clone(),
                took: *took,
            },
            Self::Down { reason, next_try, .. } => {
                UpstreamHealth::Down { reason: reason.clone(), next_try: *next_try }
            }
        }
    }
}

/// The bounds of a server's connection.
#[derive(Debug, Clone, Copy)]
pub struct UpstreamLimits {
    /// How long connecting may take, the list of tools included.
    pub connect: Duration,
    /// How many calls it gets at once.
    pub concurrency: usize,
}

impl Default for UpstreamLimits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(30), concurrency: 16 }
    }
}
