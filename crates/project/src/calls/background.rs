//! Runs of a server: each goes on when nobody waits for it any more, until it ends, is stopped, or the server ends.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::asking::ClientQuestion;
use super::client_line::{ClientEnd, ClientLine};
use super::conversing::{ServerSays, ServersClient};
use super::long_running::is_long_running;
use super::package::settle_package;
use super::parameters::WAIT;
use super::request::{Addressed, CallRequest, Detach};
use super::watched_run::WatchedRun;
use crate::calls::error::RunError;
use crate::calls::resolve;
use crate::calls::run;
use crate::execution::Sink;
use crate::model::{OngoingRun, Report, Role, RunId, Stream, ToolName};
use crate::project::Project;
use crate::registry::Registry;

/// How many runs may go on in the background at once. They take no place of those that somebody waits for.
const MOST: usize = 32;
/// How long a call waits for what is meant to go on, when it does not say.
const STANDARD_WAIT: Duration = Duration::from_secs(20);

/// The runs that one server has started and that go on.
#[derive(Debug)]
pub struct Background {
    stop: CancellationToken,
    places: Arc<Semaphore>,
    going: Arc<Mutex<BTreeMap<RunId, CancellationToken>>>,
    /// How many are not over, recorded or not.
    alive: watch::Sender<usize>,
}

/// The next event of a call.
#[derive(Debug)]
pub enum CallEvent {
    /// It is over.
    Ended(Box<Report>),
    /// It goes on in the background.
    Goes(Box<OngoingRun>),
    /// A person must be asked; the call waits for the answer.
    Asks(ClientQuestion),
    /// A message of the MCP server that the call went to.
    Server(ServerSays),
}

impl Background {
    /// Runs that end when `stop` is cancelled.
    pub fn until(stop: CancellationToken) -> Self {
        let (places, alive) = (Arc::new(Semaphore::new(MOST)), watch::Sender::new(0));
        Self { stop, places, going: Arc::default(), alive }
    }

    /// Starts a call for a client. With `can_ask`, the client is asked the questions that require a person's
    /// yes.
    ///
    /// # Errors
    /// When it may have to go on in the background and too many do.
    pub async fn begin(
        &self,
        project: Arc<Project>,
        mut request: CallRequest,
        (can_ask, client): (bool, ServersClient),
    ) -> Result<BackgroundCall, RunError> {
        let registry = project.list_for(request.tool.name()).await;
        let mut meant = request.clone();
        // Where it means none, the call itself says so.
        let _ = settle_package(&project, &registry, &mut meant);
        let (tool, long_running, is_relayed) = habit(&project, &registry, &meant);
        // The arguments of another server's tool are that server's alone.
        let given = request.arguments.get(WAIT.name).filter(|_| !is_relayed);
        let given = given.and_then(serde_json::Value::as_u64);
        let wait = given.map(Duration::from_secs).or(long_running.then_some(STANDARD_WAIT));
        let place = match wait {
            None => None,
            Some(_) => Some(Arc::clone(&self.places).try_acquire_owned().map_err(|_| crowded())?),
        };
        request.detach = Detach { token: CancellationToken::new(), long_running };
        let (line, heard) = ClientLine::to(can_ask, client);
        request.asker = line.asker;
        request.conversation = line.conversation.filter(|_| is_relayed);
        let detach = request.detach.token.clone();
        let cancel = self.stop.child_token();
        let watched = Arc::new(WatchedRun::of(wait.is_some()));
        let sink =
            Watcher { watched: Arc::clone(&watched), going: Arc::clone(&self.going), cancel: cancel.clone() };
        let alive = Alive::one_more(&self.alive);
        let guard = cancel.clone().drop_guard();
        let task = tokio::spawn(run_watched(project, registry, request, sink, (place, alive)));
        let began = Instant::now();
        let guard = Some(guard);
        Ok(BackgroundCall {
            tool,
            wait,
            long_running,
            is_relayed,
            detach,
            watched,
            heard,
            task,
            began,
            guard,
        })
    }

    /// Counts work that is none of a single run, such as a program; it ends when the runs do.
    pub fn ongoing(&self) -> Ongoing {
        Ongoing { cancel: self.stop.child_token(), _alive: Alive::one_more(&self.alive) }
    }

    /// Stops a run that this server has started; `false` when it is none of them.
    pub fn stop(&self, id: RunId) -> bool {
        let found = held(&self.going).get(&id).cloned();
        found.is_some_and(|cancel| {
            cancel.cancel();
            true
        })
    }

    /// The runs that go on, the oldest first.
    pub fn list(&self) -> Vec<RunId> {
        held(&self.going).keys().copied().collect()
    }

