//! Runners: engines that exist, and the words of their clients by which a run goes there.

use serde_json::Value;

use super::{Containment, Default, Field, ValueKind, Values};

/// An engine that runs tools somewhere else, as settings name it. Words have places: `{id}` of the run, `{root}` of the
/// project on this machine, `{folder}` of the project there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Runner {
    /// The key under `runners:`.
    pub name: String,
    /// The client and its words; the word `{command}` stands for the tool.
    pub via: Vec<String>,
    /// The words that send the signal `{signal}`, such as `TERM`, to the tool of the run `{id}`.
    pub stop: Vec<String>,
    /// The words that succeed while the engine can be reached; empty: no such words are known.
    pub check: Vec<String>,
    /// How the engine takes the words of the tool.
    pub quoting: Quoting,
    /// The project's folder there; `None`: the same path as on this machine.
    pub folder: Option<String>,
    /// How the project's files get there.
    pub files: RunnerFiles,
    /// Whether agents may use it.
    pub is_open_to_agents: bool,
}

impl Runner {
    /// The same, which sends no file that these rules hide.
    #[must_use]
    pub fn hiding(mut self, rules: Containment) -> Self {
        if let RunnerFiles::Copied { hide, show, .. } = &mut self.files {
            (*hide, *show) = (rules.hide, rules.show);
        }
        self
    }

    /// The project's folder there in the run of this id; `None`: the same path as on this machine.
    pub fn folder_of(&self, id: &str) -> Option<String> {
        match (&self.folder, &self.files) {
            (Some(folder), _) => Some(folder.clone()),
            (None, RunnerFiles::Shared) => None,
            (None, RunnerFiles::Copied { .. }) => Some(format!("/tmp/cuff-{id}.copy")),
        }
    }
}

/// How the files of a project get to an engine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunnerFiles {
    /// The runner sees them.
    Shared,
    /// Each run has a copy of them, and what it changes of them comes back.
    Copied {
        /// The new files that come back too, by patterns of paths in which `*` stands for any text.
        results: Vec<String>,
        /// Paths that are never sent, as settings of containment spell them, beside those that are always hidden.
        hide: Vec<String>,
        /// Paths that are sent although they are usually hidden.
        show: Vec<String>,
    },
}

/// How an engine takes the words of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quoting {
    /// Each as a word of its own.
    Words,
    /// As one line that a shell reads there.
    Shell,
}

/// The name of the runner that is this machine.
pub const LOCAL: &str = "local";

/// The runner of an instance's tools.
pub const ON: Field = Field {
    name: "on",
    kind: ValueKind::RunnerNames,
    default: Default::Absent,
    about: "The runner that its tools run on: a name under `runners`, or a mapping of fnmatch patterns of tools to such names. \
            Agents cannot choose another.",
};

/// The runner that settings name for a tool; `None`: they name none. Of several patterns that mean it the last one counts.
pub fn runner_of(config: &Values, is_meant_by: impl Fn(&str) -> bool) -> Option<&str> {
    match config.value(&ON)? {
        Value::String(name) => Some(name),
        Value::Object(tools) => {
            let mut meaning = tools.iter().rev().filter(|(pattern, _)| is_meant_by(pattern));
            meaning.next().and_then(|(_, name)| name.as_str())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Patterns;
    use serde_json::json;

    #[test]
    fn the_last_pattern_that_matches_a_tool_names_its_runner() {
        let on = |value| Values::of([(&ON, value)]);
        let by_tool = on(json!({"*": "box", "test*": "cluster", "lint": LOCAL}));
        for (config, name, runner) in [
            (&Values::default(), "build", None),
            (&on(json!("box")), "build", Some("box")),
            (&by_tool, "build", Some("box")),
            (&by_tool, "test:unit", Some("cluster")),
            (&by_tool, "lint", Some(LOCAL)),
            (&on(json!({"test": "box"})), "build", None),
        ] {
            let is_meant_by = |pattern: &str| Patterns::new([pattern]).0.matches(name);
            assert_eq!(runner_of(config, is_meant_by), runner, "{name}");
        }
    }
}
