//! The marks of a run that others know it by.

/// Set in every process of a run, to something that no other run has.
pub const MARKER: &str = "CUFF_RUN";

/// The argument that makes cuff a supervisor; `main` looks for it before anything else.
pub const ARGUMENT: &str = "__supervise";

/// The argument that makes cuff the interpreter of a program.
#[cfg(feature = "code")]
pub const INTERPRET: &str = "__interpret";

/// The name of a supervisor whose run is over, and has left processes that may stay.
pub(crate) const REMAINS: &str = "cuff-remains";

/// The name of a supervisor whose run the kernel holds as a whole.
pub(crate) const CONTAINED: &str = "cuff-contained";

/// The name of a supervisor and its keeper in the process table, at most 15 bytes. No process can give it to another one.
pub(crate) const SUPERVISOR: &str = "cuff-supervisor";