    /// Stops all runs; returns when the end of each is recorded.
    pub async fn end(&self) {
        self.stop.cancel();
        // Only a sender that is gone fails, and this one is here.
        let _ = self.alive.subscribe().wait_for(|alive| *alive == 0).await;
    }
}

/// Work that goes on beside the runs of a server, for as long as this is there.
#[derive(Debug)]
pub struct Ongoing {
    /// Cancelled when the server ends its runs.
    pub cancel: CancellationToken,
    _alive: Alive,
}

/// A call that goes on. Dropping it stops the run, unless it went to the background.
#[derive(Debug)]
pub struct BackgroundCall {
    tool: Option<ToolName>,
    wait: Option<Duration>,
    long_running: bool,
    is_relayed: bool,
    detach: CancellationToken,
    watched: Arc<WatchedRun>,
    heard: ClientEnd,
    task: JoinHandle<Result<Report, RunError>>,
    began: Instant,
    guard: Option<DropGuard>,
}

impl BackgroundCall {
    /// Waits for the next event; nothing more comes after the call ended or went to the background. Safe to
    /// cancel.
    ///
    /// # Errors
    /// When nothing was started.
    pub async fn next(&mut self) -> Result<CallEvent, RunError> {
        let watched = Arc::clone(&self.watched);
        let (wait, long_running) = (self.wait, self.long_running);
        tokio::select! {
            biased;
            // The server said it before it answered.
            Some(says) = self.heard.says.recv() => Ok(CallEvent::Server(says)),
            ended = &mut self.task => match ended {
                Ok(report) => report.map(|report| CallEvent::Ended(Box::new(report))),
                Err(error) => Err(RunError::broken(&error.to_string())),
            },
            Some(asked) = self.heard.asks.recv() => Ok(CallEvent::Asks(asked)),
            () = watched.waited(wait, long_running) => self.let_go(),
        }
    }

    /// Nobody waits for it any more.
    fn let_go(&mut self) -> Result<CallEvent, RunError> {
        let going = self.tool.clone().and_then(|tool| self.watched.going(tool));
        let Some(going) = going else {
            return Err(RunError::broken("a run without a record went to the background"));
        };
        if let Some(guard) = self.guard.take() {
            guard.disarm();
        }
        self.detach.cancel();
        Ok(CallEvent::Goes(Box::new(going)))
    }

    /// The last line that was printed, without secrets and what drives a terminal.
    pub fn last_line(&self) -> Option<String> {
        self.watched.last_line()
    }

    /// Whether another MCP server carries it out, which says itself how it gets on.
    pub fn is_relayed(&self) -> bool {
        self.is_relayed
    }

    /// How long it has gone on.
    pub fn duration(&self) -> Duration {
        self.began.elapsed()
    }
}

async fn run_watched(
    project: Arc<Project>,
    registry: Arc<Registry>,
    request: CallRequest,
    mut sink: Watcher,
    _held: (Option<OwnedSemaphorePermit>, Alive),
) -> Result<Report, RunError> {
    let cancel = sink.cancel.clone();
    run::run_listed(&project, &registry, request, &mut sink, &cancel).await
}

/// The tool that is meant, whether it is meant to go on, and whether it is another MCP server's.
fn habit(project: &Project, registry: &Registry, request: &CallRequest) -> (Option<ToolName>, bool, bool) {
    let found = match &request.tool {
        Addressed::Exactly(name, spelling) => registry.named(name, *spelling),
        Addressed::ByAgent(name, spelling) => registry.resolve(name, *spelling).ok(),
        Addressed::Loosely(name) => resolve(project, registry, name).ok(),
    };
    let long_running = found.is_some_and(|found| is_long_running(&found.tool, &request.arguments));
    let is_relayed = found.is_some_and(|found| matches!(found.tool.role, Role::Relay(_)));
    (found.map(|found| found.name.clone()), long_running, is_relayed)
}

fn crowded() -> RunError {
    RunError::crowded(format!("{MOST} runs of this server go on in the background already"))
}

/// The sink of a run: keeps the facts that the call reports while the run goes on.
struct Watcher {
    watched: Arc<WatchedRun>,
    going: Arc<Mutex<BTreeMap<RunId, CancellationToken>>>,
    cancel: CancellationToken,
}

impl Sink for Watcher {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        self.watched.push(stream, bytes);
        ControlFlow::Continue(())
    }

    fn recorded(&mut self, id: RunId) {
        held(&self.going).insert(id, self.cancel.clone());
        self.watched.recorded(id);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(id) = self.watched.run() {
            held(&self.going).remove(&id);
        }
    }
}

/// Counts one run for as long as it is there.
#[derive(Debug)]
struct Alive(watch::Sender<usize>);

impl Alive {
    fn one_more(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
