//! The JSON Schema of settings.yml, for editors.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::find::{OWN_FOLDER, SettingsPlace, root_of};
use super::keys::{INSTANCE_KEYS, KEYS_OF_TYPE, MCP, TYPES, VERSION, types};
use super::load::kept;
use super::{records, runners, upstream};
use crate::model::{AgentShell, Field, LOCAL, PluginInfo, RESERVED_INSTANCES, Seen};
use crate::sys::KeptFiles;

/// The schema of a project's settings, from their root. Each cuff writes its own: no commit needs the file.
///
/// A path, and not a URL: editors resolve it without a network, and it is the schema of the cuff that wrote
/// it. Unlike a path in somebody's home directory it works for everybody who checks the project out.
pub const SCHEMA_FILE: &str = ".cuff/settings.schema.json";

/// The words by which a schema is known to be this version's.
const WRITTEN_BY: &str = concat!("Written by cuff ", env!("CARGO_PKG_VERSION"), ", which renews it.");

/// The path of the schema, from this settings file.
pub fn schema_beside(file: &Path) -> &'static str {
    let is_inside = file.parent() != root_of(file);
    let inside = SCHEMA_FILE.strip_prefix(OWN_FOLDER).map(|rest| rest.trim_start_matches('/'));
    inside.filter(|_| is_inside).unwrap_or(SCHEMA_FILE)
}

/// Whether the settings at a place point editors to their schema.
pub fn points_to_schema(place: &SettingsPlace, files: &KeptFiles) -> bool {
    let Seen::File(file) = kept(place, files) else { return false };
    let front = &file.bytes[..file.bytes.len().min(1024)];
    String::from_utf8_lossy(front).lines().take(3).any(|line| line.ends_with(schema_beside(&place.file)))
}

/// Whether this is a schema as this version writes it.
pub fn is_current_schema(schema: &[u8]) -> bool {
    String::from_utf8_lossy(&schema[..schema.len().min(256)]).contains(WRITTEN_BY)
}

/// The JSON Schema (2020-12) of settings.yml.
///
/// It keeps to keywords that mean the same in draft 7, which is as far as some editors go. It is stricter
/// than cuff in one point: unknown keys, about which cuff only warns, are underlined.
pub fn schema(abouts: &[PluginInfo]) -> Value {
    let definitions: Map<_, _> = [("instance", instance(abouts)), ("mcp_server", mcp_server())]
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .chain(abouts.iter().map(|about| (config_name(about), config(about))))
        .collect();
    let named: Map<_, _> = abouts.iter().map(|about| (about.id.to_owned(), named_instance(about))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": WRITTEN_BY,
        "title": "cuff settings",
        "description": "The tools that people and coding agents share in a project.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "version": {"description": "The version of this format.", "enum": [VERSION, 1]},
            "plugin_settings": {
                "description": "Free settings of the original format; cuff does not read them.",
                "type": ["object", "null"]
            },
            "agent_shell": {
                "description": "Whether agents are pointed to the tool that runs what they type in a shell: `advise` tells them, \
                                `enforce` does not run the command. The hook of the plugin cuff for Claude Code asks.",
                "enum": AgentShell::WORDS,
                "default": AgentShell::WORDS[0]
            },
            "runners": {
                "description": "Each key names an engine that tools may run on, with `cuff run --on NAME` or `on`.",
                "type": ["object", "null"],
                "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,31}$", "not": {"const": LOCAL}},
                "additionalProperties": Field::object_schema(&runners::KEYS)
            },
            "records": {
                "description": "The object store where the team keeps records of runs, for `cuff runs --shared`.",
                "anyOf": [Field::object_schema(&records::KEYS), {"type": "null"}]
            },
            "plugins": {
                "description": "Each key names an instance of a plugin; it is the first part of its tools' names.",
                "type": ["object", "null"],
                "propertyNames": {
                    "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,31}$",
                    "not": {"enum": RESERVED_INSTANCES}
                },
                "properties": named,
                "additionalProperties": {"$ref": "#/$defs/instance"}
            }
        },
        "$defs": definitions
    })
}

