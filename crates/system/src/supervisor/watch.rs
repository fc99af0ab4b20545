//! The life of a run as its supervisor sees it: wait, let flush, stop, sweep, report.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getsid};

use super::events::{EndManner, SupervisorEvent, SupervisorEvents};
use super::launch::foreground::return_terminal_to;
use super::protocol::SupervisorNotice;
#[cfg(target_os = "linux")]
use super::remaining;
use crate::containment::Judge;
use crate::model::Leftovers;
#[cfg(target_os = "linux")]
use crate::own_name;
use crate::process_table::{LivingProcess, descendants, group_exists, living, now};
#[cfg(target_os = "linux")]
use crate::run_markers::REMAINS;

/// From the polite signal to the last one.
const GRACE: Duration = Duration::from_secs(2);
/// The same when cuff itself is gone: all must be over two seconds after its death.
const ORPHANED_GRACE: Duration = Duration::from_secs(1);
/// From the end of its input to the polite signal when cuff itself is gone, for a process that cuff spoke with.
const ORPHANED_FAREWELL: Duration = Duration::from_millis(300);
/// How long the rest of a group may take to finish once its leader has (`> >(tee log)` flushes).
const FLUSH: Duration = Duration::from_millis(500);
/// How long the last signal is repeated. A process that outlives it sleeps in the kernel and dies when it
/// wakes.
const PERSISTENCE: Duration = Duration::from_secs(4);
/// The pause between two looks at the process table.
const PAUSE: Duration = Duration::from_millis(20);

/// The process that was started.
#[derive(Debug)]
pub(super) struct SupervisedProcess {
    pub(super) leader: Pid,
    /// Whether it has a terminal. Then it leads a group in a session that this process, or its parent, leads.
    pub(super) is_at_terminal: bool,
    /// The parent of this process, where that adopts the run's orphans and ends them.
    pub(super) spawner: Option<Pid>,
    /// The judge of its calls, where it is contained.
    pub(super) judge: Option<Judge>,
}

/// A run under way.
pub(super) struct RunWatch {
    leader: Pid,
    /// The session of the run, which is this process's own at a terminal.
    session: Pid,
    /// The parent of this process, where that ends what this one leaves.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has a spawner"))]
    spawner: Option<Pid>,
    judge: Option<Judge>,
    cuff: UnixStream,
    events: SupervisorEvents,
    /// Whether the leader ended.
    ended: bool,
    /// Whether no descendant is left. Certain where orphans come to the supervisor, unknown elsewhere.
    alone: bool,
    /// When grace ends, once a stop was asked for.
    stop: Option<Instant>,
    /// How that was asked for last.
    manner: EndManner,
    /// The cause of a standstill, while everything stands still.
    suspended: Option<Stopper>,
    /// The fate of processes that have left the session.
    detached: DetachedFate,
    /// How cuff's own end ends the run.
    at_cuffs_end: EndManner,
    /// How long the leader may take to end by itself before the polite signal, where a manner gives it time for that.
    farewell: Duration,
}

/// The cause of a run's standstill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stopper {
    /// cuff, which a person has stopped.
    Cuff,
    /// Ctrl-Z at the run's terminal.
    Terminal,
}

/// The fate of processes that have left the session, when the run ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DetachedFate {
    End,
    Stay,
}

impl RunWatch {
    /// Begins to wait for processes and for cuff.
    pub(super) fn begin(
        SupervisedProcess { leader, is_at_terminal, spawner, judge }: SupervisedProcess,
        cuff: UnixStream,
        detached: DetachedFate,
        at_cuffs_end: EndManner,
    ) -> std::io::Result<Self> {
        let events = SupervisorEvents::begin(cuff.try_clone()?, leader, is_at_terminal)?;
        let session = if is_at_terminal { getsid(None)? } else { leader };
        Ok(Self {
            leader,
            session,
            spawner,
            judge,
            cuff,
            events,
            ended: false,
            alone: false,
            stop: None,
            manner: EndManner::HangUp,
            suspended: None,
            detached,
            at_cuffs_end,
            farewell: GRACE,
        })
    }

