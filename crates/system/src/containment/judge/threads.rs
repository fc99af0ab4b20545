//! Threads for calls that may wait for something outside, so that none holds up another. One that is done waits a while for the next
//! call: a program that connects does so again and again.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How many calls may wait at once.
const MOST: usize = 64;
/// How long a thread without a call stays.
const IDLE: Duration = Duration::from_millis(100);

/// A call, and its answer.
pub(super) type Work = Box<dyn FnOnce() + Send>;

/// The threads of one judge.
#[derive(Default)]
pub(super) struct Threads {
    state: Mutex<ThreadsState>,
    arrived: Condvar,
}

/// No more work is queued than there are idle threads.
#[derive(Default)]
struct ThreadsState {
    queued: VecDeque<Work>,
    idle: usize,
    busy: usize,
}

impl Threads {
    /// Gives work to a thread; `false`: as many are busy as may be, or the system gives no more.
    pub(super) fn take(self: &Arc<Self>, work: Work) -> bool {
        let mut state = self.state();
        if state.busy >= MOST {
            return false;
        }
        state.busy += 1;
        if state.idle > state.queued.len() {
            state.queued.push_back(work);
            drop(state);
            self.arrived.notify_one();
            return true;
        }
        drop(state);
        let threads = Arc::clone(self);
        let is_spawned = Builder::new().spawn(move || threads.serve(work)).is_ok();
        if !is_spawned {
            self.state().busy -= 1;
        }
        is_spawned
    }

    /// Whether none is busy.
    pub(super) fn are_idle(&self) -> bool {
        self.state().busy == 0
    }

    /// Does this work, and what comes soon enough after it.
    fn serve(&self, mut work: Work) {
        loop {
            work();
            let mut state = self.state();
            state.busy -= 1;
            state.idle += 1;
            let waited = self.arrived.wait_timeout_while(state, IDLE, |state| state.queued.is_empty());
            let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
            match state.queued.pop_front() {
                Some(next) => work = next,
                None => return,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, ThreadsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Debug for Threads {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("Threads")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread::{self, ThreadId};

    use super::*;

    fn wait_until_idle(threads: &Threads) {
        while !threads.are_idle() {
            thread::yield_now();
        }
    }

    #[test]
    fn one_after_another_has_the_same_thread_and_at_once_each_has_its_own() {
        let threads = Arc::new(Threads::default());
        let (sender, ids) = mpsc::channel::<ThreadId>();
        let say = || -> Work {
            let sender = sender.clone();
            Box::new(move || sender.send(thread::current().id()).expect("the test listens"))
        };
        let mut seen = Vec::new();
        for _ in 0..5 {
            assert!(threads.take(say()));
            seen.push(ids.recv().expect("an id"));
            wait_until_idle(&threads);
        }
        seen.dedup();
        // Without a processor for so long a thread may have ended in between.
        assert!(seen.len() < 5, "{seen:?}");
        let (release, released) = mpsc::channel::<()>();
        assert!(threads.take(Box::new(move || _ = released.recv())));
        assert!(threads.take(say()));
        ids.recv().expect("held up by nobody");
        assert!(!threads.are_idle());
        drop(release);
        wait_until_idle(&threads);
    }

    #[test]
    fn beyond_the_most_there_is_none_until_one_is_done() {
        let threads = Arc::new(Threads::default());
        let (release, released) = mpsc::channel::<()>();
        let released = Arc::new(Mutex::new(released));
        let wait = || -> Work {
            let released = Arc::clone(&released);
            Box::new(move || _ = released.lock().expect("not poisoned").recv())
        };
        for at in 0..MOST {
            assert!(threads.take(wait()), "{at}");
        }
        assert!(!threads.take(wait()));
        release.send(()).expect("one waits");
        while !threads.take(wait()) {
            thread::yield_now();
        }
        drop(release);
        wait_until_idle(&threads);
    }
}
