//! The start of a server that a source speaks with.

use std::fmt::Debug;

use tokio::io::{AsyncRead, AsyncWrite};

use super::Waiting;
use crate::model::Command;

/// Starts servers for those who may neither decide about processes nor start them.
pub trait Starter: Debug + Send + Sync {
    /// Starts the server of this name. The error says in words why it could not be started.
    fn start<'a>(&'a self, server: &'a str, command: Command) -> Waiting<'a, Result<Started, String>>;
}

/// A server that was started.
pub struct Started {
    /// Its standard input.
    pub stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// Its standard output.
    pub stdout: Box<dyn AsyncRead + Send + Unpin>,
    /// Its standard error.
    pub stderr: Box<dyn AsyncRead + Send + Unpin>,
    /// Its life.
    pub process: Box<dyn Held>,
}

/// The life of a server. Dropping it ends the server and every process that it has started.
pub trait Held: Send {
    /// Waits for the end of the server, and returns how it ended: `exit code 3`, `signal 9 (SIGKILL)`.
    fn ended(&mut self) -> Waiting<'_, String>;
}
