//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{CACHE_TTL, CWD, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Effects, Field, ValueKind};

/// The effects of `lint`. Neither tool reaches out, and a second call finds the result of the first.
pub(super) const LINTS: Effects =
    Effects { read_only: true, destructive: false, idempotent: true, open_world: false };
/// The effects of `fix`.
pub(super) const FIXES: Effects = Effects { read_only: false, destructive: true, ..LINTS };

pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder that eslint runs in; its configuration is looked for there and above.",
};
pub(super) const COMMAND: Field = Field {
    name: "command",
    kind: ValueKind::CommandLine,
    default: Default::Absent,
    about: "The eslint to call, by its name or its whole path, with words of yours: `eslint --cache`. Left out, it is \
            the one in node_modules of working_directory or a folder above it, else the one on the PATH.",
};

/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] = &[WORKING_DIRECTORY, COMMAND, CACHE_TTL, DEFAULT_TIMEOUT, ENVIRONMENT];

pub(super) const ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The targets: files, folders and globs below the folder it runs in (default: all of it); and flags: \
            --ext, --quiet, --max-warnings, --no-inline-config, --report-unused-disable-directives, --no-warn-ignored",
};

pub(super) const FIX_ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The targets: files, folders and globs below the folder it runs in (default: all of it); and the flags of \
            lint, and --fix-type with problem, suggestion, layout or directive",
};

/// The parameters of `lint`; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const LINT_PARAMETERS: &[Field] = &[ARGS, CWD];

/// The parameters of `fix`.
pub(super) const FIX_PARAMETERS: &[Field] = &[FIX_ARGS, CWD];
