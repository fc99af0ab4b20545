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
    "hook",
    "init",
    "install",
    "list",
    "man",
    "mcp",
    "read",
    "run",
    "runners",
    "runs",
    "schema",
    "serve",
    "status",
    "toolscript",
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

/// How qualified names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// `instance.name`.
    Dotted,
    /// `instance__name`, for clients that take letters, digits, `_` and `-` alone.
    Portable,
}

impl Spelling {
    /// The separator between the instance and the name.
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Dotted => ".",
            Self::Portable => "__",
        }
    }
}

impl ToolName {
    /// The name as a client sees it.
    pub fn spelled(&self, spelling: Spelling) -> String {
        [&self.instance, spelling.separator(), &self.local].concat()
    }

    /// Whether this is the name, spelled so.
    pub fn is(&self, written: &str, spelling: Spelling) -> bool {
        let rest = written.strip_prefix(&self.instance);
        rest.and_then(|rest| rest.strip_prefix(spelling.separator())) == Some(&self.local)
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}{}", self.instance, Spelling::Dotted.separator(), self.local)
    }
}
