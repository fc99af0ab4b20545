//! A call from door to door: find, check, plan, permit, execute, report.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::confirm::{self, Permitted};
use super::output_pipeline::OutputPipeline;
use super::package::settle_package;
use super::parameters::{DRY_RUN, accepted, as_taken, by_words};
use super::queue::Ran;
use super::request::CallRequest;
use super::runs::is_there;
use super::{audit, install_hint, journal, plan, queue, record, report, resolve, started, upstream_call};
use crate::calls::error::RunError;
use crate::diagnostics::{Reader, is_compiling, log_end, without_interruptions};
use crate::execution::Sink;
use crate::model::schema::{misfits, without_nulls};
use crate::model::{
    Caller, Command, Ended, Ending, Matcher, Plan, REFRESH, Report, Role, Stream, Values, Word, check,
};
use crate::policy::{self, Decision};
use crate::project::Project;
use crate::project::opened::list::listed;
use crate::redact::Secrets;
use crate::registry::{Registered, Registry};
use crate::store::Recording;

/// Carries out a call. The output of the process goes to the sink as it comes.
///
/// # Errors
/// When nothing was started: no such tool, wrong or refused arguments. A process that failed is a report.
pub async fn run(
    project: &Project,
    request: CallRequest,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let registry = project.list_for(request.tool.name()).await;
    run_listed(project, &registry, request, sink, cancel).await
}

/// Carries out a call under a list that was made just now, so that nothing is looked at or probed a second time.
///
/// # Errors
/// As [`run`].
pub async fn run_listed(
    project: &Project,
    registry: &Registry,
    mut request: CallRequest,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let _underway = project.context.metrics.call_begins(request.caller);
    let settled = settle_package(project, registry, &mut request);
    settled.inspect_err(|error| {
        audit::note_not_found(project, request.tool.name(), &request, error);
        count_refusal(project, registry, None, &request, error);
    })?;
    let found = resolve::find(project, registry, &request.tool).await;
    let tool = request.tool.name();
    let found = found.inspect_err(|error| {
        audit::note_not_found(project, tool, &request, error);
        count_refusal(project, registry, None, &request, error);
    })?;
    let done = carry_out(project, registry, found, &request, sink, cancel).await;
    match &done {
        Ok(report) => journal::log_report(project, found, &request, report),
        Err(error) => count_refusal(project, registry, Some(found), &request, error),
    }
    done.map_err(|error| error.of(found))
}

fn count_refusal(
    project: &Project,
    registry: &Registry,
    found: Option<&Registered>,
    request: &CallRequest,
    error: &RunError,
) {
    project.context.metrics.refused(&error.code);
    journal::log_refusal(project, registry, found, request, error);
}

async fn carry_out(
    project: &Project,
    registry: &Registry,
    found: &Registered,
    request: &CallRequest,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let values = checked(project.prefix(found), found, (&request.arguments, request.caller))?;
    let planned = plan::plan(project, found, &values, request);
    match planned.inspect_err(|error| audit::note_refused_plan(project, found, request, error))? {
        Plan::Process(command) => start(project, found, command, &values, (request, sink), cancel).await,
        Plan::Answer(_) => {
            let answer = answer(project, registry, found, &values).await;
            decided(project, request.call(found, Plan::Answer(answer.clone())), request)?;
            Ok(report::answered(found, answer))
        }
        Plan::Upstream(call) if request.options.dry_run => {
            decided(project, request.call(found, Plan::Upstream(call.clone())), request)?;
            Ok(upstream_call::dry_run(project, found, &call))
        }
        Plan::Upstream(call) => upstream_call::relay(project, found, call, (request, sink), cancel).await,
    }
}

async fn start(
    project: &Project,
    found: &Registered,
    command: Command,
    values: &Values,
    (request, sink): (&CallRequest, &mut dyn Sink),
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let secrets = project.secrets_of(&command.environment);
    let audience = RunAudience { sink, request, secrets, announcement: None };
    if values.flag(&DRY_RUN) {
        return dry_run(project, found, command, audience, cancel).await;
    }
    let metadata = report::metadata(&command, &found.tool.metadata, &audience.secrets);
    let call = request.call(found, Plan::Process(command.clone()));
    let permitted = confirm::permit(project, call, request, cancel).await?;
    Ok(execute(project, found, (permitted, &command), metadata, audience, cancel).await)
}

