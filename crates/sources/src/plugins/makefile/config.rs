//! The keys of the plugin's config and the parameters of its tools.

use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, Field, Narrows, REFRESH, TRUST, TerminalOption,
    ValueKind, Values,
};

/// The most jobs that anybody may ask for: make 4.3 hangs on numbers that no pipe holds.
pub(super) const MOST_JOBS: u64 = 1024;

pub(super) const MAKEFILE_PATH: Field = Field {
    name: "makefile_path",
    kind: ValueKind::Text,
    default: Default::Text("./Makefile"),
    about: "The Makefile to read, relative to working_directory or absolute. The default takes the one that make \
            takes: GNUmakefile, makefile or Makefile.",
};
pub(super) const TARGETS: Field = Field {
    name: "targets",
    kind: ValueKind::Patterns,
    default: Default::Text("*"),
    about: "Which targets to offer: fnmatch patterns, comma-separated or a list. `*` leaves out files that only \
            other targets need; any other pattern or name offers whatever it matches.",
};
pub(super) const EXCLUDE_TARGETS: Field = Field {
    name: "exclude_targets",
    kind: ValueKind::Patterns,
    default: Default::Text(""),
    about: "Which targets not to offer: fnmatch patterns, comma-separated or a list.",
};
pub(super) const EXTRACTOR: Field = Field {
    name: "extractor",
    kind: ValueKind::Choice(&["simple", "make_database", "auto"]),
    default: Default::Text("auto"),
    about: "How targets are found: simple reads the text and runs nothing, make_database asks make, auto asks make \
            where the text alone leaves doubts. Asking make runs what the Makefile says while it is read.",
};
pub(super) const TRUST_MAKEFILE: Field = Field {
    name: "trust_makefile",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Whether make may read the Makefile to list targets and for dry runs: reading it can run commands.",
};
pub(super) const MAKE_COMMAND: Field = Field {
    name: "make_command",
    kind: ValueKind::CommandLine,
    default: Default::Text("make"),
    about: "The make to call, with words of yours: `gmake`, `make CC=clang`.",
};
pub(super) const WORKING_DIRECTORY: Field = Field {
    name: "working_directory",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder that make runs in.",
};
pub(super) const DESCRIPTION_PREFIX: Field = Field {
    name: "description_prefix",
    kind: ValueKind::Text,
    default: Default::Text("##"),
    about: "The beginning of a comment that describes a target, above it or behind it.",
};
pub(super) const EXPOSE_LIST_TARGETS: Field = Field {
    name: "expose_list_targets",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Offer a tool that lists the targets.",
};
pub(super) const ALLOW_PARALLEL: Field = Field {
    name: "allow_parallel",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Whether make may run several jobs at once: with parallel_jobs, or when a call passes -j.",
};
pub(super) const PARALLEL_JOBS: Field = Field {
    name: "parallel_jobs",
    kind: ValueKind::Integer(1, MOST_JOBS),
    default: Default::Absent,
    about: "How many jobs make runs at once when the call does not say; also the most a call may ask for.",
};

/// Every key, in the order of the settings file.
pub(super) const FIELDS: &[Field] = &[
    MAKEFILE_PATH,
    TARGETS,
    EXCLUDE_TARGETS,
    EXTRACTOR,
    TRUST_MAKEFILE,
    CACHE_TTL,
    MAKE_COMMAND,
    WORKING_DIRECTORY,
    DEFAULT_TIMEOUT,
    ENVIRONMENT,
    DESCRIPTION_PREFIX,
    EXPOSE_LIST_TARGETS,
    ALLOW_PARALLEL,
    PARALLEL_JOBS,
    TRUST,
];

/// How a change of these keys narrows what agents may do.
pub(super) const NARROWS: &[(&Field, Narrows)] = &[
    (&TARGETS, Narrows::Selection),
    (&EXCLUDE_TARGETS, Narrows::Selection),
    (&EXPOSE_LIST_TARGETS, Narrows::Selection),
    (&TRUST_MAKEFILE, Narrows::Off),
    (&ALLOW_PARALLEL, Narrows::Off),
];

/// The plugin's own terminal option.
pub(super) const OPTIONS: &[TerminalOption] = &[TerminalOption {
    flag: "makefile",
    field: &MAKEFILE_PATH,
    help: "Read this Makefile",
    on_run: true,
    is_path: true,
}];

pub(super) const EXTRA_ARGS: Field = Field {
    name: "extra_args",
    kind: ValueKind::CommandLine,
    default: Default::Absent,
    about: "Additional arguments for make: NAME=value, -j N, -k, -n, -s, -B or --no-print-directory",
};

/// The parameters of a target; cuff adds `timeout`, `env` and `dry_run`.
pub(super) const TARGET_PARAMETERS: &[Field] = &[EXTRA_ARGS];

/// The parameters of the list tool.
pub(super) const LIST_PARAMETERS: &[Field] = &[REFRESH];

/// Whether make may read the Makefile: reading one can run commands, even commands that nobody approved.
pub(super) fn trusts_makefile(config: &Values) -> bool {
    config.flag(&TRUST_MAKEFILE) && !config.pins_texts()
}

/// How many jobs the settings have make run at once; `None`: they do not say, or forbid it.
pub(super) fn jobs(config: &Values) -> Option<u64> {
    (config.flag(&ALLOW_PARALLEL) && config.has(&PARALLEL_JOBS)).then(|| config.integer(&PARALLEL_JOBS))
}
