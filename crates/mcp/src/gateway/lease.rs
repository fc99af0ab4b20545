//! The lease of a gateway with an unknown owner: requests renew it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::sys::Clock;

/// A lease that requests renew. It ends once nobody asked for anything for so long.
#[derive(Debug)]
pub(super) struct SessionLease {
    length: Duration,
    clock: Clock,
    begun: Instant,
    /// The time of the last request, in milliseconds since the beginning.
    renewed: AtomicU64,
}

impl SessionLease {
    pub(super) fn new(length: Duration, clock: Clock) -> Self {
        let begun = clock.instant();
        Self { length, clock, begun, renewed: AtomicU64::new(0) }
    }

    pub(super) fn renew(&self) {
        self.renewed.store(self.passed(), Ordering::Relaxed);
    }

    /// Resolves when it is over.
    pub(super) async fn over(&self) {
        while let Some(left) = self.left() {
            sleep(left).await;
        }
    }

    /// The time until it is over; `None`: it is.
    fn left(&self) -> Option<Duration> {
        let idle = Duration::from_millis(self.passed() - self.renewed.load(Ordering::Relaxed));
        self.length.checked_sub(idle).filter(|left| !left.is_zero())
    }

    fn passed(&self) -> u64 {
        u64::try_from((self.clock.instant() - self.begun).as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_request_renews_it_and_silence_ends_it() {
        let clock = Clock::standing(SystemTime::UNIX_EPOCH);
        let lease = SessionLease::new(Duration::from_secs(10), clock.clone());
        clock.advance(Duration::from_secs(9));
        assert_eq!(lease.left(), Some(Duration::from_secs(1)));
        lease.renew();
        clock.advance(Duration::from_secs(9));
        assert_eq!(lease.left(), Some(Duration::from_secs(1)));
        clock.advance(Duration::from_secs(1));
        assert_eq!(lease.left(), None);
    }
}
