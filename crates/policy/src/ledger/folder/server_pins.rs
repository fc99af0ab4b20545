//! Pins of the definitions of MCP servers' tools, a file for each file that names servers.

use std::path::{Path, PathBuf};

use super::pins::LOCK;
use super::{Ledger, write};
use crate::ledger::error::LedgerError;
use crate::ledger::pin::{FOLDER, PinnedTools};
use crate::ledger::server_pins::{PinnedServers, Pinning, SeenServer};
use crate::sys::terminal::TypedConsent;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

impl Ledger {
    /// Where the definitions are pinned of the servers that a file names.
    pub fn server_pins_file(&self, file: &Path) -> PathBuf {
        self.path().join(FOLDER).join(name(file))
    }

    /// The pinned definitions of the servers that a file names.
    ///
    /// # Errors
    /// When they cannot be read, or a newer cuff wrote them, or they are no pins.
    pub fn pinned_servers(&self, file: &Path) -> Result<PinnedServers, LedgerError> {
        self.read_pin(&name(file), LARGEST)
    }

    /// Pins the tools of servers that list them for the first time, and new ones where they are taken. Comes back with all
    /// that is pinned then, which somebody else may have done meanwhile, and what was pinned now.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn pin_seen(
        &self,
        file: &Path,
        seen: &[SeenServer],
        at: u64,
    ) -> Result<(PinnedServers, Vec<Pinning>), LedgerError> {
        let (_, _lock) = self.locked(LOCK)?;
        let mut known = self.pinned_servers(file)?;
        let pinned = known.see(seen, at);
        if !pinned.is_empty() {
            self.write_server_pins(file, &mut known)?;
        }
        Ok((known, pinned))
    }

    /// Pins the definitions of a server's tools that a person approved.
    ///
    /// # Errors
    /// When the ledger cannot be written, or a newer cuff wrote the pins.
    pub fn pin_definitions(
        &self,
        _: &TypedConsent,
        file: &Path,
        (server, tools): (&str, PinnedTools),
        at: u64,
    ) -> Result<(), LedgerError> {
        let (_, _lock) = self.locked(LOCK)?;
        let mut known = match self.pinned_servers(file) {
            // It is kept for people who want to know.
            Err(LedgerError::Corrupt(place)) => {
                let (from, to) = (name(file), format!("{}.corrupt-{at}", name(file)));
                self.pins()?.rename(&from, &to).map_err(|error| LedgerError::Io(place, error))?;
                PinnedServers::default()
            }
            known => known?,
        };
        known.approve(server, tools, at);
        self.write_server_pins(file, &mut known)
    }

    fn write_server_pins(&self, file: &Path, pinned: &mut PinnedServers) -> Result<(), LedgerError> {
        pinned.file = file.display().to_string();
        write(&self.pins()?, &name(file), pinned, LARGEST)
    }
}

/// The name of the file with the pins of the servers that a file names.
fn name(file: &Path) -> String {
    format!("{}.servers.json", blake3::hash(file.as_os_str().as_encoded_bytes()).to_hex())
}
