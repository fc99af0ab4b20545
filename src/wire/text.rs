//! A result as text: for agents, which may see nothing else, and its sentences for people.

use super::{Reader, findings};
use crate::model::{Ending, Report, counted, visible_lines};

/// The heading of the last lines of a log.
const LAST: &str = "\n\nat the end of its log:\n";
/// The most last lines that are shown below findings.
const LAST_LINES: usize = 5;
/// How many bytes of them.
const LAST_BYTES: usize = 600;

/// The length of the text that replaces an output, without the last lines of the log, in bytes.
const IN_ITS_PLACE: usize = 100;

/// Whether the output is left out: the findings explain a failure, and are shorter than the output.
pub(super) fn withholds(report: &Report) -> bool {
    let place = || IN_ITS_PLACE + last_lines(report).map_or(0, |last| LAST.len() + last.len());
    let Report { output, .. } = report;
    explains(report) && (output.text.is_empty() || output.omitted > 0 || output.text.len() > place())
}

/// Whether the findings explain why a run failed, and the log is in the store. A stopped run did not end
/// because of its findings. If a failure has no reason, the reason may be in lines that no dialect read.
fn explains(report: &Report) -> bool {
    let Report { findings, run_id, unrecorded, is_told, ending, .. } = report;
    let failed_tests = findings.tests.is_some_and(|tests| tests.failed + tests.broken > 0);
    !report.success
        && matches!(ending, Some(Ending::Exited(_)))
        && !is_told
        && findings.unexplained == 0
        && (findings.errors > 0 || (failed_tests && findings.total() > 0))
        && run_id.is_some()
        && unrecorded.is_none()
}

/// The last lines of the log that no dialect read, behind every error and below the last lines of standard
/// error. The findings may have another cause than the failure, such as an earlier step that was allowed to
/// fail. A program that buffers its standard output may also print an early result last.
pub(super) fn last_lines(report: &Report) -> Option<String> {
    let output = &report.output;
    let cut = format!("[… {} of ", output.omitted);
    let (before, text) = match (output.lines, output.text.rsplit_once(&cut)) {
        (Some((_, omitted)), Some((_, marked))) => {
            (omitted, marked.split_once('\n').map_or("", |(_, tail)| tail))
        }
        _ => (0, &*output.text),
    };
    let found = &report.findings.diagnostics;
    let worst = found.iter().map(|found| found.severity).max()?;
    let end = found.iter().filter(|found| found.severity == worst).map(|found| found.log.end_line).max()?;
    let is_read =
        |line: u64| found.iter().any(|found| (found.log.start_line..=found.log.end_line).contains(&line));
    let numbered = text.lines().zip(before + 1..).filter(|(_, number)| *number > end && !is_read(*number));
    let is_told = |line: &str| line.trim().is_empty() || report.findings.tests.is_some() && is_count(line);
    let behind = numbered.map(|(line, _)| line).filter(|line| !is_told(line));
    let unread = &report.findings.unread;
    let above = unread.iter().filter(|(number, _)| *number <= end).map(|(_, text)| &**text);
    match (last_of(above), last_of(behind)) {
        (Some(above), Some(last)) => Some(format!("{above}\n{last}")),
        (above, last) => above.or(last),
    }
}

/// Whether a line is one of a runner's own counts, `# fail 1` or `ℹ duration_ms 4.2`: the results of tests
/// are shown separately.
fn is_count(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let mut next = || words.next().unwrap_or_default();
    let (mark, name, number, rest) = (next(), next(), next(), next());
    let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    ["#", "ℹ"].contains(&mark) && is_name && number.parse::<f64>().is_ok() && rest.is_empty()
}

/// The last of these lines, a few.
fn last_of<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<&str> = lines.collect();
    let mut room = LAST_BYTES;
    let fits = |line: &&&str| {
        let fits = line.len() < room;
        room = room.saturating_sub(line.len());
        fits
    };
    let count = lines.iter().rev().take(LAST_LINES).take_while(fits).count();
    let last = lines.get(lines.len() - count..).unwrap_or_default();
    match (last, lines.last()) {
        ([], Some(long)) => Some(long.chars().take(LAST_BYTES / 2).chain(['…']).collect()),
        ([], None) => None,
        _ => Some(last.join("\n")),
    }
}

