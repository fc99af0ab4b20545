//! The life of a run as cuff sees it: pass output on, keep time, stop, drain, settle how it ended.

use std::future::{pending, ready};
use std::pin::pin;
use std::time::Duration;

use tokio::task::unconstrained;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::sink::Sink;
use crate::model::{Contained, Denial, Ending, Leftovers, NotStarted, Outcome};
use crate::sys::process::{ProcessEnd, RunEvent, Running};
use crate::sys::suspension::Suspensions;
use crate::sys::{Clock, group};

/// How long a process that was left alone may be silent before its hold on the pipes is ignored.
const SILENCE: Duration = Duration::from_millis(200);
/// How long such a process is listened to at most.
const DRAIN: Duration = Duration::from_secs(2);
/// The most output that may wait to be read then, in bytes: more than two pipes hold. A process that was left alone may print without
/// end.
const WAITING: usize = 1024 * 1024;
/// How long a supervisor may take over the end of a run; its own graces add up to less.
const PATIENCE: Duration = Duration::from_secs(14);
/// How much longer where the tool is interrupted before it is stopped.
const INTERRUPTION: Duration = Duration::from_secs(2);

/// A watched process: a real run, or a test's script of one.
pub(super) trait Process {
    /// Returns the next event; `None` after the last one. Safe to cancel.
    async fn next(&mut self) -> Option<RunEvent<'_>>;
    /// Ends the run, politely at first.
    fn stop(&mut self);
    /// Ends the run as a shell does at Ctrl-C.
    fn interrupt(&mut self);
    /// Ends the run at once.
    fn kill(&mut self);
    /// Kills a supervisor that does not answer.
    fn abandon(&mut self);
    /// Lets the run and cuff stand still until a person lets them go on.
    fn suspend(&mut self);
    /// Whether the person ended it so with Ctrl-C at the run's own terminal, a moment ago.
    fn was_interrupted(&self, _: ProcessEnd) -> bool {
        false
    }
}

impl Process for Running {
    async fn next(&mut self) -> Option<RunEvent<'_>> {
        Running::next(self).await
    }

    fn stop(&mut self) {
        Running::stop(self);
    }

    fn interrupt(&mut self) {
        Running::interrupt(self);
    }

    fn kill(&mut self) {
        Running::kill(self);
    }

    fn abandon(&mut self) {
        Running::abandon(self);
    }

    fn suspend(&mut self) {
        Running::suspend(self);
    }

    fn was_interrupted(&self, end: ProcessEnd) -> bool {
        Running::was_interrupted(self, end)
    }
}

/// Watches a process that was just started until it is over. Its timeout begins now. The token cancels it.
pub(super) async fn watch(
    process: &mut impl Process,
    timeout: Duration,
    clock: &Clock,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Outcome {
    let mut deadline = pin!(sleep(timeout));
    let mut state = RunState::new(clock, timeout);
    let keys = sink.keys();
    let mut suspensions = keys.suspend.then(Suspensions::heard).flatten();
    loop {
        let limit = state.limit;
        tokio::select! {
            event = process.next() => match event {
                None => break,
                Some(event) => {
                    let end = if let RunEvent::Ended(end) = event { Some(end) } else { None };
                    if state.take(event, sink) == WatchStep::Stop {
                        process.stop();
                    }
                    if end.is_some_and(|end| process.was_interrupted(end)) {
                        state.reason.get_or_insert(StopCause::Cancelled);
                    }
                },
            },
            () = &mut deadline, if state.may_time_out() => {
                state.stopping(StopCause::TimedOut);
                process.stop();
            }
            () = cancel.cancelled(), if !state.cancelled => {
                state.cancelled = true;
                state.stopping(StopCause::Cancelled);
                if keys.interrupted.is_cancelled() {
                    state.limit = state.limit.map(|limit| limit + INTERRUPTION);
                    process.interrupt();
                } else {
                    process.stop();
                }
            }
            () = keys.again.cancelled(), if !state.hurried => {
                state.hurried = true;
                state.stopping(StopCause::Cancelled);
                process.kill();
            }
            () = asked(&mut suspensions) => process.suspend(),
            () = sleep_until(limit.unwrap_or_else(Instant::now)), if limit.is_some() => {
                if state.draining.is_some() {
                    take_rest(process, &mut state, sink).await;
                    break;
                }
                state.limit = None;
                process.abandon();
            }
        }
    }
    state.outcome()
}

/// Takes the output that waits to be read: on a busy machine silence may seem to be over while cuff had no turn to read.
async fn take_rest(process: &mut impl Process, state: &mut RunState<'_>, sink: &mut dyn Sink) {
    let mut room = WAITING;
    while room > 0 {
        let event = tokio::select! {
            biased;
            // The runtime would say at times that nothing is there, so that others have a turn.
            event = unconstrained(process.next()) => event,
            () = ready(()) => None,
        };
        let Some(event) = event else { return };
        if let RunEvent::Output(_, bytes) = &event {
            room = room.saturating_sub(bytes.len());
        }
        state.take(event, sink);
    }
}

/// Waits for the next Ctrl-Z; for ever without `suspensions`.
async fn asked(suspensions: &mut Option<Suspensions>) {
    match suspensions {
        Some(suspensions) => suspensions.next().await,
        None => pending().await,
    }
}

/// Why cuff stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopCause {
    TimedOut,
    Cancelled,
}

