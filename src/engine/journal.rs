//! What is logged of lists and calls. A tool that fails or is refused is nothing wrong with the server. JSON has the fields
//! that the package.json specification names, section 11.2; for people there are few.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::run::Request;
use super::{Engine, RunError, secrets};
use crate::model::{Change, Discovery, ENV, Ending, Origin, Report, Role};
use crate::redact::Secrets;
use crate::registry::{Registered, Reported};
use crate::settings::Instance;
use crate::sys::journal::Level;

/// How many characters of a text a line has.
const LONGEST: usize = 500;

type Fields = Map<String, Value>;

impl Engine {
    /// An instance was listed: read within this time, or remembered.
    pub(super) fn log_extraction(&self, instance: &Instance, discovery: &Discovery, took: Option<Duration>) {
        let level = if took.is_some() { Level::Info } else { Level::Debug };
        if !self.surroundings.journal.takes(level) {
            return;
        }
        let runs = discovery.tools.iter().filter(|tool| matches!(tool.role, Role::Run { .. }));
        let noun = self.about_of(instance.plugin).map_or("tool", |about| about.noun);
        let mut fields = self.of_instance(instance);
        if let Some(tool) = discovery.tools.first() {
            fields.extend(tool.metadata.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        }
        fields.insert(format!("{noun}_count"), json!(runs.count()));
        fields.insert("problem_count".into(), json!(discovery.problems.len()));
        fields.extend(took.map(|took| ("duration_ms".to_owned(), milliseconds(took))));
        fields.insert("cache_hit".into(), json!(took.is_none()));
        self.log(
            level,
            &format!("{noun}s extracted"),
            fields,
            &secrets::of_run(&self.root, &self.surroundings.environment, &[]),
        );
    }

    /// What was read of an instance shows that something is wrong.
    pub(super) fn log_problem(&self, reported: &Reported) {
        if !self.surroundings.journal.takes(Level::Warn) {
            return;
        }
        let Reported { instance, problem, .. } = reported;
        let of_it = self.instances.iter().find(|other| other.name == *instance);
        let mut fields = of_it.map(|instance| self.of_instance(instance)).unwrap_or_default();
        fields.extend(problem.help.as_ref().map(|help| ("help".to_owned(), json!(help))));
        let secrets = secrets::of_run(&self.root, &self.surroundings.environment, &[]);
        self.log(Level::Warn, &problem.message, fields, &secrets);
    }

    /// A call ended with a report.
    pub(super) fn log_report(&self, found: &Registered, request: &Request, report: &Report) {
        let cancelled = matches!(report.ending, Some(Ending::Cancelled));
        if !self.surroundings.journal.takes(Level::Info) {
            return;
        }
        let noun = self.about_of(found.plugin).map_or("tool", |about| about.noun);
        let mut fields = self.of_tool(found, noun);
        fields.extend(report.error_code.as_ref().map(|code| ("error_code".to_owned(), json!(code))));
        if let Some(Ending::Exited(code)) = report.ending {
            fields.insert("exit_code".into(), json!(code));
        }
        fields.insert("duration_ms".into(), milliseconds(report.duration));
        let run = report.run_id.map(|id| id.to_string());
        fields.extend(run.iter().map(|id| ("run_id".to_owned(), json!(id))));
        let correlation =
            request.correlation.clone().or(run.filter(|_| !self.surroundings.journal.is_for_people()));
        fields.extend(correlation.map(|id| ("correlation_id".to_owned(), json!(id))));
        let message = match (&report.ending, report.success) {
            (None, _) => format!("{noun} call answered"),
            _ if cancelled => format!("{noun} execution cancelled"),
            (Some(_), true) if report.is_rehearsal() => format!("{noun} dry run succeeded"),
            (Some(_), true) => format!("{noun} execution succeeded"),
            (Some(_), false) if report.is_rehearsal() => format!("{noun} dry run failed"),
            (Some(_), false) => format!("{noun} execution failed"),
        };
        self.log(Level::Info, &message, fields, &self.secrets_of(request));
    }

    /// A call started nothing.
    pub(super) fn log_refusal(&self, found: Option<&Registered>, request: &Request, error: &RunError) {
        if !self.surroundings.journal.takes(Level::Info) {
            return;
        }
        let mut fields = match found {
            Some(found) => {
                self.of_tool(found, self.about_of(found.plugin).map_or("tool", |about| about.noun))
            }
            None => Fields::new(),
        };
        fields.insert("error_code".into(), json!(error.code));
        fields.insert("error".into(), json!(error.message));
        fields.extend(request.correlation.as_ref().map(|id| ("correlation_id".to_owned(), json!(id))));
        self.log(Level::Info, "call refused", fields, &self.secrets_of(request));
    }

    fn log(&self, level: Level, message: &str, mut fields: Fields, secrets: &Secrets) {
        for value in fields.values_mut() {
            if let Value::String(text) = value {
                *text = clipped(&secrets.redact(text));
            }
        }
        let mut letters = message.chars();
        let message: String =
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        self.surroundings.journal.write(level, &message, &fields);
    }

    /// What must not be seen of a call: what its process may not show, and what the call itself brought along.
    fn secrets_of(&self, request: &Request) -> Secrets {
        let given = request.arguments.get(ENV.name).and_then(Value::as_object);
        let changes: Vec<Change> = given
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| {
                let value = value.as_str()?.to_owned();
                Some(Change { name: name.clone(), value, origin: Origin::Call })
            })
            .collect();
        secrets::of_run(&self.root, &self.surroundings.environment, &changes)
    }

    fn of_tool(&self, found: &Registered, noun: &str) -> Fields {
        let instance = self.instances.iter().find(|instance| instance.name == found.name.instance);
        let mut fields = instance.map(|instance| self.of_instance(instance)).unwrap_or_default();
        if !self.surroundings.journal.is_for_people() {
            fields.extend(found.tool.metadata.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        }
        let name = if found.tool.original.is_empty() { &found.name.local } else { &found.tool.original };
        fields.insert(format!("{noun}_name"), json!(name));
        fields
    }

    /// The plugin, the instance and the file that its settings name: `package_json_path`, `makefile_path`.
    fn of_instance(&self, instance: &Instance) -> Fields {
        let mut fields = Fields::new();
        fields.insert("instance_name".into(), json!(instance.name));
        if self.surroundings.journal.is_for_people() {
            return fields;
        }
        fields.insert("plugin_name".into(), json!(instance.plugin));
        let keys = self.about_of(instance.plugin).map(|about| about.config).unwrap_or_default();
        for key in keys.iter().filter(|key| key.name.ends_with("_path")) {
            let path = instance.config.text(key);
            if !path.is_empty() {
                fields.insert(key.name.to_owned(), json!(path));
            }
        }
        fields
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
