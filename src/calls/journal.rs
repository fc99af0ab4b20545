//! The log lines of lists and calls. Messages and fields are those of the package.json specification, section 11.2, and of
//! the scripts specification, "Logging"; other plugins have the same with their own noun. People get few fields.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::report::capitalised;
use super::run::{Addressed, Request};
use crate::engine::Engine;
use crate::engine::RunError;
use crate::model::{Change, Command, Discovery, ENV, Ending, Origin, Report, Role, RunId, Spelling, Tool};
use crate::project::secrets;
use crate::redact::Secrets;
use crate::registry::{Registered, Registry, Reported};
use crate::settings::Instance;
use crate::sys::journal::Level;

/// How many characters of a text a line has.
const LONGEST: usize = 500;
/// How many words of a call a line has.
const MOST_WORDS: usize = 50;

type Fields = Map<String, Value>;

impl Engine {
    /// An instance was listed within this time: read afresh, or from memory.
    pub(crate) fn log_extraction(
        &self,
        instance: &Instance,
        discovery: &Discovery,
        (took, cache_hit): (Duration, bool),
    ) {
        let level = if cache_hit { Level::Debug } else { Level::Info };
        if !self.surroundings.journal.takes(level) {
            return;
        }
        let runs = discovery.tools.iter().filter(|tool| matches!(tool.role, Role::Run { .. }));
        let about = self.about_of(instance.plugin);
        let noun = about.map_or("tool", |about| about.noun);
        let mut fields = self.of_instance(instance, discovery.tools.first());
        fields.insert(format!("{noun}_count"), json!(runs.count()));
        fields.insert("problem_count".into(), json!(discovery.problems.len()));
        fields.insert("duration_ms".into(), milliseconds(took));
        fields.insert("cache_hit".into(), json!(cache_hit));
        let source = about.map_or("", |about| about.source);
        let secrets = secrets::of_run(&self.root, &self.surroundings.environment, &[]);
        self.log(level, &format!("{}s extracted from {source}", capitalised(noun)), fields, &secrets);
    }

    /// A reading of an instance showed that something is wrong.
    pub(crate) fn log_problem(&self, registry: &Registry, reported: &Reported) {
        if !self.surroundings.journal.takes(Level::Warn) {
            return;
        }
        let Reported { instance, problem, plugin } = reported;
        let tool = registry.of_instance(instance).next().map(|found| &found.tool);
        let of_it = self.instances.iter().find(|other| other.name == *instance);
        let mut fields = of_it.map(|instance| self.of_instance(instance, tool)).unwrap_or_default();
        let code =
            problem.fault.zip(self.about_of(plugin)).map(|(fault, about)| fault.code(about.code_prefix));
        fields.extend(code.map(|code| ("error_code".to_owned(), json!(code))));
        fields.extend(problem.help.as_ref().map(|help| ("help".to_owned(), json!(help))));
        let secrets = secrets::of_run(&self.root, &self.surroundings.environment, &[]);
        self.log(Level::Warn, &problem.message, fields, &secrets);
    }

    /// A process is about to be started for a call.
    pub(crate) fn log_start(
        &self,
        found: &Registered,
        request: &Request,
        command: &Command,
        run: Option<RunId>,
    ) {
        if !self.surroundings.journal.takes(Level::Info) {
            return;
        }
        let noun = self.noun(found);
        let mut fields = self.of_tool(found, noun);
        let words = command.arguments.iter().filter(|word| word.origin == Origin::Call);
        let directory = Some(command.directory.display().to_string()).filter(|folder| !folder.is_empty());
        fields.insert(noun.to_owned(), json!(name_of(found)));
        fields.insert("args".into(), words.map(|word| word.text.as_str()).collect());
        fields.insert("timeout".into(), json!(command.timeout.as_secs()));
        fields.insert("working_directory".into(), json!(directory.as_deref().unwrap_or(".")));
        self.correlate(&mut fields, request, run);
        self.log(Level::Info, &format!("Executing {noun}"), fields, &self.secrets_of(request));
    }

    /// A call ended with a report. A process that ended by itself is a line; one that failed is an error besides.
    pub(crate) fn log_report(&self, found: &Registered, request: &Request, report: &Report) {
        let has_failed = !report.success && !report.is_rehearsal();
        if !self.surroundings.journal.takes(if has_failed { Level::Error } else { Level::Info }) {
            return;
        }
        let noun = self.noun(found);
        let mut fields = self.of_tool(found, noun);
        if let Some(Ending::Exited(code)) = report.ending {
            fields.insert("exit_code".into(), json!(code));
        }
        fields.insert("duration_ms".into(), milliseconds(report.duration));
        self.correlate(&mut fields, request, report.run_id);
        let secrets = self.secrets_of(request);
        let named = capitalised(noun);
        let kind = if report.is_rehearsal() { "dry run" } else { "execution" };
        match &report.ending {
            None => self.log(Level::Info, &format!("{named} call answered"), fields, &secrets),
            Some(Ending::Cancelled) => {
                self.log(Level::Info, &format!("{named} {kind} cancelled"), fields, &secrets);
            }
            Some(ending) => {
                if matches!(ending, Ending::Exited(_)) && !report.is_rehearsal() {
                    let mut fields = fields.clone();
                    fields.insert(noun.to_owned(), json!(name_of(found)));
                    fields.insert("duration_seconds".into(), json!(report.duration.as_secs_f64()));
                    self.log(Level::Info, &format!("{named} completed"), fields, &secrets);
                }
                if !report.success {
                    fields.extend(
                        report.error_code.as_ref().map(|code| ("error_code".to_owned(), json!(code))),
                    );
                    let level = if report.is_rehearsal() { Level::Info } else { Level::Error };
                    self.log(level, &format!("{named} {kind} failed"), fields, &secrets);
                }
            }
        }
    }

