//! A call from door to door: find, check, plan, permit, execute, report.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::account::CallAccount;
use super::confirm;
use super::error::RunError;
use super::output_pipeline::OutputPipeline;
use super::package::settle_package;
use super::parameters::{DRY_RUN, accepted, as_taken, by_words};
use super::request::CallRequest;
use super::runs::is_there;
use super::step::{CallStep, Judgement, ToldCall};
use super::{install_hint, plan, queue, record, report, resolve, started, upstream_call};
use crate::diagnostics::{Reader, is_compiling, log_end, without_interruptions};
use crate::execution::Sink;
use crate::model::schema::{misfits, without_nulls};
use crate::model::{
    Caller, Command, Ended, Ending, Matcher, Plan, REFRESH, Report, Role, Stream, Values, Word, check,
};
use crate::policy::{self, Decision, Permit};
use crate::project::opened::list::listed;
use crate::project::{Project, ProjectSettings};
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
    let settled = settle_package(project, registry, &mut request);
    let mut account = CallAccount::begin(project, registry, &request);
    let done = match settled {
        Ok(()) => find_and_make(&mut account, sink, cancel).await,
        Err(error) => Err(error),
    };
    let done = match done {
        Ok(report) => {
            account.tell(CallStep::Reported(&report));
            Ok(report)
        }
        Err(error) => {
            account.tell(CallStep::Refused(&error));
            Err(if let Some(found) = account.call.found { error.of(found) } else { error })
        }
    };
    record::send(project);
    done
}

/// Finds the tool, checks what the call brought, and does what its plan says.
async fn find_and_make(
    account: &mut CallAccount<'_>,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let ToldCall { project, registry, request, .. } = account.call;
    let found = resolve::find(project, registry, &request.tool).await?;
    account.call.found = Some(found);
    let values = checked(project.prefix(found), found, (&request.arguments, request.caller))?;
    match plan::plan(project, found, &values, request)? {
        Plan::Process(command) => start(account, found, command, &values, sink, cancel).await,
        Plan::Answer(_) => {
            let answer = answer(project, registry, found, &values).await;
            judged(account, request.call(found, Plan::Answer(answer.clone())))?;
            Ok(report::answered(found, answer))
        }
        Plan::Upstream(asked) if request.options.dry_run => {
            judged(account, request.call(found, Plan::Upstream(asked.clone())))?;
            Ok(upstream_call::dry_run(project, found, &asked))
        }
        Plan::Upstream(asked) => upstream_call::relay(account, found, asked, sink, cancel).await,
    }
}

async fn start(
    account: &mut CallAccount<'_>,
    found: &Registered,
    command: Command,
    values: &Values,
    sink: &mut dyn Sink,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let secrets = account.call.project.secrets_of(&command.environment);
    let audience = RunAudience { sink, secrets, announcement: None };
    if values.flag(&DRY_RUN) {
        return dry_run(account, found, command, audience, cancel).await;
    }
    let metadata = report::metadata(&command, &found.tool.metadata, &audience.secrets);
    let asked = account.call.request.call(found, Plan::Process(command.clone()));
    let permit = confirm::permit(account, asked, cancel).await?;
    Ok(execute(account, found, (permit, &command), metadata, audience, cancel).await)
}

