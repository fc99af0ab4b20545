//! The ground of policy in a project.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::secrets::KeptSecrets;
use crate::ledger::{Ledger, PinnedServers};
use crate::model::Patterns;

/// The ground of policy in a project: the decisions of people, and the secrets that nobody may see.
#[derive(Debug)]
pub struct ProjectAuthority {
    /// Where people's decisions are kept; `None` where the environment names no place.
    pub(crate) ledger: Option<Ledger>,
    /// The `confirm` patterns of each instance, once they are wanted; `None` where one cannot be read.
    pub(crate) confirm: OnceLock<BTreeMap<String, Option<Patterns>>>,
    /// The pinned definitions of the tools of other MCP servers, once they are wanted.
    pub(crate) server_pins: ServerPins,
    /// Finds the secrets of the last runs.
    pub(crate) kept_secrets: KeptSecrets,
}

/// The pins of each server, once they were read.
#[derive(Debug, Default)]
pub(crate) struct ServerPins(Mutex<BTreeMap<String, Pins>>);

/// The pins in the file of a server, or the reason why they are not known.
pub(crate) type Pins = Result<Arc<PinnedServers>, String>;

impl ServerPins {
    /// Returns the pins of a server, and reads them the first time.
    pub(crate) fn of(&self, server: &str, read: impl FnOnce() -> Pins) -> Pins {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(server.to_owned()).or_insert_with(read).clone()
    }

    /// Remembers what is pinned in the file of a server from now on.
    pub(crate) fn set(&self, server: &str, pins: Pins) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(server.to_owned(), pins);
    }
}
