//! The start of a gateway that outlives the process that starts it. That process hears when the gateway is
//! ready.

use std::ffi::OsString;
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::env_file::EnvFile;
use super::files::SessionFiles;
use super::folder::SessionFolder;
use super::judge::{GatewayState, judge};
use super::record::GatewayRecord;
use super::session_id::SessionId;
use super::start_error::StartError;
use crate::project::Context;
use crate::sys::daemon::{Daemon, FirstLine};

/// How long it may take until it is ready. It waits for its servers for less.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long another start of the same session is waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// The pause between two looks at a gateway that another one starts.
const PAUSE: Duration = Duration::from_millis(20);

/// A gateway that is ready.
#[derive(Debug, Clone)]
pub struct DetachedGateway {
    /// Its own record.
    pub record: GatewayRecord,
    /// Whether it was there already.
    pub is_reused: bool,
}

/// The first line of a gateway, for the process that started it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GatewayGreeting {
    /// It is ready.
    Ready,
    /// It cannot start.
    Failed(String),
}

/// Starts the gateway of a session with these words of the command line, unless it has one, and waits until it is ready.
///
/// # Errors
/// When it does not start. Its messages are in the session's log.
pub fn start_detached(
    context: &Context,
    session: &SessionId,
    words: impl IntoIterator<Item = OsString>,
) -> Result<DetachedGateway, StartError> {
    let folder = SessionFolder::make(&context.environment)?;
    let files = folder.session(session);
    let Some(_changing) = files.change(LONGEST_WAIT)? else {
        return Err(StartError::Late(LONGEST_WAIT.as_secs()));
    };
    match judge(&files) {
        GatewayState::Running(record) => return Ok(DetachedGateway { record: *record, is_reused: true }),
        // The process that started it is gone, and it goes on.
        GatewayState::Starting(_) => {
            return wait(&files).map(|record| DetachedGateway { record, is_reused: true });
        }
        GatewayState::Crashed(_) | GatewayState::Absent => {}
    }
    let environment = EnvFile::hidden(context.environment.clone());
    let mut daemon =
        Daemon::start(&context.supervisor, "toolscript", &environment, words, files.open_log()?)?;
    match daemon.first_line(PATIENCE) {
        FirstLine::Said(line) => match serde_json::from_str(&line) {
            Ok(GatewayGreeting::Ready) => {
                wait(&files).map(|record| DetachedGateway { record, is_reused: false })
            }
            Ok(GatewayGreeting::Failed(why)) => Err(StartError::Ended(why)),
            Err(_) => Err(StartError::Ended("it said something else first".to_owned())),
        },
        FirstLine::Ended => Err(StartError::Ended("it said nothing".to_owned())),
        FirstLine::Late => {
            daemon.kill();
            Err(StartError::Late(PATIENCE.as_secs()))
        }
    }
}

/// The record of the gateway, once there is one.
fn wait(files: &SessionFiles) -> Result<GatewayRecord, StartError> {
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        if let GatewayState::Running(record) = judge(files) {
            return Ok(*record);
        }
        sleep(PAUSE);
    }
    Err(StartError::Late(PATIENCE.as_secs()))
}

/// The first line of a gateway that was started so: it is ready, or why it is not.
pub fn greeting(started: Result<(), &StartError>) -> String {
    let greeting = match started {
        Ok(()) => GatewayGreeting::Ready,
        Err(error) => GatewayGreeting::Failed(error.to_string()),
    };
    serde_json::to_string(&greeting).unwrap_or_default()
}
