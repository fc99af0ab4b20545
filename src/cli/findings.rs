//! `cuff runs diagnostics` and `diff`, and findings as people read them: by file, with the source lines.

use std::io;
use std::path::Path;

use console::Style;

use super::arguments::{FindingsFormat, RunAndEarlier, RunAndForm};
use super::runs::resolve::{read, unreadable};
use crate::calls::{RecordedRuns, SourceExcerpts, age};
use crate::diagnostics::{Difference, difference};
use crate::model::{
    Diagnostic, Findings, RecordState, Recorded, Report, Severity, counted, occurrences, visible,
    visible_lines,
};
use crate::project::ProjectSettings;
use crate::terminal::{Failed, Ui, exit};
use crate::wire;

/// Shows what was found in the log of a run.
pub(super) fn diagnostics(ui: &Ui, runs: &RecordedRuns, typed: &RunAndForm) -> Result<u8, Failed> {
    let run = read(runs, &typed.run)?;
    let findings = runs.findings(&run).map_err(|error| unreadable(&error))?;
    let success = match &run.state {
        RecordState::Ended(end) => Some(end.success),
        _ => None,
    };
    match typed.form.format() {
        None => {}
        Some(FindingsFormat::Json) => {
            ui.json(&wire::found_in(run.id, success, &findings, usize::MAX))?;
            return Ok(exit::SUCCESS);
        }
        Some(format) => {
            print_as(ui, &findings, success, format)?;
            return Ok(exit::SUCCESS);
        }
    }
    let mut sources = sources(&run);
    let around = runs.around_unexplained(&run, &findings);
    let text = for_people(&findings, &mut sources, around);
    if text.is_empty() {
        ui.note("nothing was found in its log; `cuff runs log` prints it");
    } else {
        ui.styled(text.join("\n"))?;
    }
    if findings.errors > 0 && success == Some(true) {
        ui.note("the run succeeded: what is above did not fail it");
    }
    say_changed(ui, &sources);
    Ok(exit::SUCCESS)
}

/// Writes findings for another program. `success`: how their run ended, where it is known.
pub(super) fn print_as(
    ui: &Ui,
    findings: &Findings,
    success: Option<bool>,
    format: FindingsFormat,
) -> io::Result<()> {
    match format {
        FindingsFormat::Json => ui.json(&wire::found(findings, usize::MAX)),
        FindingsFormat::Sarif => ui.json(&wire::sarif(findings, success, env!("CARGO_PKG_VERSION"))),
        FindingsFormat::Github if findings.total() == 0 => Ok(()),
        FindingsFormat::Github => ui.result(wire::annotations(findings, success)),
        FindingsFormat::Junit => ui.result(wire::junit(findings, success)),
        FindingsFormat::Checkstyle => ui.result(wire::checkstyle(findings, success)),
    }
}

/// All findings, and what is known beyond them; nothing where there are none. `around`: unread lines around the only error.
pub(super) fn for_people(
    findings: &Findings,
    sources: &mut SourceExcerpts,
    around: Option<String>,
) -> Vec<String> {
    let mut text = by_file(&findings.diagnostics, sources);
    text.extend(rest(findings));
    text.extend(around.map(|around| format!("nothing says why; in the log:\n{}\n", visible_lines(&around))));
    text.extend(total(findings));
    text
}

/// The heading for findings of the earlier run alone: a tool may have looked at less than before.
const GONE: &str = "resolved, or not checked in this run";

/// Compares a run with an earlier one, the last of the same tool unless another is named.
pub(super) fn diff(ui: &Ui, runs: &RecordedRuns, typed: &RunAndEarlier) -> Result<u8, Failed> {
    let run = read(runs, &typed.run)?;
    let other = match &typed.earlier {
        Some(earlier) => read(runs, earlier)?,
        None => runs.previous(&run).ok_or_else(|| {
            let what = format!("{} has no earlier run to compare with", run.beginning.name());
            Failed::usage(what).unable().help("name one: cuff runs diff RUN EARLIER")
        })?,
    };
    // The order of typing does not matter: findings of the older run alone are gone.
    let (earlier, later) = run.in_order(other);
    let found = |run: &Recorded| runs.comparable(run).map_err(|error| unreadable(&error));
    let (before, after) = (found(&earlier)?, found(&later)?);
    let Difference { new, fixed, still } = difference(&before.diagnostics, &after.diagnostics);
    let unseen = before.not_kept() + after.not_kept();
    if typed.json {
        let ids = (later.id, earlier.id);
        ui.json(&wire::compared(ids, [&new, &fixed, &still], unseen, usize::MAX))?;
        return Ok(exit::SUCCESS);
    }
    if let Some(unlike) = wire::unlike(&later, &earlier) {
        ui.note(unlike);
    }
    if typed.earlier.is_some() && later.id != earlier.id {
        let named = |run: &Recorded| format!("{} ({})", runs.short(run.id), age(run.id, runs.now()));
        ui.note(format!("{} is the newer, compared with {}", named(&later), named(&earlier)));
    }
    let mut sources = sources(&later);
    let mut text = Vec::new();
    for (what, found, style) in [
        ("new", new, Style::new().red().bold()),
        ("still there", still, Style::new().yellow().bold()),
        (GONE, fixed, Style::new().green().bold()),
    ] {
        if found.is_empty() {
            continue;
        }
        text.push(style.apply_to(format!("{what} ({}):", occurrences(&found))).to_string());
        // A finding that is gone is no longer at its old place.
        let mut none = SourceExcerpts::of(Path::new("/nowhere"), None);
        let lines = if what == GONE { &mut none } else { &mut sources };
        text.extend(by_file(&found, lines));
    }
    if text.is_empty() {
        let none = "neither run found anything";
        ui.note(format!("{none}; the earlier one is {}", runs.short(earlier.id)));
    } else {
        if unseen > 0 {
            text.push(format!("{unseen} more were counted and not kept, so not compared"));
        }
        ui.styled(text.join("\n"))?;
    }
    say_changed(ui, &sources);
    Ok(exit::SUCCESS)
}

