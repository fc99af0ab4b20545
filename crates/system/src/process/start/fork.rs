//! The start of a supervisor by the spawner.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::time::Duration;

use nix::unistd::Pid;
use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::time::timeout;

use super::socket::{give, nonblocking};
use crate::process::own::Supervisor;
use crate::process_handle::Handle;
use crate::spawner::Spawner;
use crate::supervisor::SupervisorNotice;

/// How long the spawner may take before it is woken: a run may have stopped it.
const PATIENCE: Duration = Duration::from_millis(100);

/// A supervisor that the spawner has forked.
pub(super) struct ForkedSupervisor {
    pub(super) control: UnixStream,
    /// Its messages so far.
    pub(super) arrived: Vec<u8>,
    pub(super) supervisor: Handle,
}

/// Has the spawner fork a supervisor with these outputs and gives it the job; `None` where that does not work, and then
/// nobody has read the job.
pub(super) async fn fork(
    supervisor: &Supervisor,
    order: &[u8],
    input: Option<&OwnedFd>,
    outputs: [&OwnedFd; 2],
) -> Option<ForkedSupervisor> {
    let spawner = supervisor.spawner()?;
    let mut control = match ask(&spawner, outputs) {
        Ok(control) => control,
        Err(error) => {
            if error.kind() == io::ErrorKind::BrokenPipe {
                supervisor.forget(&spawner);
            }
            return None;
        }
    };
    let mut starting = Box::pin(async {
        give(&mut control, order, input).await;
        let mut arrived = Vec::new();
        loop {
            // It says that it is there before it reads anything.
            if let Some(SupervisorNotice::Here(pid)) = SupervisorNotice::take(&mut arrived).ok()? {
                let supervisor = Handle::of(Pid::from_raw(pid.cast_signed()));
                return Some((arrived, supervisor));
            }
            if control.read_buf(&mut arrived).await.ok()? == 0 {
                return None;
            }
        }
    });
    let started = loop {
        match timeout(PATIENCE, &mut starting).await {
            Ok(started) => break started,
            Err(_) => spawner.wake(),
        }
    };
    drop(starting);
    let (arrived, supervisor) = started?;
    Some(ForkedSupervisor { control, arrived, supervisor })
}

/// Returns cuff's end of the socket of the job.
fn ask(spawner: &Spawner, [out, err]: [&OwnedFd; 2]) -> io::Result<UnixStream> {
    let (ours, theirs) = StdStream::pair()?;
    spawner.start([theirs.as_fd(), out.as_fd(), err.as_fd()])?;
    nonblocking(ours)
}
