//! How a run ended, in a few words.

use crate::model::Ending;
use crate::sys;

/// For lists and the audit log: `ok`, `exit code 2`, `signal 9 (SIGKILL)`.
pub fn in_short(ending: &Ending, success: bool) -> String {
    match (ending, success) {
        (Ending::Exited(0), true) => "ok".to_owned(),
        (Ending::Exited(code), true) => format!("ok, exit code {code}"),
        (Ending::Exited(0), false) => "failed, exit code 0".to_owned(),
        (Ending::Exited(code), false) => format!("exit code {code}"),
        (Ending::Signalled(signal), _) => named(*signal),
        (Ending::TimedOut(_), _) => "timed out".to_owned(),
        (Ending::Cancelled, _) => "cancelled".to_owned(),
        (Ending::NotStarted(_), _) => "not started".to_owned(),
        (Ending::Lost, _) => "lost its supervisor".to_owned(),
    }
}

/// `signal 9 (SIGKILL)`.
pub(super) fn named(signal: i32) -> String {
    let name = sys::signal::name(signal).map_or_else(String::new, |name| format!(" ({name})"));
    format!("signal {signal}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_succeeded_is_told_from_what_failed_with_the_same_code() {
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
