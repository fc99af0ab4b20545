//! The file that `cuff init` writes.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::keys::{MCP, TYPES, VERSION};
use crate::model::{Field, PluginInfo, visible};

/// The front of a built-in's `module`, as in the original settings format.
pub(super) const MODULE: &str = "opencuff.plugins.builtin.";

/// An instance to be written.
#[derive(Debug, Clone)]
pub struct NewInstance {
    /// Its key under `plugins:`.
    pub name: String,
    /// Its plugin.
    pub about: PluginInfo,
    /// Its config, in the order to write it.
    pub config: Vec<(&'static Field, Value)>,
    /// A description for the comment above it.
    pub comment: String,
    /// Whether the settings have it already: then the config is what they lack of it.
    pub stands: bool,
}

/// An MCP server to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerEntry {
    /// Its key under `plugins:`.
    pub name: String,
    /// The keys of the entry, in the order to write them, without `type`.
    pub keys: Map<String, Value>,
}

/// How far what is written is indented, in spaces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Indent {
    /// Before an instance's key.
    pub(super) key: usize,
    /// The step from one level to the next.
    pub(super) level: usize,
}

/// Settings that have these instances, in this order; each key is explained where it stands first.
///
/// `schema` is what the first line points an editor to: a path relative to the settings file, such as
/// [`SCHEMA_FILE`](super::SCHEMA_FILE), or a URL.
pub(super) fn compose(entries: &[NewInstance], schema: &str) -> String {
    let mut file = format!(
        "# yaml-language-server: $schema={schema}\n\
         # Tools for people and coding agents. Keys left out have their defaults;\n\
         # `cuff schema` describes every key. `type` and `module` say which plugin it is.\n\
         version: \"{VERSION}\"\n\n"
    );
    if entries.is_empty() {
        file.push_str("plugins: {}\n");
        return file;
    }
    file.push_str("plugins:\n");
    file.push_str(&instances(entries, Indent { key: 2, level: 2 }));
    file
}

/// The lines of instances, an empty one between each and the next.
pub(super) fn instances(entries: &[NewInstance], indent: Indent) -> String {
    let mut explained = BTreeSet::new();
    entries.iter().map(|entry| instance(entry, indent, &mut explained)).collect::<Vec<_>>().join("\n")
}

fn instance(entry: &NewInstance, indent: Indent, explained: &mut BTreeSet<&'static str>) -> String {
    let NewInstance { name, about, config, comment, stands } = entry;
    let [key, inner] = [0, 1].map(|level| " ".repeat(indent.key + level * indent.level));
    let mut text = format!("{key}# {}\n{key}{}:\n", one_line(comment), text_of(name));
    // Writing to a string cannot fail.
    if !stands {
        let _ = writeln!(text, "{inner}type: {}\n{inner}module: {MODULE}{}", TYPES[0], about.id);
    }
    if config.is_empty() {
        return text;
    }
    let _ = writeln!(text, "{inner}config:");
    for (field, value) in config {
        let is_new = explained.insert(field.about);
        text.push_str(&key_lines(field, value, is_new, indent.key + 2 * indent.level));
    }
    text
}

/// The lines of servers, an empty one between each and the next.
pub(super) fn servers(entries: &[ServerEntry], indent: Indent) -> String {
    let lines = |entry: &ServerEntry| {
        let [key, inner] = [0, 1].map(|level| " ".repeat(indent.key + level * indent.level));
        let mut text = format!("{key}{}:\n{inner}type: {MCP}\n", text_of(&entry.name));
        for (name, value) in &entry.keys {
            for line in pair(name, value).lines() {
                text.extend([if line.is_empty() { "" } else { &inner }, line, "\n"]);
            }
        }
        text
    };
    entries.iter().map(lines).collect::<Vec<_>>().join("\n")
}

/// The value of a server's entry.
pub(super) fn server_value(entry: &ServerEntry) -> Value {
    let kind = ("type".to_owned(), json!(MCP));
    std::iter::once(kind).chain(entry.keys.clone()).collect::<Map<_, _>>().into()
}

/// The lines of a key, below what it means where that is to be `explained`.
pub(super) fn key_lines(field: &Field, value: &Value, explained: bool, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let comment = explained.then(|| explanation(field));
    let mut text = String::new();
    for line in comment.as_deref().into_iter().chain(pair(field.name, value).lines()) {
        // An empty line may be part of a text and needs no indentation there.
        text.push_str(if line.is_empty() { "" } else { &indent });
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The comment above a key.
pub(super) fn explanation(field: &Field) -> String {
    format!("# {}", one_line(first_sentence(field.about)))
}

/// The value of an instance's entry.
pub(super) fn value(entry: &NewInstance) -> Value {
    let config = entry.config.iter().map(|(field, value)| (field.name.to_owned(), value.clone()));
    let mut value = json!({"type": TYPES[0], "module": format!("{MODULE}{}", entry.about.id)});
    if !entry.config.is_empty() {
        value["config"] = Value::Object(config.collect());
    }
    value
}

/// `key: value` in as many lines as it takes, quoted where YAML would read something else.
fn pair(key: &str, value: &Value) -> String {
    let pair = serde_yaml::Mapping::from_iter([(key.into(), yaml(value))]);
    // JSON is YAML: should the emitter ever refuse a value, this line still says the same.
    serde_yaml::to_string(&pair).unwrap_or_else(|_| format!("{}: {value}", Value::from(key)))
}

/// The same value. Numbers of JSON are written digit by digit, which only `serde_json` itself understands.
fn yaml(value: &Value) -> serde_yaml::Value {
    match value {
        Value::Null => serde_yaml::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => {
            serde_yaml::from_str(number.as_str()).unwrap_or_else(|_| number.as_str().into())
        }
        Value::Array(items) => items.iter().map(yaml).collect::<Vec<_>>().into(),
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| (key.as_str().into(), yaml(value));
            map.iter().map(entry).collect::<serde_yaml::Mapping>().into()
        }
    }
}

/// A text as YAML reads it: a package may be called `null` or `true`.
pub(super) fn text_of(name: &str) -> String {
    serde_yaml::to_string(name)
        .map_or_else(|_| Value::from(name).to_string(), |quoted| quoted.trim_end().to_owned())
}

fn first_sentence(about: &str) -> &str {
    about.split_once(". ").map_or(about, |(first, _)| first).trim_end_matches('.')
}

/// Of what a project says, YAML takes no control characters, and a person wants to see what is there.
fn one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}
