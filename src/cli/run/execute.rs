//! A call of `cuff run`: carried out, shown as it goes, and its end told.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::afterwards::{EndCircumstances, conclude, say_left, say_nothing_ran, unwritable};
use super::background::Detaching;
use super::line::RunLine;
use super::output::Terminal;
use crate::calls;
use crate::calls::Conversation;
use crate::calls::{Addressed, CallRequest, Detach, ErrorReason, RunError, WatchedRun};
use crate::cli::approve::{AtTerminal, Beforehand};
use crate::cli::arguments::{CallArguments, RunOptions};
use crate::cli::problems::complain_of;
use crate::cli::server_questions::AnswersServers;
use crate::cli::{call, declared, flags, list};
use crate::execution::KeySignals;
use crate::model::{Caller, Ending, Report, Role, RunId, Spelling, path, shown, visible};
use crate::policy::Asker;
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::sys::process::ExpectedRuns;
use crate::sys::{files, terminal};
use crate::terminal::{Failed, StopReason, Ui, exit, on_signals, runtime, wait_for};
use crate::wire::{Reader, ToolResult};

/// The number of the signal that Ctrl-C sends.
const SIGINT: i32 = 2;

pub(super) fn list_for(ui: &Ui, project: &Project, named: &str) -> Result<Arc<Registry>, Failed> {
    wait_for(ui, async { project.list_with(project.list_for(named).await, named).await })
        .map_err(|error| Failed::from(error).before_a_run())
}

/// How a call ended.
#[derive(Debug)]
pub(super) struct RunEnd {
    pub(super) code: u8,
    /// Whether the person ended it, or nobody reads on: nothing further is to be started.
    pub(super) is_stopped: bool,
    /// The time that the tool took; `None` where it was not started.
    pub(super) took: Option<Duration>,
    /// The result as JSON, where that was asked for.
    pub(super) result: Option<Value>,
}

impl RunEnd {
    /// How it ended, and the time that it took.
    pub(super) fn in_words(&self) -> String {
        let took = self.took.map_or_else(String::new, |took| format!(", {:.1} s", took.as_secs_f64()));
        match self.code {
            exit::SUCCESS => format!("ok{took}"),
            exit::INTERRUPTED => format!("interrupted{took}"),
            code => format!("failed ({code}){took}"),
        }
    }
}

