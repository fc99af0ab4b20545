//! The ledger as a folder in the user's state directory; what is done with each of its files stands below.

mod always;
mod approvals;
pub(super) mod audit;
mod pins;
mod server_pins;
pub(super) mod states;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::LedgerError;
use super::{format, pin};
use crate::sys::Environment;
use crate::sys::private::{Lock, PrivateFolder};

/// The ledger of this user.
#[derive(Debug, Clone)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The ledger in this folder, which is made when something is written.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The ledger of this user: in `$XDG_STATE_HOME/cuff`, else `~/.local/state/cuff`; `None` where neither is known.
    pub fn of(environment: &Environment) -> Option<Self> {
        environment.base("XDG_STATE_HOME", ".local/state").map(|base| Self::at(base.join("cuff")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it takes, the pins among them.
    pub fn bytes(&self) -> u64 {
        let Ok(all) = PrivateFolder::open(&self.path) else { return 0 };
        all.bytes() + all.inner(pin::FOLDER).map_or(0, |pins| pins.bytes())
    }

    fn folder(&self) -> Result<PrivateFolder, LedgerError> {
        PrivateFolder::make(&self.path).map_err(|error| LedgerError::Io(self.path.clone(), error))
    }

    /// The ledger's folder, and the lock of this name: it is held until that is dropped.
    fn locked(&self, lock: &str) -> Result<(PrivateFolder, Lock), LedgerError> {
        let folder = self.folder()?;
        let lock = folder.lock(lock).map_err(|error| self.failed(lock, error))?;
        Ok((folder, lock))
    }

    fn failed(&self, name: &str, error: std::io::Error) -> LedgerError {
        LedgerError::Io(self.path.join(name), error)
    }
}

/// The content of a file that is no larger than so many bytes; the default where there is none.
///
/// # Errors
/// When it cannot be read, or a newer cuff wrote it, or it is no such file.
fn read<Content: DeserializeOwned + Default>(
    folder: &PrivateFolder,
    name: &str,
    largest: u64,
) -> Result<Content, LedgerError> {
    let path = folder.path().join(name);
    match folder.read(name, largest) {
        Ok(bytes) => format::read(&path, &bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Content::default()),
        Err(error) => Err(LedgerError::Io(path, error)),
    }
}

/// Writes the content of a file, which may get as large as so many bytes.
///
/// # Errors
/// When it cannot be written.
fn write(
    folder: &PrivateFolder,
    name: &str,
    content: &impl Serialize,
    largest: u64,
) -> Result<(), LedgerError> {
    let bytes = format::bytes(content);
    let failed = |error| LedgerError::Io(folder.path().join(name), error);
    if bytes.len() as u64 > largest {
        // Nobody could read it again.
        return Err(failed(ErrorKind::FileTooLarge.into()));
    }
    folder.write_durably(name, &bytes).map_err(failed)
}
