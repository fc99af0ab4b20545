//! A server that cuff exchanges messages with: a cleared plan in, three streams and the life of a process
//! out.

use std::time::Duration;

use tokio::net::unix::pipe::Receiver;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::run::{RunHost, contained, unsupervised};
use super::server_input::ServerInput;
use super::{inheritance, prepare};
use crate::model::{Ending, NotStarted, Plan};
use crate::policy::StartPermit;
use crate::sys::process::{self, Job, ProcessEnd, RunEvent, Running};

/// How long a supervisor may take over the end of a server; its own graces add up to less.
const PATIENCE: Duration = Duration::from_secs(16);

/// A server that was started. It may take as long as it likes, and has no slot.
#[derive(Debug)]
pub struct StartedServer {
    /// Its standard input.
    pub input: ServerInput,
    /// Its standard output.
    pub out: Receiver,
    /// Its standard error.
    pub err: Receiver,
    /// Its life.
    pub process: ServerProcess,
}

/// The life of a server. Dropping it ends the server and every process that it has started: its input ends,
/// then it is asked to end, then it is killed. Two seconds pass between these steps. If cuff itself ends
/// meanwhile, everything is over two seconds later.
#[derive(Debug)]
pub struct ServerProcess {
    ending: watch::Receiver<Option<Ending>>,
    input: ServerInput,
    _over: DropGuard,
}

/// Starts a cleared plan, in a session of its own. Returns once the process runs. Needs a tokio runtime with
/// IO and time.
///
/// # Errors
/// With the reason why it could not be started.
pub async fn serve(cleared: StartPermit, host: &RunHost) -> Result<StartedServer, NotStarted> {
    let (plan, folder, containment) = cleared.redeem();
    let Plan::Process(command) = plan else {
        return Err(NotStarted::Other("its plan starts no process".into()));
    };
    let environment = inheritance::inherited(&host.environment, command.environment_policy);
    let job = prepare::job(&command, &host.root, &environment)?;
    let job = contained(Job { folder, ends_detached: true, ..job }, containment.as_ref(), host)?;
    let spawned = process::spawn_with_streams(&host.supervisor, &environment, &job).await;
    let (mut running, streams) = spawned.map_err(|error| unsupervised(&host.supervisor, &error))?;
    started(&mut running).await?;
    let input = ServerInput::new(streams.input);
    let (ended, ending) = watch::channel(None);
    let over = CancellationToken::new();
    tokio::spawn(keep(running, ended, over.clone()));
    let process = ServerProcess { ending, input: input.clone(), _over: over.drop_guard() };
    Ok(StartedServer { input, out: streams.out, err: streams.err, process })
}

/// Waits until the process runs.
async fn started(running: &mut Running) -> Result<(), NotStarted> {
    loop {
        match running.next().await {
            Some(RunEvent::Started(_)) => return Ok(()),
            Some(RunEvent::NotStarted(reason)) => return Err(reason),
            Some(RunEvent::Output(..) | RunEvent::Contained(_) | RunEvent::Denied(_)) => {}
            Some(RunEvent::Ended(_) | RunEvent::Left(_) | RunEvent::Lost) | None => {
                return Err(NotStarted::Other("its supervisor ended before it started it".into()));
            }
        }
    }
}

/// Holds a server until nothing of it is left. Without it, when the runtime ends, the supervisor ends the server.
async fn keep(mut running: Running, ended: watch::Sender<Option<Ending>>, over: CancellationToken) {
    let mut limit = None;
    let mut is_abandoned = false;
    loop {
        tokio::select! {
            event = running.next() => match event {
                None => break,
                Some(RunEvent::Ended(end)) => {
                    let ending = match end {
                        ProcessEnd::Exited(code) => Ending::Exited(code),
                        ProcessEnd::Signalled(signal) => Ending::Signalled(signal),
                    };
                    ended.send_replace(Some(ending));
                    limit = Some(Instant::now() + PATIENCE);
                }
                Some(_) => {}
            },
            () = over.cancelled(), if limit.is_none() => {
                running.hang_up();
                limit = Some(Instant::now() + PATIENCE);
            }
            () = sleep_until(limit.unwrap_or_else(Instant::now)), if limit.is_some() && !is_abandoned => {
                is_abandoned = true;
                running.abandon();
            }
        }
    }
    ended.send_if_modified(|ending| {
        let is_unknown = ending.is_none();
        if is_unknown {
            *ending = Some(Ending::Lost);
        }
        is_unknown
    });
}

impl ServerProcess {
    /// Waits for the end of the process that was started, and returns how it ended: [`Ending::Exited`],
    /// [`Ending::Signalled`] or [`Ending::Lost`]. Safe to cancel and ask again.
    pub async fn ended(&mut self) -> Ending {
        match self.ending.wait_for(Option::is_some).await {
            Ok(ending) => ending.clone().unwrap_or(Ending::Lost),
            // The task that held it ended with the runtime.
            Err(_) => Ending::Lost,
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.input.close();
    }
}
