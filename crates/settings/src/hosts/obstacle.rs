//! The reasons why a client's file is left as it is.

/// Why a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// It cannot be parsed.
    #[error("{line}:{column}: {what}")]
    Broken {
        /// Counts from 1.
        line: usize,
        /// Counts from 1.
        column: usize,
        /// The error.
        what: String,
    },
    /// The value there has another shape than this client's.
    #[error("{0}")]
    Shape(String),
    /// An entry of this name starts something else.
    #[error("its entry `{name}` is not cuff's: it starts `{line}`")]
    NotOurs {
        /// The entry.
        name: String,
        /// The command line that it starts.
        line: String,
    },
    /// An entry of this name is cuff's, for another project.
    #[error("its entry `{name}` serves another project: {project}")]
    Elsewhere {
        /// The entry.
        name: String,
        /// The folder that it names.
        project: String,
    },
}
