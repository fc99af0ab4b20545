//! How many runs a process is going to start.

/// The runs that a process is going to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedRuns {
    /// One, or a few: each has a supervisor that ends with it.
    OneRun,
    /// One after the other: supervisors wait for the next one.
    ManyRuns,
}
