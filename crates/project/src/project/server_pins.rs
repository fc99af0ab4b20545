//! The pinned definitions of servers' tools, as an opened project has read them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ledger::PinnedServers;

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
