//! A run that somebody may stop waiting for: the facts about it so far, and when it has been waited for long enough.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::long_running::says_ready;
use super::output_tail::LastLine;
use crate::model::{Capture, Chunk, OngoingRun, RunId, Stream, ToolName};

/// How long a run is listened to after it said that it is ready: the address often comes a line later.
const SETTLE: Duration = Duration::from_millis(300);

/// The state of a run that others see while it goes on. Its sink writes it.
#[derive(Debug, Default)]
pub struct WatchedRun {
    /// Whether it may go on unwatched: else nobody asks if it is ready, and no line is searched for such words.
    may_go_on: bool,
    seen: Mutex<RunProgress>,
    /// Cancelled when the run has a record.
    recorded: CancellationToken,
    /// Cancelled when it said that it is ready.
    ready: CancellationToken,
}

#[derive(Debug, Default)]
struct RunProgress {
    run_id: Option<RunId>,
    since: Option<Instant>,
    said_ready: Option<Instant>,
    capture: Capture,
    line: LastLine,
}

impl WatchedRun {
    /// The state of a run that `may_go_on` in the background, or is waited for until its end.
    #[must_use]
    pub fn of(may_go_on: bool) -> Self {
        Self { may_go_on, ..Self::default() }
    }

    /// Takes what the run printed.
    pub fn push(&self, stream: Stream, bytes: &[u8]) {
        let RunProgress { capture, line, said_ready, .. } = &mut *self.seen();
        capture.push(Chunk::new(stream, bytes));
        line.push(stream, bytes, &mut |text| {
            if self.may_go_on && said_ready.is_none() && says_ready(text) {
                *said_ready = Some(Instant::now());
            }
        });
        if said_ready.is_some() {
            self.ready.cancel();
        }
    }

    /// The run is recorded under this id, and about to start.
    pub fn recorded(&self, id: RunId) {
        let mut seen = self.seen();
        (seen.run_id, seen.since) = (Some(id), Some(Instant::now()));
        self.recorded.cancel();
    }

    /// Ends when the run has been waited for long enough, or at once when it `may_be_ready` and says so; never without
    /// a record of it.
    pub async fn waited(&self, wait: Option<Duration>, may_be_ready: bool) {
        let Some(wait) = wait else { return std::future::pending().await };
        self.recorded.cancelled().await;
        let until = self.seen().since.unwrap_or_else(Instant::now) + wait;
        let ready = async {
            if !may_be_ready {
                return std::future::pending().await;
            }
            self.ready.cancelled().await;
            let said = self.seen().said_ready.unwrap_or_else(Instant::now);
            sleep_until(said + SETTLE).await;
        };
        tokio::select! {
            () = sleep_until(until) => {}
            () = ready => {}
        }
    }

    /// The run as it is now, by its tool; `None` while it has no record.
    pub fn going(&self, tool: ToolName) -> Option<OngoingRun> {
        let seen = self.seen();
        let (run_id, output, duration) = (seen.run_id?, seen.capture.output(), seen.since?.elapsed());
        Some(OngoingRun { tool, run_id, ready: self.ready.is_cancelled(), output, duration })
    }

    /// The run's id, once it has a record.
    pub fn run(&self) -> Option<RunId> {
        self.seen().run_id
    }

    /// The last line that was printed, without secrets and what drives a terminal.
    pub fn last_line(&self) -> Option<String> {
        self.seen().line.text()
    }

    fn seen(&self) -> MutexGuard<'_, RunProgress> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
