//! From an outcome to a report: how success and failure are worded.
//!
//! Callers match on these sentences (`Script failed with exit code 3`), so they do not change.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::denied;
use crate::model::{
    self, Caller, Capture, Chunk, Clipped, Command, ENVIRONMENT_POLICY, Ending, EnvironmentPolicy, ErrorCode,
    Findings, Leftovers, Outcome, Report, Role, Stream, Verdict, Word, capitalised, changed_files,
    not_started, visible, visible_json,
};
use crate::policy::{self, HeldChanges};
use crate::redact::Secrets;
use crate::registry::Registered;
use crate::sys::signal;

/// The longest word of a command line that results show as a whole, in bytes.
const LONGEST_WORD: usize = 4096;
/// How many bytes of a command line they show.
const MOST_WORDS: usize = 16 * 1024;

/// Facts of the plugin and the plan that the wording of a report depends on.
pub(crate) struct ReportWords {
    pub(crate) noun: &'static str,
    pub(crate) prefix: &'static str,
    /// The help for a program that is not there.
    pub(crate) if_missing: Option<String>,
    /// The command that installs missing dependencies.
    pub(crate) installs: Option<String>,
    /// The folder that the process worked in.
    pub(crate) folder: PathBuf,
    /// What became of approved files while it ran.
    pub(crate) held: HeldChanges,
}

/// The report of a process that was started, or could not be.
pub(crate) fn ran(
    found: &Registered,
    words: &ReportWords,
    outcome: Outcome,
    (capture, verdict): (&Capture, Option<Verdict>),
    metadata: Map<String, Value>,
) -> Report {
    let (output, data) = shown_of(capture, &outcome.ending, verdict.as_ref());
    let denials = denied::all(&outcome, &words.folder, &output.text);
    let is_told = verdict.as_ref().is_some_and(|verdict| verdict.text.is_some());
    let trouble = match verdict {
        Some(verdict) => verdict.error.map(|error| (ErrorCode::Failed, error, None)),
        None => trouble(&outcome.ending, words),
    };
    let report = Report {
        success: trouble.is_none(),
        error_code: trouble.as_ref().map(|(fault, ..)| fault.code(words.prefix)),
        error: trouble.as_ref().map(|(_, error, _)| error.clone()),
        help: trouble.and_then(|(.., help)| help),
        output,
        data,
        duration: outcome.duration,
        leftovers: outcome.leftovers,
        contained: outcome.contained,
        denials,
        changed_later: outcome.changed_later,
        ending: Some(outcome.ending),
        is_told,
        ..blank(found, metadata)
    };
    with_changes(report, words)
}

/// The report of a run whose approved files changed while it ran: it failed, even if the process succeeded.
fn with_changes(report: Report, ReportWords { held, prefix, .. }: &ReportWords) -> Report {
    let files = &held.changed;
    let report = Report { unheld: held.gap.clone(), ..report };
    if files.is_empty() {
        return report;
    }
    let before = report.error.as_ref().map_or_else(String::new, |error| format!("; {error}"));
    Report {
        success: false,
        error: Some(format!("{} while it ran{before}", changed_files(&policy::named(files)))),
        error_code: Some(ErrorCode::Changed.code(prefix)),
        help: Some(
            "it may have run another text than the one that was approved: look at the change first".into(),
        ),
        ..report
    }
}

/// The first lines of a dry run, without secrets. They are taken out of each word before it is quoted, since
/// a quoted word no longer reads as the secret in it.
pub(crate) fn announcement(command: &Command, secrets: &Secrets) -> String {
    let word = |word: &Word| Word { text: secrets.redact(&word.text).into_owned(), origin: word.origin };
    let shown = Command::new(word(&command.program)).arguments(command.arguments.iter().map(word));
    let policy = match command.environment_policy {
        EnvironmentPolicy::Inherit => String::new(),
        clean @ EnvironmentPolicy::Clean => format!("{}: {}\n", ENVIRONMENT_POLICY.name, clean.name()),
    };
    let folder = command.directory.display().to_string();
    let is_root = ["", "."].contains(&&*folder);
    let folder = if is_root { String::new() } else { format!("in: {}\n", visible(&folder)) };
    let runner = command.runner.as_ref().map_or_else(String::new, |runner| format!("on: {}\n", runner.name));
    format!("Would execute: {}\n{folder}{runner}{policy}", secrets.redact(&shown.line()))
}

/// Why a program that could show what it would do is not started for it; empty where that is not for want of a yes.
pub(crate) fn unrehearsed(found: &Registered, caller: Caller, requires_confirmation: bool) -> String {
    match &found.tool.role {
        Role::Run { rehearsal: Some(flag), command, .. } if requires_confirmation => {
            let (program, name) = (model::shown(&command.program.text), found.name_for(caller));
            format!(
                "`{program} {flag}` would show its lines, and is not started, since it requires confirmation: `cuff why {name}` shows them\n"
            )
        }
        _ => String::new(),
    }
}

/// The report of a dry run that ran nothing.
pub(crate) fn dry_run(found: &Registered, text: String, metadata: Map<String, Value>) -> Report {
    Report { output: Clipped::whole(text), ..blank(found, metadata) }
}

/// The report of a tool that only answers.
pub(crate) fn answered(found: &Registered, data: Map<String, Value>) -> Report {
    let text = format!("{:#}\n", Value::Object(data.clone()));
    let text = visible_json(&text).into_owned();
    Report { output: Clipped::whole(text), data: Some(data), ..blank(found, Map::new()) }
}

