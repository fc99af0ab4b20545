//! A source of tasks, as a value.

use std::fmt::{Debug, Formatter, Result as Formatted};

use super::look::Look;
use super::task::Task;

/// A source of tasks: the files that have it apply, and the way to read tasks from them. The engine does the rest, once for all.
#[derive(Clone, Copy)]
pub(in crate::plugins) struct SourceSpec {
    /// The id, also the usual name of its instance: `cargo`.
    pub(in crate::plugins) id: &'static str,
    /// The front of its error codes: `CARGO`.
    pub(in crate::plugins) codes: &'static str,
    /// One line for settings and docs, without a full stop.
    pub(in crate::plugins) summary: &'static str,
    /// The files that have it apply; the first that is there names the source.
    pub(in crate::plugins) files: &'static [&'static str],
    /// Reads the tasks. It names each file that it looks at, and is asked again once those were seen.
    pub(in crate::plugins) read: fn(&mut Look<'_>) -> Vec<Task>,
    /// Names a dependency that is not installed, where files show that.
    pub(in crate::plugins) missing: Option<fn(&mut Look<'_>) -> Option<MissingDependency>>,
    /// The way to get each program: its name and one line.
    pub(in crate::plugins) programs: &'static [(&'static str, &'static str)],
    /// The way to get all other programs, as the begin of a sentence.
    pub(in crate::plugins) usual_advice: &'static str,
    /// The word between a task's own words and those of a call, where its program needs one: `--`.
    pub(in crate::plugins) separator: Option<&'static str>,
    /// The programs that run tasks by their names. Behind one in another tool's own text a call adds no words.
    pub(in crate::plugins) runners: &'static [&'static str],
}

/// Something that tasks need, and the task that installs it.
#[derive(Debug)]
pub(in crate::plugins) struct MissingDependency {
    /// The missing thing, in one sentence without a full stop.
    pub(in crate::plugins) what: String,
    /// The name of the task that installs it.
    pub(in crate::plugins) task: &'static str,
}

impl SourceSpec {
    /// A source without anything of its own: the start of every other.
    pub(in crate::plugins) const BLANK: Self = Self {
        id: "",
        codes: "",
        summary: "",
        files: &[],
        read: |_| Vec::new(),
        missing: None,
        programs: &[],
        usual_advice: "install it",
        separator: None,
        runners: &[],
    };

    /// The way to get a program.
    pub(super) fn advice(&self, program: &str) -> String {
        let known = self.programs.iter().find(|(name, _)| *name == program);
        let usual = || format!("{}, or put it on the PATH", self.usual_advice);
        known.map_or_else(usual, |(_, advice)| (*advice).to_owned())
    }

    /// Whether it says how to get this program.
    pub(super) fn knows(&self, program: &str) -> bool {
        self.programs.iter().any(|(name, _)| *name == program)
    }
}

impl Debug for SourceSpec {
    fn fmt(&self, out: &mut Formatter<'_>) -> Formatted {
        out.debug_struct("SourceSpec").field("id", &self.id).finish_non_exhaustive()
    }
}
