//! The log lines of calls. Messages and fields are those of the package.json specification, section 11.2, and
//! of the scripts specification, "Logging". Other plugins have the same with their own noun. People get few
//! fields.

use serde_json::{Value, json};

use super::error::RunError;
use super::request::CallRequest;
use super::step::{CallStep, ToldCall};
use crate::model::{Change, Command, ENV, Ending, Origin, Report, RunId, Spelling, capitalised};
use crate::project::journal::{JournalFields, log, milliseconds, of_instance};
use crate::project::{Context, Project};
use crate::redact::Secrets;
use crate::registry::{Registered, Registry};
use crate::settings::Instance;
use crate::sys::journal::Level;

/// Writes the lines of a step that has some.
pub(super) fn hear(call: &ToldCall<'_>, step: CallStep<'_>) {
    let ToldCall { project, request, found, .. } = *call;
    match (step, found) {
        (CallStep::Started(Some((command, run))), Some(found)) => {
            log_start(project, found, request, (command, run));
        }
        (CallStep::Reported(report), Some(found)) => log_report(project, found, request, report),
        (CallStep::Refused(error), found) => log_refusal(project, (call.registry, found), request, error),
        _ => {}
    }
}

/// A process is about to be started for a call.
fn log_start(
    project: &Project,
    found: &Registered,
    request: &CallRequest,
    (command, run): (&Command, Option<RunId>),
) {
    if !project.context.journal.takes(Level::Info) {
        return;
    }
    let noun = noun(project, found);
    let mut fields = of_tool(project, found, noun);
    let words = command.arguments.iter().filter(|word| word.origin == Origin::Call);
    let directory = Some(command.directory.display().to_string()).filter(|folder| !folder.is_empty());
    fields.insert(noun.to_owned(), json!(name_of(found)));
    fields.insert("args".into(), words.map(|word| word.text.as_str()).collect());
    fields.insert("timeout".into(), json!(command.timeout.as_secs()));
    fields.insert("working_directory".into(), json!(directory.as_deref().unwrap_or(".")));
    correlate(&project.context, &mut fields, request, run);
    log(&project.context, Level::Info, &format!("Executing {noun}"), fields, &secrets_of(project, request));
}

/// A call ended with a report. A process that ended by itself is a line; one that failed is an error besides.
fn log_report(project: &Project, found: &Registered, request: &CallRequest, report: &Report) {
    let has_failed = !report.success && !report.is_rehearsal();
    if !project.context.journal.takes(if has_failed {
        level_of_failure(&project.context)
    } else {
        Level::Info
    }) {
        return;
    }
    let noun = noun(project, found);
    let mut fields = of_tool(project, found, noun);
    if let Some(Ending::Exited(code)) = report.ending {
        fields.insert("exit_code".into(), json!(code));
    }
    fields.insert("duration_ms".into(), milliseconds(report.duration));
    correlate(&project.context, &mut fields, request, report.run_id);
    let secrets = secrets_of(project, request);
    let named = capitalised(noun);
    let kind = if report.is_rehearsal() { "dry run" } else { "execution" };
    match &report.ending {
        None => log(&project.context, Level::Info, &format!("{named} call answered"), fields, &secrets),
        Some(Ending::Cancelled) => {
            log(&project.context, Level::Info, &format!("{named} {kind} cancelled"), fields, &secrets);
        }
        Some(ending) => {
            if matches!(ending, Ending::Exited(_)) && !report.is_rehearsal() {
                let mut fields = fields.clone();
                fields.insert(noun.to_owned(), json!(name_of(found)));
                fields.insert("duration_seconds".into(), json!(report.duration.as_secs_f64()));
                log(&project.context, Level::Info, &format!("{named} completed"), fields, &secrets);
            }
            if !report.success {
                fields.extend(report.error_code.as_ref().map(|code| ("error_code".to_owned(), json!(code))));
                let level = if report.is_rehearsal() { Level::Info } else { Level::Error };
                if level == Level::Info || project.context.journal.takes(level_of_failure(&project.context)) {
                    log(&project.context, level, &format!("{named} {kind} failed"), fields, &secrets);
                }
            }
        }
    }
}

/// The level from which on the failure of a run is written. Tests fail every day, and their caller has the answer, so people
/// read of it where they ask for details. A program that collects the lines gets it always.
fn level_of_failure(context: &Context) -> Level {
    if context.journal.is_for_people() { Level::Info } else { Level::Error }
}

/// Logs a call that started nothing. If its tool is unknown, the line names the instance that the tool's name
/// begins with.
fn log_refusal(
    project: &Project,
    (registry, found): (&Registry, Option<&Registered>),
    request: &CallRequest,
    error: &RunError,
) {
    if !project.context.journal.takes(Level::Info) {
        return;
    }
    let typed = request.tool.name();
    let is_within = |instance: &&Instance| {
        let rest = typed.strip_prefix(&instance.name);
        rest.is_some_and(|rest| {
            [Spelling::Dotted, Spelling::Portable].iter().any(|one| rest.starts_with(one.separator()))
        })
    };
    let named = project.settings.instances.iter().find(is_within);
    let named = named.map(|instance| {
        let tool = registry.of_instance(&instance.name).next().map(|found| &*found.tool);
        of_instance(project, instance, tool)
    });
    let fields = found.map(|found| of_tool(project, found, noun(project, found)));
    let mut fields = fields.or(named).unwrap_or_default();
    fields.insert("error_code".into(), json!(error.code));
    fields.insert("error".into(), json!(error.message));
    correlate(&project.context, &mut fields, request, None);
    log(&project.context, Level::Info, "Call refused", fields, &secrets_of(project, request));
}

/// The secrets to hide in the journal of a call: those of its process, and the values that the call itself
/// sets.
fn secrets_of(project: &Project, request: &CallRequest) -> Secrets {
    let given = request.arguments.get(ENV.name).and_then(Value::as_object);
    let changes: Vec<Change> = given
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some(Change::new(name, value.as_str()?, Origin::Call)))
        .collect();
    project.secrets_of(&changes)
}

fn noun(project: &Project, found: &Registered) -> &'static str {
    project.about_of(found.plugin).map_or("tool", |about| about.noun)
}

fn of_tool(project: &Project, found: &Registered, noun: &str) -> JournalFields {
    let instance = project.settings.instances.iter().find(|instance| instance.name == found.name.instance);
    let of_instance = |instance| of_instance(project, instance, Some(&found.tool));
    let mut fields = instance.map(of_instance).unwrap_or_default();
    fields.insert(format!("{noun}_name"), json!(name_of(found)));
    fields
}

/// Adds the caller's id of the call, or else that of its run.
fn correlate(context: &Context, fields: &mut JournalFields, request: &CallRequest, run: Option<RunId>) {
    let run = run.map(|id| id.to_string());
    fields.extend(run.iter().map(|id| ("run_id".to_owned(), json!(id))));
    let run = run.filter(|_| !context.journal.is_for_people());
    let id = request.correlation.clone().or(run);
    fields.extend(id.map(|id| ("correlation_id".to_owned(), json!(id))));
}

/// The name of a tool in its source.
fn name_of(found: &Registered) -> &str {
    if found.tool.original.is_empty() { &found.name.local } else { &found.tool.original }
}