/// Any entry under `plugins:`; its `module` says which plugin's config it has.
fn instance(abouts: &[PluginInfo]) -> Value {
    let by_module: Vec<_> = abouts
        .iter()
        .map(|about| {
            json!({
                "if": {
                    "required": ["module"],
                    "properties": {"module": {"pattern": format!("(^|\\.){}$", about.id)}, "type": {"const": TYPES[0]}}
                },
                "then": {"properties": {"config": {"$ref": config_path(about)}}}
            })
        })
        .collect();
    let by_type = abouts.iter().filter(|about| about.is_type).map(if_of_type);
    json!({
        "type": ["object", "null"],
        "properties": {
            "enabled": {"description": "Whether its tools are offered.", "type": "boolean", "default": true},
            "type": {
                "description": "The kind of the entry: a built-in plugin (in_source), another MCP server (mcp), or tasks of a file \
                                that you describe (tasks). This version of cuff starts neither of the other two.",
                "enum": types(abouts),
                "default": TYPES[0]
            },
            "module": {
                "description": "The plugin; the part after the last dot counts. Without it the instance's name does.",
                "type": "string"
            },
            "config": {"type": ["object", "null"]}
        },
        "if": {"properties": {"type": {"const": TYPES[0]}}},
        "then": {
            "propertyNames": {"enum": INSTANCE_KEYS},
            "properties": {"module": {"pattern": module_pattern(abouts)}}
        },
        "allOf": by_module.into_iter().chain(by_type).chain([if_upstream()]).collect::<Vec<_>>()
    })
}

/// The rule for an entry whose `type` is a plugin.
fn if_of_type(about: &PluginInfo) -> Value {
    json!({
        "if": {"required": ["type"], "properties": {"type": {"const": about.id}}},
        "then": {"propertyNames": {"enum": KEYS_OF_TYPE}, "properties": {"config": {"$ref": config_path(about)}}}
    })
}

/// The rule for an entry with `type: mcp`.
fn if_upstream() -> Value {
    json!({
        "if": {"required": ["type"], "properties": {"type": {"const": MCP}}},
        "then": {"$ref": "#/$defs/mcp_server"}
    })
}

/// An entry with `type: mcp`; one that is switched off may be anything.
fn mcp_server() -> Value {
    let mut properties: Map<_, _> =
        upstream::address().map(|field| (field.name.to_owned(), field.schema())).collect();
    let mut config = Field::object_schema(&upstream::CONFIG);
    config["type"] = json!(["object", "null"]);
    properties.insert("config".to_owned(), config);
    let forbid = |key: &str, fields: &[&Field]| {
        let others: Map<_, _> = fields.iter().map(|field| (field.name.to_owned(), json!(false))).collect();
        json!({"required": [key], "properties": others})
    };
    json!({
        "description": "Another MCP server, whose tools are offered under this name.",
        "if": {"properties": {"enabled": {"const": false}}, "required": ["enabled"]},
        "else": {
            "propertyNames": {"enum": upstream::keys().collect::<Vec<_>>()},
            "properties": properties,
            "oneOf": [forbid("command", &upstream::HTTP), forbid("url", &upstream::STDIO)]
        }
    })
}

/// An entry that is called as its plugin is, and so needs no `module`.
fn named_instance(about: &PluginInfo) -> Value {
    json!({
        "description": about.summary,
        "allOf": [
            {"$ref": "#/$defs/instance"},
            {
                "if": {"not": {"required": ["module"]}, "properties": {"type": {"const": TYPES[0]}}},
                "then": {"properties": {"config": {"$ref": config_path(about)}}}
            }
        ]
    })
}

fn config(about: &PluginInfo) -> Value {
    let fields: Vec<_> = about.keys().collect();
    let mut schema = Field::object_schema(&fields);
    schema["description"] =
        if about.has_command { json!(about.summary) } else { json!("The keys of every source of tasks") };
    schema
}

/// Plugins without a command of their own are sources of tasks, which have the same keys.
fn config_name(about: &PluginInfo) -> String {
    format!("{}_config", if about.has_command { about.id } else { "source" })
}

fn config_path(about: &PluginInfo) -> String {
    format!("#/$defs/{}", config_name(about))
}

fn module_pattern(abouts: &[PluginInfo]) -> String {
    let ids: Vec<_> = abouts.iter().map(|about| about.id).collect();
    format!("(^|\\.)({})$", ids.join("|"))
}
