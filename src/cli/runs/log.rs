//! `cuff runs log`: what a run printed, whole or in part.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use serde_json::json;

use super::{read, unreadable};
use crate::cli::arguments::{Lines, LogOptions, Printing};
use crate::cli::ui::Ui;
use crate::cli::{Failed, exit};
use crate::engine::{Log, Runs};
use crate::model::{Legible, RunId, State, Stream};

/// How much of a log is printed as JSON, in bytes.
pub(super) const MOST: usize = 64 * 1024;

/// How often a log that is followed is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Writes a log, or a part of it, to standard output; it may be of any size and encoding. Nothing in it acts on a
/// terminal, also where a pipe ends at one; `--raw` writes its very bytes.
pub(super) fn log(ui: &Ui, runs: &Runs, typed: &LogOptions) -> Result<u8, Failed> {
    let run = read(runs, &typed.run)?;
    let log = runs.log(run.id).map_err(|error| unreadable(&error))?;
    let range = match typed.lines {
        None => 0..log.bytes(),
        Some(Lines { from, to }) => log.line(from)?..to.map_or(Ok(log.bytes()), |to| log.line(to + 1))?,
    };
    if typed.json {
        let part = log.some(range.clone(), MOST)?;
        ui.json(&json!({
            "run_id": run.id.to_string(), "start": range.start, "end": range.end,
            "text": Legible::whole(&part), "truncated": range.end - range.start > part.len() as u64,
        }))?;
        return Ok(exit::SUCCESS);
    }
    let end = range.end;
    let legible = (!typed.raw).then(|| Legible::new(ui.colours()));
    let mut printer = Printer { stream: typed.stream, legible };
    printer.print(&log, range)?;
    if typed.follow {
        follow(runs, run.id, end, &mut printer)?;
    }
    printer.finish()?;
    Ok(exit::SUCCESS)
}

/// Prints what comes until the run ends, and what it printed last.
fn follow(runs: &Runs, id: RunId, mut end: u64, printer: &mut Printer) -> Result<(), Failed> {
    loop {
        let goes_on = runs.run(id).is_ok_and(|run| matches!(run.state, State::Running(_)));
        let log = runs.log(id).map_err(|error| unreadable(&error))?;
        printer.print(&log, end..log.bytes())?;
        end = log.bytes();
        if !goes_on {
            return Ok(());
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// Prints parts of a log, one after the other.
struct Printer {
    /// One of the two streams, or both.
    stream: Option<Printing>,
    /// `None`: the very bytes.
    legible: Option<Legible>,
}

impl Printer {
    fn print(&mut self, log: &Log, range: Range<u64>) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let mut failed = Ok(());
        let legible = &mut self.legible;
        let mut show = |chunk: &[u8]| {
            let shown = legible.as_mut().map_or(Cow::Borrowed(chunk), |legible| legible.push(chunk));
            match out.write_all(&shown) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Err(error);
                    ControlFlow::Break(())
                }
            }
        };
        match self.stream {
            None => log.each(range, &mut show)?,
            Some(Printing::Stdout) => log.each_of(Stream::Out, range, &mut show)?,
            Some(Printing::Stderr) => log.each_of(Stream::Err, range, &mut show)?,
        }
        failed?;
        out.flush()
    }

    fn finish(mut self) -> io::Result<()> {
        let held = self.legible.as_mut().map(Legible::finish).unwrap_or_default();
        let mut out = io::stdout().lock();
        out.write_all(&held)?;
        out.flush()
    }
}
