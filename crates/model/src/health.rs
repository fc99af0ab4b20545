//! How an instance of the settings is.

use super::{Problem, Severity};

/// How an instance is.
#[derive(Debug, Clone)]
pub struct Health {
    /// The instance.
    pub name: String,
    /// Its plugin, by id; empty where the settings of the instance do not say.
    pub plugin: &'static str,
    /// Whether the settings have it switched on.
    pub enabled: bool,
    /// The problems that withhold tools, and the patterns of the settings that have no effect.
    pub problems: Vec<Problem>,
    /// Whether the file or folder that its tools are read from is there.
    pub source_exists: bool,
    /// The file that its settings name, as its key calls it without `_path`: `package_json`. `None` for a plugin
    /// whose settings name no file.
    pub source_key: Option<&'static str>,
    /// The fact that names the runner of its tools, if its plugin reports one: `package_manager: npm`.
    pub runner: Option<(&'static str, String)>,
    /// How many tools it has that run something.
    pub tools: usize,
    /// When its sources were read, in milliseconds since 1970; `None`: they were not.
    pub read: Option<u64>,
    /// Whether the cached answer would still be used.
    pub is_cache_valid: bool,
}

impl Health {
    /// Whether it offers all that it should.
    pub fn is_healthy(&self) -> bool {
        self.problems.iter().all(|problem| problem.severity != Severity::Error)
    }
}
