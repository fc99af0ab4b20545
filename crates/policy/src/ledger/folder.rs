//! The ledger as a folder in the user's state directory; what is done with each of its files stands below.

mod always;
mod approvals;
pub(super) mod audit;
mod pins;
mod server_pins;
pub(super) mod states;

use std::path::{Path, PathBuf};

use super::error::LedgerError;
use super::pin;
use crate::sys::Environment;
use crate::sys::private::PrivateFolder;

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

    fn failed(&self, name: &str, error: std::io::Error) -> LedgerError {
        LedgerError::Io(self.path.join(name), error)
    }
}
