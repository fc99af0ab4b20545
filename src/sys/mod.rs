//! The operating system: files, processes, clock, environment; the only IO.

mod environment;
pub mod glob;
pub mod look;

pub use environment::Environment;
