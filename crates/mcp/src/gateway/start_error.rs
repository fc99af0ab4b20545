//! Why a gateway did not start.

use std::io;

use super::folder::NoFolder;
use crate::project::OpenError;

/// Why a gateway did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its files have no place.
    #[error(transparent)]
    NoFolder(#[from] NoFolder),
    /// The session has one.
    #[error("the session has a gateway already: {0}")]
    Running(String),
    /// The address cannot be listened on.
    #[error("{address} cannot be listened on: {error}")]
    NotBound {
        /// The address.
        address: String,
        /// The operating system's reason.
        error: io::Error,
    },
    /// The settings cannot be served.
    #[error(transparent)]
    Settings(#[from] OpenError),
    /// Another reason of the operating system.
    #[error("the gateway cannot be started: {0}")]
    System(#[from] io::Error),
    /// It ended before it was ready.
    #[error("the gateway ended before it was ready: {0}")]
    Ended(String),
    /// It was not ready in time.
    #[error("the gateway was not ready within {0} s")]
    Late(u64),
}

impl StartError {
    /// The next step for a person.
    pub fn help(&self) -> String {
        match self {
            Self::NoFolder(no) => no.help(),
            Self::Running(_) => "`toolscript gateway stop` ends it".to_owned(),
            Self::NotBound { .. } => "leave out `--port`: a port that is free is taken".to_owned(),
            Self::Settings(error) => {
                error.remedy().unwrap_or_else(|| "`cuff doctor` says what is in the way".to_owned())
            }
            Self::System(_) | Self::Ended(_) | Self::Late(_) => {
                "`toolscript gateway start` in a terminal shows why".to_owned()
            }
        }
    }
}
