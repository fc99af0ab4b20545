//! Exit codes: the one table from events to the codes that the shell sees.

use std::process::ExitCode;

use crate::model::{Ending, Report};

/// Nothing went wrong.
pub const SUCCESS: u8 = 0;
/// It failed; for `cuff init`: nothing was discovered.
pub const FAILURE: u8 = 1;
/// The settings are wrong; for `cuff init`: the file exists.
pub const BAD_SETTINGS: u8 = 2;
/// `cuff init` could not write.
pub const WRITE_ERROR: u8 = 3;
/// The command line is wrong.
pub const USAGE: u8 = 64;
/// A run took too long.
pub const TIMED_OUT: u8 = 124;
/// cuff could not do it.
pub const CANNOT: u8 = 125;
/// Policy refused.
pub const REFUSED: u8 = 126;
/// No such tool.
pub const NO_SUCH_TOOL: u8 = 127;
/// Interrupted by Ctrl-C.
pub const INTERRUPTED: u8 = 130;
/// Standard output is closed, as a shell reports SIGPIPE.
pub const BROKEN_PIPE: u8 = 141;

/// The exit code of a call that was carried out: the child's own where it has one.
pub fn of_report(report: &Report) -> u8 {
    of_ending(report.success, report.ending.as_ref())
}

fn of_ending(success: bool, ending: Option<&Ending>) -> u8 {
    let own = match ending {
        None | Some(Ending::Answered { .. }) => SUCCESS,
        Some(Ending::Exited(code)) => u8::try_from(*code & 0xff).unwrap_or(u8::MAX),
        Some(Ending::Signalled(signal)) => 128_u8.saturating_add(u8::try_from(*signal).unwrap_or(0)),
        Some(Ending::Rejected(_)) => FAILURE,
        Some(Ending::TimedOut(_)) => TIMED_OUT,
        Some(Ending::Cancelled) => INTERRUPTED,
        Some(Ending::Disconnected(_) | Ending::NotStarted(_) | Ending::Lost) => CANNOT,
    };
    match (success, own) {
        (true, _) => SUCCESS,
        (false, SUCCESS) => FAILURE,
        (false, own) => own,
    }
}

/// For `main`.
pub fn code(code: u8) -> ExitCode {
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_end_of_a_call_has_its_code() {
        for (ending, code) in [
            (Ending::Answered { is_error: true }, 1),
            (Ending::Rejected("no such repo".into()), 1),
            (Ending::Exited(3), 3),
            (Ending::Exited(0), 1),
            (Ending::Signalled(9), 137),
            (Ending::TimedOut(Duration::from_secs(30)), 124),
            (Ending::Disconnected("gone".into()), 125),
            (Ending::Lost, 125),
            (Ending::Cancelled, 130),
        ] {
            assert_eq!(of_ending(false, Some(&ending)), code, "{ending:?}");
        }
        assert_eq!(of_ending(true, Some(&Ending::Exited(0))), 0);
    }
}