    /// Waits for the end of the run in any way, and leaves only processes that may stay. Returns whether it ended by itself,
    /// and no process is left.
    pub(super) fn run(mut self) -> bool {
        while !self.ended && self.stop.is_none() {
            self.take(None);
        }
        let mut killed = if self.stop.is_none() { self.settle() } else { 0 };
        if self.stop.is_none() && self.detached == DetachedFate::End {
            killed += self.end_detached();
        }
        let detached = match self.stop {
            Some(grace) => {
                self.sweep(grace);
                0
            }
            None if self.alone => 0,
            None => count(&descendants(&living(), Pid::this())),
        };
        if self.suspended.is_some() {
            self.signal_everything(Signal::SIGCONT);
        }
        for denial in self.judge.as_ref().map(Judge::denials).unwrap_or_default() {
            self.tell(&SupervisorNotice::Denied(denial));
        }
        let left = SupervisorNotice::Left(Leftovers { killed, detached });
        #[cfg(target_os = "linux")]
        if let Some(spawner) = self.spawner.filter(|_| !self.alone && self.stop.is_none()) {
            // Before cuff can hear that it need not wait.
            own_name::set(REMAINS);
            self.tell(&left);
            remaining::stay(spawner, &self.cuff, &mut self.events);
            return false;
        }
        self.tell(&left);
        let is_judged = self.judge.take().is_none_or(Judge::end);
        self.alone && self.stop.is_none() && is_judged
    }

    /// After the leader ended by itself: gives its session time to flush, then ends it. Returns the number of
    /// processes that were still there; returns early on a stop.
    fn settle(&mut self) -> u32 {
        let mut killed = 0;
        if !self.empties_within(FLUSH) {
            killed = self.attached();
            self.signal_attached(Signal::SIGTERM);
            if !self.empties_within(GRACE) {
                let until = now() + PERSISTENCE;
                while self.stop.is_none() && !self.empties_within(PAUSE) && now() < until {
                    self.signal_attached(Signal::SIGKILL);
                }
            }
        }
        killed
    }

    /// Ends processes that have left the session and still live. Returns their number.
    fn end_detached(&mut self) -> u32 {
        let left = if self.alone { 0 } else { count(&descendants(&living(), Pid::this())) };
        if left > 0 {
            self.manner = self.manner.max(EndManner::Terminate);
            self.sweep(now() + GRACE);
        }
        left
    }

    /// Ends the leader's group and every other descendant, with a grace until then.
    fn sweep(&mut self, mut grace: Instant) {
        match self.manner {
            EndManner::HangUp => self.await_end(EndManner::HangUp),
            EndManner::Interrupt => self.interrupt(),
            EndManner::Terminate | EndManner::Kill => {}
        }
        grace = self.stop.map_or(grace, |earlier| earlier.min(grace)).min(now() + GRACE);
        self.signal_everything(Signal::SIGTERM);
        // Stopped processes must receive the signal as well.
        self.signal_everything(Signal::SIGCONT);
        while !self.is_over() && now() < grace {
            self.take(Some(now() + PAUSE));
            // cuff may go away meanwhile, which shortens the grace.
            grace = self.stop.map_or(grace, |earlier| earlier.min(grace));
        }
        let until = now() + PERSISTENCE;
        while !self.is_over() && now() < until {
            self.signal_everything(Signal::SIGKILL);
            // Those that were born during the look come in the next one.
            self.take(Some(now() + PAUSE / 4));
        }
    }

    /// Interrupts the leader's group, as a terminal does, and gives it time.
    fn interrupt(&mut self) {
        if self.has_group() {
            let _ = killpg(self.leader, Signal::SIGINT);
        }
        self.await_end(EndManner::Interrupt);
    }

    /// Gives the leader time to end, and the others to flush. Returns at once if a stricter manner is asked
    /// for.
    fn await_end(&mut self, manner: EndManner) {
        let begun = now();
        while !self.ended && self.manner == manner && now() < begun + self.farewell {
            self.take(Some(now() + PAUSE));
        }
        let flushed = now() + FLUSH;
        while !self.is_over() && self.manner == manner && now() < flushed.min(begun + self.farewell) {
            self.take(Some(now() + PAUSE));
        }
    }

    /// Waits until nothing of the leader's session lives. False when the time is over first.
    fn empties_within(&mut self, time: Duration) -> bool {
        let until = now() + time;
        loop {
            if self.alone || self.stop.is_some() || self.attached() == 0 {
                return true;
            }
            if now() >= until {
                return false;
            }
            self.take(Some(until.min(now() + PAUSE)));
        }
    }

