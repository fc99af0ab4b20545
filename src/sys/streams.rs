//! Standard input and output for a protocol: nothing else of this process, and nothing that it starts, can reach them.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};

/// The stream that a protocol is read from.
pub type Input = Box<dyn AsyncRead + Send + Unpin>;
/// The stream that a protocol is written to.
pub type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Takes both for a protocol; within a tokio runtime.
///
/// Two pipes, as most clients make, are opened anew, so that they do not block. Their old numbers then lead
/// elsewhere: input is at its end, and output goes to standard error. A tool can write to a pipe by
/// `/proc/PID/fd/1` of the server, and still mixes nothing into the protocol. A socket cannot be opened that
/// way.
pub fn take() -> (Input, Output) {
    pipes().unwrap_or_else(|| (Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout())))
}

#[cfg(target_os = "linux")]
fn pipes() -> Option<(Input, Output)> {
    use std::fs::File;
    use tokio::net::unix::pipe::OpenOptions;

    let input = OpenOptions::new().open_receiver("/proc/self/fd/0").ok()?;
    let output = OpenOptions::new().open_sender("/proc/self/fd/1").ok()?;
    let nowhere = File::options().read(true).write(true).open("/dev/null").ok()?;
    nix::unistd::dup2_stdin(&nowhere).ok()?;
    nix::unistd::dup2_stdout(io::stderr()).or_else(|_| nix::unistd::dup2_stdout(&nowhere)).ok()?;
    Some((Box::new(input), Box::new(output)))
}

#[cfg(not(target_os = "linux"))]
fn pipes() -> Option<(Input, Output)> {
    None
}