/// Says what would be executed. A program that can rehearse is started with the flag for that. Without
/// settings nobody has allowed a start, and a call that requires confirmation starts nothing before it.
async fn dry_run(
    project: &Project,
    found: &Registered,
    mut command: Command,
    audience: RunAudience<'_>,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let request = audience.request;
    let text = report::announcement(&command, &audience.secrets);
    let decision = decided(project, request.call(found, Plan::Process(command.clone())), request)?;
    let requires_confirmation = matches!(decision, Decision::Unconfirmed(_));
    let rehearsal = match found.tool.role {
        // A rehearsal would look at the files of this machine.
        _ if command.runner.is_some() => None,
        Role::Run { rehearsal, .. } if project.settings.is_some() && !requires_confirmation => rehearsal,
        Role::Run { .. } | Role::List(_) | Role::Relay(_) => None,
    };
    command.arguments.splice(..0, rehearsal.map(Word::fixed));
    let mut metadata = report::metadata(&command, &found.tool.metadata, &audience.secrets);
    metadata.insert(DRY_RUN.name.into(), Value::Bool(true));
    if rehearsal.is_none() {
        return Ok(report::dry_run(
            found,
            text + &report::unrehearsed(found, request.caller, requires_confirmation),
            metadata,
        ));
    }
    let call = request.call(found, Plan::Process(command.clone()));
    let permitted = confirm::permit(project, call, request, cancel).await?;
    let audience = RunAudience { announcement: Some(text), ..audience };
    Ok(execute(project, found, (permitted, &command), metadata, audience, cancel).await)
}

async fn execute(
    project: &Project,
    found: &Registered,
    (Permitted { permit, unwritten }, command): (Permitted, &Command),
    metadata: Map<String, Value>,
    audience: RunAudience<'_>,
    cancel: &CancellationToken,
) -> Report {
    let _running = project.context.metrics.run_begins();
    let if_missing = command.if_missing.clone().map(Cow::into_owned);
    let RunAudience { sink, request, secrets, announcement } = audience;
    // A failed rehearsal leaves no record: the tool itself was not run.
    let rehearsed = metadata.contains_key(DRY_RUN.name);
    let recording = (!rehearsed).then(|| record::begin_recording(project, found, command, request, &secrets));
    let (recording, unrecorded) =
        recording.map_or((None, None), |begun| begun.map_or_else(|why| (None, why), |it| (Some(it), None)));
    let programs = started::programs(found, command, &project.context.files);
    let programs: Vec<&str> = programs.iter().map(String::as_str).chain(found.program()).collect();
    let there = command.runner.as_ref().and_then(|runner| runner.folder.as_deref());
    let root = there.map_or(project.root.as_path(), Path::new);
    let mut reader =
        Reader::new(root, &command.directory, matchers(project, found)).compiling(is_compiling(&programs));
    if there.is_none() {
        reader = reader.seeing(is_there);
    }
    let plugin = project.context.plugin(found.plugin);
    let reading = plugin.and_then(|plugin| plugin.reading(&found.tool));
    if let Some(dialect) = reading {
        reader = reader.expecting(dialect);
    }
    let run = recording.as_ref().map(Recording::id);
    if let Some(run) = run {
        sink.recorded(run);
    }
    if !rehearsed {
        journal::log_start(project, found, request, command, run);
    }
    let mut tape = OutputPipeline::new(sink, &secrets, recording, reader);
    let cancel = cancel.child_token();
    if tape.write(Stream::Out, announcement.unwrap_or_default().as_bytes()).is_break() {
        cancel.cancel();
    }
    if reading.is_some() {
        tape.withhold();
    }
    let ran = queue::queued(project, permit, request, &mut tape, &cancel).await;
    let Ran { outcome, held, changed_later } = ran;
    let outcome = record::as_asked(outcome, tape.recording.as_ref());
    let findings = without_interruptions(tape.finish(), &outcome.ending);
    let verdict = plugin.filter(|_| reading.is_some()).and_then(|plugin| {
        let Ending::Exited(code) = outcome.ending else { return None };
        let err = tape.capture.stream(Stream::Err).text;
        plugin.verdict(&found.tool, Ended { code, findings: &findings, err: &err })
    });
    tape.show(verdict.as_ref().and_then(|verdict| verdict.text.as_deref()));
    let noun =
        if rehearsed { "dry run" } else { project.about_of(found.plugin).map_or("tool", |about| about.noun) };
    let installs = install_hint::after_failure(project, found, &outcome.ending, request.caller).await;
    let folder = project.root.join(&command.directory);
    let words =
        report::ReportWords { noun, prefix: project.prefix(found), if_missing, installs, folder, held };
    let report = report::ran(found, &words, outcome, (&tape.capture, verdict), metadata);
    let report = Report { changed_later, ..report };
    let log_end = log_end(&report.output, &findings);
    let report = record::end_recording(project, Report { findings, log_end, ..report }, tape.recording);
    if let Some(about) = project.about_of(found.plugin).filter(|_| !rehearsed) {
        let instance = project.context.metrics.instance(&found.name.instance, &about);
        instance.ran(report.duration, report.success);
    }
    let unnoted = audit::note_end(project, found, request, &report);
    let unrecorded = report.unrecorded.clone().or(unrecorded).or(unwritten).or(unnoted);
    Report { unrecorded, ..report }
}

