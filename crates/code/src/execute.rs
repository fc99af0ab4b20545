//! One execution of a program: its tools, its interpreter, its calls and its record.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::executed::Executed;
use super::host::{OnPrint, ToolHost, held};
use super::observed::Shapes;
use super::only::Only;
use super::script::{PendingScript, WaitingInterpreter};
use super::tools::Tools;
use crate::calls::{ClientLine, ParentTrace, record};
use crate::model::{Caller, Ending, Findings, TraceContext};
use crate::project::Project;
use crate::redact::redacted_json;
use crate::sandbox::{Execution, ExecutionLimits, ExecutionTask, FailureKind, Outcome};
use crate::store::Recording;

/// The name of the record of a program, where tools have theirs.
const RECORDED_AS: &str = "toolscript.exec";

/// A program, and the bounds of its execution.
#[derive(Debug, Clone)]
pub struct Program {
    /// TypeScript.
    pub source: String,
    /// The name of its file, where it has one.
    pub file: Option<String>,
    /// Time, memory, calls and output.
    pub limits: ExecutionLimits,
    /// The tools that it may call, beyond what policy says.
    pub only: Only,
    /// Whether it is run, or read and checked alone.
    pub task: ExecutionTask,
    /// The session that it belongs to: its other programs may read the result.
    pub session: String,
    /// The span of its caller; `None`: the one that the environment names, if any.
    pub trace: Option<TraceContext>,
}

/// Those who hear of an execution while it goes on.
pub struct ExecutionAudience {
    /// Takes what the program prints, as it comes.
    pub printed: OnPrint,
    /// The person for questions, where there is one: cuff's own, and those of the servers that it calls.
    pub client: ClientLine,
    /// Ends the execution.
    pub cancel: CancellationToken,
}

/// Executes a program with the tools of a project; within a tokio runtime.
///
/// # Errors
/// When no interpreter can be started.
pub async fn execute(
    project: &Arc<Project>,
    program: &Program,
    audience: ExecutionAudience,
) -> io::Result<Executed> {
    let clock = &project.context.clock;
    let begun = clock.instant();
    // First: it gets ready while the tools are looked up.
    let interpreter = WaitingInterpreter::start(&project.context.supervisor)?;
    let tools = Arc::new(Tools::for_source(project, &program.source).await);
    let (recording, unrecorded) = match program.task {
        ExecutionTask::Run => begin(project, program),
        ExecutionTask::Check => (None, None),
    };
    let run = recording.as_ref().map(Recording::id);
    let trace = match program.task {
        ExecutionTask::Run => {
            ParentTrace::begin(project, (RECORDED_AS, run), Caller::Code, program.trace.clone())
        }
        ExecutionTask::Check => ParentTrace::default(),
    };
    let host = Arc::new(ToolHost {
        project: Arc::clone(project),
        tools: Arc::clone(&tools),
        only: program.only.clone(),
        session: program.session.clone(),
        client: audience.client,
        script: run,
        trace: trace.span(),
        recording: Mutex::new(recording),
        printed: audience.printed,
        shapes: Mutex::new(Shapes::default()),
        stop: audience.cancel.child_token(),
        calls: Mutex::default(),
    });
    let script = PendingScript::new(program.source.as_str(), Arc::clone(&tools.catalog));
    let (cancel, limits) = (&audience.cancel, &program.limits);
    let execution = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        execution = script.execute(program.task, interpreter, &host, limits) => Some(execution),
    };
    host.settle().await;
    std::mem::take(&mut *held(&host.shapes)).keep(project);
    let was_cancelled = execution.is_none();
    let execution = execution.unwrap_or_else(Execution::cancelled);
    let recording = held(&host.recording).take();
    let took = clock.instant() - begun;
    let (ending, error) = ending(&execution, was_cancelled, took);
    trace.end(project, &ending, error.as_deref());
    let unended = recording.and_then(|recording| end(project, recording, &execution, (ending, error), took));
    record::send(project);
    let unrecorded = unrecorded.or(unended);
    let file = program.file.clone();
    Ok(Executed { file, execution, was_cancelled, took, run, unrecorded })
}

/// Begins the record of a program, with its source.
fn begin(project: &Project, program: &Program) -> (Option<Recording>, Option<String>) {
    match record::begin_script(project, RECORDED_AS, &program.session) {
        Ok(mut recording) => {
            recording.source(&project.secrets_of(&[]).redact(&program.source));
            (Some(recording), None)
        }
        Err(why) => (None, why),
    }
}

/// How a program ended, and its error.
fn ending(execution: &Execution, was_cancelled: bool, took: Duration) -> (Ending, Option<String>) {
    match &execution.outcome {
        _ if was_cancelled => (Ending::Cancelled, Some("it was cancelled".to_owned())),
        Outcome::Returned(_) => (Ending::Exited(0), None),
        Outcome::Rejected(findings) => {
            let first = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
            (Ending::Exited(2), Some(first))
        }
        Outcome::Failed(failure) if failure.kind == FailureKind::Time => {
            (Ending::TimedOut(took), Some(failure.message.clone()))
        }
        Outcome::Failed(failure) => (Ending::Exited(1), Some(failure.message.clone())),
    }
}

/// Ends the record of a program; returns the reason why that is not whole.
fn end(
    project: &Project,
    mut recording: Recording,
    execution: &Execution,
    ended: (Ending, Option<String>),
    took: Duration,
) -> Option<String> {
    if let Outcome::Returned(Some(result)) = &execution.outcome {
        recording.returned(&redacted_json(result.clone(), &project.secrets_of(&[])));
    }
    record::end_parent(&project.context, (recording, &Findings::default()), ended, took)
}
