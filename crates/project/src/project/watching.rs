//! Waiting until what is offered may be something else.

use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::{sleep, timeout};

use super::live::{Live, News};
use crate::sys::watch::{Watch, Watched};

/// The variable that switches watching off, and its value for that.
const VARIABLE: &str = "CUFF_WATCH";
const POLL: &str = "poll";

/// How long nothing may happen before a change counts as over: editors and installs write many files.
const QUIET: Duration = Duration::from_millis(200);
/// How long a change that does not end is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait before another look where not everything is watched.
const PAUSE: Duration = Duration::from_secs(2);
/// How many times longer than a look the pause is at least, so that a look at much does not fill all the time.
const IDLE: u32 = 20;

/// Waits for changes of settings, pins and what was looked at to list tools.
#[derive(Debug)]
pub struct Watching {
    live: Arc<Live>,
    watch: Option<Watch>,
    gap: Option<String>,
    /// When it last came back, so that it is known how long a look takes.
    back: Instant,
}

impl Watching {
    /// Waits for changes of what this project is served from.
    pub fn of(live: Arc<Live>) -> Self {
        let environment = &live.context.environment;
        let watch = if environment.get(VARIABLE).is_some_and(|value| value == POLL) {
            Err(format!("{VARIABLE}={POLL} says so"))
        } else {
            Watch::new()
        };
        let back = live.context.clock.instant();
        let mut watching = Self { live, watch: None, gap: None, back };
        match watch {
            Ok(watch) => watching.watch = Some(watch),
            Err(why) => watching.note_gap(Some(why)),
        }
        watching
    }

    /// Waits until what is offered may be something else than when it was last listed; it often is the same. Many
    /// changes within a short time are one.
    pub async fn next(&mut self) {
        let clock = self.live.context.clock.clone();
        let pause = PAUSE.max(clock.instant().saturating_duration_since(self.back) * IDLE);
        let more = self.set();
        let servers = self.live.project().ok().map(|project| Arc::clone(&project.catalog.servers));
        let others = async {
            match &servers {
                Some(servers) => servers.changed().await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = self.files(more, pause) => {}
            () = others => {}
        }
        self.back = clock.instant();
    }

    /// Waits until files have changed that were looked at.
    async fn files(&self, more: bool, pause: Duration) {
        match &self.watch {
            // Of what is watched only now, a change before that was not heard; it may still go on.
            Some(watch) if more => quiet(watch).await,
            Some(watch) if self.gap.is_none() => settled(watch).await,
            Some(watch) => {
                let _ = timeout(pause, settled(watch)).await;
            }
            None => sleep(pause).await,
        }
    }

    /// Watches what was looked at last; whether that is more than before.
    fn set(&mut self) -> bool {
        let Some(watch) = &mut self.watch else { return false };
        let mut places = self.live.places();
        if let Ok(project) = self.live.project() {
            places.join(&project.watched_paths());
        }
        let Watched { more, gap } = watch.set(&places);
        self.note_gap(gap);
        more
    }

    fn note_gap(&mut self, gap: Option<String>) {
        if let Some(why) = gap.as_ref().filter(|_| self.gap.is_none()) {
            self.live.tell(News::Unwatched(why.clone()));
        }
        self.gap = gap;
    }
}

/// Waits for a change, and for the end of it.
async fn settled(watch: &Watch) {
    watch.touched().await;
    quiet(watch).await;
}

/// Waits until nothing happens any more.
async fn quiet(watch: &Watch) {
    let quiet = async { while timeout(QUIET, watch.touched()).await.is_ok() {} };
    let _ = timeout(PATIENCE, quiet).await;
}
