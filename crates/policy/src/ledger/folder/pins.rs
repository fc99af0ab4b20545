//! Pins: the settings of a project as a person has seen them, a file for each settings file.
//!
//! An agent that can edit a repository can edit its settings.yml; pins lie outside of it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::{Ledger, read, write};
use crate::ledger::consent::Consent;
use crate::ledger::error::LedgerError;
use crate::ledger::pin::{FOLDER, Pin, PinnedBy};
use crate::sys::private::PrivateFolder;

pub(super) const LOCK: &str = "pins.lock";
/// The largest pin that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

impl Ledger {
    /// Where the pin of a settings file is kept.
    pub fn pin_file(&self, file: &Path) -> PathBuf {
        self.path().join(FOLDER).join(name(file))
    }

    /// The pin of a settings file; `None` when no person pinned anything.
    ///
    /// # Errors
    /// When it cannot be read, or a newer cuff wrote it, or it is no pin.
    pub fn pin(&self, file: &Path) -> Result<Option<Pin>, LedgerError> {
        let pin: Option<Pin> = self.read_pin(&name(file), LARGEST)?;
        Ok(pin.filter(|pin| pin.by != PinnedBy::FirstUse))
    }

    /// Pins the settings that `cuff init` wrote, in place of any earlier pin.
    ///
    /// # Errors
    /// When the ledger cannot be written, or a newer cuff wrote the pin.
    pub fn pin_written(&self, file: &Path, pin: &Pin) -> Result<(), LedgerError> {
        let (_, _lock) = self.locked(LOCK)?;
        self.set_pin_aside(file, pin.at)?;
        write(&self.pins()?, &name(file), pin, LARGEST)
    }

    /// Pins the settings that a person approved, a pin for each file, in place of any earlier one.
    ///
    /// # Errors
    /// When the ledger cannot be written, or a newer cuff wrote a pin.
    pub fn pin_approved(&self, _: &Consent, pins: &[(&Path, Pin)]) -> Result<(), LedgerError> {
        pins.iter().try_for_each(|(file, pin)| self.pin_written(file, pin))
    }

    /// Removes the pin of a settings file, since a person approved that another one counts.
    ///
    /// # Errors
    /// When the ledger cannot be written, or a newer cuff wrote the pin.
    pub fn unpin(&self, _: &Consent, file: &Path, now: u64) -> Result<(), LedgerError> {
        let (_, _lock) = self.locked(LOCK)?;
        self.set_pin_aside(file, now)?;
        let name = name(file);
        match self.pins()?.remove_file(&name) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(LedgerError::Io(self.pin_file(file), error))
            }
            _ => Ok(()),
        }
    }

    /// Keeps a broken pin for people who want to know.
    fn set_pin_aside(&self, file: &Path, now: u64) -> Result<(), LedgerError> {
        match self.pin(file) {
            Err(LedgerError::Corrupt(place)) => {
                let folder = self.pins()?;
                let (from, to) = (name(file), format!("{}.corrupt-{now}", name(file)));
                folder.rename(&from, &to).map_err(|error| LedgerError::Io(place, error))
            }
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }

    /// The content of a file of pins; the default where there is none.
    pub(super) fn read_pin<Content: DeserializeOwned + Default>(
        &self,
        name: &str,
        largest: u64,
    ) -> Result<Content, LedgerError> {
        let place = self.path().join(FOLDER);
        match PrivateFolder::open(&place) {
            Ok(folder) => read(&folder, name, largest),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Content::default()),
            Err(error) => Err(LedgerError::Io(place.join(name), error)),
        }
    }

    pub(super) fn pins(&self) -> Result<PrivateFolder, LedgerError> {
        let place = self.path().join(FOLDER);
        PrivateFolder::make(&place).map_err(|error| LedgerError::Io(place, error))
    }
}

/// The name of the file that holds the pin of a settings file.
fn name(file: &Path) -> String {
    format!("{}.json", blake3::hash(file.as_os_str().as_encoded_bytes()).to_hex())
}
