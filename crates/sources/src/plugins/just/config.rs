//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Field, Narrows, TRUST, TerminalOption, ValueKind,
};

pub(super) const JUSTFILE_PATH: Field = Field {
    name: "justfile_path",
    kind: ValueKind::Text,
    default: Default::Text("./justfile"),
    about: "The justfile to read, relative to working_directory or absolute. The default takes the one that just takes: \
            justfile, Justfile or .justfile.",
};
pub(super) const RECIPES: Field = Field {
    name: "recipes",
    kind: ValueKind::Patterns,
    default: Default::Text("*"),
    about: "Which public recipes to offer: fnmatch patterns, comma-separated or a list. A module's recipe is `module::recipe`.",
};
pub(super) const EXCLUDE_RECIPES: Field = Field {
    name: "exclude_recipes",
    kind: ValueKind::Patterns,
    default: Default::Text(""),
    about: "Which recipes not to offer: fnmatch patterns, comma-separated or a list.",
};
pub(super) const JUST_COMMAND: Field = Field {
    name: "just_command",
    kind: ValueKind::CommandLine,
    default: Default::Text("just"),
    about: "The just to call, with options of yours: `just --no-dotenv`.",
};
pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder that just is started in. It runs recipes in the folder of the justfile.",
};
pub(super) const EXPOSE_LIST_RECIPES: Field = Field {
    name: "expose_list_recipes",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Offer a tool that lists the recipes.",
};
pub(super) const ARGUMENTS: Field = Field {
    name: "arguments",
    kind: ValueKind::Choice(&["strict", "literal"]),
    default: Default::Text("strict"),
    about: "How an agent's arguments are checked. `strict` refuses whatever a shell would act on, since just pastes arguments \
            into the lines of recipes; `literal` passes all characters, which is safe only where recipes quote their parameters.",
};

/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] = &[
    JUSTFILE_PATH,
    RECIPES,
    EXCLUDE_RECIPES,
    CACHE_TTL,
    JUST_COMMAND,
    WORKING_DIRECTORY,
    DEFAULT_TIMEOUT,
    ENVIRONMENT,
    EXPOSE_LIST_RECIPES,
    ARGUMENTS,
    TRUST,
];

/// The effect of a change of these keys on what agents may do.
pub(super) const NARROWS: &[(&Field, Narrows)] = &[
    (&RECIPES, Narrows::Selection),
    (&EXCLUDE_RECIPES, Narrows::Selection),
    (&EXPOSE_LIST_RECIPES, Narrows::Selection),
    (&ARGUMENTS, Narrows::To("strict")),
];

/// The plugin's own terminal option.
pub(super) const OPTIONS: &[TerminalOption] = &[TerminalOption {
    flag: "justfile",
    field: &JUSTFILE_PATH,
    help: "Read this justfile",
    on_run: true,
    is_path: true,
}];

pub(super) const ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Arguments for the recipe's parameters, in order; the description names them",
};

/// The parameters of a recipe's tool; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const RECIPE_PARAMETERS: &[Field] = &[ARGS];
