//! A call from door to door: find, check, plan, permit, execute, report.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::background::Aside;
use super::colours::Colours;
use super::confirm::Permitted;
use super::cut_short;
use super::parameters::{DRY_RUN, as_taken, parameters};
use super::record;
use super::report;
use super::runs::is_there;
use super::tape::Tape;
use crate::diagnostics::Reader;
use crate::engine::Engine;
use crate::engine::RunError;
use crate::execution::Sink;
use crate::model::{
    CWD, Caller, Command, Ended, Ending, Entry, Matcher, Plan, REFRESH, Report, Role, Spelling, Stream,
    Values, Word, check,
};
use crate::policy::{self, Asker, ContentBinding, Decision};
use crate::project::list::listed;
use crate::project::secrets;
use crate::redact::Secrets;
use crate::registry::{Registered, Registry};
use crate::store::Recording;

/// A call as a face received it.
#[derive(Debug, Clone)]
pub struct Request {
    /// Which tool.
    pub tool: Addressed,
    /// Its arguments, unchecked.
    pub arguments: Map<String, Value>,
    /// Who asks.
    pub caller: Caller,
    /// Whether colours are welcome; agents get none.
    pub colours: Colours,
    /// Who asks the person in front of the face, where there is one.
    pub asker: Option<Arc<dyn Asker>>,
    /// Whether it may go on when nobody waits for it any more.
    pub aside: Aside,
    /// What the caller knows this call by, for logs; `None`: the run's id.
    pub correlation: Option<String>,
}

impl Request {
    /// The call of this tool with this plan, for the gate.
    pub(crate) fn call<'a>(&self, tool: &'a Registered, plan: Plan) -> policy::Call<'a> {
        let chose_folder = self.arguments.contains_key(CWD.name);
        policy::Call { tool, plan, caller: self.caller, chose_folder }
    }
}

/// How a tool is named.
#[derive(Debug, Clone)]
pub enum Addressed {
    /// By its qualified name alone, as agents do.
    Exactly(String, Spelling),
    /// By whatever a person calls it: qualified, local or original.
    Loosely(String),
}

impl Engine {
    /// Carries out a call. What the process prints goes to the sink as it comes.
    ///
    /// # Errors
    /// When nothing was started: no such tool, wrong or refused arguments. A process that failed is a report.
    pub async fn run(
        &self,
        request: Request,
        sink: &mut dyn Sink,
        cancel: &CancellationToken,
    ) -> Result<Report, RunError> {
        let registry = self.list().await;
        self.run_listed(&registry, request, sink, cancel).await
    }

