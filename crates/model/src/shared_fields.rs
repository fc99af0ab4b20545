//! Config keys and parameters that mean the same in every plugin: the core reads them by these fields.

use super::plan::USUAL_TIMEOUT;
use super::{Default, EnvironmentPolicy, Field, Narrows, ON, ValueKind};

/// A month, in seconds: long enough for anything that ends at all.
pub const LONGEST_TIMEOUT: u64 = 30 * 86_400;

/// How long the results of discovery may be reused.
pub const CACHE_TTL: Field = Field {
    name: "cache_ttl",
    kind: ValueKind::Integer(0, u64::MAX),
    default: Default::Integer(USUAL_TIMEOUT.as_secs()),
    about: "How many seconds found tools are remembered while no file changed; 0 for never.",
};

/// How long a tool may run; a call's `timeout` overrides it.
pub const DEFAULT_TIMEOUT: Field = Field {
    name: "default_timeout",
    kind: ValueKind::Integer(1, LONGEST_TIMEOUT),
    default: Default::Integer(USUAL_TIMEOUT.as_secs()),
    about: "How many seconds a tool may run when the call does not say. Without it an agent's call has 300, and what a person \
            runs has no end of its own.",
};

/// The variables for the tools of an instance; a call's `env` overrides them.
pub const ENVIRONMENT: Field = Field {
    name: "environment",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "Environment variables for all of its tools.",
};

/// The part of cuff's own environment that the tools of an instance inherit.
pub const ENVIRONMENT_POLICY: Field = Field {
    name: "environment_policy",
    kind: ValueKind::Choice(&[EnvironmentPolicy::Inherit.name(), EnvironmentPolicy::Clean.name()]),
    default: Default::Text(EnvironmentPolicy::Inherit.name()),
    about: "The part of cuff's own environment that tools inherit: all of it, or clean: everyday variables such as PATH, HOME and \
            LANG, and no tokens.",
};

/// Whether an instance has a list tool.
pub const EXPOSE_LIST_SCRIPTS: Field = Field {
    name: "expose_list_scripts",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Offer a tool that lists the scripts.",
};

/// The value of `env` and `words` that allows nothing.
pub(super) const NONE: &str = "none";
/// The choices of `words`, the strictest first.
pub(super) const WORDS: &[&str] = &[NONE, "values", "flags"];

/// The variables that an agent's call may set.
pub const ALLOWED_ENV: Field = Field {
    name: "env",
    kind: ValueKind::EnvironmentNames,
    default: Default::Absent,
    about: "The variables that an agent's call may set, such as [NODE_ENV, CI], or none. Without it a call may set all that \
            cuff's rules allow. A name in it may also be one that the tool's own text puts into a command.",
};

/// The words that an agent's call may contain.
pub const ALLOWED_WORDS: Field = Field {
    name: "words",
    kind: ValueKind::Choice(WORDS),
    default: Default::Absent,
    about: "The words that an agent's call may add: none, values (no word that begins with `-` or is NAME=value), or flags (any \
            plain text). Without it cuff's rules decide by the tool's own text.",
};

/// Limits of single tools.
pub const TOOLS: Field = Field {
    name: "tools",
    kind: ValueKind::ToolLimits,
    default: Default::Absent,
    about: "Limits of single tools: fnmatch patterns of their names, each with `env`, `words` or both. They come on top of \
            those of the instance, and of each other.",
};

/// The value of `arguments` that takes words as they are.
pub const LITERAL: &str = "literal";

/// The rules that the kernel holds for runs of agents.
pub const CONTAINMENT: Field = Field {
    name: "containment",
    kind: ValueKind::Containment,
    default: Default::Absent,
    about: "Rules that the kernel holds the runs of agents to: a profile (test, build, install, serve, server, off), or rules that change \
            it: `network`, `write`, `hide`, `show`, `sockets`, `required`, and `tools` with rules of single tools.",
};

/// Which tools of an instance a person must say yes to, each time they are called.
pub const CONFIRM: Field = Field {
    name: "confirm",
    kind: ValueKind::PatternsOrAll,
    default: Default::Text(""),
    about: "Which tools require confirmation, each time: fnmatch patterns of their names, or true for all.",
};

/// How findings are read from output that no dialect knows.
pub const PROBLEM_MATCHERS: Field = Field {
    name: "problem_matchers",
    kind: ValueKind::Matchers,
    default: Default::Absent,
    about: "How errors and warnings are read from the output of its tools, beside what cuff reads by itself: problem \
            matchers in the shape of VS Code (owner, severity, fileLocation, pattern).",
};

/// Whether agents may call a tool whose text nobody has approved.
pub const TRUST: Field = Field {
    name: "trust",
    kind: ValueKind::Choice(&["names", "pinned"]),
    default: Default::Text("names"),
    about: "The tools that agents may call: with `names` every offered one, with `pinned` only one that still has the text that \
            a person approved with `cuff approve settings`.",
};

/// The keys that every instance has in addition to its plugin's: only the core reads them.
pub const EVERYWHERE: &[Field] =
    &[ENVIRONMENT_POLICY, ALLOWED_ENV, ALLOWED_WORDS, TOOLS, CONFIRM, CONTAINMENT, ON, PROBLEM_MATCHERS];

/// How a change of a key that means the same in every plugin narrows the permissions of agents. A change of one that is not here
/// waits for a person.
pub const NARROWS_EVERYWHERE: &[(&Field, Narrows)] = &[
    (&CONFIRM, Narrows::More),
    (&TRUST, Narrows::To("pinned")),
    (&DEFAULT_TIMEOUT, Narrows::Less),
    (&CACHE_TTL, Narrows::Less),
    (&ENVIRONMENT_POLICY, Narrows::To(EnvironmentPolicy::Clean.name())),
];

/// The parameter of a list tool that has its instance discovered anew.
pub const REFRESH: Field = Field {
    name: "refresh",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Look at the project's files again first",
};

/// How long a call may run, in seconds; overrides [`DEFAULT_TIMEOUT`]. A plugin may describe it in words of its own.
pub const TIMEOUT: Field = Field {
    name: "timeout",
    kind: ValueKind::Integer(1, LONGEST_TIMEOUT),
    default: Default::Absent,
    about: "Execution timeout in seconds",
};

/// Variables on top of the inherited and the configured ones.
pub const ENV: Field = Field {
    name: "env",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "Additional environment variables",
};

/// The folder that a call works in: as deep below `working_directory` as the caller likes, and never outside. The
/// plugin reads it with [`Values::directory`](super::Values::directory); the project looks at where links in it lead.
pub const CWD: Field = Field {
    name: "cwd",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The folder to work in, relative to working_directory and inside it, or absolute and inside the project",
};
