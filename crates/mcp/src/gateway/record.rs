//! The record of a gateway, in a file that only this user can read.

use serde::{Deserialize, Serialize};

use crate::sys::KnownProcess;

/// The record that a gateway keeps of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayRecord {
    /// The session's id.
    pub session: String,
    /// The address of the service: `http://127.0.0.1:PORT`.
    pub url: String,
    /// The token that every request must have.
    pub token: String,
    /// The number of its process.
    pub pid: u32,
    /// When that process started, in clock ticks since the machine did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// When it was ready, in milliseconds since 1970.
    pub ready_ms: u64,
    /// The process that owns the session, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<OwnerRecord>,
    /// The folder that it serves.
    pub directory: String,
    /// The version of its program.
    pub version: String,
}

/// The process that owns a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerRecord {
    /// Its number.
    pub pid: u32,
    /// When it started, in clock ticks since the machine did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
}

impl GatewayRecord {
    /// The process of the gateway.
    pub fn process(&self) -> KnownProcess {
        KnownProcess { pid: self.pid, started: self.started }
    }

    /// The process that owns the session, where it is known.
    pub fn owner(&self) -> Option<KnownProcess> {
        self.owner.map(|OwnerRecord { pid, started }| KnownProcess { pid, started })
    }
}

impl From<KnownProcess> for OwnerRecord {
    fn from(KnownProcess { pid, started }: KnownProcess) -> Self {
        Self { pid, started }
    }
}
