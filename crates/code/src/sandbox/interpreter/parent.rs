//! The parent as the interpreter sees it, and what else it needs of the outside.

use std::time::Duration;

use crate::sandbox::{Isolation, StartLimits};

/// A message from the parent, or the lack of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A whole message.
    Message(String),
    /// Nothing, for as long as was waited.
    Nothing,
    /// The parent is gone, or says what no parent says.
    Gone,
}

/// The other end of the pipe. A test has its own.
pub trait Parent {
    /// Waits for a message; without patience, for ever.
    fn receive(&self, patience: Option<Duration>) -> Received;

    /// Sends a message. Where nobody listens any more, nothing happens.
    fn send(&self, message: &str);

    /// Whether nobody is there any more. Asked while a program computes.
    fn is_gone(&self) -> bool;

    /// The time since some moment before the start; it never goes back.
    fn elapsed(&self) -> Duration;

    /// Fills a buffer with bytes that nobody can foresee.
    fn fill_random(&self, buffer: &mut [u8]);

    /// Gives up everything that the program must not have, for good.
    ///
    /// # Errors
    /// Says why the program must not be run here.
    fn lock_down(&self, limits: &StartLimits) -> Result<Isolation, String>;
}
