//! Recording a run: every run of every tool leaves a record, or says why it left none. A dry run is none.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

#[cfg(feature = "team")]
use crate::calls::push;
use crate::calls::request::CallRequest;
#[cfg(feature = "code")]
use crate::model::Scripted;
use crate::model::{
    Answer, Beginning, Called, Caller, Command, Denial, ENV, End, Ending, Findings, Leftovers, Outcome,
    Printed, Report, RunId, UpstreamCall, line_feeds,
};
use crate::project::build_server::revision;
use crate::project::{Context, Project};
use crate::redact::{self, Secrets, redacted_json};
use crate::registry::Registered;
use crate::store::{CallRecording, Recording, RetentionLimits, Store, StoreError};
use crate::sys::{self, Environment};

/// How long the store is left alone between two sweeps.
const BETWEEN_SWEEPS: Duration = Duration::from_hours(24);

/// A run that printed more, in bytes, is followed by a sweep: by the next day many of them would fill a disk.
const LARGE: u64 = 16 * 1024 * 1024;

/// Begins to record; `Err` says why it cannot, in words.
pub(crate) fn begin_recording(
    project: &Project,
    found: &Registered,
    command: &Command,
    request: &CallRequest,
    secrets: &Secrets,
) -> Result<Recording, Option<String>> {
    let words = command.words();
    let shown: Vec<String> = words.iter().map(|word| secrets.redact(word).into_owned()).collect();
    // A line that was split into words may have had its secret in quotes.
    let has_secrets = shown != words || tells_a_secret(&request.arguments, secrets);
    let absolute: PathBuf = project.settings.root.join(&command.directory).components().collect();
    let beginning = Beginning {
        tool: found.name.to_string(),
        called: Some(found.shown_at_root().to_owned()),
        project: project.settings.root.display().to_string(),
        caller: request.caller.name().to_owned(),
        command: shown,
        directory: secrets.redact(&command.directory.to_string_lossy()).into_owned(),
        absolute_directory: Some(secrets.redact(&absolute.to_string_lossy()).into_owned()),
        arguments: (request.caller == Caller::Human && !has_secrets).then(|| request.arguments.clone()),
        call: None,
        script: None,
        is_several: false,
        runner: command.runner.as_ref().map(|runner| runner.name.clone()),
        parent: request.parent,
        revision: revision(&project.settings.root, &project.context.environment),
        is_pulled: false,
    };
    begin(project, |store, id| store.begin(id, beginning))
}

/// Begins to record a call of another MCP server; `Err` says why it cannot, in words.
pub(crate) fn begin_call(
    project: &Project,
    found: &Registered,
    call: &UpstreamCall,
    request: &CallRequest,
    secrets: &Secrets,
) -> Result<CallRecording, Option<String>> {
    let brought = Value::Object(call.arguments.clone());
    let shown = redacted_json(brought.clone(), secrets);
    let has_secrets = shown != brought;
    let Value::Object(arguments) = shown else { return Err(None) };
    let beginning = Beginning {
        tool: found.name.to_string(),
        called: Some(found.shown_at_root().to_owned()),
        project: project.settings.root.display().to_string(),
        caller: request.caller.name().to_owned(),
        command: Vec::new(),
        directory: String::new(),
        absolute_directory: None,
        arguments: (request.caller == Caller::Human && !has_secrets).then(|| request.arguments.clone()),
        call: Some(Called {
            server: call.server.clone(),
            tool: call.tool.clone(),
            arguments: Some(arguments),
        }),
        script: None,
        is_several: false,
        runner: None,
        parent: request.parent,
        revision: revision(&project.settings.root, &project.context.environment),
        is_pulled: false,
    };
    begin(project, |store, id| store.begin_call(id, beginning))
}

/// Begins to record a program; `Err` says why it cannot, in words.
#[cfg(feature = "code")]
pub fn begin_script(project: &Project, tool: &str, session: &str) -> Result<Recording, Option<String>> {
    let beginning = Beginning {
        tool: tool.to_owned(),
        called: None,
        project: project.settings.root.display().to_string(),
        caller: Caller::Code.name().to_owned(),
        command: Vec::new(),
        directory: String::new(),
        absolute_directory: None,
        arguments: None,
        call: None,
        script: Some(Scripted { session: session.to_owned() }),
        is_several: false,
        runner: None,
        parent: None,
        revision: revision(&project.settings.root, &project.context.environment),
        is_pulled: false,
    };
    begin(project, |store, id| store.begin(id, beginning))
}

/// Begins to record a run of several tools; `Err` says why it cannot, in words.
pub(crate) fn begin_several(
    project: &Project,
    name: &str,
    words: &[String],
    runner: Option<&str>,
) -> Result<Recording, Option<String>> {
    let secrets = project.secrets_of(&[]);
    let hidden = |text: &str| secrets.redact(text).into_owned();
    let beginning = Beginning {
        tool: hidden(name),
        called: None,
        project: project.settings.root.display().to_string(),
        caller: project.at_terminal().name().to_owned(),
        command: words.iter().map(|word| hidden(word)).collect(),
        directory: ".".to_owned(),
        absolute_directory: Some(project.settings.root.display().to_string()),
        arguments: None,
        call: None,
        script: None,
        is_several: true,
        runner: runner.map(str::to_owned),
        parent: None,
        revision: revision(&project.settings.root, &project.context.environment),
        is_pulled: false,
    };
    begin(project, |store, id| store.begin(id, beginning))
}