/// Command and directory, and what the plugin adds, without secrets: a call's words may hold one.
pub(crate) fn metadata(
    command: &Command,
    plugins: &[(&'static str, String)],
    secrets: &Secrets,
) -> Map<String, Value> {
    let redacted = |text: &str| json!(secrets.redact(text));
    let mut metadata = Map::new();
    metadata.insert("command".into(), told(&command.words(), secrets).into());
    metadata.insert("cwd".into(), redacted(&shown(&command.directory)));
    if let Some(runner) = &command.runner {
        metadata.insert("runner".into(), json!(runner.name));
    }
    if command.environment_policy != EnvironmentPolicy::default() {
        metadata.insert(ENVIRONMENT_POLICY.name.into(), json!(command.environment_policy.name()));
    }
    metadata.extend(plugins.iter().map(|(name, value)| ((*name).to_owned(), redacted(value))));
    metadata
}

/// A command line as results show it. The caller of megabytes of words gets only some of them back.
fn told(words: &[&str], secrets: &Secrets) -> Vec<String> {
    let (mut told, mut left) = (Vec::new(), MOST_WORDS);
    for (at, word) in words.iter().enumerate() {
        let word = secrets.redact(word);
        let word = if word.len() > LONGEST_WORD { model::shown(&word) } else { word.into_owned() };
        let Some(rest) = left.checked_sub(word.len() + 1) else {
            told.push(format!("… and {} more", words.len() - at));
            break;
        };
        left = rest;
        told.push(word);
    }
    told
}

/// A working directory as results show it: relative to the project where it can be.
fn shown(directory: &Path) -> String {
    let text = directory.display().to_string();
    if text.is_empty() { ".".into() } else { text }
}

/// The report of a call that nothing is said of yet.
pub(super) fn blank(found: &Registered, metadata: Map<String, Value>) -> Report {
    Report {
        tool: found.name.clone(),
        shown: found.shown.clone(),
        success: true,
        ending: None,
        duration: Duration::ZERO,
        error: None,
        error_code: None,
        help: None,
        findings: Findings::default(),
        log_end: None,
        is_told: false,
        output: Clipped::default(),
        data: None,
        answer: None,
        rejection: None,
        leftovers: Leftovers::default(),
        contained: None,
        denials: Vec::new(),
        run_id: None,
        unrecorded: None,
        unheld: None,
        changed_later: Vec::new(),
        metadata,
    }
}

/// The text to show of a run, as it was printed or as its plugin words it, and the facts beside it.
fn shown_of(
    capture: &Capture,
    ending: &Ending,
    verdict: Option<&Verdict>,
) -> (Clipped, Option<Map<String, Value>>) {
    let mut data = streams(capture, ending);
    let Some((verdict, text)) = verdict.and_then(|verdict| Some((verdict, verdict.text.as_ref()?))) else {
        return (capture.output(), data);
    };
    let mut words = Capture::default();
    words.push(Chunk::new(Stream::Out, text.as_bytes()));
    words.push(Chunk::new(Stream::Err, capture.stream(Stream::Err).text.as_bytes()));
    if let Some(data) = &mut data {
        let out = capture.stream(Stream::Out);
        if out.omitted > 0 {
            // Half a report is none.
            data.shift_remove("stdout");
            data.insert("stdout_bytes".into(), json!(out.bytes));
        }
        data.extend(verdict.data.clone());
    }
    (Clipped { bytes: capture.output().bytes, lines: None, ..words.output() }, data)
}

/// The two streams apart, each bounded like the output; `None` for a process that was never started.
fn streams(capture: &Capture, ending: &Ending) -> Option<Map<String, Value>> {
    if matches!(ending, Ending::NotStarted(_)) {
        return None;
    }
    let mut data = Map::new();
    data.insert("stdout".into(), json!(capture.stream(Stream::Out).text));
    data.insert("stderr".into(), json!(capture.stream(Stream::Err).text));
    if let Ending::Exited(code) = ending {
        data.insert("exit_code".into(), json!(code));
    }
    Some(data)
}

/// The fault, its message and the help for it; `None` for success.
fn trouble(ending: &Ending, words: &ReportWords) -> Option<(ErrorCode, String, Option<String>)> {
    let noun = capitalised(words.noun);
    Some(match ending {
        // The report of a call of another MCP server has its own words.
        Ending::Exited(0) | Ending::Answered { .. } => return None,
        Ending::Exited(code) => {
            (ErrorCode::Failed, format!("{noun} failed with exit code {code}"), words.installs.clone())
        }
        Ending::Signalled(signal) => {
            (ErrorCode::Failed, format!("{noun} was killed by {}", signal::described(*signal)), None)
        }
        Ending::TimedOut(after) => (
            ErrorCode::TimedOut,
            format!("{noun} timed out after {} seconds", after.as_secs()),
            Some("give it more with `timeout`, or raise `default_timeout` in settings.yml".into()),
        ),
        Ending::Cancelled => (ErrorCode::Cancelled, format!("{noun} was cancelled"), None),
        Ending::Rejected(why) | Ending::Disconnected(why) => (ErrorCode::Failed, why.clone(), None),
        Ending::Lost => (
            ErrorCode::NotStarted,
            format!("{noun} was stopped: its supervisor was killed, so its exit code is unknown"),
            None,
        ),
        Ending::NotStarted(why) => not_started(why, &noun, words.if_missing.clone()),
    })
}
