//! The token for clients: from a file, from the environment, or made for this server.

use std::io;
use std::path::{Path, PathBuf};

use super::token::{BadToken, BearerToken};
use crate::model::Seen;
use crate::sys::private::PrivateFolder;
use crate::sys::{self, Environment};

/// The largest file that holds one, in bytes.
const LARGEST: u64 = 4096;
/// Whether others may read it.
const OTHERS_READ: u32 = 0o044;

/// A text that the operator gave as the token.
#[derive(Debug)]
pub struct GivenToken {
    text: String,
    place: String,
    /// Whether other users can read the file that holds it.
    pub others_read: bool,
}

impl GivenToken {
    /// The text of a variable, where it is set.
    pub fn of_variable(environment: &Environment, variable: &str) -> Option<Self> {
        let text = environment.get(variable)?.to_string_lossy().into_owned();
        Some(Self { text, place: variable.to_owned(), others_read: false })
    }

    /// The text of a file, which is named as it was typed.
    ///
    /// # Errors
    /// When it is missing or cannot be read.
    pub fn of_file(environment: &Environment, typed: &Path) -> Result<Self, TokenError> {
        let path = environment.directory().join(typed);
        let why = match sys::read_file::file(&path, LARGEST) {
            Seen::File(file) => {
                return Ok(Self {
                    text: String::from_utf8_lossy(&file.bytes).into_owned(),
                    place: typed.display().to_string(),
                    others_read: file.mode & OTHERS_READ != 0,
                });
            }
            Seen::Missing => "there is no such file".to_owned(),
            Seen::Unreadable(why) => why,
        };
        Err(TokenError::Unread { path, why })
    }

    /// The token.
    ///
    /// # Errors
    /// When the text cannot be one.
    pub fn token(&self) -> Result<BearerToken, TokenError> {
        let place = || self.place.clone();
        BearerToken::new(self.text.trim_end_matches(['\n', '\r']))
            .map_err(|error| TokenError::Unsound { place: place(), error })
    }
}

/// A token in a file that is removed when this is dropped.
#[derive(Debug)]
pub struct TokenFile {
    token: BearerToken,
    folder: PrivateFolder,
    name: String,
}

impl TokenFile {
    /// Makes a token, and keeps it in a file of this name that only this user can read.
    ///
    /// # Errors
    /// When no place is known for it, or it cannot be written there.
    pub fn make(environment: &Environment, name: String) -> Result<Self, TokenError> {
        let place = place(environment).ok_or(TokenError::NoPlace)?;
        let not_kept = |error: io::Error| TokenError::NotKept { folder: place.clone(), error };
        let bytes = sys::random::secret::<32>().map_err(not_kept)?;
        let text = blake3::Hash::from_bytes(bytes).to_hex();
        let token = BearerToken::new(&text).map_err(|error| not_kept(io::Error::other(error)))?;
        let folder = PrivateFolder::make(&place).map_err(not_kept)?;
        folder.write(&name, format!("{text}\n").as_bytes()).map_err(not_kept)?;
        Ok(Self { token, folder, name })
    }

    /// The token in it.
    pub fn token(&self) -> &BearerToken {
        &self.token
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        // A remaining token gives no access: its server is gone.
        let _ = self.folder.remove_file(&self.name);
    }
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file that was named cannot be read.
    #[error("{}: {why}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// The error.
        why: String,
    },
    /// The given text cannot be a token.
    #[error("{place}: {error}")]
    Unsound {
        /// The file or the variable that holds it.
        place: String,
        /// The error.
        error: BadToken,
    },
    /// The environment names no folder for one.
    #[error("none of XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME says where a token can be kept")]
    NoPlace,
    /// One cannot be written.
    #[error("a token cannot be kept in {}: {error}", folder.display())]
    NotKept {
        /// The folder.
        folder: PathBuf,
        /// The operating system's reason.
        error: io::Error,
    },
}

/// `$XDG_RUNTIME_DIR/cuff`, which is gone after the last logout; else a folder in that of people's decisions.
fn place(environment: &Environment) -> Option<PathBuf> {
    let runtime = environment.absolute("XDG_RUNTIME_DIR").map(|folder| folder.join("cuff"));
    runtime.or_else(|| Some(environment.base("XDG_STATE_HOME", ".local/state")?.join("cuff/runtime")))
}
