//! Exit codes: the one table from what happened to what the shell sees.

use std::process::ExitCode;

use crate::engine::{Reason, RunError};
use crate::model::{Ending, Report};

/// Nothing went wrong.
pub(super) const SUCCESS: u8 = 0;
/// It failed; for `cuff init`: nothing was discovered.
pub(super) const FAILURE: u8 = 1;
/// The settings are wrong; for `cuff init`: the file exists.
pub(super) const BAD_SETTINGS: u8 = 2;
/// `cuff init` could not write.
pub(super) const WRITE_ERROR: u8 = 3;
/// The command line is wrong.
pub(super) const USAGE: u8 = 64;
/// A run took too long.
pub(super) const TIMED_OUT: u8 = 124;
/// cuff could not do it.
pub(super) const CANNOT: u8 = 125;
/// Policy refused.
pub(super) const REFUSED: u8 = 126;
/// No such tool.
pub(super) const NO_SUCH_TOOL: u8 = 127;
/// Interrupted by Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;
/// Nobody reads standard output any more, as a shell reports SIGPIPE.
pub(super) const BROKEN_PIPE: u8 = 141;

/// The exit code of a call that was carried out: the child's own where it has one.
pub(super) fn of_report(report: &Report) -> u8 {
    let own = match &report.ending {
        None => SUCCESS,
        Some(Ending::Exited(code)) => u8::try_from(*code & 0xff).unwrap_or(u8::MAX),
        Some(Ending::Signalled(signal)) => 128_u8.saturating_add(u8::try_from(*signal).unwrap_or(0)),
        Some(Ending::TimedOut(_)) => TIMED_OUT,
        Some(Ending::Cancelled) => INTERRUPTED,
        Some(Ending::NotStarted(_) | Ending::Lost) => CANNOT,
    };
    match (report.success, own) {
        (true, _) => SUCCESS,
        (false, SUCCESS) => FAILURE,
        (false, own) => own,
    }
}

/// The exit code of a call that started nothing.
pub(super) fn of_run_error(error: &RunError) -> u8 {
    match error.reason {
        Reason::NoSuchTool => NO_SUCH_TOOL,
        Reason::BadArguments => USAGE,
        Reason::Refused => REFUSED,
        Reason::Unusable => CANNOT,
    }
}

/// For `main`.
pub(super) fn code(code: u8) -> ExitCode {
    ExitCode::from(code)
}
