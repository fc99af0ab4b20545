//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{
    self, CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, EXPOSE_LIST_SCRIPTS, Field, Glob, Narrows,
    REFRESH, TRUST, TerminalOption, ValueKind, Values,
};

/// How many bytes of a script are read: shebang, first comment, and whether it is text.
pub(super) const HEAD: u64 = 8192;
/// How many bytes of a script are read where its text is pinned; a longer one cannot be.
pub(super) const LONGEST_PINNED: u64 = 1024 * 1024;

pub(super) const PATTERNS: Field = Field {
    name: "patterns",
    kind: ValueKind::TextList,
    default: Default::Required,
    about: "Which scripts to offer: paths with `*`, `?` and `[…]` within a folder and `**` across folders, \
            relative to base_directory.",
};
pub(super) const BASE_DIRECTORY: Field = Field {
    name: "base_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder that patterns are relative to. No script outside it runs, not even through a link.",
};
pub(super) const EXCLUDE: Field = Field {
    name: "exclude",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Which of them not to offer: the same kind of patterns; the name of a folder leaves out all of it.",
};
pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Absent,
    about: "The folder that scripts run in; base_directory when left out.",
};
pub(super) const INTERPRETERS: Field = Field {
    name: "interpreters",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "The interpreter of an extension, which wins over the shebang: `.py: python3 -u`.",
};
pub(super) const REQUIRE_EXECUTABLE: Field = Field {
    name: "require_executable",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Refuse scripts that are not marked executable.",
};
pub(super) const ARGUMENTS: Field = Field {
    name: "arguments",
    kind: ValueKind::Choice(&["strict", "literal"]),
    default: Default::Text("strict"),
    about: "How an agent's arguments are checked. `strict` refuses what a shell would act on; `literal` passes all \
            characters, which is safe as long as the scripts quote their arguments.",
};

/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] = &[
    PATTERNS,
    BASE_DIRECTORY,
    EXCLUDE,
    DEFAULT_TIMEOUT,
    WORKING_DIRECTORY,
    ENVIRONMENT,
    EXPOSE_LIST_SCRIPTS,
    INTERPRETERS,
    REQUIRE_EXECUTABLE,
    CACHE_TTL,
    ARGUMENTS,
    TRUST,
];

/// How a change of these keys narrows what agents may do.
pub(super) const NARROWS: &[(&Field, Narrows)] = &[
    (&PATTERNS, Narrows::Selection),
    (&EXCLUDE, Narrows::Selection),
    (&REQUIRE_EXECUTABLE, Narrows::Selection),
    (&EXPOSE_LIST_SCRIPTS, Narrows::Selection),
    (&ARGUMENTS, Narrows::To("strict")),
];

/// The plugin's own terminal options.
pub(super) const OPTIONS: &[TerminalOption] = &[TerminalOption {
    flag: "pattern",
    field: &PATTERNS,
    help: "Glob pattern to match, such as scripts/*.sh, relative to base_directory",
    on_run: false,
    is_path: false,
}];

pub(super) const ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "Arguments to pass to the script",
};

pub(super) const TIMEOUT: Field =
    Field { about: "Execution timeout in seconds (overrides default)", ..model::TIMEOUT };

/// The parameters of a script; cuff adds `env` and `dry_run`.
pub(super) const SCRIPT_PARAMETERS: &[Field] = &[ARGS, TIMEOUT];

/// The parameters of the list tool.
pub(super) const LIST_PARAMETERS: &[Field] = &[REFRESH];

/// The folder that patterns are relative to.
pub(super) fn base(config: &Values) -> &str {
    Some(config.text(&BASE_DIRECTORY)).filter(|base| !base.is_empty()).unwrap_or(".")
}

/// The folder that scripts run in.
pub(super) fn working_directory(config: &Values) -> &str {
    Some(config.text(&WORKING_DIRECTORY)).filter(|folder| !folder.is_empty()).unwrap_or_else(|| base(config))
}

/// The glob of the scripts.
pub(super) fn glob(config: &Values) -> Glob {
    let head = if config.pins_texts() { LONGEST_PINNED } else { HEAD };
    let exclude = config.texts(&EXCLUDE).into_iter().map(anywhere);
    Glob::new(base(config), config.texts(&PATTERNS)).without(exclude).reading(head)
}

/// An exclude without a slash means names anywhere.
fn anywhere(exclude: &str) -> String {
    if exclude.contains('/') { exclude.to_owned() } else { format!("{ANYWHERE}{exclude}") }
}

/// An exclude as the settings have it.
pub(super) fn as_written(exclude: &str) -> &str {
    exclude.strip_prefix(ANYWHERE).filter(|rest| !rest.contains('/')).unwrap_or(exclude)
}

/// In every folder, and in none.
const ANYWHERE: &str = "**/";
