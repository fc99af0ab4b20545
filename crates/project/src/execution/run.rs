//! A permit in, an outcome out: waiting for a slot, then the run under its supervisor.

use std::future::pending;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::containing::{self, Contained as ContainedRun, KnownHiddenPaths};
use super::copied_project::CopiedProject;
use super::remote_run::{RemoteRun, RemoteTool};
use super::runner_client::ClientHost;
use super::sink::Sink;
use super::slots::{Slot, Slots};
use super::{inheritance, prepare, runner, watch};
use crate::model::{
    Change, Command, Contained, Containment, Ending, Identity, NotStarted, Origin, Outcome, Plan, RunId,
    Stream, TraceContext, shown,
};
use crate::policy::StartPermit;
use crate::sys::containment::holds_here;
use crate::sys::process::{self, Job, Pipes, Supervisor};
use crate::sys::{Clock, Environment, RunAncestry, random, terminal};

/// The parts of the machine that a run needs.
#[derive(Debug)]
pub struct RunHost {
    /// The binary that supervises.
    pub supervisor: Supervisor,
    /// The environment that a process may inherit, as its command's policy allows, before the command's own
    /// changes.
    pub environment: Environment,
    /// The project's root; relative working directories resolve against it.
    pub root: PathBuf,
    /// How many runs go on at once.
    pub slots: Slots,
    /// The clock for durations.
    pub clock: Clock,
    /// The paths that no contained run reads.
    pub hidden: KnownHiddenPaths,
}

impl RunHost {
    /// The part that the client of a runner needs.
    pub fn client_host(&self) -> ClientHost<'_> {
        ClientHost { supervisor: &self.supervisor, environment: &self.environment, root: &self.root }
    }
}

/// A run that may start: it has a slot, or needs none.
#[derive(Debug)]
pub struct ReadyRun<'h> {
    host: &'h RunHost,
    slot: Option<Slot<'h>>,
    ends_detached: bool,
    id: Option<RunId>,
    trace: Option<TraceContext>,
}

/// Waits for a slot of this machine or of runners, which may take long. So conditions for the start are checked after it. Once
/// `detach` is cancelled, no caller waits for the run, and it needs no slot.
///
/// # Errors
/// With the outcome, if it was cancelled first.
pub async fn queue<'h>(
    host: &'h RunHost,
    is_on_runner: bool,
    cancel: &CancellationToken,
    detach: &CancellationToken,
) -> Result<ReadyRun<'h>, Outcome> {
    let slot = tokio::select! {
        biased;
        () = cancel.cancelled() => return Err(without_process(Ending::Cancelled)),
        () = detach.cancelled() => None,
        slot = host.slots.take(is_on_runner) => Some(slot),
    };
    Ok(ReadyRun { host, slot, ends_detached: false, id: None, trace: None })
}

impl ReadyRun<'_> {
    /// The same for a run that ends processes outside of its session too, unless it goes on in the
    /// background.
    #[must_use]
    pub fn ending_detached(self, ends_detached: bool) -> Self {
        Self { ends_detached, ..self }
    }

    /// The same for a run that is recorded under this id, by which a runner knows it.
    #[must_use]
    pub fn recorded_as(self, id: Option<RunId>) -> Self {
        Self { id, ..self }
    }

    /// The same for a run that is traced: its process gets this span as the parent of its own.
    #[must_use]
    pub fn traced_as(self, trace: Option<TraceContext>) -> Self {
        Self { trace, ..self }
    }

    /// Carries out a cleared plan. Returns when only processes that may stay are left.
    ///
    /// Once `detach` is cancelled, the run goes on and its slot is free for others. Dropping the future ends
    /// the run as a cancel does. Needs a tokio runtime with IO and time; one thread is enough.
    pub async fn run(
        self,
        cleared: StartPermit,
        sink: &mut dyn Sink,
        cancel: &CancellationToken,
        detach: &CancellationToken,
    ) -> Outcome {
        let Self { host, slot, ends_detached, id, trace } = self;
        let left = async {
            detach.cancelled().await;
            drop(slot);
            pending().await
        };
        let is_persons = cleared.is_persons();
        let (plan, folder, containment) = cleared.redeem();
        let Plan::Process(mut command) = plan else {
            return without_process(Ending::NotStarted(NotStarted::Other(
                "its plan starts no process".into(),
            )));
        };
        // A tool that settings or its call set them for has those.
        if let Some(trace) = trace {
            let had_state = host.environment.get("TRACESTATE").is_some();
            command.environment.splice(..0, variables(&trace, had_state));
        } else if command.runner.is_some() {
            // The environment of this machine stays here, but for what names the span around the run.
            let inherited = ["TRACEPARENT", "TRACESTATE"].into_iter().filter_map(|name| {
                Some(Change::new(name, host.environment.get(name)?.to_str()?, Origin::Fixed))
            });
            command.environment.splice(..0, inherited);
        }
        let start = PendingStart { command, folder, containment, ends_detached, is_persons, id };
        tokio::select! {
            outcome = supervise(start, host, sink, cancel) => outcome,
            never = left => never,
        }
    }
}

