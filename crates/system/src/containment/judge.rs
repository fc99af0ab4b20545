//! The judge of system calls: a thread of the supervisor that hears of each call by the kernel, and does it or refuses it.

mod address;
mod asking;
mod connections;
mod court;
mod files;
mod listeners;
mod network;
mod ports;
mod processes;
mod socket_option;
mod threads;

use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle};
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use self::asking::{CallListener, WaitingCall};
use self::court::{Court, Denials, Judgement};
use self::threads::Threads;
use super::Confinement;
use crate::model::Denial;
use crate::process_table::now;

/// How long the end of the judge is waited for.
const FAREWELL: Duration = Duration::from_millis(50);

/// The judge of one run.
#[derive(Debug)]
pub(crate) struct Judge {
    court: Arc<Court>,
    threads: Arc<Threads>,
    thread: Option<JoinHandle<()>>,
}

impl Judge {
    /// Begins to judge. Without a thread all calls fail that need judging.
    pub(crate) fn begin(rules: Confinement, listener: OwnedFd) -> Self {
        let ports = ports::Ports::at(&rules.ports);
        let court = Arc::new(Court {
            rules,
            denials: Denials::default(),
            ports,
            addresses: Mutex::default(),
            connections: Mutex::default(),
        });
        let threads = Arc::<Threads>::default();
        let (sitting, waiting) = (Arc::clone(&court), Arc::clone(&threads));
        let listener = Arc::new(CallListener::new(listener));
        let thread =
            Builder::new().name("cuff-judge".into()).spawn(move || sit(&sitting, &waiting, &listener));
        Self { court, threads, thread: thread.ok() }
    }

    /// The refusals until now, each once.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        self.court.denials.all()
    }

    /// Ends with the run. Returns whether no call is left that waits.
    pub(crate) fn end(mut self) -> bool {
        self.court.ports.forget();
        self.court.connections.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let is_idle = self.threads.are_idle();
        match self.thread.take() {
            Some(thread) => {
                // Nobody is left who could ask, so it ends at once, unless it waits for something outside.
                let until = now() + FAREWELL;
                while !thread.is_finished() && now() < until {
                    thread::sleep(FAREWELL / 50);
                }
                thread.is_finished() && thread.join().is_ok() && is_idle
            }
            None => false,
        }
    }
}

/// Judges until nobody is left who could ask.
fn sit(court: &Arc<Court>, threads: &Arc<Threads>, listener: &Arc<CallListener>) {
    loop {
        let mut ready = [PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
        match poll(&mut ready, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
        let events = ready[0].revents().unwrap_or(PollFlags::POLLERR);
        if events.contains(PollFlags::POLLIN) {
            if let Some(asking) = listener.next() {
                hear(court, threads, asking);
            }
        } else if !events.is_empty() {
            return;
        }
    }
}

/// Judges a call, or has another thread judge it where it may wait.
fn hear(court: &Arc<Court>, threads: &Arc<Threads>, asking: WaitingCall) {
    if !network::may_wait(&asking) {
        let judgement = judge(court, &asking);
        asking.answer(judgement);
        return;
    }
    let (theirs, again) = (Arc::clone(court), asking.again());
    let is_taken = threads.take(Box::new(move || {
        let judgement = judge(&theirs, &asking);
        asking.answer(judgement);
    }));
    if !is_taken {
        again.answer(Err(Errno::EAGAIN));
    }
}

fn judge(court: &Arc<Court>, asking: &WaitingCall) -> Judgement {
    match asking.number() {
        libc::SYS_connect => network::connect(court, asking),
        libc::SYS_bind => network::bind(court, asking),
        libc::SYS_listen => network::listen(court, asking),
        libc::SYS_prlimit64
        | libc::SYS_setpriority
        | libc::SYS_ioprio_set
        | libc::SYS_sched_setaffinity
        | libc::SYS_sched_setscheduler
        | libc::SYS_sched_setparam
        | libc::SYS_sched_setattr => processes::judge(court, asking),
        _ => files::judge(court, asking),
    }
}
