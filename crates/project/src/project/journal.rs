//! The log lines of readings, and the fields that all lines have. Messages and fields are those of the
//! package.json specification, section 11.2, and of the scripts specification, "Logging". Other plugins have
//! the same with their own noun. People get few fields.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::model::{Discovery, Tool, capitalised};
use crate::project::Context;
use crate::project::opened::Project;
use crate::redact::Secrets;
use crate::registry::{Registry, ReportedProblem};
use crate::settings::Instance;
use crate::sys::journal::Level;

/// How many characters of a text a line has.
const LONGEST: usize = 500;
/// How many words of a call a line has.
const MOST_WORDS: usize = 50;

/// The fields of a line.
pub(crate) type JournalFields = Map<String, Value>;

/// An instance was listed within this time: read afresh, or from memory.
pub(crate) fn log_extraction(
    project: &Project,
    instance: &str,
    discovery: &Discovery,
    (took, cache_hit): (Duration, bool),
) {
    let level = if cache_hit { Level::Debug } else { Level::Info };
    if !project.context.journal.takes(level) {
        return;
    }
    let Some(instance) = project.settings.instance(instance) else { return };
    let runs = discovery.tools.iter().filter(|tool| !tool.role.is_list());
    let about = project.about_of(instance.plugin);
    let noun = about.map_or("tool", |about| about.noun);
    let mut fields = of_instance(project, instance, discovery.tools.first());
    fields.insert(format!("{noun}_count"), json!(runs.count()));
    fields.insert("problem_count".into(), json!(discovery.problems.len()));
    fields.insert("duration_ms".into(), milliseconds(took));
    fields.insert("cache_hit".into(), json!(cache_hit));
    let source = about.map_or("", |about| about.source);
    let secrets = project.secrets_of(&[]);
    log(
        &project.context,
        level,
        &format!("{}s extracted from {source}", capitalised(noun)),
        fields,
        &secrets,
    );
}

/// A reading of an instance showed that something is wrong.
pub(crate) fn log_problem(project: &Project, registry: &Registry, reported: &ReportedProblem) {
    if !project.context.journal.takes(Level::Warn) {
        return;
    }
    let ReportedProblem { instance, problem, plugin } = reported;
    let tool = registry.of_instance(instance).next().map(|found| &*found.tool);
    let of_it = project.settings.instances.iter().find(|other| other.name == *instance);
    let mut fields = of_it.map(|instance| of_instance(project, instance, tool)).unwrap_or_default();
    fields.entry("instance_name").or_insert_with(|| json!(instance));
    let code =
        problem.fault.zip(project.about_of(plugin)).map(|(fault, about)| fault.code(about.code_prefix));
    fields.extend(code.map(|code| ("error_code".to_owned(), json!(code))));
    fields.extend(problem.help.as_ref().map(|help| ("help".to_owned(), json!(help))));
    let secrets = project.secrets_of(&[]);
    log(&project.context, Level::Warn, &problem.message, fields, &secrets);
}

pub(crate) fn log(
    context: &Context,
    level: Level,
    message: &str,
    mut fields: JournalFields,
    secrets: &Secrets,
) {
    for value in fields.values_mut() {
        cleaned(value, secrets);
    }
    context.journal.write(level, message, &fields);
}

/// The standard fields of each line about an instance: the plugin, the instance, the file that its settings
/// name (`package_json_path`, `makefile_path`), the plugin's facts, and a correlation id. A fact that is not
/// known is empty. People get the instance alone.
pub(crate) fn of_instance(project: &Project, instance: &Instance, tool: Option<&Tool>) -> JournalFields {
    let mut fields = JournalFields::new();
    fields.insert("instance_name".into(), json!(instance.name));
    if project.context.journal.is_for_people() {
        return fields;
    }
    fields.insert("plugin_name".into(), json!(instance.plugin));
    let about = project.about_of(instance.plugin);
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

pub(crate) fn milliseconds(time: Duration) -> Value {
    json!((time.as_secs_f64() * 10_000.0).round() / 10.0)
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
