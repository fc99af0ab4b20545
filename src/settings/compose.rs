//! The file that `cuff init` writes.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::read::{TYPES, VERSION};
use crate::model::{About, Suggestion};

/// The front of a built-in's `module`, as in the original settings format.
pub(super) const MODULE: &str = "opencuff.plugins.builtin.";

/// How far a `config:`'s keys are indented.
const INDENT: &str = "      ";

/// Settings that enable these suggestions, in this order, with a comment for every key.
///
/// `schema` is what the first line points an editor to: a path relative to the settings file, such as
/// [`SCHEMA_FILE`](super::SCHEMA_FILE), or a URL.
pub fn compose(suggestions: &[(About, &Suggestion)], schema: &str) -> String {
    let mut file = format!(
        "# yaml-language-server: $schema={schema}\n\
         # The tools that people and coding agents share in this project: `cuff list` shows them.\n\
         # Edit freely; a key that is left out has its default. `cuff schema` describes every key.\n\
         version: \"{VERSION}\"\n\n"
    );
    if suggestions.is_empty() {
        file.push_str("plugins: {}\n");
        return file;
    }
    file.push_str("plugins:\n");
    for (at, (about, suggestion)) in suggestions.iter().enumerate() {
        if at > 0 {
            file.push('\n');
        }
        instance(&mut file, about, suggestion);
    }
    file
}

fn instance(file: &mut String, about: &About, suggestion: &Suggestion) {
    let About { id, summary, .. } = about;
    let kind = TYPES[0];
    let summary = one_line(summary);
    // Writing to a string cannot fail.
    let _ = writeln!(
        file,
        "  # {summary}\n  {id}:\n    enabled: true\n    type: {kind}\n    module: {MODULE}{id}"
    );
    if suggestion.config.is_empty() {
        return;
    }
    file.push_str("    config:\n");
    for (field, value) in &suggestion.config {
        let _ = writeln!(file, "{INDENT}# {}", one_line(first_sentence(field.about)));
        for line in entry(field.name, value).lines() {
            // An empty line may be part of a text and needs no indentation there.
            file.push_str(if line.is_empty() { "" } else { INDENT });
            file.push_str(line);
            file.push('\n');
        }
    }
}

/// `key: value` in as many lines as it takes, quoted where YAML would read something else.
fn entry(key: &str, value: &Value) -> String {
    let entry = Map::from_iter([(key.to_owned(), value.clone())]);
    // JSON is YAML: should the emitter ever refuse a value, this line still says the same.
    serde_yaml::to_string(&entry).unwrap_or_else(|_| format!("{}: {value}", Value::from(key)))
}

fn first_sentence(about: &str) -> &str {
    about.split_once(". ").map_or(about, |(first, _)| first).trim_end_matches('.')
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
