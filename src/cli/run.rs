//! `cuff run`: a tool's output live, its exit code as cuff's own.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::approve::{AtTerminal, Beforehand};
use super::arguments::Run;
use super::stop::{self, Reason};
use super::ui::Ui;
use super::{Failed, again, call, choose, exit, findings, list};
use crate::engine::{Addressed, Aside, Asker, Engine, Keys, Registered, Registry, Request, RunError, Sink};
use crate::model::{Caller, Ending, Report, RunId, Spelling, Stream, visible};
use crate::sys::terminal;
use crate::wire::{Reader, ToolResult, leftover_notes, status, unrecorded_note};

/// Runs a tool; the exit code is the tool's. `of` is the plugin whose own command it is.
pub(super) fn run(ui: &Ui, engine: &Engine, typed: &Run, of: Option<&str>) -> Result<u8, Failed> {
    let json = typed.how.json;
    let registry = super::wait_for(ui, engine.list()).map_err(|error| Failed::from(error).before_a_run())?;
    let Meant { tool, given, found, is_told } = meant(ui, engine, &registry, typed, of)?;
    let is_recorded = given.is_some();
    // A run says what matters to it: its own instance's settings, or all of them where there is no such tool.
    super::complain_of(ui, engine, |instance| {
        found.is_none_or(|found| instance == Some(found.name.instance.as_str()))
    });
    list::complain_of_patterns(ui, engine, &registry, found);
    let mut arguments = match given {
        Some(given) => given,
        None => call::arguments(found, &tool, &typed.how.call, typed.how.dry_run)?,
    };
    if typed.how.dry_run {
        arguments.insert(call::DRY_RUN.into(), Value::Bool(true));
    }
    if is_told {
        let command = of.map_or_else(|| "cuff run".to_owned(), |plugin| format!("cuff {plugin} run"));
        ui.command(call::line(&command, &tool, found, &arguments));
    }
    let tool =
        if is_recorded { Addressed::Exactly(tool, Spelling::Dotted) } else { Addressed::Loosely(tool) };
    let colours = ui.colours() && !json;
    let reason = Reason::default();
    let request = Request {
        tool,
        arguments,
        caller: engine.at_terminal(),
        colours,
        asker: asker(engine, typed.how.yes, &reason),
        aside: Aside::default(),
        correlation: None,
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
    engine: &Engine,
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
            let found = engine.meant(registry, &tool).ok();
            return Ok(Meant { tool, given: None, found, is_told: found.is_some() });
        }
    };
    let found = engine.meant(registry, &tool).ok();
    // Elsewhere the same name means another, or none.
    let of_here = found.filter(|_| registry.find(&tool, None).is_err());
    if let Some(found) = of_here {
        ui.note(format!("note: `{tool}` is {} in this folder", found.name));
    }
    Ok(Meant { tool, given: None, found, is_told: false })
}

/// Who is asked for a yes: nobody within a run, whatever terminal that makes for itself.
fn asker(engine: &Engine, yes: bool, reason: &Reason) -> Option<Arc<dyn Asker>> {
    match engine.at_terminal() {
        Caller::Run | Caller::Agent => None,
        Caller::Human if yes => Some(Arc::new(Beforehand(engine.said_yes().is_some()))),
        Caller::Human => Some(Arc::new(AtTerminal(reason.clone()))),
    }
}

/// Says that nothing was run. Who said no, or typed Ctrl-C, needs no error to be told so.
fn say_nothing_ran(ui: &Ui, error: &RunError, stopped: Option<u8>, json: bool) -> Result<u8, Failed> {
    if let Some(code) = stopped.filter(|_| !json) {
        ui.say("Nothing was run");
        return Ok(code);
    }
    say_error(ui, error, json).map(|code| stopped.unwrap_or(code))
}

/// Says why a call starts nothing; the exit code for it.
pub(super) fn say_error(ui: &Ui, error: &RunError, json: bool) -> Result<u8, Failed> {
    if json {
        let help = error.help.as_deref();
        let shape = ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, help);
        print_json(ui, &shape).map_err(unwritable)?;
    } else {
        ui.error(error, Some(&error.code), error.help.as_deref());
    }
    Ok(exit::of_run_error(error))
}

