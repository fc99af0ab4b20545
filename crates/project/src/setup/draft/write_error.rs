//! Why settings were not written.

use std::path::PathBuf;

/// Why settings were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file came into being meanwhile.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Another text is there now than the one that was added to.
    #[error("{} has changed meanwhile", .0.display())]
    Changed(PathBuf),
    /// The file is a link, which leads elsewhere.
    #[error("{} is a link that leads out of its folder, to {}", .file.display(), .target.display())]
    Link {
        /// The link.
        file: PathBuf,
        /// The link's target.
        target: PathBuf,
    },
    /// There is no such folder to write it into.
    #[error("{} cannot be written: there is no folder {}", .file.display(), .folder.display())]
    NoFolder {
        /// The file.
        file: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The settings are there, and their schema is not.
    #[error("{} cannot be written: {reason}", .file.display())]
    Schema {
        /// The file.
        file: PathBuf,
        /// In the operating system's words.
        reason: std::io::Error,
    },
    /// The existing file cannot be kept as a backup.
    #[error("{} cannot be put aside: {reason}", .file.display())]
    Detach {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: std::io::Error,
    },
    /// The operating system refused.
    #[error("{} cannot be written: {reason}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// In the operating system's words.
        reason: std::io::Error,
    },
}

impl WriteError {
    /// The next step for the user.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Exists(_) | Self::Io { .. } | Self::Detach { .. } => {
                "nothing was changed; `-o PATH` writes elsewhere"
            }
            Self::NoFolder { .. } => "nothing was written; make that folder first, or name another with `-o`",
            Self::Changed(_) => "nothing was changed; run `cuff init --merge` again",
            Self::Link { .. } => {
                "nothing was changed; remove the link, or name the file that it leads to with `-o`"
            }
            Self::Schema { .. } => {
                "the settings are written and count; only editors miss the schema, which `cuff schema` prints"
            }
        }
    }
}
