//! The parent's own measure of a program's time: it stands while a call is out.

use std::time::Duration;

use tokio::time::Instant;

/// How much later than the interpreter the parent gives up: the interpreter can say where the program was.
const GRACE: Duration = Duration::from_millis(500);

/// Time that runs out.
#[derive(Debug)]
pub(super) struct CountdownClock {
    left: Duration,
    since: Option<Instant>,
}

impl CountdownClock {
    pub(super) fn start(time: Duration) -> Self {
        Self { left: time + GRACE, since: Some(Instant::now()) }
    }

    /// Stands still, or goes on.
    pub(super) fn run(&mut self, runs: bool) {
        if let Some(since) = self.since {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        self.since = runs.then(Instant::now);
    }

    /// When the time is over; nothing while it stands.
    pub(super) fn end(&self) -> Option<Instant> {
        Some(self.since? + self.left)
    }
}
