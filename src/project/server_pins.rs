//! The pinned definitions of servers' tools, as an opened project has read them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ledger::PinnedServers;

/// What is pinned of each server, once it was read.
#[derive(Debug, Default)]
pub(crate) struct ServerPins(Mutex<BTreeMap<String, Pins>>);

/// What is pinned in the file of a server, or the reason why that is not known.
pub(crate) type Pins = Result<Arc<PinnedServers>, String>;

impl ServerPins {
    /// What is pinned in the file of a server.
    pub(crate) fn of(&self, server: &str, read: impl FnOnce() -> Pins) -> Pins {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(server.to_owned()).or_insert_with(read).clone()
    }

    /// Remembers what is pinned in the file of a server from now on.
    pub(crate) fn set(&self, server: &str, pins: Pins) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(server.to_owned(), pins);
    }
}
