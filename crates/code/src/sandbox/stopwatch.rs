//! The time that a program has taken. While it waits for tools, the watch stands.

use std::cell::Cell;
use std::time::Duration;

/// Measures by a clock of its owner, which says the time.
#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    budget: Cell<Duration>,
    taken: Cell<Duration>,
    since: Cell<Option<Duration>>,
}

impl Stopwatch {
    /// Starts anew with this much time.
    pub(super) fn start(&self, budget: Duration, now: Duration) {
        self.budget.set(budget);
        self.taken.set(Duration::ZERO);
        self.since.set(Some(now));
    }

    /// Stands still until it goes on.
    pub(super) fn pause(&self, now: Duration) {
        self.taken.set(self.taken(now));
        self.since.set(None);
    }

    pub(super) fn go_on(&self, now: Duration) {
        self.taken.set(self.taken(now));
        self.since.set(Some(now));
    }

    /// The time that is left; nothing where it is over.
    pub(super) fn left(&self, now: Duration) -> Duration {
        self.budget.get().saturating_sub(self.taken(now))
    }

    /// When the time is over; nothing while the watch stands.
    pub(super) fn over(&self) -> Option<Duration> {
        Some(self.since.get()? + self.budget.get().saturating_sub(self.taken.get()))
    }

    fn taken(&self, now: Duration) -> Duration {
        let running = self.since.get().map_or(Duration::ZERO, |since| now.saturating_sub(since));
        self.taken.get() + running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_taken_while_the_watch_goes() {
        let at = Duration::from_millis;
        let watch = Stopwatch::default();
        assert_eq!(watch.left(at(5)), Duration::ZERO);
        watch.start(at(100), at(1000));
        assert_eq!(watch.left(at(1030)), at(70));
        watch.pause(at(1040));
        assert_eq!(watch.left(at(9000)), at(60));
        watch.go_on(at(9000));
        watch.go_on(at(9010));
        assert_eq!(watch.left(at(9020)), at(40));
        assert_eq!(watch.left(at(99_000)), Duration::ZERO);
        assert_eq!(watch.over(), Some(at(9060)));
        watch.pause(at(9020));
        assert_eq!((watch.over(), watch.left(at(9030))), (None, at(40)));
    }
}
