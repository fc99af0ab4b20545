//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{CACHE_TTL, CWD, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Field, ValueKind};

pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder in which the solution or project is looked for, and two folders deep below it.",
};
pub(super) const PROJECT: Field = Field {
    name: "project",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The solution or project that is meant where there are several, relative to working_directory.",
};
pub(super) const COMMAND: Field = Field {
    name: "command",
    kind: ValueKind::CommandLine,
    default: Default::Text("dotnet"),
    about: "The program to call, by its name or its whole path, with words of yours.",
};

/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] =
    &[WORKING_DIRECTORY, PROJECT, COMMAND, CACHE_TTL, DEFAULT_TIMEOUT, ENVIRONMENT];

/// The parameters of each tool; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const PARAMETERS: &[Field] = &[ARGS, CWD];

pub(super) const ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Options of dotnet, a word each, such as --configuration Release",
};
