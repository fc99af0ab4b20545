//! One execution of a program, from its source to what came of it.

use std::io;
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use super::bounds;
use super::catalog::Catalog;
use super::failure::{Failure, FailureKind, time_over};
use super::finding::CheckFinding;
use super::host::SandboxHost;
use super::journal::CallRecord;
use super::limits::ExecutionLimits;
use super::protocol::Isolation;
use super::session::{Ended, ExecutionEnd, SandboxSession};
use crate::sys::isolation::Exit;

/// How many findings are taken from an interpreter.
const MOST_FINDINGS: usize = 20;

/// The end of an execution, and its journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// How it ended.
    pub outcome: Outcome,
    /// The calls that it made, in their order.
    pub journal: Vec<CallRecord>,
    /// The isolation from the outside; `None` if the execution did not begin.
    pub isolation: Option<Isolation>,
    /// How many bytes it printed beyond what it may.
    pub unprinted: u64,
}

impl Execution {
    /// An execution that was ended from outside: nothing is known of it.
    pub fn cancelled() -> Self {
        let failure = Failure::new(FailureKind::Cancelled, "the program was cancelled");
        Self { outcome: Outcome::Failed(failure), journal: Vec::new(), isolation: None, unprinted: 0 }
    }
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The program ran to its end, and returned this, if anything. One that was checked alone returns nothing.
    Returned(Option<Value>),
    /// It did not begin to run: all that is wrong with it.
    Rejected(Vec<CheckFinding>),
    /// It failed.
    Failed(Failure),
}

/// Whether a program is run, or read and checked alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionTask {
    /// It is run.
    Run,
    /// Nothing of it runs.
    Check,
}

/// Runs a program in an interpreter at the other end of these pipes. `death` is asked where it goes away without a word.
pub async fn execute<H: SandboxHost>(
    (task, source, catalog): (ExecutionTask, &str, &Catalog),
    host: &Arc<H>,
    limits: &ExecutionLimits,
    (input, output): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    death: impl AsyncFnOnce() -> io::Result<Exit>,
) -> Execution {
    if let Err(finding) = bounds::check(source) {
        let outcome = Outcome::Rejected(vec![finding]);
        return Execution { outcome, journal: Vec::new(), isolation: None, unprinted: 0 };
    }
    let session = SandboxSession::new(catalog, Arc::clone(host), limits, task == ExecutionTask::Check);
    let conversation = session.converse(source, input, output).await;
    let ExecutionEnd { ended, journal, isolation, is_compiled, unprinted } = conversation;
    let outcome = match ended {
        Ended::Done(result) => Outcome::Returned(result),
        Ended::Checked => Outcome::Returned(None),
        Ended::Rejected(findings) => {
            Outcome::Rejected(findings.into_iter().take(MOST_FINDINGS).map(CheckFinding::cut).collect())
        }
        Ended::Failed(thrown) => Outcome::Failed(Failure::reported(thrown, limits)),
        Ended::Gone | Ended::TimeOver if isolation.is_some() && !is_compiled => unreadable(),
        Ended::TimeOver => Outcome::Failed(time_over(limits)),
        Ended::Gone => Outcome::Failed(of_death(&death().await, limits)),
        Ended::Refused(reason) => Outcome::Failed(Failure::new(
            FailureKind::Isolation,
            format!("no program is run, since this machine cannot keep it from files and network: {reason}"),
        )),
        Ended::Broken(how) => Outcome::Failed(Failure::new(
            FailureKind::Interpreter,
            format!("the interpreter was ended, since it did not keep to the protocol: {how}"),
        )),
    };
    Execution { outcome, journal, isolation, unprinted }
}

/// A source that takes more stack, memory or time to read than there is.
fn unreadable() -> Outcome {
    let finding =
        CheckFinding::new(0..0, "the program cannot be read: it is nested too deep, or in too many ways");
    Outcome::Rejected(vec![finding.help("split it up into statements; read deep data with a tool")])
}

/// Why a process ended that said nothing of it.
fn of_death(exit: &io::Result<Exit>, limits: &ExecutionLimits) -> Failure {
    let how = match exit {
        Ok(Exit::Forbidden) => {
            return Failure::new(
                FailureKind::Interpreter,
                "the interpreter was killed by the kernel: it tried to do what no program may (files, network, processes)",
            );
        }
        Ok(Exit::TimeOver) => return time_over(limits),
        Ok(Exit::GaveUp) => {
            let message = "the interpreter gave up: most likely it had no memory left";
            return Failure::new(FailureKind::Memory, message)
                .help("keep less at once, or allow more with `--memory`");
        }
        Ok(Exit::Signal(signal)) => 128 + *signal,
        Ok(Exit::Code(code)) => *code,
        Err(_) => -1,
    };
    Failure::new(FailureKind::Interpreter, format!("the interpreter crashed ({how})"))
        .help("report this as a bug, with the program")
}
