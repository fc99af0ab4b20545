//! Named, typed values: the keys of a plugin's config, the parameters of a tool.
//!
//! One declaration serves the check, the defaults, the JSON Schema, the comments in settings.yml and the
//! help.

pub(super) mod check;
mod schema;

use serde_json::{Value, json};

/// One key or parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Its name in settings.yml or in a call.
    pub name: &'static str,
    /// The kind of value that it takes.
    pub kind: ValueKind,
    /// Its value when it is left out.
    pub default: Default,
    /// One or two sentences for people.
    pub about: &'static str,
}

/// The kind of value that a field takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueKind {
    /// A string.
    Text,
    /// A string that is split into words as a shell would, without one.
    CommandLine,
    /// A directory, relative to the settings file unless absolute.
    Directory,
    /// One of these.
    Choice(&'static [&'static str]),
    /// The name of a program, one of these.
    Program(&'static [&'static str]),
    /// A whole number within these bounds, both included.
    Integer(u64, u64),
    /// True or false.
    Flag,
    /// A list of strings.
    TextList,
    /// Names and strings.
    TextMap,
    /// fnmatch patterns: one string, comma-separated, or a list.
    Patterns,
    /// The same, or `true` for all and `false` for none.
    PatternsOrAll,
    /// Problem matchers: one, or a list.
    Matchers,
    /// Names of variables: a list, comma-separated, or `none`.
    EnvironmentNames,
    /// Patterns of tools' names, each with limits.
    ToolLimits,
    /// A profile of containment, or rules.
    Containment,
    /// A program and its words: a string without operators of a shell, or a list.
    Words,
    /// Names of commands: each with a string, or a mapping.
    PlainCommands,
    /// The name of a runner, or patterns of tools' names, each with one.
    RunnerNames,
    /// The packages of a workspace: a mapping of `include` and `exclude`.
    Packages,
}

/// The value of a field that is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Default {
    /// Nothing: absent, empty, false, 0.
    Absent,
    /// It must be given.
    Required,
    /// This string.
    Text(&'static str),
    /// This number.
    Integer(u64),
    /// This truth value.
    Flag(bool),
}

impl Field {
    /// A value from a command line, in the type that the field takes.
    pub fn read(&self, text: &str) -> Value {
        match self.kind {
            ValueKind::TextList => text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect(),
            ValueKind::Integer(..) => {
                text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number))
            }
            ValueKind::Flag => text.parse::<bool>().map_or_else(|_| json!(text), |flag| json!(flag)),
            _ => json!(text),
        }
    }

    /// The default, where there is one to write down.
    pub fn default_value(&self) -> Option<Value> {
        match self.default {
            Default::Absent | Default::Required => None,
            Default::Text(text) => Some(json!(text)),
            Default::Integer(number) => Some(json!(number)),
            Default::Flag(flag) => Some(json!(flag)),
        }
    }
}
