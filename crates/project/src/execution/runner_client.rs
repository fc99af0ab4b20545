//! Short words of a runner's client: those that signal a tool, and those that ask whether the engine is there.

use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

use super::{prepare, runner};
use crate::model::{Command, NotStarted, Runner, not_started, shown};
use crate::sys::Environment;
use crate::sys::process::{self, Pipes, ProcessEnd, RunEvent, Supervisor};

/// How long an engine may take to answer whether it is there.
const ANSWERING: Duration = Duration::from_secs(10);
/// How much of the end of what a client says is kept, in bytes.
const KEPT: usize = 4 * 1024;

/// Whether an engine can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reachability {
    /// The engine answered.
    Reachable,
    /// The engine did not answer, for this reason.
    Unreachable(String),
    /// The runner has no words to ask it.
    Unknown,
}

/// The parts of this machine that a client needs.
#[derive(Debug, Clone, Copy)]
pub struct ClientHost<'h> {
    /// The binary that supervises.
    pub supervisor: &'h Supervisor,
    /// The environment of the client: that of cuff.
    pub environment: &'h Environment,
    /// The project's root.
    pub root: &'h Path,
}

/// Asks the engine of a runner whether it is there.
pub async fn reach(host: ClientHost<'_>, runner: &Runner) -> Reachability {
    let Some(words) = runner::check(runner, host.root) else { return Reachability::Unknown };
    match timeout(ANSWERING, run_client(host, &words)).await {
        Ok(Ok(())) => Reachability::Reachable,
        Ok(Err(why)) => Reachability::Unreachable(why),
        Err(_) => Reachability::Unreachable(format!("no answer within {} seconds", ANSWERING.as_secs())),
    }
}

/// Starts a client with nothing to read, and waits for its end.
///
/// # Errors
/// With the last line that it printed, or how it ended.
pub(super) async fn run_client(host: ClientHost<'_>, words: &Command) -> Result<(), String> {
    let job = prepare::job(words, host.root, host.environment)
        .map_err(|why: NotStarted| not_started(&why, "It", None).1)?;
    let client = process::spawn(host.supervisor, host.environment, &job, Pipes::One, None).await;
    let mut client = client.map_err(|error| error.to_string())?;
    let (mut said, mut ended) = (Vec::new(), None);
    while let Some(event) = client.next().await {
        match event {
            RunEvent::Output(_, bytes) => {
                said.extend_from_slice(bytes);
                said.drain(..said.len().saturating_sub(KEPT));
            }
            RunEvent::Ended(end) => ended = Some(end),
            RunEvent::NotStarted(why) => return Err(not_started(&why, "It", None).1),
            _ => {}
        }
    }
    if ended == Some(ProcessEnd::Exited(0)) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    Err(last.map_or_else(|| format!("{} failed", words.program.text), shown))
}
