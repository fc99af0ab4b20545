//! A result as text: for agents, which may see nothing else, and its sentences for people.

use super::{Reader, findings};
use crate::model::{Clipped, Ending, ErrorCode, Report, counted, listed, visible, visible_lines, within};

/// The heading of the last lines of a log.
const LAST: &str = "\n\nat the end of its log:\n";

/// About how many tokens of output an answer has: with all that stands around it, it costs 1,500 at most.
pub(super) const MOST_TOKENS: usize = 1200;
/// The same beside findings.
pub(super) const MOST_TOKENS_BESIDE: usize = 800;

/// A result as a compact, complete text: a status line, notes, and the findings or the output. Findings replace the
/// output where they explain a failure and are shorter.
pub fn text_of_report(report: &Report, reader: Reader) -> String {
    if report.ending.is_none() {
        return report.output.text.clone();
    }
    let output = affordable(report);
    match explained(report, reader).filter(|text| is_shorter(text, report, &output)) {
        Some(text) => text,
        None => as_printed(report, reader, &output),
    }
}

/// As much of the output as an answer has room for.
pub(super) fn affordable(report: &Report) -> Clipped {
    let output = within(report.output.clone(), MOST_TOKENS);
    let is_cut_beside = output.omitted > 0 && report.findings.total() > 0 && !report.is_told;
    let output = if is_cut_beside { within(output, MOST_TOKENS_BESIDE) } else { output };
    // Lines of a plugin's own text are none of the log.
    let lines = output.lines.filter(|_| !report.is_told);
    Clipped { lines, ..output }
}

/// Whether a text is shorter than the one with all of the output.
fn is_shorter(text: &str, report: &Report, output: &Clipped) -> bool {
    let whole = || head(report, true, "").chars().count() + 2 + output.text.chars().count();
    output.text.is_empty() || output.omitted > 0 || text.chars().count() < whole()
}

/// The text of a failure that findings explain; `None` for any other run.
fn explained(report: &Report, reader: Reader) -> Option<String> {
    let id = report.run_id.filter(|_| explains(report))?;
    let counts = findings::counts(&report.findings).unwrap_or_default();
    let log = format!(": {counts}; the log ({} bytes): {}", report.output.bytes, reader.log(id, None));
    let head = head(report, false, &log);
    let last = report.log_end.as_ref().map(|last| format!("{LAST}{last}")).unwrap_or_default();
    Some(format!("{head}\n{}{last}", findings::block(report, reader)))
}

/// The text of any run: its output, below the findings in it where some of the output is left out.
fn as_printed(report: &Report, reader: Reader, output: &Clipped) -> String {
    let is_cut = output.omitted > 0;
    let told = is_cut && !report.is_told && report.findings.total() > 0;
    let counts = findings::counts(&report.findings).filter(|_| told).map(|counts| format!(": {counts}"));
    // A note on what is left out names the run.
    let mut text = head(report, !is_cut, &counts.unwrap_or_default());
    if let Some(note) = omitted_note(report, reader, output) {
        text = format!("{text}\nnote: {}", visible_lines(&note));
    }
    if told {
        text = format!("{text}\n{}", findings::block(report, reader));
    }
    if output.text.is_empty() { text } else { format!("{text}\n\n{}", output.text) }
}

