//! The keys of the plugins' config and the parameters of their tools.

use crate::model::{CACHE_TTL, CWD, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Field, ValueKind};

pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder of the package.json; in a workspace, that of its root.",
};

/// Every key, in the order of the settings file.
pub(super) const NPM: [Field; 5] = fields(NPM_COMMAND);
pub(super) const PNPM: [Field; 5] = fields(PNPM_COMMAND);
pub(super) const YARN: [Field; 5] = fields(YARN_COMMAND);
pub(super) const BUN: [Field; 5] = fields(BUN_COMMAND);

pub(super) const NPM_COMMAND: Field = command("npm");
pub(super) const PNPM_COMMAND: Field = command("pnpm");
pub(super) const YARN_COMMAND: Field = command("yarn");
pub(super) const BUN_COMMAND: Field = command("bun");

const fn fields(command: Field) -> [Field; 5] {
    [WORKING_DIRECTORY, command, CACHE_TTL, DEFAULT_TIMEOUT, ENVIRONMENT]
}

/// The program that is called: it has its manager's name unless the settings say otherwise.
const fn command(program: &'static str) -> Field {
    Field {
        name: "command",
        kind: ValueKind::CommandLine,
        default: Default::Text(program),
        about: "The program to call, by its name or its whole path, with words of yours: `corepack pnpm`.",
    }
}

/// The parameters of `install`; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const INSTALL_PARAMETERS: &[Field] = &[PACKAGES, CWD];

/// The parameters of `ci`.
pub(super) const CI_PARAMETERS: &[Field] = &[FLAGS, CWD];

pub(super) const PACKAGES: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Packages of the registry to add (name, @scope/name, name@range), and flags such as --save-dev",
};
pub(super) const FLAGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Flags such as --ignore-scripts; packages are what the lock file says",
};
