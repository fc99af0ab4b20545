//! An end to what the process may take, as it is asked for.

/// How much the process may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Memory beyond what it has now, in bytes.
    pub memory: u64,
    /// Stack, in bytes.
    pub stack: u64,
    /// Processor time beyond what it has taken, in whole seconds.
    pub seconds: u64,
}
