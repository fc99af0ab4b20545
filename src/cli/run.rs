//! `cuff run`: a tool's output live, its exit code as cuff's own.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::ops::ControlFlow;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::arguments::{How, Run};
use super::stop::{self, Reason};
use super::ui::Ui;
use super::{Failed, exit};
use crate::engine::{Addressed, Engine, Request, RunError, Sink};
use crate::model::{Caller, Kind, Report, Stream};
use crate::wire::{ToolResult, leftover_notes};

/// Runs a tool; the exit code is the tool's.
pub(super) fn run(ui: &Ui, engine: &Engine, typed: Run) -> Result<u8, Failed> {
    let json = typed.how.json;
    match carry_out(ui, engine, typed) {
        Ok((report, reason)) => {
            let code = reason.code().unwrap_or_else(|| exit::of_report(&report));
            if reason.nobody_reads() {
                return Ok(code);
            }
            if json {
                print_json(ui, &ToolResult::of_report(&report))?;
            } else {
                conclude(ui, &report)?;
            }
            Ok(code)
        }
        Err(Trouble::Call(error)) => {
            if json {
                let shape = ToolResult::of_failure(None, &error.code, &error.message, error.help.as_deref());
                print_json(ui, &shape)?;
            } else {
                ui.error(&error, Some(&error.code), error.help.as_deref());
            }
            Ok(exit::of_run_error(&error))
        }
        Err(Trouble::Words(message)) => Err(Failed::usage(message)),
        Err(Trouble::Io(error)) => Err(error.into()),
    }
}

enum Trouble {
    Call(RunError),
    Words(String),
    Io(io::Error),
}

fn carry_out(ui: &Ui, engine: &Engine, typed: Run) -> Result<(Report, Reason), Trouble> {
    let arguments = arguments(engine, &typed.tool, &typed.how).map_err(Trouble::Words)?;
    let colours = ui.watched() && !typed.how.json;
    let tool = Addressed::Loosely(typed.tool);
    let request = Request { tool, arguments, caller: Caller::Human, colours };
    let reason = Reason::default();
    let cancel = CancellationToken::new();
    let mut sink = Terminal { silent: typed.how.json, reason: reason.clone() };
    let runtime = super::runtime().map_err(Trouble::Io)?;
    let report = runtime.block_on(async {
        tokio::select! {
            report = engine.run(request, &mut sink, &cancel) => Some(report),
            () = stop::on_signals(cancel.clone(), reason.clone()) => None,
        }
    });
    match report {
        Some(Ok(report)) => Ok((report, reason)),
        Some(Err(error)) => Err(Trouble::Call(error)),
        // A second signal: the run was dropped, its supervisor kills what is left.
        None => Err(Trouble::Io(io::Error::from(io::ErrorKind::Interrupted))),
    }
}

/// The words of the command line as the arguments of the tool.
fn arguments(engine: &Engine, tool: &str, how: &How) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    let words: Vec<&str> =
        how.words.iter().enumerate().map(|(at, word)| whole(at, word)).collect::<Result<_, _>>()?;
    if !words.is_empty() {
        let (name, value) = words_for(engine, tool, &words)?;
        arguments.insert(name, value);
    }
    if !how.env.is_empty() {
        let pairs = how.env.iter().map(variable).collect::<Result<Map<_, _>, _>>()?;
        arguments.insert("env".into(), Value::Object(pairs));
    }
    if let Some(seconds) = how.timeout {
        arguments.insert("timeout".into(), json!(seconds));
    }
    if how.dry_run {
        arguments.insert("dry_run".into(), json!(true));
    }
    Ok(arguments)
}

/// Words go to the one parameter that takes them: a list, or a line that is split again as a shell would.
fn words_for(engine: &Engine, tool: &str, words: &[&str]) -> Result<(String, Value), String> {
    let registry = engine.list();
    let parameters = registry.find(tool).map_or(&[][..], |found| found.tool.parameters);
    for field in parameters {
        match field.kind {
            Kind::TextList => return Ok((field.name.into(), json!(words))),
            Kind::CommandLine => {
                let line = shlex::try_join(words.iter().copied())
                    .map_err(|_| "an argument contains a NUL character")?;
                return Ok((field.name.into(), json!(line)));
            }
            _ => {}
        }
    }
    if registry.find(tool).is_ok() {
        Err(format!("`{tool}` takes no words"))
    } else {
        Ok((String::new(), Value::Null))
    }
}

fn whole(at: usize, word: &OsStr) -> Result<&str, String> {
    word.to_str().ok_or_else(|| format!("argument {} is not valid UTF-8: {}", at + 1, word.display()))
}

fn variable(pair: &OsString) -> Result<(String, Value), String> {
    let text = pair.to_str().ok_or_else(|| format!("--env is not valid UTF-8: {}", pair.display()))?;
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), json!(value))),
        None => Err(format!("--env takes NAME=VALUE, not `{text}`")),
    }
}

/// Says what streaming did not: the answer of a tool that ran nothing, and what went wrong.
fn conclude(ui: &Ui, report: &Report) -> io::Result<()> {
    if report.ending.is_none() {
        return ui.result(report.output.text.trim_end());
    }
    for note in leftover_notes(report) {
        ui.note(format!("note: {note}"));
    }
    if let Some(error) = &report.error {
        ui.error(format!("{}: {error}", report.tool), report.error_code.as_deref(), report.help.as_deref());
    }
    Ok(())
}

fn print_json(ui: &Ui, result: &ToolResult) -> io::Result<()> {
    ui.json(&result.to_json())
}

/// Shows what a run prints as it comes.
struct Terminal {
    silent: bool,
    reason: Reason,
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
        if written.is_ok() {
            return ControlFlow::Continue(());
        }
        self.reason.broken_pipe();
        ControlFlow::Break(())
    }
}

fn show(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}