/// The gate's word on a call that starts nothing of its own.
fn decided(
    project: &Project,
    call: policy::PolicyCall<'_>,
    request: &CallRequest,
) -> Result<Decision, RunError> {
    let found = call.tool;
    policy::authorize(call, project).map_err(|refusal| {
        // Nothing runs, so a log that cannot be written holds nothing back.
        let _ = audit::note(project, found.name.to_string(), request, "refused", refusal.message.clone());
        RunError::refused(project.prefix(found), refusal, request.caller)
    })
}

/// The other tools of an instance, as its list tool shows them.
async fn answer(
    project: &Project,
    registry: &Registry,
    found: &Registered,
    values: &Values,
) -> Map<String, Value> {
    let instance = &found.name.instance;
    let fresh = if values.flag(&REFRESH) { Some(project.listed_afresh(instance).await) } else { None };
    let Role::List(key) = found.tool.role else { return Map::new() };
    let registry = fresh.as_deref().unwrap_or(registry);
    let mut answer = Map::from_iter([(key.to_owned(), Value::Array(Vec::new()))]);
    let mut packages: Map<String, Value> = Map::new();
    for found in listed(registry, instance) {
        let of = match registry.package_of(found) {
            None => answer.get_mut(key),
            Some(package) => Some(packages.entry(package).or_insert_with(|| json!([]))),
        };
        if let (Some(Value::Array(entries)), Some(entry)) = (of, entry(found)) {
            entries.push(entry);
        }
    }
    if !packages.is_empty() {
        answer.insert("packages".to_owned(), Value::Object(packages));
    }
    answer
}

/// The problem matchers that the settings have for a tool's instance.
pub(crate) fn matchers(project: &Project, found: &Registered) -> Vec<Matcher> {
    let instance = project.instances.iter().find(|instance| instance.name == found.name.instance);
    instance.map(|instance| instance.config.problem_matchers()).unwrap_or_default()
}

pub(crate) fn checked(
    prefix: &str,
    found: &Registered,
    (arguments, caller): (&Map<String, Value>, Caller),
) -> Result<Values, RunError> {
    if let Some(schema) = found.tool.input.schema() {
        let misfits = misfits(schema, &without_nulls(schema, Value::Object(arguments.clone())));
        // There are no fields to read the arguments by.
        return if misfits.is_empty() {
            Ok(Values::default())
        } else {
            Err(RunError::misfits(prefix, found, caller, &misfits))
        };
    }
    let fields = accepted(&found.tool);
    let arguments =
        by_words(&found.tool, arguments).map_err(|bad| RunError::bad_call(prefix, bad, caller))?;
    let (values, mistakes) = check(&fields, &as_taken(&fields, &arguments));
    if mistakes.is_empty() {
        Ok(values)
    } else {
        Err(RunError::bad_arguments(prefix, found, caller, &mistakes))
    }
}

/// A tool as the list tool of its instance shows it.
fn entry(tool: &Registered) -> Option<Value> {
    match tool.tool.shown()? {
        Value::Object(facts) => {
            let name = ("name".to_owned(), Value::String(tool.name.local.clone()));
            Some(std::iter::once(name).chain(facts).collect())
        }
        name => Some(name),
    }
}

/// The readers of a run while it goes on.
struct RunAudience<'a> {
    sink: &'a mut dyn Sink,
    request: &'a CallRequest,
    /// Secrets that none of them may see.
    secrets: Secrets,
    /// Text that is shown before anything runs.
    announcement: Option<String>,
}
