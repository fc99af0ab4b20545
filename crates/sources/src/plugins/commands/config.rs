//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{
    self, CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Field, Narrows, TRUST, ValueKind,
};
use crate::plugins::tasks::config::{ARGS, ARGUMENTS};

pub(super) const COMMANDS: Field = Field {
    name: "commands",
    kind: ValueKind::PlainCommands,
    default: Default::Required,
    about: "The commands by their names: each a line of words, or a mapping with `run`, `description`, `confirm`, `env` and `cwd`.",
};
/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] = &[COMMANDS, DEFAULT_TIMEOUT, ENVIRONMENT, CACHE_TTL, ARGUMENTS, TRUST];

/// How a change of these keys narrows what agents may do.
pub(super) const NARROWS: &[(&Field, Narrows)] =
    &[(&COMMANDS, Narrows::PlainCommands), (&ARGUMENTS, Narrows::To("strict"))];

pub(super) const TIMEOUT: Field =
    Field { about: "Execution timeout in seconds (overrides default)", ..model::TIMEOUT };

/// The parameters of a command; cuff adds `env` and `dry_run`.
pub(super) const PARAMETERS: &[Field] = &[ARGS, TIMEOUT];
