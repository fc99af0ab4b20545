//! The operating system: files, processes, clock, environment; the only IO.

mod environment;
pub mod files;

pub use environment::Environment;
