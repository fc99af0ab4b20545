//! What time it is, as a value that callers can inject.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// A source of time. Clones tell the same time.
#[derive(Debug, Clone, Default)]
pub struct Clock(Option<Manual>);

#[derive(Debug, Clone)]
struct Manual {
    wall: SystemTime,
    monotonic: Instant,
    /// Milliseconds since both.
    passed: Arc<AtomicU64>,
}

impl Clock {
    /// The clock of this machine.
    pub const fn of_system() -> Self {
        Self(None)
    }

    /// A clock that starts at this time and stands still until it is advanced.
    #[expect(clippy::disallowed_methods, reason = "a monotonic time can only be made from another")]
    pub fn standing(at: SystemTime) -> Self {
        Self(Some(Manual { wall: at, monotonic: Instant::now(), passed: Arc::default() }))
    }

    /// Lets time pass, in whole milliseconds. The system's clock does not listen.
    pub fn advance(&self, time: Duration) {
        if let Some(manual) = &self.0 {
            let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            manual.passed.fetch_add(milliseconds, Ordering::Relaxed);
        }
    }

    /// The time of day.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks")]
    pub fn now(&self) -> SystemTime {
        match &self.0 {
            None => SystemTime::now(),
            Some(manual) => manual.wall + manual.passed(),
        }
    }

    /// A time to measure durations from, which never goes back.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks")]
    pub fn instant(&self) -> Instant {
        match &self.0 {
            None => Instant::now(),
            Some(manual) => manual.monotonic + manual.passed(),
        }
    }
}

impl Manual {
    fn passed(&self) -> Duration {
        Duration::from_millis(self.passed.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_clock_moves_when_it_is_told_to_and_its_clones_with_it() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_hours(1);
        let clock = Clock::standing(start);
        let (clone, begun) = (clock.clone(), clock.instant());
        assert_eq!((clock.now(), clock.instant()), (start, begun));
        clock.advance(Duration::from_millis(1500));
        assert_eq!(clone.now(), start + Duration::from_millis(1500));
        assert_eq!(clone.instant() - begun, Duration::from_millis(1500));
    }

    #[test]
    fn the_systems_clock_runs_by_itself() {
        let clock = Clock::of_system();
        let begun = clock.instant();
        clock.advance(Duration::from_hours(10_000));
        assert!(clock.instant() - begun < Duration::from_hours(1));
        assert!(clock.now() > SystemTime::UNIX_EPOCH);
    }
}
