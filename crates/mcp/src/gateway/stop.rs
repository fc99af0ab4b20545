//! The end of a session's gateway, and of its files.

use std::io;
use std::time::Duration;

use super::files::SessionFiles;
use super::judge::{GatewayState, judge};
use crate::sys::HowEnded;

/// How long another one that starts or ends it is waited for.
const LONGEST_WAIT: Duration = Duration::from_millis(300);

/// How a gateway was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It ended when it was asked to.
    Ended,
    /// It was killed, since it did not end in time. Its servers end within two seconds.
    Killed,
    /// It was gone already, and its files were left.
    Stale,
    /// There was none.
    Nothing,
}

/// Ends the gateway of a session and removes its files. A process that is not this gateway is left alone,
/// even if the files name it.
///
/// # Errors
/// The operating system's, when the gateway may not be signalled. Its files stay then.
pub fn stop(files: &SessionFiles, patience: Duration) -> io::Result<Stopped> {
    // One that is just being started is ended all the same: the session is over.
    let has_remains = files.has_remains();
    let _changing = files.change(LONGEST_WAIT)?;
    let process = match judge(files) {
        GatewayState::Running(record) => Some(record.process()),
        GatewayState::Starting(process) => process,
        GatewayState::Crashed(_) | GatewayState::Absent => None,
    };
    let stopped = match process {
        Some(process) => match process.end(patience)? {
            HowEnded::Terminated | HowEnded::Gone => Stopped::Ended,
            HowEnded::Killed => Stopped::Killed,
        },
        None if has_remains => Stopped::Stale,
        None => Stopped::Nothing,
    };
    files.remove();
    Ok(stopped)
}