/// Whether the findings explain why a run failed, and the log is in the store. A stopped run did not end
/// because of its findings. If a failure has no reason, the reason may be in lines that no dialect read.
pub(super) fn explains(report: &Report) -> bool {
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

/// The status line, `Script failed with exit code 2 (1.4 s, run 80e1c7a9)`, with this behind it, and what else is to
/// be known.
fn head(report: &Report, names_run: bool, behind: &str) -> String {
    let mut line = outcome(report);
    if !matches!(report.ending, Some(Ending::NotStarted(_))) {
        let silent = if report.output.text.is_empty() { ", it printed nothing" } else { "" };
        let run = report.run_id.filter(|_| names_run).map(|id| format!(", run {}", id.short()));
        let run = run.unwrap_or_default();
        line = format!("{line} ({:.1} s{silent}{run})", report.duration.as_secs_f64());
    }
    line.push_str(behind);
    let mut lines = vec![line];
    lines.extend(report.help.iter().map(|help| format!("help: {help}")));
    lines.extend(denials(report));
    let unheld = report.unheld.clone();
    let later = changed_later_note(&report.changed_later);
    let no_input = no_input_note(report).map(str::to_owned);
    let notes = [unrecorded_note(report), unheld, later, no_input].into_iter().flatten();
    lines.extend(notes.chain(leftover_notes(report)).map(|note| format!("note: {note}")));
    visible_lines(&lines.join("\n")).into_owned()
}

/// The refusals that a contained run met, where it failed; and the rules that the kernel did not hold.
pub fn denials(report: &Report) -> Vec<String> {
    let told = report.denials.iter().filter(|_| !report.success).map(|denial| {
        let what = denial.sentence();
        match denial.allowed_by() {
            Some(rules) => {
                format!("denied: {what}; {} allows it", settings_line(&rules, &report.tool.instance))
            }
            None => format!("denied: {what}"),
        }
    });
    let contained = report.contained.iter().filter(|contained| !contained.missing().is_empty());
    let missing = contained.map(|contained| {
        format!("note: contained: {}: {}", contained.word(), contained.missing().join("; "))
    });
    told.chain(missing).map(|line| visible_lines(&line).into_owned()).collect()
}

/// The line of settings with rules of containment, and its place.
pub(super) fn settings_line(rules: &str, instance: &str) -> String {
    format!("`containment: {{{rules}}}` under `plugins: {instance}: config:` in settings.yml")
}

/// How a run ended: `Script failed with exit code 1`, `succeeded`. The code of an error that says no more than that is
/// left out.
fn outcome(report: &Report) -> String {
    let kind = if report.is_rehearsal() { "dry run: " } else { "" };
    let plain = format!("_{}", ErrorCode::Failed.number());
    let code = report.error_code.as_ref().filter(|code| !code.ends_with(&plain));
    match (&report.error, &report.ending) {
        (Some(error), _) => error.clone() + &code.map_or_else(String::new, |code| format!(" [{code}]")),
        (None, Some(Ending::Exited(code))) if *code != 0 => format!("{kind}succeeded with exit code {code}"),
        (None, _) => format!("{kind}succeeded"),
    }
}

/// The ends of programs that could not ask.
const NO_ANSWER: &[&str] =
    &["EOF when reading a line", "User force closed the prompt", "not a TTY", "not a tty", "not a terminal"];

/// The note for a tool that asked for something: it has no standard input. An unfinished last line is a question, or
/// the cause is among those that programs name.
fn no_input_note(report: &Report) -> Option<&'static str> {
    let text = report.output.text.trim_end_matches([' ', '\t']);
    let asks = text.ends_with(['?', ':']) || !report.success && text.ends_with(['>', ']', ')']);
    let misses = || !report.success && NO_ANSWER.iter().any(|why| text.contains(why));
    (matches!(report.ending, Some(Ending::Exited(_))) && (asks || misses())).then_some(
        "a tool's standard input is empty, so nothing answers what it asks; give it as an argument",
    )
}

/// The status of a tool whose process ended, in one sentence for agents:
/// `packagejson.npm_test: Script failed with exit code 1 (0.8 s)`.
pub fn status(report: &Report) -> String {
    status_of(&report.tool.to_string(), report)
}

/// The same for people, who see the name of the source: `test: Script failed with exit code 1 (0.8 s)`.
pub fn status_for_people(report: &Report) -> String {
    status_of(&report.shown, report)
}

fn status_of(tool: &str, report: &Report) -> String {
    let kind = if report.is_rehearsal() { "dry run: " } else { "" };
    let what = match (&report.error, &report.ending) {
        (Some(error), _) => error.clone(),
        (None, Some(Ending::Exited(code))) => format!("{kind}succeeded with exit code {code}"),
        (None, _) => format!("{kind}succeeded"),
    };
    // A run that never started has no time and no output.
    if matches!(report.ending, None | Some(Ending::NotStarted(_))) {
        return format!("{tool}: {what}");
    }
    let silent = if report.output.text.is_empty() { ", it printed nothing" } else { "" };
    format!("{tool}: {what} ({:.1} s{silent})", report.duration.as_secs_f64())
}

/// How much of the output is left out, and how to see it.
fn omitted_note(report: &Report, reader: Reader, output: &Clipped) -> Option<String> {
    let omitted = output.omitted;
    let rest = match (see(report, reader, output.lines), &report.unrecorded) {
        _ if omitted == 0 => return None,
        (Some(command), None) => format!("`{command}` prints them"),
        (Some(command), Some(_)) => format!("`{command}` prints what was recorded of them"),
        (None, _) if report.is_rehearsal() => "they are nowhere, since a dry run is not recorded".to_owned(),
        (None, _) => "they are nowhere, since the run was not recorded".to_owned(),
    };
    Some(format!("{omitted} bytes of the output are left out below; {rest}"))
}

/// The command that prints these lines of the output; `None` if nothing was recorded.
pub(super) fn see(report: &Report, reader: Reader, lines: Option<(u64, u64)>) -> Option<String> {
    Some(reader.log(report.run_id?, lines))
}

/// Why a run left no record, or not all of one.
pub fn unrecorded_note(report: &Report) -> Option<String> {
    let why = report.unrecorded.as_deref()?;
    Some(match report.run_id {
        Some(_) => format!("not all of this run was recorded: {why}"),
        None => format!("this run was not recorded: {why}"),
    })
}

/// The changed files by which other programs run something later, in one sentence; `None`: there are none.
pub fn changed_later_note(changed: &[String]) -> Option<String> {
    /// How many are named.
    const MOST: usize = 8;
    let changed: Vec<_> = changed.iter().map(|path| visible(path)).collect();
    (!changed.is_empty()).then(|| format!("this run changed what runs later: {}", listed(&changed, MOST)))
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
