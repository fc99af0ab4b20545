//! `toolscript exec`: a program in the sandbox.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::opened::{hint, opened};
use super::source::source;
use crate::calls::ClientLine;
use crate::cli::approve::AtTerminal;
use crate::cli::arguments::Exec;
use crate::cli::server_questions::AnswersServers;
use crate::code::{
    Collected, CompilerFindings, Executed, ExecutionAudience, ExecutionLimits, ExecutionTask, OnPrint, Only,
    Outcome, PrintedStream, Program, compile, execute,
};
use crate::model::{Caller, visible_lines};
use crate::project::{Context, Project};
use crate::sys::{session, terminal};
use crate::terminal::{Failed, StopReason, Ui, exit, on_signals, runtime};

/// Runs a program, or checks it alone.
pub(super) fn exec(ui: &Ui, context: &Context, config: Option<&Path>, typed: &Exec) -> Result<u8, Failed> {
    let (source, file) = source(context, typed)?;
    let only = Only::new(&typed.allow, typed.read_only).map_err(|why| {
        Failed::usage(format!("--allow: {why}")).help("such as `--allow 'github.*,npm.test'`")
    })?;
    let program = Program {
        source,
        file,
        limits: limits(typed),
        only,
        task: if typed.check { ExecutionTask::Check } else { ExecutionTask::Run },
        session: session(&context.environment),
        trace: None,
    };
    let project = opened(ui, context, config)?;
    let collected = Collected::default();
    let (executed, reason) = execute_program(ui, &project, &program, (&collected, typed.json))?;
    let executed = executed.map_err(|error| {
        Failed::usage(format!("no sandbox can be started: {error}"))
            .unable()
            .help("nothing of the program was run")
    })?;
    if typed.json {
        ui.json(&executed.to_json(&program.source, &collected.text(), typed.whole))?;
    } else {
        show(ui, &program, &executed, (typed, is_escaped(&project)))?;
    }
    if !executed.is_success()
        && (project.settings.own_names().is_empty() || project.settings.withheld_servers().next().is_some())
    {
        hint(ui, &project.settings);
    }
    if let Some(why) = &executed.unrecorded {
        ui.say(format!("warning: the execution is not recorded whole: {why}"));
    }
    Ok(reason.code().unwrap_or_else(|| code(&executed)))
}

fn limits(typed: &Exec) -> ExecutionLimits {
    let mut limits = ExecutionLimits::default();
    if let Some(seconds) = typed.timeout {
        limits.time = Duration::from_secs(seconds);
    }
    if let Some(megabytes) = typed.memory.and_then(|megabytes| usize::try_from(megabytes).ok()) {
        limits.memory = megabytes << 20;
    }
    limits
}

fn execute_program(
    ui: &Ui,
    project: &Arc<Project>,
    program: &Program,
    (collected, is_json): (&Collected, bool),
) -> Result<(io::Result<Executed>, StopReason), Failed> {
    let (cancel, reason) = (CancellationToken::new(), StopReason::default());
    let client = person(project, &reason);
    let audience = ExecutionAudience {
        printed: printed(collected.clone(), is_json, is_escaped(project)),
        client,
        cancel: cancel.clone(),
    };
    let runtime = runtime()?;
    let executed = runtime.block_on(async {
        let executing = async {
            let executed = execute(project, program, audience).await?;
            Ok(if program.task == ExecutionTask::Check {
                compiled(ui, project, program, executed).await
            } else {
                executed
            })
        };
        tokio::pin!(executing);
        let executed = tokio::select! {
            executed = &mut executing => executed,
            () = on_signals(cancel.clone(), reason.clone(), None) => executing.await,
        };
        project.catalog.close().await;
        executed
    });
    ui.begin_line();
    Ok((executed, reason))
}

/// The check with what the TypeScript compiler found as well. Nothing of the program is run.
async fn compiled(ui: &Ui, project: &Project, program: &Program, mut executed: Executed) -> Executed {
    if !executed.is_success() {
        return executed;
    }
    match compile(project, &program.source).await {
        CompilerFindings::Found(findings) if findings.is_empty() => {
            ui.note("note: nothing is wrong with the program, says the TypeScript compiler too; nothing of it was run");
        }
        CompilerFindings::Found(findings) => executed.execution.outcome = Outcome::Rejected(findings),
        CompilerFindings::NoCompiler => {
            ui.note("note: nothing is wrong with the program; nothing of it was run");
            ui.note(
                "note: no TypeScript compiler is installed, which would check its types: `npm install --save-dev typescript`",
            );
        }
        CompilerFindings::Failed(why) => {
            ui.say(format!(
                "warning: the TypeScript compiler could not be asked: {why}; cuff's own checks found nothing"
            ));
        }
    }
    executed
}

/// Whether what a program prints is escaped where it would hide or drive something: for eyes, and for agents.
fn is_escaped(project: &Project) -> bool {
    terminal::is_there() || project.at_terminal() != Caller::Human
}

/// Prints what the program prints as it comes, or keeps it for the document at the end.
fn printed(collected: Collected, is_json: bool, is_escaped: bool) -> OnPrint {
    if is_json {
        return Box::new(move |stream, text| collected.push(stream, text));
    }
    Box::new(move |stream, text| {
        let text = if is_escaped { visible_lines(text) } else { text.into() };
        // Where nobody reads any more, the program goes on.
        let _ = match stream {
            PrintedStream::Out => io::stdout().lock().write_all(text.as_bytes()),
            PrintedStream::Err => io::stderr().lock().write_all(text.as_bytes()),
        };
    })
}

/// The person at the terminal: nobody in an agent's shell or within a run.
fn person(project: &Project, reason: &StopReason) -> ClientLine {
    if project.at_terminal() != Caller::Human || !terminal::is_there() {
        return ClientLine::default();
    }
    ClientLine {
        asker: Some(Arc::new(AtTerminal(reason.clone()))),
        conversation: Some(Arc::new(AnswersServers::new(reason.clone()))),
    }
}

fn show(
    ui: &Ui,
    program: &Program,
    executed: &Executed,
    (typed, is_escaped): (&Exec, bool),
) -> io::Result<()> {
    if !executed.is_success() {
        let complaint = executed.complaint(&program.source);
        ui.say(complaint);
        return Ok(());
    }
    let omitted = executed.execution.unprinted;
    if omitted > 0 {
        ui.say(format!(
            "warning: {omitted} bytes that the program printed are not shown: it printed too much"
        ));
    }
    let Some((result, is_cut)) = executed.shown_result(typed.whole) else { return Ok(()) };
    let text = match &result {
        Value::String(text) => text.clone(),
        other => format!("{other:#}"),
    };
    ui.result(if is_escaped { visible_lines(&text).into_owned() } else { text })?;
    if is_cut {
        ui.say(
            "note: the result is shown in part; `--whole` prints all of it, and a later program reads it: \
             import { results } from \"toolscript\"; await results.latest",
        );
    }
    Ok(())
}

fn code(executed: &Executed) -> u8 {
    match &executed.execution.outcome {
        Outcome::Returned(_) => exit::SUCCESS,
        Outcome::Rejected(_) => exit::USAGE,
        Outcome::Failed(_) => exit::FAILURE,
    }
}