/// Says what would be executed. A program that can rehearse is started with the flag for that. Without
/// settings nobody has allowed a start, and a call that requires confirmation starts nothing before it.
async fn dry_run(
    account: &mut CallAccount<'_>,
    found: &Registered,
    mut command: Command,
    audience: RunAudience<'_>,
    cancel: &CancellationToken,
) -> Result<Report, RunError> {
    let ToldCall { project, request, .. } = account.call;
    let text = report::announcement(&command, &audience.secrets);
    let decision = judged(account, request.call(found, Plan::Process(command.clone())))?;
    let requires_confirmation = matches!(decision, Decision::Unconfirmed(_));
    let rehearsal = match found.tool.role {
        // A rehearsal would look at the files of this machine.
        _ if command.runner.is_some() => None,
        Role::Run { rehearsal, .. } if project.settings.place.is_some() && !requires_confirmation => {
            rehearsal
        }
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
    let asked = request.call(found, Plan::Process(command.clone()));
    let permit = confirm::permit(account, asked, cancel).await?;
    let audience = RunAudience { announcement: Some(text), ..audience };
    Ok(execute(account, found, (permit, &command), metadata, audience, cancel).await)
}

async fn execute(
    account: &mut CallAccount<'_>,
    found: &Registered,
    (permit, command): (Permit, &Command),
    metadata: Map<String, Value>,
    audience: RunAudience<'_>,
    cancel: &CancellationToken,
) -> Report {
    let ToldCall { project, request, .. } = account.call;
    // On a runner it is the client that can be missing here.
    let if_missing = command.if_missing.clone().filter(|_| command.runner.is_none()).map(Cow::into_owned);
    let RunAudience { sink, secrets, announcement } = audience;
    // A failed rehearsal leaves no record: the tool itself was not run.
    let rehearsed = metadata.contains_key(DRY_RUN.name);
    let recording = (!rehearsed).then(|| record::begin_recording(project, found, command, request, &secrets));
    let (recording, unrecorded) =
        recording.map_or((None, None), |begun| begun.map_or_else(|why| (None, why), |it| (Some(it), None)));
    let programs = started::programs(found, command, &project.context.files);
    let programs: Vec<&str> = programs.iter().map(String::as_str).chain(found.program()).collect();
    let run = recording.as_ref().map(Recording::id);
    let id = run.map(|run| run.to_string()).unwrap_or_default();
    let there = command.runner.as_ref().and_then(|runner| runner.folder_of(&id));
    let root = there.as_deref().map_or(project.settings.root.as_path(), Path::new);
    let mut reader = Reader::new(root, &command.directory, matchers(&project.settings, found))
        .compiling(is_compiling(&programs));
    if there.is_none() {
        reader = reader.seeing(is_there);
    }
    let plugin = project.context.plugin(found.plugin);
    let reading = plugin.and_then(|plugin| plugin.reading(&found.tool));
    if let Some(dialect) = reading {
        reader = reader.expecting(dialect);
    }
    if let Some(run) = run {
        sink.recorded(run);
    }
    account.tell(CallStep::Started((!rehearsed).then_some((command, run))));
    let mut tape = OutputPipeline::new(sink, &secrets, recording, reader);
    let cancel = cancel.child_token();
    if tape.write(Stream::Out, announcement.unwrap_or_default().as_bytes()).is_break() {
        cancel.cancel();
    }
    if reading.is_some() {
        tape.withhold();
    }
    let trace = account.span_of_run();
    let (outcome, held) = queue::queued(project, (permit, trace), request, &mut tape, &cancel).await;
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
    let folder = project.settings.root.join(&command.directory);
    let words =
        report::ReportWords { noun, prefix: project.prefix(found), if_missing, installs, folder, held };
    let report = report::ran(found, &words, outcome, (&tape.capture, verdict), metadata);
    let log_end = log_end(&report.output, &findings);
    let report = record::end_recording(project, Report { findings, log_end, ..report }, tape.recording);
    account.tell(CallStep::Ended(&report));
    let unrecorded = report.unrecorded.clone().or(unrecorded).or(account.unwritten.take());
    Report { unrecorded, ..report }
}

/// The gate's word on a call that starts nothing of its own. Only a refusal is told: nothing happens that a log should hold.
fn judged(account: &mut CallAccount<'_>, asked: policy::PolicyCall<'_>) -> Result<Decision, RunError> {
    let ToldCall { project, request, .. } = account.call;
    let prefix = project.prefix(asked.tool);
    policy::authorize(asked, project).map_err(|refusal| {
        let rule = refusal.message.clone();
        // Nothing runs, so a log that cannot be written holds nothing back.
        let _ = account.tell(CallStep::Judged(&Judgement::of("refused", rule)));
        RunError::refused(prefix, refusal, request.caller)
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
pub(crate) fn matchers(settings: &ProjectSettings, found: &Registered) -> Vec<Matcher> {
    let instance = settings.instances.iter().find(|instance| instance.name == found.name.instance);
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
    /// Secrets that none of them may see.
    secrets: Secrets,
    /// Text that is shown before anything runs.
    announcement: Option<String>,
}