/// Carries out a call, and says what came of it.
pub(super) fn execute(
    ui: &Ui,
    project: &Project,
    registry: &Registry,
    (line, how): (RunLine<'_>, &RunOptions),
    of: Option<&str>,
) -> Result<RunEnd, Failed> {
    let RunLine { tool, words, given, found, is_told } = line;
    if let Some(help) = declared::asked_help(found, &words) {
        ui.result(help.trim_end())?;
        return Ok(RunEnd { code: exit::SUCCESS, is_stopped: false, took: None, result: None });
    }
    if let Some(found) = found {
        is_the_file_here(project, &tool, found)?;
    }
    let call = CallArguments { words, ..how.call.clone() };
    let is_recorded = given.is_some();
    // A run says what matters to it: its own instance's settings, or all of them where there is no such tool.
    complain_of(ui, &project.settings, |instance| {
        found.is_none_or(|found| instance == Some(found.name.instance.as_str()))
    });
    list::complain_of_patterns(ui, project, registry, found);
    let mut arguments = match given {
        Some(given) => given,
        None => call::arguments(found, &tool, &call, how.dry_run)?,
    };
    let schema = found.and_then(|found| found.tool.input.schema());
    if let Some(schema) = schema {
        check_flags(ui, &flags::flags(schema), (&tool, &arguments), how)?;
    }
    if how.dry_run && schema.is_none() {
        arguments.insert(call::DRY_RUN.into(), Value::Bool(true));
    }
    if is_told {
        let command = of.map_or_else(|| "cuff run".to_owned(), |plugin| format!("cuff {plugin} run"));
        let called = found.map_or(&tool, |found| &found.shown);
        ui.command(call::line(&command, called, found, &arguments));
    }
    let tool = match found {
        _ if is_recorded => Addressed::Exactly(tool, Spelling::Dotted),
        // It was found where the person is; it must not be another by now.
        Some(found) => Addressed::Exactly(found.name.to_string(), Spelling::Dotted),
        None => Addressed::Loosely(tool),
    };
    if how.background && found.is_some_and(|found| matches!(found.tool.role, Role::Relay(_))) {
        let called = found.map_or("it", |found| &found.shown);
        let failed =
            Failed::usage(format!("`{called}` does not run in the background: an MCP server runs it"));
        return Err(failed.help("leave out --background, and wait for the answer"));
    }
    let reason = StopReason::default();
    let goes_on = found.is_some_and(|found| calls::is_long_running(&found.tool, &arguments));
    let detach = Detach { long_running: how.background && goes_on, ..Detach::default() };
    let request = CallRequest { detach, ..request(ui, project, (tool, arguments), how, &reason) };
    let done = wait_for_call(ui, project, registry, request, (&reason, how));
    let done = done.map_err(|trouble| as_a_line(registry, trouble, of));
    conclude_call(ui, project, done, (&reason, how))
}

/// Refuses a path that is another file in the folder where the person is than the one that the tool of this name is.
fn is_the_file_here(project: &Project, typed: &str, found: &Registered) -> Result<(), Failed> {
    let here = project.context.environment.directory().join(typed);
    let own = project.settings.root.join(&found.tool.source.file);
    // A target of make may have the name of a file that it makes: only a tool that is a file itself can be another one.
    let is_its_file = found.tool.source.file == path::join(".", typed);
    if !is_its_file || !files::is_plain(&here) || files::canonical(&here) == files::canonical(&own) {
        return Ok(());
    }
    let failed = Failed::usage(format!(
        "`{}` is two files: the one in this folder is no tool, and that of the settings is {}",
        visible(typed),
        shown(&found.tool.source.file)
    ));
    Err(failed.help(format!(
        "`cuff run {}` runs that of the settings; a pattern of `scripts` in the settings offers the other",
        found.name
    )))
}

/// The call of a tool by the person who typed its line.
pub(super) fn request(
    ui: &Ui,
    project: &Project,
    (tool, arguments): (Addressed, Map<String, Value>),
    how: &RunOptions,
    reason: &StopReason,
) -> CallRequest {
    CallRequest {
        colours: !ui.is_plain(),
        asker: asker(project, how.yes, reason),
        conversation: conversation(project, reason),
        options: call::options(&how.call, how.dry_run),
        ..CallRequest::new(tool, arguments, project.at_terminal())
    }
}

/// The trouble with the line to type in the place of a bare name. `of` is the plugin whose own command was typed.
fn as_a_line(registry: &Registry, trouble: RunFailure, of: Option<&str>) -> RunFailure {
    let RunFailure::Call(error) = trouble else { return trouble };
    let line = |help: String| match &error.near {
        Some(near) => {
            let (near, of) = (registry.shown(near), of.map_or_else(String::new, |of| format!("{of} ")));
            help.replacen(
                &format!("did you mean `{near}`?"),
                &format!("did you mean `cuff {of}run {near}`?"),
                1,
            )
        }
        None => help,
    };
    RunFailure::Call(RunError { help: error.help.clone().map(line), ..error })
}

/// Says how a call ended.
pub(super) fn conclude_call(
    ui: &Ui,
    project: &Project,
    done: Result<Report, RunFailure>,
    (reason, how): (&StopReason, &RunOptions),
) -> Result<RunEnd, Failed> {
    // A no to one tool is no end of a row.
    let is_stopped = reason.code().is_some_and(|code| code != exit::REFUSED);
    let came = |code| RunEnd { code, is_stopped, took: None, result: None };
    match done {
        Ok(report) => {
            let code = reason.code().unwrap_or_else(|| exit::of_report(&report));
            let is_stopped =
                is_stopped || matches!(report.ending, Some(Ending::Cancelled | Ending::Signalled(SIGINT)));
            let took = report.ending.is_some().then_some(report.duration);
            let came = RunEnd { is_stopped, took, ..came(code) };
            if reason.nobody_reads() {
                return Ok(came);
            }
            if how.json {
                let result = ToolResult::of_report(&report, Reader::Person).to_json();
                return Ok(RunEnd { result: Some(result), ..came });
            }
            let is_by_keys = reason.code().is_none_or(|code| code == exit::INTERRUPTED);
            let met = EndCircumstances { is_by_keys, is_interactive: is_interactive(project, how) };
            conclude(ui, project, &report, met).map_err(unwritable)?;
            Ok(came)
        }
        Err(RunFailure::Call(error)) => {
            let (code, result) = say_nothing_ran(ui, &error, reason.code(), how.json);
            if let (ErrorReason::Refused, false, Some(why)) = (error.reason, how.json, project.why_governed())
            {
                ui.note(format!("note: {why}"));
            }
            Ok(RunEnd { result, ..came(code) })
        }
        Err(RunFailure::Left(run)) => {
            Ok(RunEnd { is_stopped: true, ..came(say_left(ui, &project.context, run)) })
        }
        Err(RunFailure::Io(error)) => Err(Failed::from(error).before_a_run()),
        Err(RunFailure::Output(error)) => Err(unwritable(error)),
    }
}

/// Refuses a call that lacks what the tool of a server needs, and says which options cuff took for itself.
fn check_flags(
    ui: &Ui,
    flags: &[flags::Flag],
    (tool, arguments): (&str, &Map<String, Value>),
    how: &RunOptions,
) -> Result<(), Failed> {
    if let Some(failed) = flags::missing(flags, tool, arguments) {
        return Err(failed);
    }
    for option in call::shadowing(flags, how) {
        ui.note(format!("note: --{option} is an option of cuff; the one of `{tool}` goes after `--`"));
    }
    Ok(())
}

/// The person who answers what MCP servers ask during a call: nobody within a run.
fn conversation(project: &Project, reason: &StopReason) -> Option<Arc<dyn Conversation>> {
    let is_person = project.at_terminal() == Caller::Human && terminal::is_there();
    is_person.then(|| Arc::new(AnswersServers::new(reason.clone())) as _)
}

/// The asker of questions that require a yes: none within a run, even if the run makes a terminal for itself.
fn asker(project: &Project, yes: bool, reason: &StopReason) -> Option<Arc<dyn Asker>> {
    match project.at_terminal() {
        Caller::HumanRun | Caller::Run | Caller::Agent | Caller::Code => None,
        Caller::Human if yes => Some(Arc::new(Beforehand(project.said_yes().is_some()))),
        Caller::Human => Some(Arc::new(AtTerminal(reason.clone()))),
    }
}

pub(super) enum RunFailure {
    Call(RunError),
    /// cuff's own machinery.
    Io(io::Error),
    /// Standard output or standard error.
    Output(io::Error),
    /// A person did not wait for the end of this run.
    Left(Option<RunId>),
}

/// Whether the tool has the terminal of the person, as far as cuff itself has it.
fn is_interactive(project: &Project, how: &RunOptions) -> bool {
    !how.json
        && !how.no_tty
        && !how.background
        && !project.at_terminal().is_governed()
        && terminal::is_shown()
}

fn wait_for_call(
    ui: &Ui,
    project: &Project,
    registry: &Registry,
    request: CallRequest,
    (reason, how): (&StopReason, &RunOptions),
) -> Result<Report, RunFailure> {
    let cancel = CancellationToken::new();
    // A person cannot answer through a pipe that nobody reads. There cuff stops by itself, and the tool once
    // the pipe is full.
    let keys = KeySignals { suspend: ui.watched() && !how.background, ..KeySignals::default() };
    let interrupts = keys.clone();
    let tool = request.tool.name();
    let found = registry.named(tool, Spelling::Dotted);
    let name = found.map(|found| found.name.clone());
    let tool = found.map_or_else(|| tool.to_owned(), |found| found.shown.clone());
    // A client of a runner passes no terminal on.
    let is_elsewhere =
        found.is_some_and(|found| calls::is_elsewhere(&project.settings, found, &request.arguments));
    let is_interactive = is_interactive(project, how) && !is_elsewhere;
    let (watched, detach) = (Arc::new(WatchedRun::of(true)), request.detach.token.clone());
    let mut sink = Terminal {
        silent: how.json,
        is_interactive,
        reason: reason.clone(),
        keys,
        watched: Arc::clone(&watched),
        is_watched: how.background,
        failure: None,
    };
    let leaving = Detaching { ui, project, how, watched: &watched, reason, cancel: &cancel, detach: &detach };
    project.prepare_runs(ExpectedRuns::OneRun);
    let runtime = runtime().map_err(RunFailure::Io)?;
    let report = runtime.block_on(async {
        tokio::select! {
            // Ctrl-C counts from before anything has started.
            biased;
            () = on_signals(cancel.clone(), reason.clone(), Some(interrupts)) => None,
            report = calls::run_listed(project, registry, request, &mut sink, &cancel) => Some(report),
            () = async {
                cancel.cancelled().await;
                // Behind what the terminal shows of the keys.
                ui.begin_line();
                let keys = if reason.code() == Some(exit::INTERRUPTED) { "; Ctrl-C again ends it now" } else { "" };
                ui.note(format!("stopping {tool}{keys}"));
                std::future::pending::<()>().await;
            } => None,
            () = async {
                leaving.leave(name).await;
                std::future::pending::<()>().await;
            } => None,
        }
    });
    runtime.block_on(project.catalog.close());
    if let Some(error) = sink.failure {
        return Err(RunFailure::Output(error));
    }
    match report {
        Some(Ok(report)) => Ok(report),
        Some(Err(error)) => Err(RunFailure::Call(error)),
        // A third signal: the run was dropped, its supervisor kills what is left.
        None => Err(RunFailure::Left(watched.run())),
    }
}
