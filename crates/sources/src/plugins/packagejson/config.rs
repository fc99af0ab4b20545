//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, EXPOSE_LIST_SCRIPTS, Field, Narrows, PACKAGES, Problem,
    REFRESH, TRUST, TerminalOption, ValueKind, Values, path, shown,
};
use crate::plugins::managers::PackageManager;

pub(super) const PACKAGE_JSON_PATH: Field = Field {
    name: "package_json_path",
    kind: ValueKind::Text,
    default: Default::Text("./package.json"),
    about: "The package.json to read, relative to working_directory or absolute. Scripts run in its folder.",
};
pub(super) const PACKAGE_MANAGER: Field = Field {
    name: "package_manager",
    kind: ValueKind::Program(&["npm", "pnpm", "yarn", "bun", "auto"]),
    default: Default::Text("auto"),
    about: "The program that runs the scripts. `auto` reads packageManager in package.json, then looks for lock files, then for \
            files such as pnpm-workspace.yaml, then takes npm.",
};
pub(super) const SCRIPTS: Field = Field {
    name: "scripts",
    kind: ValueKind::Patterns,
    default: Default::Text("*"),
    about: "Which scripts to offer: fnmatch patterns, comma-separated or a list.",
};
pub(super) const EXCLUDE_SCRIPTS: Field = Field {
    name: "exclude_scripts",
    kind: ValueKind::Patterns,
    default: Default::Text(""),
    about: "Which scripts not to offer: fnmatch patterns, comma-separated or a list.",
};
pub(super) const EXCLUDE_LIFECYCLE_SCRIPTS: Field = Field {
    name: "exclude_lifecycle_scripts",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Leave out the scripts that npm runs by itself: install, prepare, prepublishOnly and their kin.",
};
pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder that package_json_path is relative to.",
};
pub(super) const ARGUMENTS: Field = Field {
    name: "arguments",
    kind: ValueKind::Choice(&["strict"]),
    default: Default::Text("strict"),
    about: "How an agent's extra arguments are checked. `strict` refuses ; | & ` $ ( ) and line breaks; there is no \
            `literal` here, since npm, pnpm, yarn and bun join the arguments to a line for a shell.",
};

/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] = &[
    PACKAGE_JSON_PATH,
    PACKAGE_MANAGER,
    SCRIPTS,
    EXCLUDE_SCRIPTS,
    EXCLUDE_LIFECYCLE_SCRIPTS,
    PACKAGES,
    CACHE_TTL,
    WORKING_DIRECTORY,
    DEFAULT_TIMEOUT,
    ENVIRONMENT,
    EXPOSE_LIST_SCRIPTS,
    ARGUMENTS,
    TRUST,
];

/// How a change of these keys narrows what agents may do.
pub(super) const NARROWS: &[(&Field, Narrows)] = &[
    (&SCRIPTS, Narrows::Selection),
    (&EXCLUDE_SCRIPTS, Narrows::Selection),
    (&EXCLUDE_LIFECYCLE_SCRIPTS, Narrows::Selection),
    (&EXPOSE_LIST_SCRIPTS, Narrows::Selection),
    (&PACKAGES, Narrows::Selection),
];

/// The plugin's own terminal option.
pub(super) const OPTIONS: &[TerminalOption] = &[TerminalOption {
    flag: "package-json",
    field: &PACKAGE_JSON_PATH,
    help: "Read this package.json",
    on_run: true,
    is_path: true,
}];

/// The parameters of a script; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const SCRIPT_PARAMETERS: &[Field] = &[EXTRA_ARGS];

pub(super) const EXTRA_ARGS: Field = Field {
    name: "extra_args",
    kind: ValueKind::CommandLine,
    default: Default::Absent,
    about: "Additional arguments to pass to the script",
};

/// The parameters of the list tool.
pub(super) const LIST_PARAMETERS: &[Field] = &[REFRESH];

/// The path of package.json: relative to the project's root, or absolute.
pub(super) fn package_json(config: &Values) -> String {
    path::join(config.text(&WORKING_DIRECTORY), config.text(&PACKAGE_JSON_PATH))
}

/// The warning that an explicit `working_directory` is not the folder of package.json, where managers look for it.
pub(super) fn elsewhere(config: &Values, manager: PackageManager, file: &str) -> Option<Problem> {
    let named = config.text(&WORKING_DIRECTORY);
    let here = path::join(named, "package.json");
    let comparable = file.starts_with('/') == here.starts_with('/');
    let differs = config.has(&WORKING_DIRECTORY) && comparable && file != here;
    differs.then(|| {
        let folder = path::split(file).0;
        let what = format!(
            "{} will not find {} from working_directory \"{}\"; scripts run in {} instead",
            manager.program(),
            shown(file),
            shown(named),
            shown(folder)
        );
        let help = format!("set `working_directory: {}` and leave package_json_path out", shown(folder));
        Problem::warning(what).help(help)
    })
}
