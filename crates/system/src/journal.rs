//! cuff's own log lines while it serves, on standard error, as text or as JSON.

use std::fmt::Write as _;
use std::io::Write as _;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde_json::{Map, Value};

use super::Clock;
use crate::model::{visible, visible_json};

/// The destination of log lines. Clones write to the same one; the default discards all lines.
#[derive(Debug, Clone, Default)]
pub struct Journal(Option<Arc<JournalLines>>);

#[derive(Debug)]
struct JournalLines {
    format: LineFormat,
    least: Level,
    clock: Clock,
    /// How many lines could not be written since the last that was.
    lost: AtomicU64,
}

/// How a line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something failed.
    Error,
    /// Something will fail.
    Warn,
    /// Something happened.
    Info,
    /// How it came to that.
    Debug,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "ERROR",
            Self::Warn => "WARN",
            Self::Info => "INFO",
            Self::Debug => "DEBUG",
        }
    }
}

impl Journal {
    /// Lines of this level and above, on standard error.
    pub fn to_standard_error(format: LineFormat, least: Level, clock: Clock) -> Self {
        Self(Some(Arc::new(JournalLines { format, least, clock, lost: AtomicU64::new(0) })))
    }

    /// Whether a line of this level is written anywhere.
    pub fn takes(&self, level: Level) -> bool {
        self.0.as_ref().is_some_and(|lines| level <= lines.least)
    }

    /// Whether people read the lines, and no program.
    pub fn is_for_people(&self) -> bool {
        self.0.as_ref().is_some_and(|lines| lines.format == LineFormat::Text)
    }

    /// Writes a line. The caller has already removed secrets from it.
    pub fn write(&self, level: Level, message: &str, fields: &Map<String, Value>) {
        if self.takes(level) {
            self.announce(level, message, fields);
        }
    }

    /// Writes a line at any level, even if the journal leaves out that level.
    pub fn announce(&self, level: Level, message: &str, fields: &Map<String, Value>) {
        let Some(lines) = &self.0 else { return };
        // The host need not read standard error. The server goes on without waiting, and reports the number
        // of lost lines later.
        if !takes_more() {
            lines.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let lost = lines.lost.swap(0, Ordering::Relaxed);
        let lost = (lost > 0).then(|| ("lines_lost".to_owned(), Value::from(lost)));
        let fields = &fields.clone().into_iter().chain(lost).collect();
        let time = timestamp(lines.clock.now());
        let line = match lines.format {
            LineFormat::Text => text(&time, level, message, fields),
            LineFormat::Json => json(&time, level, message, fields),
        };
        // In one write, so that lines of two threads do not mix. If standard error is closed, the line is
        // lost.
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
}

/// Whether standard error takes a line without waiting for its reader.
fn takes_more() -> bool {
    let error = std::io::stderr();
    let mut watched = [PollFd::new(error.as_fd(), PollFlags::POLLOUT)];
    poll(&mut watched, PollTimeout::ZERO) != Ok(0)
}

fn json(time: &str, level: Level, message: &str, fields: &Map<String, Value>) -> String {
    let own = [("timestamp", time), ("level", level.name()), ("message", message)];
    let own = own.map(|(name, value)| (name.to_owned(), Value::String(value.to_owned())));
    let line: Map<String, Value> = own.into_iter().chain(fields.clone()).collect();
    visible_json(&Value::Object(line).to_string()).into_owned() + "\n"
}

fn text(time: &str, level: Level, message: &str, fields: &Map<String, Value>) -> String {
    let mut line = format!("{time} {:<5} {}", level.name(), visible(message));
    for (name, value) in fields {
        let plain = value.as_str().filter(|text| {
            !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '='))
        });
        let shown = plain.map_or_else(|| value.to_string(), str::to_owned);
        // Writing to a string cannot fail.
        let _ = write!(line, " {name}={}", visible(&shown));
    }
    line + "\n"
}

/// `2026-11-21T20:40:00.123Z`.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

/// The date of a day since 1970 in the Gregorian calendar, counted in years that begin in March.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    #[test]
    fn timestamps_are_those_of_the_calendar() {
        for (seconds, shown) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399, "2000-02-28T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_709_251_200, "2024-03-01T00:00:00.000Z"),
            (1_767_225_599, "2025-12-31T23:59:59.000Z"),
            (4_102_444_800, "2100-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), shown);
        }
        assert!(timestamp(SystemTime::UNIX_EPOCH + Duration::from_millis(7)).ends_with(":00.007Z"));
    }

    #[test]
    fn a_line_is_one_line_whatever_is_in_it() {
        let Value::Object(fields) = json!({"script_name": "a\nb", "exit_code": 1, "path": "x", "none": ""})
        else {
            panic!("an object")
        };
        let shown = text("T", Level::Error, "It\nfailed\u{1b}[2J", &fields);
        assert_eq!(shown.matches('\n').count(), 1, "{shown}");
        assert!(!shown.contains('\u{1b}'));
        assert!(shown.ends_with(" exit_code=1 path=x none=\"\"\n"), "{shown}");
        let shown = json("T", Level::Warn, "It\nfailed\u{202e}", &fields);
        assert_eq!(shown.matches('\n').count(), 1, "{shown}");
        let read: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!((&read["level"], &read["script_name"]), (&json!("WARN"), &json!("a\nb")));
        assert!(!shown.contains('\u{202e}'));
    }

    #[test]
    fn lines_below_the_level_are_left_out() {
        let journal = Journal::to_standard_error(LineFormat::Text, Level::Warn, Clock::of_system());
        assert!(journal.takes(Level::Error) && journal.takes(Level::Warn) && !journal.takes(Level::Info));
        assert!(!Journal::default().takes(Level::Error));
    }
}