    /// A call started nothing. One of an unknown tool is told of the instance that its name begins with.
    pub(crate) fn log_refusal(
        &self,
        registry: &Registry,
        found: Option<&Registered>,
        request: &Request,
        error: &RunError,
    ) {
        if !self.surroundings.journal.takes(Level::Info) {
            return;
        }
        let (Addressed::Exactly(typed, _) | Addressed::Loosely(typed)) = &request.tool;
        let is_within = |instance: &&Instance| {
            let rest = typed.strip_prefix(&instance.name);
            rest.is_some_and(|rest| {
                [Spelling::Dotted, Spelling::Portable].iter().any(|one| rest.starts_with(one.separator()))
            })
        };
        let named = self.instances.iter().find(is_within);
        let named = named.map(|instance| {
            let tool = registry.of_instance(&instance.name).next().map(|found| &found.tool);
            self.of_instance(instance, tool)
        });
        let fields = found.map(|found| self.of_tool(found, self.noun(found)));
        let mut fields = fields.or(named).unwrap_or_default();
        fields.insert("error_code".into(), json!(error.code));
        fields.insert("error".into(), json!(error.message));
        self.correlate(&mut fields, request, None);
        self.log(Level::Info, "Call refused", fields, &self.secrets_of(request));
    }

    fn log(&self, level: Level, message: &str, mut fields: Fields, secrets: &Secrets) {
        for value in fields.values_mut() {
            cleaned(value, secrets);
        }
        self.surroundings.journal.write(level, message, &fields);
    }

    /// What must not be seen of a call: what its process may not show, and what the call itself brought along.
    fn secrets_of(&self, request: &Request) -> Secrets {
        let given = request.arguments.get(ENV.name).and_then(Value::as_object);
        let changes: Vec<Change> = given
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some(Change::new(name, value.as_str()?, Origin::Call)))
            .collect();
        secrets::of_run(&self.root, &self.surroundings.environment, &changes)
    }

    fn noun(&self, found: &Registered) -> &'static str {
        self.about_of(found.plugin).map_or("tool", |about| about.noun)
    }

    fn of_tool(&self, found: &Registered, noun: &str) -> Fields {
        let instance = self.instances.iter().find(|instance| instance.name == found.name.instance);
        let of_instance = |instance| self.of_instance(instance, Some(&found.tool));
        let mut fields = instance.map(of_instance).unwrap_or_default();
        fields.insert(format!("{noun}_name"), json!(name_of(found)));
        fields
    }

    /// The standard fields of each line about an instance: the plugin, the instance, the file that its settings name
    /// (`package_json_path`, `makefile_path`), the plugin's facts, and the place of a correlation id. A fact that is
    /// not known is empty. People get the instance alone.
    fn of_instance(&self, instance: &Instance, tool: Option<&Tool>) -> Fields {
        let mut fields = Fields::new();
        fields.insert("instance_name".into(), json!(instance.name));
        if self.surroundings.journal.is_for_people() {
            return fields;
        }
        fields.insert("plugin_name".into(), json!(instance.plugin));
        let about = self.about_of(instance.plugin);
        let keys = about.map(|about| about.config).unwrap_or_default();
        for key in keys.iter().filter(|key| key.name.ends_with("_path")) {
            fields.insert(key.name.to_owned(), json!(instance.config.text(key)));
        }
        for fact in about.map(|about| about.facts).unwrap_or_default() {
            let given = keys.iter().find(|key| key.name == *fact && instance.config.has(key));
            let given = given.map_or("", |key| instance.config.text(key));
            fields.insert((*fact).to_owned(), json!(given));
        }
        let known = tool.into_iter().flat_map(|tool| &tool.metadata);
        fields.extend(known.map(|(name, value)| ((*name).to_owned(), json!(value))));
        fields.insert("correlation_id".into(), Value::Null);
        fields
    }

    /// Adds the caller's id of the call, or else that of its run.
    fn correlate(&self, fields: &mut Fields, request: &Request, run: Option<RunId>) {
        let run = run.map(|id| id.to_string());
        fields.extend(run.iter().map(|id| ("run_id".to_owned(), json!(id))));
        let run = run.filter(|_| !self.surroundings.journal.is_for_people());
        let id = request.correlation.clone().or(run);
        fields.extend(id.map(|id| ("correlation_id".to_owned(), json!(id))));
    }
}

/// The name of a tool in its source.
fn name_of(found: &Registered) -> &str {
    if found.tool.original.is_empty() { &found.name.local } else { &found.tool.original }
}

/// Takes secrets out of the texts of a value, and what is too long.
fn cleaned(value: &mut Value, secrets: &Secrets) {
    match value {
        Value::String(text) => *text = clipped(&secrets.redact(text)),
        Value::Array(items) => {
            items.truncate(MOST_WORDS);
            for item in items {
                cleaned(item, secrets);
            }
        }
        _ => {}
    }
}

/// A caller chooses how long a name is that is not there.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn milliseconds(time: Duration) -> Value {
    json!((time.as_secs_f64() * 10_000.0).round() / 10.0)
}
