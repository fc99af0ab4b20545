//! The time, as a value that callers can inject.

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use nix::libc;

/// A source of time. Clones have the same time.
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

    /// The time of day in milliseconds since 1970.
    pub fn milliseconds(&self) -> u64 {
        let since = self.now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
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

/// A time in milliseconds since 1970 as a clock on the wall here has it: `2026-11-22 01:48:22`.
pub fn local_time(at: u64) -> String {
    let seconds = libc::time_t::try_from(at / 1000).unwrap_or(libc::time_t::MAX);
    let mut wall = MaybeUninit::<libc::tm>::uninit();
    // SAFETY: both pointers are to values of this function, and where it does not fail the second is written whole.
    #[expect(unsafe_code, reason = "the time zone of this machine is the C library's to know")]
    let wall = unsafe {
        let known = libc::localtime_r(&raw const seconds, wall.as_mut_ptr());
        if known.is_null() { None } else { Some(wall.assume_init()) }
    };
    wall.map_or_else(
        || format!("{seconds} s after 1970"),
        |wall| {
            let (year, month) = (wall.tm_year + 1900, wall.tm_mon + 1);
            let (day, hour, minute, second) = (wall.tm_mday, wall.tm_hour, wall.tm_min, wall.tm_sec);
            format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_clock_and_its_clones_move_on_command() {
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