/// The variables by which a process knows the span that its work belongs to. An inherited state is that of another parent.
fn variables(trace: &TraceContext, had_state: bool) -> impl Iterator<Item = Change> {
    let change = |name, value: &str| Change::new(name, value, Origin::Fixed);
    let state = had_state || !trace.state.is_empty();
    let state = state.then(|| change("TRACESTATE", &trace.state));
    std::iter::once(change("TRACEPARENT", &trace.parent())).chain(state)
}

/// A run that is about to start.
struct PendingStart {
    command: Command,
    folder: Option<Identity>,
    containment: Option<Containment>,
    ends_detached: bool,
    is_persons: bool,
    id: Option<RunId>,
}

async fn supervise(
    start: PendingStart,
    host: &RunHost,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Outcome {
    if start.command.runner.is_some() {
        // Few runs are on one, and all would have room for it.
        return Box::pin(on_runner(start, host, sink, cancel)).await;
    }
    let PendingStart { command, folder, containment, ends_detached, is_persons, .. } = start;
    let environment = inheritance::inherited(&host.environment, command.environment_policy);
    let job = match prepare::job(&command, &host.root, &environment) {
        Ok(job) => Job { folder, ends_detached, is_persons, ..job },
        Err(reason) => return without_process(Ending::NotStarted(reason)),
    };
    let job = match contained(job, containment.as_ref(), host) {
        Ok(job) => job,
        Err(reason) => return without_process(Ending::NotStarted(reason)),
    };
    let pipes = match (sink.is_interactive(), sink.is_one_place()) {
        (true, _) => Pipes::Terminal,
        (false, true) => Pipes::One,
        (false, false) => Pipes::Two,
    };
    // Nobody else's input is cuff's to give away.
    let input = if is_persons && sink.passes_input() { terminal::own_input() } else { None };
    match process::spawn(&host.supervisor, &environment, &job, pipes, input).await {
        Ok(mut running) => {
            let outcome = watch::watch(&mut running, command.timeout, &host.clock, sink, cancel).await;
            let rules = job.confinement.map(|rules| (rules.fences, rules.network));
            let (fences, network) = rules.unzip();
            Outcome { fences, network, ..outcome }
        }
        Err(error) => without_process(Ending::NotStarted(unsupervised(&host.supervisor, &error))),
    }
}

/// Carries out a command on its runner. The client is cuff's own process: it has the environment of cuff, and nothing contains it.
async fn on_runner(
    PendingStart { command, folder, containment, ends_detached, is_persons, id }: PendingStart,
    host: &RunHost,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Outcome {
    let never = |why: NotStarted| without_process(Ending::NotStarted(why));
    let Some(runner) = command.runner.as_deref() else {
        return never(NotStarted::Other("it has no runner".into()));
    };
    let id = match id.map_or_else(|| random::secret().map(|random| RunId::new(0, random)), Ok) {
        Ok(id) => id.to_string(),
        Err(error) => return never(NotStarted::Other(error.to_string())),
    };
    let job = runner::client(&command, runner, &id, &host.root, containment.as_ref())
        .and_then(|client| prepare::job(&client, &host.root, &host.environment));
    let job = match job {
        Ok(job) => Job { folder, ends_detached, is_persons, ..job },
        Err(reason) => return never(reason),
    };
    let copied = match CopiedProject::of(runner, host.client_host()).await {
        Ok(copied) => copied,
        Err(reason) => return never(reason),
    };
    let pipes = if sink.is_one_place() && copied.is_none() { Pipes::One } else { Pipes::Two };
    let input = match &copied {
        Some(copied) => match copied.files().input() {
            Ok(archive) => Some(archive),
            Err(error) => return never(NotStarted::Other(error.to_string())),
        },
        None if is_persons && sink.passes_input() => terminal::own_input(),
        None => None,
    };
    if let Some(note) = copied.as_ref().map(|copied| copied.note(runner)).filter(|note| !note.is_empty()) {
        let _ = sink.write(Stream::Err, note.as_bytes());
    }
    let was_killed = AtomicBool::new(false);
    match process::spawn(&host.supervisor, &host.environment, &job, pipes, input).await {
        Ok(client) => {
            let mut run = RemoteRun::new(
                client,
                RemoteTool { host: host.client_host(), runner, id: &id, was_killed: &was_killed },
            );
            let outcome = watch::watch(&mut run, command.timeout, &host.clock, sink, cancel).await;
            let has_begun = run.has_begun();
            let (outcome, archive) = run.settle(outcome).await;
            if !has_begun && matches!(outcome.ending, Ending::Cancelled | Ending::TimedOut(_)) {
                let note = format!("[the tool did not begin on {}]\n", shown(&runner.name));
                let _ = sink.write(Stream::Err, note.as_bytes());
            }
            let outcome = match copied {
                Some(copied) if has_begun => {
                    let (outcome, note) =
                        copied.take_back((runner, host.client_host()), outcome, archive).await;
                    if !note.is_empty() {
                        let _ = sink.write(Stream::Err, note.as_bytes());
                    }
                    outcome
                }
                _ => outcome,
            };
            let contained = match outcome.contained {
                None if !is_persons => {
                    let name = shown(&runner.name);
                    Some(Contained::No(format!("nothing contains what runs on the runner `{name}`")))
                }
                contained => contained,
            };
            Outcome { contained, ..outcome }
        }
        Err(error) => never(unsupervised(&host.supervisor, &error)),
    }
}

/// The job within the rules of its containment, where it has some.
///
/// # Errors
/// Where the folders that it is to write cannot be made.
pub(super) fn contained(
    job: Job,
    containment: Option<&Containment>,
    host: &RunHost,
) -> Result<Job, NotStarted> {
    let Some(containment) = containment else { return Ok(job) };
    let environment = &host.environment;
    let is_inside = environment.run_ancestry() != RunAncestry::Outside;
    if is_inside && holds_here(&containing::probe(environment)) {
        // The rules of the run around this one hold for it too, and there can be no others.
        return Ok(job);
    }
    let ContainedRun { confinement, variables } =
        containing::contain(containment, &host.root, &host.root, environment, &host.hidden).map_err(
            |error| NotStarted::Other(format!("cuff could not make the folders of a contained run: {error}")),
        )?;
    // What settings and calls set comes last and wins.
    let environment = variables.into_iter().chain(job.environment).collect();
    Ok(Job { environment, confinement: Some(confinement), ..job })
}

/// The reason where a supervisor could not be started.
pub(super) fn unsupervised(supervisor: &Supervisor, error: &io::Error) -> NotStarted {
    let path = supervisor.path().display();
    NotStarted::Other(format!("cuff could not start {path} to supervise the run: {error}"))
}

/// The outcome of a run that was not started.
pub fn without_process(ending: Ending) -> Outcome {
    Outcome::new(ending, Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::ops::ControlFlow;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;
    use crate::model::Word;

    async fn run(
        cleared: StartPermit,
        host: &RunHost,
        sink: &mut dyn Sink,
        cancel: &CancellationToken,
        detach: &CancellationToken,
    ) -> Outcome {
        match queue(host, false, cancel, detach).await {
            Ok(ready) => ready.run(cleared, sink, cancel, detach).await,
            Err(outcome) => outcome,
        }
    }

    struct Nowhere;

    impl Sink for Nowhere {
        fn write(&mut self, _: Stream, _: &[u8]) -> ControlFlow<()> {
            panic!("nothing runs here")
        }
    }

    fn host() -> RunHost {
        RunHost {
            supervisor: Supervisor::at("/no/such/cuff"),
            environment: Environment::new("/", [("PATH", "/usr/bin:/bin")]),
            root: "/".into(),
            slots: Slots::new(1),
            clock: Clock::of_system(),
            hidden: KnownHiddenPaths::default(),
        }
    }

    fn permit(program: &str) -> StartPermit {
        StartPermit::for_test(Plan::Process(Command::new(Word::fixed(program)).directory("")))
    }

    #[tokio::test]
    async fn a_run_that_cannot_start_says_why_and_frees_its_slot() {
        let host = host();
        let missing = NotStarted::ProgramMissing { program: "no-such".into(), path: "/usr/bin:/bin".into() };
        let never = CancellationToken::new();
        let outcome = run(permit("no-such"), &host, &mut Nowhere, &never, &never).await;
        assert_eq!(outcome, without_process(Ending::NotStarted(missing)));
        let outcome = run(permit("sh"), &host, &mut Nowhere, &never, &never).await;
        let Ending::NotStarted(NotStarted::Other(text)) = outcome.ending else { panic!("{outcome:?}") };
        assert!(text.starts_with("cuff could not start /no/such/cuff to supervise the run: "), "{text}");
        assert_eq!(host.slots.free(), 1);
    }

    #[tokio::test]
    async fn a_queued_run_can_be_cancelled_and_never_starts() {
        let (host, cancel, detach) = (host(), CancellationToken::new(), CancellationToken::new());
        let held = host.slots.take(false).await;
        let mut sink = Nowhere;
        let mut queued = pin!(run(permit("no-such"), &host, &mut sink, &cancel, &detach));
        assert!(queued.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        cancel.cancel();
        assert_eq!(queued.await, without_process(Ending::Cancelled));
        drop(held);
        // With a free slot too: a cancel that came first wins.
        assert_eq!(
            run(permit("no-such"), &host, &mut Nowhere, &cancel, &detach).await,
            without_process(Ending::Cancelled)
        );
    }

    #[tokio::test]
    async fn a_detached_run_needs_no_slot() {
        let (host, cancel, detach) = (host(), CancellationToken::new(), CancellationToken::new());
        let _held = host.slots.take(false).await;
        detach.cancel();
        let outcome = run(permit("no-such"), &host, &mut Nowhere, &cancel, &detach).await;
        assert!(
            matches!(outcome.ending, Ending::NotStarted(NotStarted::ProgramMissing { .. })),
            "{outcome:?}"
        );
    }

    #[test]
    fn a_run_may_move_between_threads() {
        fn check(_: impl Send) {}
        let never = CancellationToken::new();
        check(run(permit("sh"), &host(), &mut Nowhere, &never, &never));
    }
}
