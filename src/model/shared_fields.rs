//! Config keys and parameters that mean the same in every plugin: the core reads them by these fields.

use std::time::Duration;

use super::{Change, Default, Field, Kind, Origin, Values};

/// A month, in seconds: long enough for anything that ends at all.
pub const LONGEST_TIMEOUT: u64 = 30 * 86_400;

/// How long discovery may remember what a plugin found.
pub const CACHE_TTL: Field = Field {
    name: "cache_ttl",
    kind: Kind::Integer(0, u64::MAX),
    default: Default::Integer(300),
    about: "How many seconds found tools are remembered while no file changed; 0 for never.",
};

/// How long a tool may run; a call's `timeout` overrides it.
pub const DEFAULT_TIMEOUT: Field = Field {
    name: "default_timeout",
    kind: Kind::Integer(1, LONGEST_TIMEOUT),
    default: Default::Integer(300),
    about: "How many seconds a tool may run when the call does not say.",
};

/// What is set for the tools of an instance; a call's `env` comes on top.
pub const ENVIRONMENT: Field = Field {
    name: "environment",
    kind: Kind::TextMap,
    default: Default::Absent,
    about: "Environment variables for all of its tools.",
};

/// Whether an instance has a list tool.
pub const EXPOSE_LIST_SCRIPTS: Field = Field {
    name: "expose_list_scripts",
    kind: Kind::Flag,
    default: Default::Flag(true),
    about: "Offer a tool that lists the scripts.",
};

/// Which tools of an instance a person must say yes to, each time they are called.
pub const CONFIRM: Field = Field {
    name: "confirm",
    kind: Kind::PatternsOrAll,
    default: Default::Text(""),
    about: "Which tools need a yes from a person, each time: fnmatch patterns of their names, or true for all.",
};

/// The parameter of a list tool that has its instance discovered anew.
pub const REFRESH: Field = Field {
    name: "refresh",
    kind: Kind::Flag,
    default: Default::Flag(false),
    about: "Look at the project's files again first",
};

/// Variables on top of the inherited and the configured ones.
pub const ENV: Field = Field {
    name: "env",
    kind: Kind::TextMap,
    default: Default::Absent,
    about: "Additional environment variables",
};

impl Values {
    /// The time that [`DEFAULT_TIMEOUT`] gives.
    pub fn default_timeout(&self) -> Duration {
        Duration::from_secs(self.integer(&DEFAULT_TIMEOUT))
    }

    /// The changes that [`ENVIRONMENT`] makes.
    pub fn environment(&self) -> Vec<Change> {
        let change = |(name, value): (&str, &str)| Change {
            name: name.to_owned(),
            value: value.to_owned(),
            origin: Origin::Settings,
        };
        self.pairs(&ENVIRONMENT).into_iter().map(change).collect()
    }
}
