//! The start of a server's program, which the caller of `sources` brings.

use std::fmt::{self, Debug, Formatter};

use tokio::io::{AsyncRead, AsyncWrite};

use crate::Waiting;
use crate::model::{Command, Containment};

/// Starts the programs of servers. Policy judges each start, and the supervisor holds the processes.
pub trait ServerStarter: Debug + Send + Sync {
    /// Starts a server's program within these rules.
    ///
    /// # Errors
    /// With the reason, in words, when it was refused or could not be started.
    fn start<'a>(
        &'a self,
        server: &'a str,
        command: Command,
        containment: Containment,
    ) -> Waiting<'a, Result<StartedProgram, String>>;
}

/// A server's program that runs.
pub struct StartedProgram {
    /// Its standard input.
    pub stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// Its standard output.
    pub stdout: Box<dyn AsyncRead + Send + Unpin>,
    /// Its standard error.
    pub stderr: Box<dyn AsyncRead + Send + Unpin>,
    /// Its processes.
    pub process: Box<dyn ServerProcesses>,
}

/// The processes of a server. Dropped, all of them are ended.
pub trait ServerProcesses: Send {
    /// Waits for the end, and says in words how it ended: `exit code 3`.
    fn ended(&mut self) -> Waiting<'_, String>;
}

impl Debug for StartedProgram {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("Started")
    }
}