/// Standard output takes no more: silent where its reader left, else said.
fn unwritable(error: io::Error) -> Failed {
    let whole = format!("standard output cannot be written: {error}");
    let failed = Failed::from(error).before_a_run();
    if failed.message.is_empty() {
        return failed;
    }
    let help = "what ran has run, and `cuff runs log` prints what was recorded of it";
    Failed { message: whole, ..failed }.help(help)
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
    engine: &Engine,
    registry: &Registry,
    request: Request,
    (reason, json): (&Reason, bool),
) -> Result<Report, Trouble> {
    let (cancel, keys) = (CancellationToken::new(), Keys::default());
    let (Addressed::Exactly(tool, _) | Addressed::Loosely(tool)) = &request.tool;
    let tool = engine.meant(registry, tool).map_or_else(|_| tool.clone(), |found| found.name.to_string());
    let mut sink =
        Terminal { silent: json, reason: reason.clone(), keys: keys.clone(), run: None, failure: None };
    let runtime = super::runtime().map_err(Trouble::Io)?;
    let report = runtime.block_on(async {
        tokio::select! {
            // Whoever types Ctrl-C is heard from before anything has started.
            biased;
            () = stop::on_signals(cancel.clone(), reason.clone(), Some(keys)) => None,
            report = engine.run_listed(registry, request, &mut sink, &cancel) => Some(report),
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

/// The last words about a run whose end nobody waited for.
fn say_left(ui: &Ui, engine: &Engine, run: Option<RunId>) -> u8 {
    let run = run.and_then(|id| Some(engine.runs()?.short(id)));
    ui.say(match run {
        Some(id) => format!("left without its end; `cuff runs show {id}` has what is recorded of it"),
        None => "left without its end; nothing of it is recorded".to_owned(),
    });
    exit::INTERRUPTED
}

/// Says what streaming did not: the answer of a tool that ran nothing, and what went wrong. Success says nothing more
/// than the tool did, unless more is asked for.
fn conclude(ui: &Ui, engine: &Engine, report: &Report) -> io::Result<()> {
    if report.ending.is_none() {
        return ui.result(answer(report));
    }
    if !report.output.text.is_empty() && !report.output.text.ends_with('\n') {
        ui.end_line();
    }
    if ui.verbose()
        && let Some(words) = report.metadata.get("command").and_then(Value::as_array)
    {
        let line = shlex::try_join(words.iter().filter_map(Value::as_str)).unwrap_or_default();
        ui.note(format!("note: {} was `{line}`", report.tool));
    }
    if engine.at_terminal() == Caller::Human && terminal::has_unread_input() {
        ui.note(format!(
            "note: tools get no standard input, so that nothing of it was read; name a file behind `--`, or run by hand \
             what `cuff why {}` shows",
            report.tool
        ));
    }
    for note in leftover_notes(report) {
        ui.note(format!("note: {note}"));
    }
    if let Some(note) = unrecorded_note(report) {
        ui.say(format!("warning: {note}"));
    }
    if report.error.is_some() {
        if !report.is_told {
            findings::after_run(ui, engine, report);
        }
        let help = match report.ending {
            // As a person types it.
            Some(Ending::TimedOut(_)) => {
                Some("give it more with `--timeout`, or raise `default_timeout` in settings.yml")
            }
            _ => report.help.as_deref(),
        };
        ui.error(status(report), report.error_code.as_deref(), help);
        // Where it printed nothing, what it is may say why.
        let next = again(engine, report).or_else(|| {
            if matches!(report.ending, Some(Ending::Cancelled)) {
                let id = engine.runs()?.short(report.run_id?);
                return Some(format!("it printed nothing; `cuff runs show {id}` has what is recorded of it"));
            }
            let why = format!("`cuff why {}` shows what it runs", report.tool);
            Some(why).filter(|_| report.help.is_none())
        });
        if let Some(next) = next.filter(|_| !ui.quiet()) {
            ui.help(&next);
        }
    } else if ui.verbose() {
        let again = again(engine, report).map_or_else(String::new, |again| format!("; {again}"));
        ui.note(format!("note: {}{again}", status(report)));
    }
    Ok(())
}

/// What a dry run says, or the answer of a list tool: a line for each entry, as a person reads it.
fn answer(report: &Report) -> String {
    let entries = report.data.iter().flat_map(Map::values).find_map(Value::as_array);
    let Some(entries) = entries.filter(|entries| !entries.is_empty()) else {
        return report.output.text.trim_end().to_owned();
    };
    let text =
        |value: Option<&Value>| visible(value.and_then(Value::as_str).unwrap_or_default()).into_owned();
    let row = |entry: &Value| match entry {
        Value::Object(facts) => (text(facts.get("name")), text(facts.get("description"))),
        name => (text(Some(name)), String::new()),
    };
    let rows: Vec<(String, String)> = entries.iter().map(row).collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let lines = rows.iter().map(|(name, about)| format!("{name:width$}  {about}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// How to see again what a run printed; `None` where there is nothing to see.
fn again(engine: &Engine, report: &Report) -> Option<String> {
    let id = report.run_id.filter(|_| report.output.bytes > 0)?;
    let log = if report.unrecorded.is_none() { "its log" } else { "what was recorded of its log" };
    Some(format!("`cuff runs log {}` prints {log} again", engine.runs()?.short(id)))
}

fn print_json(ui: &Ui, result: &ToolResult) -> io::Result<()> {
    ui.json(&result.to_json())
}

/// Shows what a run prints as it comes.
struct Terminal {
    silent: bool,
    reason: Reason,
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
            Stream::Out => show(&mut io::stdout().lock(), bytes),
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

    fn keys(&self) -> Keys {
        self.keys.clone()
    }
}

fn show(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}
