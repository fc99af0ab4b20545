//! How a run ended, in a few words.

use crate::model::{Ending, RecordState, RunId};
use crate::sys::signal;

/// For lists and the audit log: `ok`, `exit code 2`, `signal 9 (SIGKILL)`.
pub(crate) fn in_short(ending: &Ending, success: bool) -> String {
    match (ending, success) {
        (Ending::Exited(0), true) => "ok".to_owned(),
        (Ending::Exited(code), true) => format!("ok, exit code {code}"),
        (Ending::Exited(0), false) => "failed, exit code 0".to_owned(),
        (Ending::Exited(code), false) => format!("exit code {code}"),
        (Ending::Signalled(signal), _) => signal::described(*signal),
        (Ending::TimedOut(_), _) => "timed out".to_owned(),
        (Ending::Cancelled, _) => "cancelled".to_owned(),
        (Ending::Answered { .. }, true) => "answered".to_owned(),
        (Ending::Answered { .. }, false) => "answered with an error".to_owned(),
        (Ending::Rejected(_), _) => "rejected by the server".to_owned(),
        (Ending::Disconnected(_), _) => "lost the connection".to_owned(),
        (Ending::NotStarted(_), _) => "not started".to_owned(),
        (Ending::Lost, _) => "lost its supervisor".to_owned(),
    }
}

/// Where a run is, for lists: `running`, `exit code 2 (0.8 s)`.
pub fn state_summary(state: &RecordState) -> String {
    let end = match state {
        RecordState::Running(_) => return "running".into(),
        RecordState::Interrupted => return "interrupted".into(),
        RecordState::Ended(end) => end,
    };
    #[expect(clippy::cast_precision_loss, reason = "a tenth of a second is enough")]
    let seconds = end.duration as f64 / 1000.0;
    let how = in_short(&end.ending, end.success);
    if matches!(end.ending, Ending::NotStarted(_)) { how } else { format!("{how} ({seconds:.1} s)") }
}

/// When a run began, seen from a time in milliseconds since 1970: `5 min ago`.
pub fn age(id: RunId, now: u64) -> String {
    ago(id.milliseconds(), now)
}

/// How long ago a time in milliseconds since 1970 was: `5 min ago`.
pub fn ago(at: u64, now: u64) -> String {
    let seconds = now.saturating_sub(at) / 1000;
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn success_and_failure_with_the_same_code_differ() {
        for (ending, success, words) in [
            (Ending::Exited(0), true, "ok"),
            (Ending::Exited(0), false, "failed, exit code 0"),
            (Ending::Exited(1), true, "ok, exit code 1"),
            (Ending::Exited(1), false, "exit code 1"),
            (Ending::Signalled(11), false, "signal 11 (SIGSEGV)"),
            (Ending::Signalled(64), false, "signal 64"),
            (Ending::Cancelled, false, "cancelled"),
        ] {
            assert_eq!(in_short(&ending, success), words);
        }
    }
}
