//! `cuff run`: a tool's output live, its exit code as cuff's own.

mod afterwards;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::approve::{AtTerminal, Beforehand};
use super::arguments::Run;
use super::complaints::complain_of;
use super::server_questions::AnswersServers;
use super::{again, call, choose, flags, list};
use crate::calls;
use crate::calls::Conversation;
use crate::calls::{Addressed, Colours, Request, RunError};
use crate::execution::{Keys, Sink};
use crate::model::{Caller, Report, RunId, Spelling, Stream, listed};
use crate::policy::Asker;
use crate::project::{Context, Project};
use crate::registry::{NoSuchTool, Registered, Registry};
use crate::sys::terminal;
use crate::terminal::{Failed, Interrupts, StopReason, Ui, exit, on_signals, runtime, wait_for};
use crate::wire::{Reader, ToolResult};
use afterwards::{conclude, print_json, say_left, say_nothing_ran, unwritable};

pub(super) use afterwards::say_error;

/// Opens the project, and runs a tool of it; the exit code is the tool's.
pub(super) fn open_and_run(
    ui: &Ui,
    surroundings: Context,
    config: Option<&Path>,
    typed: &Run,
) -> Result<u8, Failed> {
    let engine = Project::open_typed(surroundings, config);
    run(ui, &engine.map_err(|error| Failed::from(error).before_a_run())?, typed, None)
}

/// Runs a tool; the exit code is the tool's. `of` is the plugin whose own command it is.
pub(super) fn run(ui: &Ui, engine: &Project, typed: &Run, of: Option<&str>) -> Result<u8, Failed> {
    let json = typed.how.json;
    let named = typed.tool.as_deref().unwrap_or_default();
    let registry =
        wait_for(ui, engine.list_for(named)).map_err(|error| Failed::from(error).before_a_run())?;
    let Meant { tool, given, found, is_told } = meant(ui, engine, &registry, typed, of)?;
    let is_recorded = given.is_some();
    // A run says what matters to it: its own instance's settings, or all of them where there is no such tool.
    complain_of(ui, engine, |instance| {
        found.is_none_or(|found| instance == Some(found.name.instance.as_str()))
    });
    list::complain_of_patterns(ui, engine, &registry, found);
    let mut arguments = match given {
        Some(given) => given,
        None => call::arguments(found, &tool, &typed.how.call, typed.how.dry_run)?,
    };
    let schema = found.and_then(|found| found.tool.input.schema());
    if let Some(schema) = schema {
        check_flags(ui, &flags::flags(schema), (&tool, &arguments), typed)?;
    }
    if typed.how.dry_run && schema.is_none() {
        arguments.insert(call::DRY_RUN.into(), Value::Bool(true));
    }
    if is_told {
        let command = of.map_or_else(|| "cuff run".to_owned(), |plugin| format!("cuff {plugin} run"));
        // As the list to choose from calls it.
        let recorded = found.filter(|_| is_recorded);
        let called = recorded.map_or_else(|| tool.clone(), |found| choose::shortest(&registry, found));
        ui.command(call::line(&command, &called, found, &arguments));
    }
    let tool =
        if is_recorded { Addressed::Exactly(tool, Spelling::Dotted) } else { Addressed::Loosely(tool) };
    let reason = StopReason::default();
    let request = Request {
        colours: colours(ui, json),
        asker: asker(engine, typed.how.yes, &reason),
        conversation: conversation(engine, &reason),
        options: call::options(&typed.how.call, typed.how.dry_run),
        ..Request::new(tool, arguments, engine.at_terminal())
    };
    match carry_out(ui, engine, &registry, request, (&reason, json)) {
        Ok(report) => {
            let code = reason.code().unwrap_or_else(|| exit::of_report(&report));
            if reason.nobody_reads() {
                return Ok(code);
            }
            let printed = if json {
                print_json(ui, &ToolResult::of_report(&report, Reader::Person))
            } else {
                conclude(ui, engine, &report)
            };
            printed.map_err(unwritable)?;
            Ok(code)
        }
        Err(Trouble::Call(error)) => say_nothing_ran(ui, &error, reason.code(), json),
        Err(Trouble::Left(run)) => Ok(say_left(ui, engine, run)),
        Err(Trouble::Io(error)) => Err(Failed::from(error).before_a_run()),
        Err(Trouble::Output(error)) => Err(unwritable(error)),
    }
}

