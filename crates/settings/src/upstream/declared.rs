//! The keys of a server in `.toolscript.json`, which has the shape of Claude Code's `.mcp.json`.

use serde_json::{Value, json};

use super::fields::{ARGS, COMMAND, CWD, ENV, EXCLUDE_TOOLS, HEADERS, INCLUDE_TOOLS, OAUTH, TRANSPORTS, URL};
use crate::model::{DEFAULT_TIMEOUT, Default, Field, LONGEST_TIMEOUT, ValueKind, Values};

/// Milliseconds in a second.
const SECOND: u64 = 1000;

/// How the server is reached.
pub(crate) const TYPE: Field = Field {
    name: "type",
    kind: ValueKind::Choice(&TRANSPORTS),
    default: Default::Absent,
    about: "The transport; an entry with `command` needs none.",
};
/// How long a call may take.
pub(crate) const TIMEOUT: Field = Field {
    name: "timeout",
    kind: ValueKind::Integer(1, LONGEST_TIMEOUT * SECOND),
    default: Default::Absent,
    about: "How many milliseconds a call may take.",
};
/// Whether the server is switched off.
pub(crate) const DISABLED: Field = Field {
    name: "disabled",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Whether the server is switched off.",
};
/// The same the other way round, as several editors write it.
pub(crate) const ENABLED: Field = Field {
    name: "enabled",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Whether the server is used.",
};
const INCLUDE: Field = Field { name: "includeTools", default: Default::Absent, ..INCLUDE_TOOLS };
const EXCLUDE: Field = Field { name: "excludeTools", default: Default::Absent, ..EXCLUDE_TOOLS };

/// The keys with patterns.
pub(crate) const PATTERNS: [&Field; 2] = [&INCLUDE, &EXCLUDE];
/// All keys.
pub(crate) const KEYS: [&Field; 13] = [
    &TYPE, &COMMAND, &ARGS, &ENV, &CWD, &URL, &HEADERS, &OAUTH, &TIMEOUT, &INCLUDE, &EXCLUDE, &DISABLED,
    &ENABLED,
];

/// The same values as an entry of settings.yml has them under `config`.
pub(crate) fn config(values: &Values) -> Values {
    let mut pairs: Vec<(&Field, Value)> = Vec::new();
    for (own, settings) in [(&INCLUDE, &INCLUDE_TOOLS), (&EXCLUDE, &EXCLUDE_TOOLS)] {
        pairs.extend(values.has(own).then(|| (settings, json!(values.texts(own)))));
    }
    // Settings count in seconds.
    let seconds = values.has(&TIMEOUT).then(|| json!(values.integer(&TIMEOUT).div_ceil(SECOND)));
    pairs.extend(seconds.map(|seconds| (&DEFAULT_TIMEOUT, seconds)));
    Values::of(pairs)
}

/// Whether a timeout looks like one in seconds.
pub(crate) fn is_short(values: &Values) -> bool {
    values.has(&TIMEOUT) && values.integer(&TIMEOUT) < SECOND
}
