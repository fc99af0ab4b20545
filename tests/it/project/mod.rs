//! The open project: changes while cuff serves it, names that resolve to its tools, and the files that a call reads.

mod earlier_versions;
mod name_resolution;
mod reload;
#[cfg(target_os = "linux")]
mod warm_calls;
