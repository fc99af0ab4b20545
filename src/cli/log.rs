//! `cuff runs log`: what a run printed, all of it or a part.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use serde_json::json;

use super::arguments::{LineRange, LogOptions};
use super::runs::resolve::{find, unreadable};
use crate::calls;
use crate::calls::{LogQuery, RecordedRuns};
use crate::model::{Legible, RecordState, Recorded, RunId, Stream, counted};
use crate::store::Log;
use crate::terminal::{Failed, Ui, exit};

/// How often a log that is followed is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// How many bytes of a log an [`PrintedExcerpt`] has.
const MOST: u64 = 64 * 1024;

/// Writes a log, or a part of it, to standard output; it may be of any size and encoding. Nothing in it acts on a
/// terminal, also where a pipe ends at one; `--raw` writes its very bytes.
pub(super) fn log(ui: &Ui, runs: &RecordedRuns, typed: &LogOptions) -> Result<u8, Failed> {
    let id = find(runs, &typed.run)?;
    let log = runs.log(id).map_err(|error| unreadable(&error))?;
    match runs.run(id) {
        Ok(run) if !typed.json && !typed.raw && is_report(&run, &log)? => ui.note(format!(
            "note: this is a report for programs, as it was asked for; `cuff runs diagnostics {}` shows what it says",
            runs.short(id)
        )),
        Ok(_) => {}
        // The log is there all the same.
        Err(error) => ui.note(format!("what else is known of this run cannot be read: {error}")),
    }
    let wanted = wanted(typed);
    if wanted.containing.is_some() {
        return containing(ui, runs, (id, log), wanted, typed);
    }
    let range = if (wanted.from, wanted.tail) == (None, None) {
        0..log.bytes()
    } else {
        let to = wanted.to.map_or(Ok(log.bytes()), |to| log.line(to.saturating_add(1)))?;
        // A damaged index may have them the other way round.
        log.line(wanted.among(log.lines()?).0)?.min(to)..to
    };
    if typed.json {
        let excerpt = PrintedExcerpt::beginning(&log, range.clone())?;
        let mut shape = json!({
            "run_id": id.to_string(), "start": range.start, "end": range.end, "text": excerpt.text,
            "truncated": excerpt.omitted > 0,
        });
        if excerpt.omitted > 0 {
            shape["omitted_bytes"] = json!(excerpt.omitted);
        }
        ui.json(&shape)?;
        return Ok(exit::SUCCESS);
    }
    if let (Some(from), Some(_)) = (log.streams_lost(), typed.stream) {
        ui.note(format!("its index is damaged: from byte {from} on nobody knows which stream printed what"));
    }
    if let (Some(LineRange { from, .. }), true) = (typed.lines, range.is_empty()) {
        let lines = log.lines()?;
        if from > lines {
            ui.note(format!("there is no line {from}: the log has {}", counted(lines, "line")));
        }
    }
    let end = range.end;
    let legible = (!typed.raw).then(|| Legible::new(ui.colours()));
    let mut printer = Printer { stream: wanted.stream, legible };
    printer.print(&log, range)?;
    if typed.follow {
        follow(runs, (id, log), end, &mut printer)?;
    }
    printer.finish()?;
    Ok(exit::SUCCESS)
}

/// Whether the program was asked for JSON, and the log begins with it.
fn is_report(run: &Recorded, log: &Log) -> io::Result<bool> {
    let mut words = run.beginning.command.windows(2);
    let is_asked = words.any(|words| words[0] == "--format" && words[1] == "json");
    Ok(is_asked && log.bytes() > 0 && matches!(log.some(0..1, 1)?.first(), Some(b'[' | b'{')))
}

/// Which lines were asked for.
fn wanted(typed: &LogOptions) -> LogQuery {
    LogQuery {
        for_agents: false,
        from: typed.lines.map(|lines| lines.from),
        to: typed.lines.and_then(|lines| lines.to),
        tail: typed.tail.map(|tail| tail as u64),
        stream: typed.stream,
        containing: typed.containing.clone(),
    }
}

