//! How the tools are offered now.

/// The way in which the tools are offered now, for the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfferedTools {
    /// Each as a tool of its own.
    Tools,
    /// All behind one.
    Dispatcher,
    /// As functions of programs.
    #[cfg(feature = "code")]
    Code,
}
