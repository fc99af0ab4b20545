//! The limits of a program.

use std::time::Duration;

use super::protocol::StartLimits;

/// The limits of one execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionLimits {
    /// Time to compute, and to wait for anything but tools.
    pub time: Duration,
    /// Memory for the values of the program, in bytes.
    pub memory: usize,
    /// How many calls it may make.
    pub calls: u32,
    /// How many of them at once; others wait for their turn.
    pub concurrent_calls: u32,
    /// The longest arguments of a call, and the longest result of the program, as JSON in bytes.
    pub message: usize,
    /// The longest answer to a call, as JSON in bytes.
    pub answer: usize,
    /// How much it may print, in bytes.
    pub output: usize,
}

/// The stack of a program. A function that calls itself gets some ten thousand deep.
const STACK: usize = 4 << 20;

impl Default for ExecutionLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30),
            memory: 256 << 20,
            calls: 10_000,
            concurrent_calls: 16,
            message: 16 << 20,
            answer: 32 << 20,
            output: 1 << 20,
        }
    }
}

impl ExecutionLimits {
    /// Those that the interpreter keeps.
    pub(super) fn start(&self) -> StartLimits {
        StartLimits {
            time: self.time,
            memory: self.memory,
            stack: STACK,
            concurrent_calls: self.concurrent_calls,
            message: self.message,
            output: self.output,
        }
    }
}