/// Refuses a call that lacks what the tool of a server needs, and says which options cuff took for itself.
fn check_flags(
    ui: &Ui,
    flags: &[flags::Flag],
    (tool, arguments): (&str, &Map<String, Value>),
    typed: &Run,
) -> Result<(), Failed> {
    if let Some(failed) = flags::missing(flags, tool, arguments) {
        return Err(failed);
    }
    for option in call::shadowing(flags, typed) {
        ui.note(format!("note: --{option} is an option of cuff; the one of `{tool}` goes after `--`"));
    }
    Ok(())
}

/// Whether the tool is to print in colours, where what it prints is shown or is part of a JSON document.
fn colours(ui: &Ui, json: bool) -> Colours {
    match (ui.is_plain(), ui.colours() && !json) {
        (true, _) => Colours::Unwanted,
        (false, true) => Colours::Welcome,
        (false, false) => Colours::AsTheToolLikes,
    }
}

/// What a command line means.
struct Meant<'r> {
    tool: String,
    /// What it was given when it ran last, where that is repeated.
    given: Option<Map<String, Value>>,
    found: Option<&'r Registered>,
    /// Whether nobody typed its name, so that the line is printed.
    is_told: bool,
}

fn meant<'r>(
    ui: &Ui,
    engine: &Project,
    registry: &'r Registry,
    typed: &Run,
    of: Option<&str>,
) -> Result<Meant<'r>, Failed> {
    let tool = match typed.tool.as_deref() {
        Some(again::LAST) => {
            let (tool, given) = again::last(engine, typed, of)?;
            // What was recorded is that tool, or none: another may be called so by now.
            let found = registry.named(&tool, Spelling::Dotted);
            return Ok(Meant { tool, given: Some(given), found, is_told: found.is_some() });
        }
        Some(tool) => tool.to_owned(),
        None => {
            let tool = choose::choose(ui, engine, registry, typed.how.json)?;
            let found = calls::resolve(engine, registry, &tool).ok();
            return Ok(Meant { tool, given: None, found, is_told: found.is_some() });
        }
    };
    let found = match calls::resolve(engine, registry, &tool) {
        Err(NoSuchTool::Ambiguous { candidates }) if !typed.how.json => {
            if let Some(chosen) = choose::among(ui, engine, registry, (&tool, &candidates))? {
                let tool = chosen.name.to_string();
                return Ok(Meant { tool, given: None, found: Some(chosen), is_told: true });
            }
            None
        }
        found => found.ok(),
    };
    // Elsewhere the same name means another, or none.
    let of_here = found.filter(|_| !tool.contains('/') && registry.find(&tool, None).is_err());
    if let Some(found) = of_here {
        ui.note(format!("note: `{tool}` is {} in this folder", found.name));
    } else if let Some(found) = found.filter(|_| !typed.how.json && !tool.contains('/')) {
        say_others(ui, registry, &tool, found);
    }
    Ok(Meant { tool, given: None, found, is_told: false })
}

/// Others are called so, too, and are passed over: said, lest the one be taken for the other.
fn say_others(ui: &Ui, registry: &Registry, typed: &str, found: &Registered) {
    let others: Vec<String> = registry.called_so_too(typed, found).iter().map(ToString::to_string).collect();
    if !others.is_empty() {
        let are = if others.len() == 1 { "is" } else { "are" };
        let others = listed(&others, MOST_OTHERS);
        ui.note(format!("note: `{typed}` is {}; {others} {are} called so too", found.name));
    }
}

/// How many others are named that are called as a tool is.
const MOST_OTHERS: usize = 3;