/// A result as a compact, complete text: a status line, the next step, the findings, and the output if it
/// says more.
pub fn text_of_report(report: &Report, reader: Reader) -> String {
    if report.ending.is_none() {
        return report.output.text.clone();
    }
    let code = report.error_code.as_ref().map_or_else(String::new, |code| format!(" [{code}]"));
    let mut lines = vec![format!("{}{code}", status(report))];
    lines.extend(report.help.iter().map(|help| format!("help: {help}")));
    lines.extend(report.findings.tests.iter().map(|tests| format!("tests: {}", findings::tests(tests))));
    lines.extend(report.run_id.iter().map(|id| format!("run: {id}")));
    lines.extend(unrecorded_note(report).iter().map(|note| format!("note: {note}")));
    lines.extend(leftover_notes(report).iter().map(|note| format!("note: {note}")));
    let withheld = withholds(report);
    let unseen = if withheld { unshown_note(report, reader) } else { omitted_note(report, reader) };
    lines.extend(unseen.iter().map(|note| format!("note: {note}")));
    let text = visible_lines(&lines.join("\n")).into_owned() + &told(report, reader);
    if withheld {
        let last = last_lines(report).map(|last| format!("{LAST}{last}"));
        text + &last.unwrap_or_default()
    } else if report.output.text.is_empty() {
        text
    } else {
        format!("{text}\n\n{}", report.output.text)
    }
}

/// The findings, if the output does not show them already.
fn told(report: &Report, reader: Reader) -> String {
    if report.is_told { String::new() } else { findings::block(report, reader) }
}

/// The status of a tool whose process ended, in one sentence:
/// `npm_test: Script failed with exit code 1 (0.8 s)`.
pub fn status(report: &Report) -> String {
    let kind = if report.is_rehearsal() { "dry run: " } else { "" };
    let what = match (&report.error, &report.ending) {
        (Some(error), _) => error.clone(),
        (None, Some(Ending::Exited(code))) => format!("{kind}succeeded with exit code {code}"),
        (None, _) => format!("{kind}succeeded"),
    };
    let tool = &report.tool;
    // A run that never started has no time and no output.
    if matches!(report.ending, None | Some(Ending::NotStarted(_))) {
        return format!("{tool}: {what}");
    }
    let silent = if report.output.text.is_empty() { ", it printed nothing" } else { "" };
    format!("{tool}: {what} ({:.1} s{silent})", report.duration.as_secs_f64())
}

/// The note that the findings replace the output, and the way to see the output.
fn unshown_note(report: &Report, reader: Reader) -> Option<String> {
    let id = report.run_id?;
    let bytes = report.output.bytes;
    let log = reader.log(id, None);
    Some(format!("what it printed ({bytes} bytes) is not shown here; `{log}` prints it"))
}

/// How much of the output is left out, and how to see it.
fn omitted_note(report: &Report, reader: Reader) -> Option<String> {
    let omitted = report.output.omitted;
    let rest = match (see(report, reader), &report.unrecorded) {
        _ if omitted == 0 => return None,
        (Some(command), None) => format!("`{command}` prints them"),
        (Some(command), Some(_)) => format!("`{command}` prints what was recorded of them"),
        (None, _) if report.is_rehearsal() => "they are nowhere, since a dry run is not recorded".to_owned(),
        (None, _) => "they are nowhere, since the run was not recorded".to_owned(),
    };
    Some(format!("{omitted} bytes of the output are left out below; {rest}"))
}

/// The command that prints the omitted output; `None` if nothing was recorded.
pub(super) fn see(report: &Report, reader: Reader) -> Option<String> {
    Some(reader.log(report.run_id?, report.output.lines))
}

/// Why a run left no record, or not all of one.
pub fn unrecorded_note(report: &Report) -> Option<String> {
    let why = report.unrecorded.as_deref()?;
    Some(match report.run_id {
        Some(_) => format!("not all of this run was recorded: {why}"),
        None => format!("this run was not recorded: {why}"),
    })
}

/// One sentence for each kind of process that outlived the run.
pub fn leftover_notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if report.leftovers.killed > 0 {
        let killed = counted(report.leftovers.killed.into(), "background process");
        let were = if report.leftovers.killed == 1 { "was" } else { "were" };
        notes.push(format!("{killed} outlived it and {were} stopped"));
    }
    if report.leftovers.detached > 0 {
        let detached = counted(report.leftovers.detached.into(), "process");
        notes.push(if report.leftovers.detached == 1 {
            format!("{detached} detached itself and is still running")
        } else {
            format!("{detached} detached themselves and are still running")
        });
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runners_counts_are_told_from_what_it_says() {
        for line in ["# fail 1", "ℹ duration_ms 492.738129", "# todo 0"] {
            assert!(is_count(line), "{line}");
        }
        for line in
            ["# Subtest: adds", "fail 1", "# port 80 is taken", "# Server 1", "ℹ", "cannot reach the harbour"]
        {
            assert!(!is_count(line), "{line}");
        }
    }
}
