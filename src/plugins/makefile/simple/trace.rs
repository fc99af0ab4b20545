//! What an expansion came upon.

/// What an expansion came upon.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// What the first hole depends on.
    pub(super) cause: Option<String>,
    /// The first variable that the environment is assumed not to set.
    pub(super) assumed: Option<String>,
}