/// The reaction to an event.
#[derive(Debug, PartialEq, Eq)]
enum WatchStep {
    Continue,
    Stop,
}

/// The state of a run so far.
struct RunState<'a> {
    clock: &'a Clock,
    timeout: Duration,
    started: Option<std::time::Instant>,
    duration: Option<Duration>,
    ended: Option<ProcessEnd>,
    not_started: Option<NotStarted>,
    leftovers: Leftovers,
    contained: Option<Contained>,
    denials: Vec<Denial>,
    /// The first reason wins; none is taken once the process has ended by itself.
    reason: Option<StopCause>,
    cancelled: bool,
    /// Whether no caller waits for its end any more.
    hurried: bool,
    /// Whether the sink wants more.
    heard: bool,
    /// When draining must end, once the supervisor has made its last report.
    draining: Option<Instant>,
    /// When patience with silence, or with the supervisor, ends.
    limit: Option<Instant>,
}

impl<'a> RunState<'a> {
    fn new(clock: &'a Clock, timeout: Duration) -> Self {
        Self {
            clock,
            timeout,
            started: None,
            duration: None,
            ended: None,
            not_started: None,
            leftovers: Leftovers::default(),
            contained: None,
            denials: Vec::new(),
            reason: None,
            cancelled: false,
            hurried: false,
            heard: true,
            draining: None,
            limit: None,
        }
    }

    fn may_time_out(&self) -> bool {
        self.reason.is_none() && self.duration.is_none()
    }

    fn take(&mut self, event: RunEvent<'_>, sink: &mut dyn Sink) -> WatchStep {
        match event {
            RunEvent::Started(leader) => {
                self.started = Some(self.clock.instant());
                sink.started(group::of_leader(leader));
            }
            RunEvent::Contained(contained) => self.contained = Some(contained),
            RunEvent::Denied(denial) => self.denials.push(denial),
            RunEvent::NotStarted(reason) => {
                self.not_started = Some(reason);
                self.drain();
            }
            RunEvent::Ended(end) => {
                self.ended = Some(end);
                self.over();
                self.limit = Some(Instant::now() + PATIENCE);
            }
            RunEvent::Left(leftovers) => {
                self.leftovers = leftovers;
                self.drain();
            }
            RunEvent::Lost => self.drain(),
            RunEvent::Output(stream, bytes) => {
                if self.draining.is_some() {
                    self.listen();
                }
                if self.heard && sink.write(stream, bytes).is_break() {
                    self.heard = false;
                    self.stopping(StopCause::Cancelled);
                    return WatchStep::Stop;
                }
            }
        }
        WatchStep::Continue
    }

    /// A stop was asked for: that is how it ended, unless it had ended already.
    fn stopping(&mut self, reason: StopCause) {
        if self.may_time_out() {
            self.reason = Some(reason);
            self.limit = Some(Instant::now() + PATIENCE);
        }
    }

    fn over(&mut self) {
        let now = self.clock.instant();
        let ran = self.started.map_or(Duration::ZERO, |started| now.saturating_duration_since(started));
        self.duration.get_or_insert(ran);
    }

    /// Only buffered output is left to come, and output of processes that were left running.
    fn drain(&mut self) {
        self.over();
        self.draining = Some(Instant::now() + DRAIN);
        self.listen();
    }

    fn listen(&mut self) {
        self.limit = self.draining.map(|end| end.min(Instant::now() + SILENCE));
    }

    fn outcome(mut self) -> Outcome {
        self.over();
        let ending = match (self.not_started, self.reason, self.ended) {
            (Some(reason), ..) => Ending::NotStarted(reason),
            (None, Some(StopCause::TimedOut), _) => Ending::TimedOut(self.timeout),
            (None, Some(StopCause::Cancelled), _) => Ending::Cancelled,
            (None, None, Some(ProcessEnd::Exited(code))) => Ending::Exited(code),
            (None, None, Some(ProcessEnd::Signalled(signal))) => Ending::Signalled(signal),
            (None, None, None) if self.started.is_none() => Ending::NotStarted(NotStarted::Other(
                "the supervisor of the run ended before it started it".into(),
            )),
            (None, None, None) => Ending::Lost,
        };
        let duration = self.duration.unwrap_or_default();
        let Self { leftovers, contained, denials, .. } = self;
        Outcome { leftovers, contained, denials, ..Outcome::new(ending, duration) }
    }
}

#[cfg(test)]
mod tests;