/// Says which files are no longer as that run saw them, where a finding in them has no source line for it.
fn say_changed(ui: &Ui, sources: &SourceExcerpts) {
    let changed = sources.changed();
    let Some(first) = changed.first() else { return };
    let more = match changed.len() {
        1 => "has".to_owned(),
        many => format!("and {} have", counted(many as u64 - 1, "other file")),
    };
    ui.note(format!(
        "note: {} {more} changed since that run began, so no lines of it are shown",
        visible(first)
    ));
}

fn sources(run: &Recorded) -> SourceExcerpts {
    // The files of this machine may be others than those that a run elsewhere read.
    let root = if run.beginning.is_pulled { "/nowhere" } else { &run.beginning.project };
    SourceExcerpts::of(Path::new(root), Some(run.id))
}

/// How much of a failed run's output may have scrolled away before its findings are listed, in bytes.
const SHORT: u64 = 2000;
/// How many findings are listed after a run.
const AFTER_RUN: usize = 20;

/// After a failed run that somebody watches: the findings, if the log is too long to be read at a glance.
pub(super) fn list_after_run(ui: &Ui, settings: &ProjectSettings, report: &Report) {
    let findings = &report.findings;
    if findings.total() > 0 && report.output.bytes > SHORT && ui.watched_whole() {
        let mut worst: Vec<Diagnostic> = findings.diagnostics.clone();
        worst.sort_by_key(|found| std::cmp::Reverse(found.severity));
        worst.truncate(AFTER_RUN);
        ui.styled_note(format!(
            "\n{}",
            by_file(&worst, &mut SourceExcerpts::of(&settings.root, report.run_id)).join("\n")
        ));
    }
}

/// A block for each file, in the order in which the files first come: `src/a.ts:42:7 error TS2345 Argument …`, the rest
/// of the message, and the source line. Terminals make `file:line:column` a link.
pub(super) fn by_file(found: &[Diagnostic], sources: &mut SourceExcerpts) -> Vec<String> {
    let file = |found: &Diagnostic| found.place.as_ref().map(|place| place.file.clone());
    let mut files: Vec<Option<String>> = Vec::new();
    for name in found.iter().map(file) {
        if !files.contains(&name) {
            files.push(name);
        }
    }
    let block = |name: &Option<String>| -> String {
        let here = found.iter().filter(|found| file(found) == *name);
        here.map(|found| one(found, sources)).collect::<Vec<_>>().join("\n")
    };
    files.iter().map(block).map(|block| block + "\n").collect()
}

fn one(found: &Diagnostic, sources: &mut SourceExcerpts) -> String {
    let style = match found.severity {
        Severity::Error => Style::new().red().bold(),
        Severity::Warning => Style::new().yellow().bold(),
        Severity::Info => Style::new().cyan(),
    };
    let dim = Style::new().dim();
    let place = found.place.as_ref().map_or_else(String::new, |place| {
        format!("{} ", Style::new().bold().apply_to(visible(&place.to_string())))
    });
    let code =
        found.code.as_ref().map_or_else(String::new, |code| format!("{} ", dim.apply_to(visible(code))));
    let mut lines = found.message.lines();
    let first = visible(lines.next().unwrap_or_default()).into_owned();
    let times = dim.apply_to(wire::times(found));
    let mut text = vec![format!("{place}{} {code}{first}{times}", style.apply_to(found.severity.name()))];
    text.extend(lines.map(|line| format!("    {}", visible(line.trim_end()))));
    if let Some(line) = found.place.as_ref().and_then(|place| Some((place.line?, sources.line(place)?))) {
        let bar = dim.apply_to(format!("{} |", line.0));
        text.push(format!("    {bar} {}", visible(&line.1)));
    }
    text.join("\n")
}

/// How many are not shown.
pub(super) fn rest(findings: &Findings) -> Option<String> {
    let more = findings.not_kept();
    (more > 0).then(|| format!("… {more} more were counted and not kept"))
}

/// The last line: all in numbers.
pub(super) fn total(findings: &Findings) -> Option<String> {
    let parts = [wire::count_of_findings(findings), findings.tests.as_ref().map(wire::text_of_tests)];
    let counts: Vec<String> = parts.into_iter().flatten().collect();
    (!counts.is_empty()).then(|| counts.join("; tests: "))
}
