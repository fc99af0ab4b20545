//! A program and its executions, each in an interpreter of its own.

use std::io;
use std::sync::Arc;

use tokio::process::{ChildStdin, ChildStdout};

use crate::sandbox::{Catalog, Execution, ExecutionLimits, ExecutionTask, SandboxHost, execute};
use crate::sys::isolation::{self, Isolated};
use crate::sys::process::Supervisor;

/// The process of an interpreter that has no program yet. Start it first: it gets ready
/// while the tools are looked up.
#[derive(Debug)]
pub struct WaitingInterpreter {
    process: Isolated,
    input: ChildStdin,
    output: ChildStdout,
}

impl WaitingInterpreter {
    /// Starts one; within a tokio runtime. Dropping it ends it.
    ///
    /// # Errors
    /// When no process could be started.
    pub fn start(cuff: &Supervisor) -> io::Result<Self> {
        let (process, input, output) = isolation::start(cuff)?;
        Ok(Self { process, input, output })
    }

    /// The id of its process.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }
}

/// A program, and the tools that it can call.
#[derive(Debug, Clone)]
pub struct PendingScript {
    source: String,
    catalog: Arc<Catalog>,
}

impl PendingScript {
    /// Nothing looks at the source yet.
    pub fn new(source: impl Into<String>, catalog: Arc<Catalog>) -> Self {
        Self { source: source.into(), catalog }
    }

    /// Reads, checks and runs it. The interpreter is gone afterwards in any case.
    pub async fn run<H: SandboxHost>(
        &self,
        interpreter: WaitingInterpreter,
        host: &Arc<H>,
        limits: &ExecutionLimits,
    ) -> Execution {
        self.execute(ExecutionTask::Run, interpreter, host, limits).await
    }

    /// Reads and checks it, and runs it where that is the task.
    pub async fn execute<H: SandboxHost>(
        &self,
        task: ExecutionTask,
        interpreter: WaitingInterpreter,
        host: &Arc<H>,
        limits: &ExecutionLimits,
    ) -> Execution {
        let WaitingInterpreter { mut process, input, output } = interpreter;
        let what = (task, self.source.as_str(), self.catalog.as_ref());
        let execution = execute(what, host, limits, (output, input), async || process.ended().await).await;
        process.end().await;
        execution
    }
}