/// Prints the lines that contain a text, each with its number; as JSON as many as fit, as agents have them.
fn containing(
    ui: &Ui,
    runs: &RecordedRuns,
    (id, mut log): (RunId, Log),
    mut wanted: LogQuery,
    typed: &LogOptions,
) -> Result<u8, Failed> {
    let (from, to) = wanted.among(log.lines()?);
    (wanted.from, wanted.to, wanted.tail) = (Some(from), Some(to), None);
    if typed.json {
        let excerpt = calls::log_excerpt(&log, &wanted)?;
        let mut shape = json!({
            "run_id": id.to_string(), "text": excerpt.text, "shown": excerpt.shown, "lines": excerpt.lines,
        });
        if let Some(next) = excerpt.next {
            shape["next_line"] = json!(next);
        }
        ui.json(&shape)?;
        return Ok(exit::SUCCESS);
    }
    let (mut any, mut lines) = (false, log.lines()?);
    if typed.follow {
        loop {
            let goes_on = goes_on(runs, id);
            log.grow()?;
            lines = log.lines()?;
            // The last line of a log that grows may go on.
            let is_whole = !goes_on || log.some(log.bytes().saturating_sub(1)..log.bytes(), 1)? == b"\n";
            let to = if is_whole { lines } else { lines.saturating_sub(1) };
            wanted.to = Some(to);
            any |= print_excerpts(&log, wanted.clone())?;
            wanted.from = wanted.from.max(Some(to + 1));
            if !goes_on {
                break;
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
    } else {
        any = print_excerpts(&log, wanted)?;
    }
    if !any {
        ui.note(format!("none of these lines contains it: the log has {}", counted(lines, "line")));
    }
    Ok(exit::SUCCESS)
}

/// Prints all lines that are wanted, page after page; whether there were any.
fn print_excerpts(log: &Log, mut wanted: LogQuery) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    let mut any = false;
    loop {
        let excerpt = calls::log_excerpt(log, &wanted)?;
        any |= excerpt.shown > 0;
        out.write_all(excerpt.text.as_bytes())?;
        wanted.from = excerpt.next;
        if wanted.from.is_none() {
            out.flush()?;
            return Ok(any);
        }
    }
}

/// A bounded part of a log.
#[derive(Debug)]
pub(super) struct PrintedExcerpt {
    /// UTF-8 with replacement, and nothing that drives a terminal.
    pub(super) text: String,
    /// How many bytes of the part are not in it.
    pub(super) omitted: u64,
}

impl PrintedExcerpt {
    /// The first bytes of a part.
    pub(super) fn beginning(log: &Log, part: Range<u64>) -> io::Result<Self> {
        let end = part.end.min(part.start.saturating_add(MOST));
        Self::read(log, part.start..end, part.end.saturating_sub(end))
    }

    /// The last bytes of a part.
    pub(super) fn end(log: &Log, part: Range<u64>) -> io::Result<Self> {
        let start = part.start.max(part.end.saturating_sub(MOST));
        Self::read(log, start..part.end, start - part.start)
    }

    fn read(log: &Log, range: Range<u64>, omitted: u64) -> io::Result<Self> {
        let mut bytes = Vec::new();
        log.each(range, &mut |chunk| {
            bytes.extend_from_slice(chunk);
            ControlFlow::Continue(())
        })?;
        Ok(Self { text: Legible::whole(&bytes), omitted })
    }
}

fn goes_on(runs: &RecordedRuns, id: RunId) -> bool {
    runs.run(id).is_ok_and(|run| matches!(run.state, RecordState::Running(_)))
}

/// Prints what comes until the run ends, and what it printed last.
fn follow(
    runs: &RecordedRuns,
    (id, mut log): (RunId, Log),
    mut end: u64,
    printer: &mut Printer,
) -> Result<(), Failed> {
    loop {
        let goes_on = goes_on(runs, id);
        log.grow()?;
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
    stream: Option<Stream>,
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
            Some(stream) => log.each_of(stream, range, &mut show)?,
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