    /// Waits for one event, or until a time, and takes it in.
    fn take(&mut self, until: Option<Instant>) {
        let event = self.events.next(until);
        let mut stop_within = |grace, manner| {
            let limit = now() + grace;
            self.stop = Some(self.stop.map_or(limit, |earlier| earlier.min(limit)));
            self.manner = self.manner.max(manner);
        };
        match event {
            None => {}
            Some(SupervisorEvent::Stop(manner @ (EndManner::HangUp | EndManner::Interrupt))) => {
                stop_within(2 * GRACE, manner);
            }
            Some(SupervisorEvent::Stop(EndManner::Terminate)) => stop_within(GRACE, EndManner::Terminate),
            Some(SupervisorEvent::Stop(EndManner::Kill)) => stop_within(Duration::ZERO, EndManner::Kill),
            Some(SupervisorEvent::Suspend(suspended)) => {
                let before = std::mem::replace(&mut self.suspended, suspended.then_some(Stopper::Cuff));
                if !suspended && before == Some(Stopper::Terminal) {
                    return_terminal_to(self.leader);
                }
                self.signal_everything(if suspended { Signal::SIGSTOP } else { Signal::SIGCONT });
            }
            // cuff has asked for it where everything stands still.
            Some(SupervisorEvent::Stopped) if self.suspended.is_some() => {}
            Some(SupervisorEvent::Stopped) => {
                self.suspended = Some(Stopper::Terminal);
                self.tell(&SupervisorNotice::Stopped);
            }
            Some(SupervisorEvent::Gone) => {
                self.farewell = ORPHANED_FAREWELL;
                let farewell =
                    if self.at_cuffs_end == EndManner::HangUp { self.farewell } else { Duration::ZERO };
                stop_within(farewell + ORPHANED_GRACE, self.at_cuffs_end);
            }
            Some(SupervisorEvent::Reaped { leader, alone }) => {
                self.alone |= alone && cfg!(target_os = "linux");
                if let Some(end) = leader {
                    self.ended = true;
                    self.tell(&SupervisorNotice::Ended(end));
                }
            }
        }
    }

    /// How many processes live in the leader's session: jobs that made groups of their own belong to it too.
    fn attached(&self) -> u32 {
        if cfg!(target_os = "linux") {
            count(&self.of_session())
        } else {
            u32::from(group_exists(self.leader))
        }
    }

    /// The living processes of the run's session. Supervisor and keeper are none of the run.
    fn of_session(&self) -> Vec<LivingProcess> {
        let own = [Pid::this(), self.session];
        let mut found = living();
        found.retain(|entry| {
            entry.session == self.session && (entry.pid == self.leader || !own.contains(&entry.pid))
        });
        found
    }

    /// Whether the leader's group is still the run's. While the leader is not waited for, or its group has members, no
    /// stranger can have its number.
    fn has_group(&self) -> bool {
        if !self.ended {
            return true;
        }
        if cfg!(target_os = "linux") {
            self.of_session().iter().any(|entry| entry.group == self.leader)
        } else {
            group_exists(self.leader)
        }
    }

    fn signal_attached(&self, signal: Signal) {
        if self.has_group() {
            let _ = killpg(self.leader, signal);
        }
        self.of_session().into_iter().filter(|entry| entry.group != self.leader).for_each(|entry| {
            let _ = kill(entry.pid, signal);
        });
    }

    fn signal_everything(&self, signal: Signal) {
        let signal_group = || {
            if self.has_group() {
                let _ = killpg(self.leader, signal);
            }
        };
        // A process that wakes first must not find its children stopped.
        let is_first = signal != Signal::SIGCONT;
        if is_first {
            signal_group();
        }
        let others = descendants(&living(), Pid::this()).into_iter();
        others.filter(|entry| entry.group != self.leader).for_each(|entry| {
            let _ = kill(entry.pid, signal);
        });
        if !is_first {
            signal_group();
        }
    }

    fn is_over(&self) -> bool {
        if cfg!(target_os = "linux") { self.alone } else { self.ended && self.attached() == 0 }
    }

    /// Sends a notice to cuff, which may be gone.
    fn tell(&mut self, notice: &SupervisorNotice) {
        let _ = self.cuff.write_all(&notice.encode());
    }
}

fn count(processes: &[LivingProcess]) -> u32 {
    u32::try_from(processes.len()).unwrap_or(u32::MAX)
}