/// Writes the end of a program, or of a run of several tools, whose calls have records of their own; `Some` says why the record is
/// not whole.
pub fn end_parent(
    context: &Context,
    (recording, findings): (Recording, &Findings),
    (ending, error): (Ending, Option<String>),
    took: Duration,
) -> Option<String> {
    let printed = recording.printed();
    let lost = printed.lost.clone();
    let end = End {
        success: matches!(ending, Ending::Exited(0)),
        ending,
        at: Some(context.clock.milliseconds()),
        duration: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        error,
        error_code: None,
        leftovers: Leftovers::default(),
        changed_later: Vec::new(),
        contained: None,
        denied: Vec::new(),
        printed,
    };
    recording.end(&end, findings).err().map(|error| end_unrecorded(&error)).or(lost)
}

fn begin<R>(
    project: &Project,
    record: impl FnOnce(&Store, RunId) -> Result<R, StoreError>,
) -> Result<R, Option<String>> {
    let nowhere = || Some("neither XDG_DATA_HOME nor HOME says where runs are kept".to_owned());
    let store = project.runs.store.as_ref().ok_or_else(nowhere)?;
    let now = project.context.clock.milliseconds();
    let random = sys::random::secret().map_err(|error| Some(error.to_string()))?;
    let id = RunId::new(now, random);
    let begun = record(store, id);
    #[cfg(feature = "team")]
    if begun.is_ok() {
        push::note(project, id);
    }
    sweep_at_times(store, &project.context.environment, now);
    // The run around this one has a record of all of it.
    begun.map_err(|error| Some(error.to_string()).filter(|_| !project.context.is_contained()))
}

/// Has a process of cuff's own send what waits, records of runs and spans.
pub fn send(project: &Project) {
    #[cfg(feature = "team")]
    push::start_push(project);
    #[cfg(not(feature = "team"))]
    let _ = project;
}

/// Writes the end of a run, and into the report where its record is, or why there is none.
pub(crate) fn end_recording(project: &Project, mut report: Report, recording: Option<Recording>) -> Report {
    let (Some(recording), Some(ending)) = (recording, &report.ending) else { return report };
    let printed = recording.printed();
    let size = printed.out + printed.err;
    report.unrecorded = printed.lost.clone().or(report.unrecorded);
    let end = end(&project.context, &report, ending, printed);
    report.run_id = Some(recording.id());
    if let Err(error) = recording.end(&end, &report.findings) {
        let end = end_unrecorded(&error);
        report.unrecorded = Some(report.unrecorded.map_or(end.clone(), |before| format!("{before}; {end}")));
    }
    if let Some(store) = project.runs.store.as_ref().filter(|_| size > LARGE) {
        let limits = super::runs::limits(&project.context.environment);
        // However large it is, it has only just been recorded, and has its index and findings beside it.
        let limits = RetentionLimits { bytes: limits.bytes.max(size.saturating_add(2 * LARGE)), ..limits };
        store.sweep(limits, project.context.clock.milliseconds());
    }
    report
}

/// Writes the end of a call with its answer, and into the report where its record is, or why there is none.
pub(crate) fn end_call(context: &Context, mut report: Report, recording: Option<CallRecording>) -> Report {
    let (Some(recording), Some(ending)) = (recording, &report.ending) else { return report };
    let text = report.answer.as_ref().map(Answer::text).unwrap_or_default();
    let lines = line_feeds(text.as_bytes()) + u64::from(!text.is_empty() && !text.ends_with('\n'));
    let printed = Printed { out: text.len() as u64, lines, ..Printed::default() };
    let end = end(context, &report, ending, printed);
    report.run_id = Some(recording.id());
    let lost =
        recording.end(end, report.answer.as_ref()).unwrap_or_else(|error| Some(end_unrecorded(&error)));
    Report { unrecorded: lost.or(report.unrecorded), ..report }
}

fn end(context: &Context, report: &Report, ending: &Ending, printed: Printed) -> End {
    End {
        ending: ending.clone(),
        success: report.success,
        at: Some(context.clock.milliseconds()),
        duration: u64::try_from(report.duration.as_millis()).unwrap_or(u64::MAX),
        error: report.error.clone(),
        error_code: report.error_code.clone(),
        leftovers: report.leftovers,
        changed_later: report.changed_later.clone(),
        contained: report.contained.as_ref().map(|contained| contained.word().to_owned()),
        denied: report.denials.iter().map(Denial::sentence).collect(),
        printed,
    }
}

fn end_unrecorded(error: &StoreError) -> String {
    format!("how it ended is not recorded: {error}")
}

/// How a run ended, where somebody elsewhere was asked to end it: as one that was cancelled.
pub(crate) fn as_asked(outcome: Outcome, recording: Option<&Recording>) -> Outcome {
    let was_running =
        matches!(outcome.ending, Ending::Exited(_) | Ending::Signalled(_) | Ending::Disconnected(_));
    if was_running && recording.is_some_and(Recording::was_stopped) {
        return Outcome { ending: Ending::Cancelled, ..outcome };
    }
    outcome
}

/// Whether arguments hold a secret, or a variable that has the name of one. Values of the latter are hidden
/// from eight bytes on alone, since short ones would be in everything.
fn tells_a_secret(arguments: &Map<String, Value>, secrets: &Secrets) -> bool {
    let variables = arguments.get(ENV.name).and_then(Value::as_object).into_iter().flatten();
    let variables = variables.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    let text = serde_json::to_string(arguments).unwrap_or_default();
    secrets.redact(&text) != text || !redact::of_environment(variables).is_empty()
}

/// Sweeps the store once a day, for people who never call `cuff runs prune`.
fn sweep_at_times(store: &Store, environment: &Environment, now: u64) {
    let between = u64::try_from(BETWEEN_SWEEPS.as_millis()).unwrap_or(u64::MAX);
    // A sweep to come is one by a clock that was wrong.
    if store.last_sweep().is_none_or(|last| now < last || now - last >= between) {
        store.note_sweep(now);
        store.sweep(super::runs::limits(environment), now);
    }
}