/// The person who answers what MCP servers ask during a call: nobody within a run.
fn conversation(engine: &Project, reason: &StopReason) -> Option<Arc<dyn Conversation>> {
    let is_person = engine.at_terminal() == Caller::Human && terminal::is_there();
    is_person.then(|| Arc::new(AnswersServers::new(reason.clone())) as _)
}

/// Who is asked for a yes: nobody within a run, whatever terminal that makes for itself.
fn asker(engine: &Project, yes: bool, reason: &StopReason) -> Option<Arc<dyn Asker>> {
    match engine.at_terminal() {
        Caller::Run | Caller::Agent | Caller::Code => None,
        Caller::Human if yes => Some(Arc::new(Beforehand(engine.said_yes().is_some()))),
        Caller::Human => Some(Arc::new(AtTerminal(reason.clone()))),
    }
}

enum Trouble {
    Call(RunError),
    /// cuff's own machinery.
    Io(io::Error),
    /// Standard output or standard error.
    Output(io::Error),
    /// A person did not wait for the end of this run.
    Left(Option<RunId>),
}

fn carry_out(
    ui: &Ui,
    engine: &Project,
    registry: &Registry,
    request: Request,
    (reason, json): (&StopReason, bool),
) -> Result<Report, Trouble> {
    let cancel = CancellationToken::new();
    // Who writes into a pipe that nobody reads could not answer: there cuff stops by itself, and the tool once the pipe is full.
    let keys = Keys { suspend: ui.watched(), ..Keys::default() };
    let interrupts = Interrupts { first: keys.interrupted.clone(), again: keys.again.clone() };
    let tool = request.tool.name();
    let tool = calls::resolve(engine, registry, tool)
        .map_or_else(|_| tool.to_owned(), |found| found.name.to_string());
    let mut sink = Terminal { silent: json, reason: reason.clone(), keys, run: None, failure: None };
    let runtime = runtime().map_err(Trouble::Io)?;
    let report = runtime.block_on(async {
        tokio::select! {
            // Whoever types Ctrl-C is heard from before anything has started.
            biased;
            () = on_signals(cancel.clone(), reason.clone(), Some(interrupts)) => None,
            report = calls::run_listed(engine, registry, request, &mut sink, &cancel) => Some(report),
            () = async {
                cancel.cancelled().await;
                // Behind what the terminal shows of the keys.
                ui.begin_line();
                let keys = if reason.code() == Some(exit::INTERRUPTED) { "; Ctrl-C again ends it now" } else { "" };
                ui.note(format!("stopping {tool}{keys}"));
                std::future::pending::<()>().await;
            } => None,
        }
    });
    runtime.block_on(engine.close());
    if let Some(error) = sink.failure {
        return Err(Trouble::Output(error));
    }
    match report {
        Some(Ok(report)) => Ok(report),
        Some(Err(error)) => Err(Trouble::Call(error)),
        // A third signal: the run was dropped, its supervisor kills what is left.
        None => Err(Trouble::Left(sink.run)),
    }
}

/// Shows what a run prints as it comes.
struct Terminal {
    silent: bool,
    reason: StopReason,
    keys: Keys,
    run: Option<RunId>,
    failure: Option<io::Error>,
}

impl Sink for Terminal {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        if self.silent {
            return ControlFlow::Continue(());
        }
        let written = match stream {
            Stream::Out | Stream::Both => show(&mut io::stdout().lock(), bytes),
            Stream::Err => show(&mut io::stderr().lock(), bytes),
        };
        let Err(error) = written else { return ControlFlow::Continue(()) };
        if error.kind() == io::ErrorKind::BrokenPipe {
            self.reason.broken_pipe();
        } else {
            self.failure = Some(error);
        }
        ControlFlow::Break(())
    }

    fn recorded(&mut self, id: RunId) {
        self.run = Some(id);
    }

    fn is_one_place(&self) -> bool {
        !self.silent && terminal::outputs_are_one()
    }

    fn keys(&self) -> Keys {
        self.keys.clone()
    }
}

fn show(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}
