//! The trace of an expansion.

/// The trace of an expansion.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// The cause of the first hole.
    pub(super) cause: Option<String>,
    /// The first variable that the environment is assumed not to set.
    pub(super) assumed: Option<String>,
}