    /// Carries out a call under a list that was made just now, so that nothing is looked at or probed a second time.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_listed(
        &self,
        registry: &Registry,
        request: Request,
        sink: &mut dyn Sink,
        cancel: &CancellationToken,
    ) -> Result<Report, RunError> {
        let _underway = self.surroundings.metrics.call_begins(request.caller);
        let found = self.find(registry, &request.tool).await;
        let (Addressed::Exactly(tool, _) | Addressed::Loosely(tool)) = &request.tool;
        let found = found.inspect_err(|error| {
            self.note_not_found(tool, &request, error);
            self.count_refusal(registry, None, &request, error);
        })?;
        let done = self.carry_out(registry, found, &request, sink, cancel).await;
        match &done {
            Ok(report) => self.log_report(found, &request, report),
            Err(error) => self.count_refusal(registry, Some(found), &request, error),
        }
        done.map_err(|error| error.of(found))
    }

    fn count_refusal(
        &self,
        registry: &Registry,
        found: Option<&Registered>,
        request: &Request,
        error: &RunError,
    ) {
        self.surroundings.metrics.refused(&error.code);
        self.log_refusal(registry, found, request, error);
    }

    async fn carry_out(
        &self,
        registry: &Registry,
        found: &Registered,
        request: &Request,
        sink: &mut dyn Sink,
        cancel: &CancellationToken,
    ) -> Result<Report, RunError> {
        let values = checked(self.prefix(found), found, &request.arguments)?;
        let planned = self.plan(found, &values, request);
        match planned.inspect_err(|error| self.note_refused_plan(found, request, error))? {
            Plan::Process(command) => self.start(found, command, &values, (request, sink), cancel).await,
            Plan::Answer(_) => {
                let answer = self.answer(registry, found, &values).await;
                self.decided(request.call(found, Plan::Answer(answer.clone())), request)?;
                Ok(report::answered(found, answer))
            }
            plan @ Plan::Upstream(_) => {
                let _ = self.permit(request.call(found, plan), request, cancel).await?;
                Err(RunError::broken("no connection to another MCP server can be made"))
            }
        }
    }

    async fn start(
        &self,
        found: &Registered,
        command: Command,
        values: &Values,
        (request, sink): (&Request, &mut dyn Sink),
        cancel: &CancellationToken,
    ) -> Result<Report, RunError> {
        let secrets = secrets::of_run(&self.root, &self.surroundings.environment, &command.environment);
        let audience = Audience { sink, request, secrets, announcement: None };
        if values.flag(&DRY_RUN) {
            return self.dry_run(found, command, audience, cancel).await;
        }
        let metadata = report::metadata(&command, &found.tool.metadata, &audience.secrets);
        let call = request.call(found, Plan::Process(command.clone()));
        let permitted = self.permit(call, request, cancel).await?;
        Ok(self.execute(found, (permitted, &command), metadata, audience, cancel).await)
    }

    /// Says what would be executed. Where the program can rehearse that, it is started with the flag for it: without
    /// settings nobody has allowed that, and a call that needs a yes runs nothing of itself without one.
    async fn dry_run(
        &self,
        found: &Registered,
        mut command: Command,
        audience: Audience<'_>,
        cancel: &CancellationToken,
    ) -> Result<Report, RunError> {
        let request = audience.request;
        let text = report::announcement(&command, &audience.secrets);
        let decision = self.decided(request.call(found, Plan::Process(command.clone())), request)?;
        let needs_yes = matches!(decision, Decision::Unconfirmed(_));
        let rehearsal = match found.tool.role {
            Role::Run { rehearsal, .. } if self.file.is_some() && !needs_yes => rehearsal,
            Role::Run { .. } | Role::List(_) => None,
        };
        command.arguments.splice(..0, rehearsal.map(Word::fixed));
        let mut metadata = report::metadata(&command, &found.tool.metadata, &audience.secrets);
        metadata.insert(DRY_RUN.name.into(), Value::Bool(true));
        if rehearsal.is_none() {
            return Ok(report::dry_run(found, text + &report::unrehearsed(found, needs_yes), metadata));
        }
        let call = request.call(found, Plan::Process(command.clone()));
        let permitted = self.permit(call, request, cancel).await?;
        let audience = Audience { announcement: Some(text), ..audience };
        Ok(self.execute(found, (permitted, &command), metadata, audience, cancel).await)
    }

    async fn execute(
        &self,
        found: &Registered,
        (Permitted { permit, unwritten }, command): (Permitted, &Command),
        metadata: Map<String, Value>,
        audience: Audience<'_>,
        cancel: &CancellationToken,
    ) -> Report {
        let _running = self.surroundings.metrics.run_begins();
        let if_missing = command.if_missing.clone();
        let Audience { sink, request, secrets, announcement } = audience;
        // What fails in a rehearsal is the rehearsal: the tool was not run, and so there is no run of it to be recorded.
        let rehearsed = metadata.contains_key(DRY_RUN.name);
        let recording = (!rehearsed).then(|| self.begin_recording(found, command, request, &secrets));
        let (recording, unrecorded) = recording
            .map_or((None, None), |begun| begun.map_or_else(|why| (None, why), |it| (Some(it), None)));
        let mut reader = Reader::new(&self.root, &command.directory, self.matchers(found)).seeing(is_there);
        let plugin = self.surroundings.plugin(found.plugin);
        let reading = plugin.and_then(|plugin| plugin.reading(&found.tool));
        if let Some(dialect) = reading {
            reader = reader.expecting(dialect);
        }
        let run = recording.as_ref().map(Recording::id);
        if let Some(run) = run {
            sink.recorded(run);
        }
        if !rehearsed {
            self.log_start(found, request, command, run);
        }
        let mut tape = Tape::new(sink, &secrets, recording, reader);
        let cancel = cancel.child_token();
        if tape.write(Stream::Out, announcement.unwrap_or_default().as_bytes()).is_break() {
            cancel.cancel();
        }
        if reading.is_some() {
            tape.withhold();
        }
        let binding = permit.binding();
        let outcome = self.queued(permit, request, &mut tape, &cancel).await;
        let outcome = record::as_asked(outcome, tape.recording.as_ref());
        let findings = cut_short::without_own(tape.finish(), &outcome.ending);
        let verdict = plugin.filter(|_| reading.is_some()).and_then(|plugin| {
            let Ending::Exited(code) = outcome.ending else { return None };
            let err = tape.capture.stream(Stream::Err).text;
            plugin.verdict(&found.tool, Ended { code, findings: &findings, err: &err })
        });
        tape.show(verdict.as_ref().and_then(|verdict| verdict.text.as_deref()));
        let noun = if rehearsed {
            "dry run"
        } else {
            self.about_of(found.plugin).map_or("tool", |about| about.noun)
        };
        let installs = self.installs(found, &outcome.ending, request.caller).await;
        let changed = self.changed_since(binding.as_deref(), &outcome.ending);
        let words = report::Words { noun, prefix: self.prefix(found), if_missing, installs, changed };
        let report = report::ran(found, &words, outcome, (&tape.capture, verdict), metadata);
        let report = self.end_recording(Report { findings, ..report }, tape.recording);
        if let Some(about) = self.about_of(found.plugin).filter(|_| !rehearsed) {
            let instance = self.surroundings.metrics.instance(&found.name.instance, &about);
            instance.ran(report.duration, report.success);
        }
        let unnoted = self.note_end(found, request, &report);
        let unrecorded = report.unrecorded.clone().or(unrecorded).or(unwritten).or(unnoted);
        Report { unrecorded, ..report }
    }

    /// The files of a binding that do not say the same after the end of a run; none where nothing was started.
    fn changed_since(&self, binding: Option<&ContentBinding>, ending: &Ending) -> Vec<String> {
        let was_started = !matches!(ending, Ending::NotStarted(_));
        let binding = binding.filter(|_| was_started);
        binding.map_or_else(Vec::new, |binding| binding.changed_since(&self.root))
    }

    /// The gate's word on a call that starts nothing of its own.
    fn decided(&self, call: policy::Call<'_>, request: &Request) -> Result<Decision, RunError> {
        let found = call.tool;
        policy::authorize(call, self).map_err(|refusal| {
            // Nothing runs, so a log that cannot be written holds nothing back.
            let _ = self.note(found.name.to_string(), request, "refused", refusal.message.clone());
            RunError::refused(self.prefix(found), refusal, request.caller)
        })
    }

    /// The other tools of an instance, as its list tool shows them.
    async fn answer(&self, registry: &Registry, found: &Registered, values: &Values) -> Map<String, Value> {
        let instance = &found.name.instance;
        let fresh = if values.flag(&REFRESH) { Some(self.listed_afresh(instance).await) } else { None };
        let Role::List(key) = found.tool.role else { return Map::new() };
        let entries: Vec<Value> =
            listed(fresh.as_deref().unwrap_or(registry), instance).filter_map(entry).collect();
        Map::from_iter([(key.to_owned(), Value::Array(entries))])
    }

    /// The problem matchers that the settings have for a tool's instance.
    pub(crate) fn matchers(&self, found: &Registered) -> Vec<Matcher> {
        let instance = self.instances.iter().find(|instance| instance.name == found.name.instance);
        instance.map(|instance| instance.config.problem_matchers()).unwrap_or_default()
    }

    pub(crate) fn prefix(&self, found: &Registered) -> &'static str {
        self.about_of(found.plugin).map_or("CUFF", |about| about.code_prefix)
    }
}

pub(crate) fn checked(
    prefix: &str,
    found: &Registered,
    arguments: &Map<String, Value>,
) -> Result<Values, RunError> {
    let fields = parameters(&found.tool);
    let (values, mistakes) = check(&fields, &as_taken(&fields, arguments));
    if mistakes.is_empty() { Ok(values) } else { Err(RunError::bad_arguments(prefix, found, &mistakes)) }
}

/// A tool as the list tool of its instance shows it.
fn entry(tool: &Registered) -> Option<Value> {
    match &tool.tool.role {
        Role::Run { entry: Entry::Original, .. } => Some(Value::String(tool.tool.original.clone())),
        Role::Run { entry: Entry::Object(facts), .. } => {
            let name = ("name".to_owned(), Value::String(tool.name.local.clone()));
            Some(Value::Object(std::iter::once(name).chain(facts.clone()).collect()))
        }
        Role::List(_) => None,
    }
}

/// Who hears of a run while it goes on.
struct Audience<'a> {
    sink: &'a mut dyn Sink,
    request: &'a Request,
    /// What nobody of them may see.
    secrets: Secrets,
    /// What is said before anything runs.
    announcement: Option<String>,
}
