//! The keys that every source of tasks has, and the parameters of its tools.

use crate::model::{
    self, CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Field, Narrows, PACKAGES, TRUST, ValueKind,
};

pub(in crate::plugins) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder of the files that the tasks are read from.",
};
pub(in crate::plugins) const TASKS: Field = Field {
    name: "tasks",
    kind: ValueKind::Patterns,
    default: Default::Text("*"),
    about: "Which tasks to offer: fnmatch patterns of their names, comma-separated or a list.",
};
pub(in crate::plugins) const EXCLUDE_TASKS: Field = Field {
    name: "exclude_tasks",
    kind: ValueKind::Patterns,
    default: Default::Text(""),
    about: "Which tasks not to offer: fnmatch patterns, comma-separated or a list.",
};
pub(in crate::plugins) const COMMAND: Field = Field {
    name: "command",
    kind: ValueKind::CommandLine,
    default: Default::Absent,
    about: "The program that runs the tasks, with words of yours: `cargo +nightly`, `uv run --frozen`. Left out, cuff finds it.",
};
pub(in crate::plugins) const ARGUMENTS: Field = Field {
    name: "arguments",
    kind: ValueKind::Choice(&["strict", model::LITERAL]),
    default: Default::Text("strict"),
    about: "How an agent's arguments are checked. `strict` refuses what a shell would act on; `literal` passes all \
            characters, which is safe as long as the programs hand their arguments to no shell.",
};

pub(in crate::plugins) const ASK_TOOL: Field = Field {
    name: "ask_tool",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Whether rake, mix, invoke and zig are asked for their tasks, which runs the project's build files. Their text alone is \
            read otherwise, as that of all other sources always is.",
};

/// Every key, in the order of the settings file.
pub(in crate::plugins) const FIELDS: &[Field] = WORKSPACE_FIELDS.split_at(1).1;

/// The same for a source that has workspaces.
pub(super) const WORKSPACE_FIELDS: &[Field] = &[
    PACKAGES,
    WORKING_DIRECTORY,
    TASKS,
    EXCLUDE_TASKS,
    COMMAND,
    DEFAULT_TIMEOUT,
    ENVIRONMENT,
    CACHE_TTL,
    ARGUMENTS,
    ASK_TOOL,
    TRUST,
];

/// The effect of a change of these keys on what agents may do.
pub(in crate::plugins) const NARROWS: &[(&Field, Narrows)] = &[
    (&TASKS, Narrows::Selection),
    (&EXCLUDE_TASKS, Narrows::Selection),
    (&PACKAGES, Narrows::Selection),
    (&ARGUMENTS, Narrows::To("strict")),
    (&ASK_TOOL, Narrows::Off),
];

pub(in crate::plugins) const ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Arguments to pass to the command",
};

/// The parameters of a task that takes words; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const PARAMETERS: &[Field] = &[ARGS];
