//! A permit in, an outcome out: supervise, time out, cancel, kill the tree.

mod prepare;
mod slots;
mod watch;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub use slots::Slots;

use crate::model::{Ending, Leftovers, NotStarted, Outcome, Stream};
use crate::policy::Permit;
use crate::sys::process::{self, Supervisor};
use crate::sys::{Clock, Environment};

/// What a run needs of the machine it runs on.
#[derive(Debug)]
pub struct Host {
    /// The binary that supervises.
    pub supervisor: Supervisor,
    /// What the process inherits, before the command's own changes.
    pub environment: Environment,
    /// The project's root; relative working directories resolve against it.
    pub root: PathBuf,
    /// How many runs go on at once.
    pub slots: Slots,
    /// What durations are measured with.
    pub clock: Clock,
}

/// Where a run's output goes.
pub trait Sink: Send {
    /// Takes the next bytes, in order of arrival. [`ControlFlow::Break`]: nobody reads any more, end the run.
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()>;
}

/// Runs what policy allowed, and returns when nothing of it is left but what may stay.
///
/// Dropping the future ends the run as a cancel does. Needs a tokio runtime with IO and time; one thread is enough.
pub async fn run(permit: Permit, host: &Host, sink: &mut dyn Sink, cancel: &CancellationToken) -> Outcome {
    let command = permit.redeem();
    let _slot = tokio::select! {
        biased;
        () = cancel.cancelled() => return without_process(Ending::Cancelled),
        slot = host.slots.take() => slot,
    };
    let job = match prepare::job(&command, host) {
        Ok(job) => job,
        Err(reason) => return without_process(Ending::NotStarted(reason)),
    };
    match process::spawn(&host.supervisor, &host.environment, &job).await {
        Ok(mut running) => watch::watch(&mut running, command.timeout, &host.clock, sink, cancel).await,
        Err(error) => without_process(Ending::NotStarted(NotStarted::Other(format!(
            "cuff could not start {} to supervise the run: {error}",
            host.supervisor.path().display()
        )))),
    }
}

fn without_process(ending: Ending) -> Outcome {
    Outcome { ending, duration: Duration::ZERO, leftovers: Leftovers::default() }
}
