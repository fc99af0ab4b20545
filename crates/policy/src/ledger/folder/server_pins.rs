//! Pins of the definitions of MCP servers' tools, a file for each file that names servers.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::Ledger;
use super::pins::LOCK;
use crate::ledger::error::LedgerError;
use crate::ledger::format::BadFile;
use crate::ledger::pin::{FOLDER, PinnedTools};
use crate::ledger::server_pins::{self, PinnedServers, Pinning, SeenServer};
use crate::sys::private::PrivateFolder;
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
        let (folder, name) = (self.path().join(FOLDER), name(file));
        match PrivateFolder::open(&folder).and_then(|folder| folder.read(&name, LARGEST)) {
            Ok(bytes) => server_pins::read(&bytes).map_err(|bad| match bad {
                BadFile::Newer(format) => LedgerError::Newer(folder.join(name), format),
                BadFile::Corrupt => LedgerError::Corrupt(folder.join(name)),
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(PinnedServers::default()),
            Err(error) => Err(LedgerError::Io(folder.join(name), error)),
        }
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
        let folder = self.folder()?;
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
        let mut known = self.pinned_servers(file)?;
        let pinned = known.see(seen, at);
        if !pinned.is_empty() {
            self.write_server_pins(file, &known)?;
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
        let folder = self.folder()?;
        let _lock = folder.lock(LOCK).map_err(|error| self.failed(LOCK, error))?;
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
        self.write_server_pins(file, &known)
    }

    fn write_server_pins(&self, file: &Path, pinned: &PinnedServers) -> Result<(), LedgerError> {
        let folder = self.pins()?;
        let (name, bytes) = (name(file), server_pins::write(file.display().to_string(), pinned));
        let failed = |error| LedgerError::Io(folder.path().join(&name), error);
        if bytes.len() as u64 > LARGEST {
            // Nobody could read it again.
            return Err(failed(ErrorKind::FileTooLarge.into()));
        }
        folder.write_durably(&name, &bytes).map_err(failed)
    }
}

/// The name of the file with the pins of the servers that a file names.
fn name(file: &Path) -> String {
    format!("{}.servers.json", blake3::hash(file.as_os_str().as_encoded_bytes()).to_hex())
}
