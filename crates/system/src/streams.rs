//! Standard input and output for a protocol: nothing else of this process, and nothing that it starts, can reach them.

#[cfg(target_os = "linux")]
mod socket;

use tokio::io::{AsyncRead, AsyncWrite};

/// The stream that a protocol is read from.
pub type ProtocolInput = Box<dyn AsyncRead + Send + Unpin>;
/// The stream that a protocol is written to.
pub type ProtocolOutput = Box<dyn AsyncWrite + Send + Unpin>;

/// Takes both for a protocol; within a tokio runtime.
///
/// Pipes are opened anew, so that they do not block, and sockets, as Node.js makes them, are asked not to. The old numbers
/// then lead elsewhere: input is at its end, and output goes to standard error. A tool can write to a pipe by
/// `/proc/PID/fd/1` of the server, and still mixes nothing into the protocol. A socket cannot be opened that way.
pub fn take() -> (ProtocolInput, ProtocolOutput) {
    nonblocking().unwrap_or_else(|| (Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout())))
}

#[cfg(target_os = "linux")]
fn nonblocking() -> Option<(ProtocolInput, ProtocolOutput)> {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd as _;
    use tokio::net::unix::pipe::OpenOptions;

    use socket::StreamSocket;

    let input: ProtocolInput = match StreamSocket::of(io::stdin().as_fd()) {
        Some(socket) => Box::new(socket),
        None => Box::new(OpenOptions::new().open_receiver("/proc/self/fd/0").ok()?),
    };
    let output: ProtocolOutput = match StreamSocket::of(io::stdout().as_fd()) {
        Some(socket) => Box::new(socket),
        None => Box::new(OpenOptions::new().open_sender("/proc/self/fd/1").ok()?),
    };
    let nowhere = File::options().read(true).write(true).open("/dev/null").ok()?;
    nix::unistd::dup2_stdin(&nowhere).ok()?;
    nix::unistd::dup2_stdout(io::stderr()).or_else(|_| nix::unistd::dup2_stdout(&nowhere)).ok()?;
    Some((input, output))
}

#[cfg(not(target_os = "linux"))]
fn nonblocking() -> Option<(ProtocolInput, ProtocolOutput)> {
    None
}
