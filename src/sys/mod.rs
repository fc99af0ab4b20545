//! The operating system: files, processes, clock, environment; the only IO.

mod environment;

pub use environment::Environment;
