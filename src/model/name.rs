//! Qualified names: `instance.tool`.

use std::fmt;

/// The names that no instance may have: cuff's own commands, those that are planned included.
pub const RESERVED_INSTANCES: &[&str] = &[
    "approvals",
    "approve",
    "audit",
    "completions",
    "cuff",
    "deny",
    "describe",
    "doctor",
    "help",
    "init",
    "install",
    "list",
    "man",
    "run",
    "runs",
    "schema",
    "serve",
    "status",
    "why",
];

/// The longest instance name, so that a tool's name has room within 64 characters.
const LONGEST_INSTANCE: usize = 32;

/// Whether settings may call an instance so: letters, digits, `_` and `-`, at most 32, starting with a letter.
pub fn is_instance_name(name: &str) -> bool {
    name.len() <= LONGEST_INSTANCE
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// A tool's full name in the registry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName {
    /// The key under `plugins:` in settings.yml.
    pub instance: String,
    /// The name within the instance: `npm_test`.
    pub local: String,
}

impl fmt::Display for ToolName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.instance, self.local)
    }
}
