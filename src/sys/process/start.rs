//! The start of a supervisor, which is given its job.

use std::io::{self, PipeWriter};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use tokio::io::AsyncWriteExt as _;
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;

use crate::sys::marks::MARKER;
use crate::sys::supervisor::{self, Job, hand_over};
use crate::sys::{Clock, Environment};

/// The ends of its streams that the process gets.
#[derive(Debug)]
pub(super) struct Ends {
    /// Nothing to read where there is none.
    pub(super) input: Option<OwnedFd>,
    pub(super) out: OwnedFd,
    pub(super) err: OwnedFd,
}

/// A supervisor that was started.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) control: UnixStream,
    pub(super) marker: String,
    /// Reaped by the runtime when this is dropped.
    pub(super) supervisor: Box<dyn ChildWrapper>,
}

/// Starts a supervisor with this environment and gives it the job.
///
/// # Errors
/// When the supervisor could not be started.
pub(super) async fn start(
    supervisor: &Path,
    environment: &Environment,
    job: &Job,
    Ends { input, out, err }: Ends,
) -> io::Result<Started> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    let marker = unique();
    let mut command = CommandWrap::with_new(supervisor, |command| {
        command
            .arg0("cuff")
            .arg(supervisor::ARGUMENT)
            .env_clear()
            .envs(environment.variables())
            .env(MARKER, &marker)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(out)
            .stderr(err);
    });
    let supervisor = command.wrap(ProcessSession).spawn()?;
    // It holds the supervisor's ends of the socket and the pipes, which must end with the run.
    drop(command);
    ours.set_nonblocking(true)?;
    let frame = job.encode();
    let handed_over = match input {
        Some(input) => hand_over(&ours, &frame, input.as_fd())?,
        None => 0,
    };
    let mut control = UnixStream::from_std(ours)?;
    // A supervisor that is gone already shows as the end of the socket.
    let _ = control.write_all(&frame[handed_over..]).await;
    Ok(Started { control, marker, supervisor })
}

/// The end that is read here, and the one that is printed to.
pub(super) fn pipe() -> io::Result<(Receiver, PipeWriter)> {
    let (read, printed) = io::pipe()?;
    Ok((Receiver::from_owned_fd(OwnedFd::from(read))?, printed))
}

/// A word that no other run has: this process, the time, and a count.
fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let time = Clock::of_system().now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{:x}-{count}", std::process::id(), time.as_nanos())
}
