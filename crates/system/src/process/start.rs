//! The start of a supervisor, which is given its job.

#[cfg(target_os = "linux")]
mod fork;
mod socket;

use std::ffi::OsStr;
use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use process_wrap::tokio::{CommandWrap, ProcessSession};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;

#[cfg(target_os = "linux")]
use self::fork::{ForkedSupervisor, fork};
use self::socket::{give, nonblocking};
use super::own::Supervisor;
use super::supervising::Supervising;
use crate::run_markers::MARKER;
use crate::supervisor::{self, Job};
use crate::{Clock, Environment};

/// The ends of its streams that the process gets.
#[derive(Debug)]
pub(super) struct StreamEnds {
    /// Nothing to read where there is none.
    pub(super) input: Option<OwnedFd>,
    pub(super) out: OwnedFd,
    pub(super) err: OwnedFd,
}

/// A supervisor that was started.
#[derive(Debug)]
pub(super) struct StartedSupervisor {
    pub(super) control: UnixStream,
    /// Its messages so far.
    pub(super) arrived: Vec<u8>,
    pub(super) marker: String,
    pub(super) supervising: Supervising,
}

/// Starts a supervisor and gives it the job, whose process has this environment.
///
/// # Errors
/// When the supervisor could not be started.
pub(super) async fn start(
    supervisor: &Supervisor,
    environment: &Environment,
    job: &Job,
    StreamEnds { input, out, err }: StreamEnds,
) -> io::Result<StartedSupervisor> {
    let marker = unique();
    let mark = (OsStr::new(MARKER), OsStr::new(&marker));
    let order = job.encode(environment.variables().chain([mark]));
    #[cfg(target_os = "linux")]
    if let Some(forked) = fork(supervisor, &order, input.as_ref(), [&out, &err]).await {
        let ForkedSupervisor { control, arrived, supervisor } = forked;
        return Ok(StartedSupervisor {
            control,
            arrived,
            marker,
            supervising: Supervising::Forked(supervisor),
        });
    }
    let (ours, theirs) = StdStream::pair()?;
    let mut command = CommandWrap::with_new(supervisor.path(), |command| {
        command
            .arg0("cuff")
            .arg(supervisor::ARGUMENT)
            .env_clear()
            .envs(environment.variables())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(out)
            .stderr(err);
    });
    let child = command.wrap(ProcessSession).spawn()?;
    // It holds the supervisor's ends of the socket and the pipes, which must end with the run.
    drop(command);
    let mut control = nonblocking(ours)?;
    give(&mut control, &order, input.as_ref()).await;
    Ok(StartedSupervisor { control, arrived: Vec::new(), marker, supervising: Supervising::Started(child) })
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
