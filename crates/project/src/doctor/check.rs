//! One thing that was looked at, and how it is.

use std::path::PathBuf;

use crate::model::{Problem, Severity};
use crate::sys::files;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// How it is.
    pub grade: Grade,
    /// The result, in one sentence without a full stop.
    pub what: String,
    /// Lines of somebody else's about it, such as the end of a log.
    pub lines: Vec<String>,
    /// The way to solve it.
    pub remedy: Option<String>,
    /// The repair that cuff itself can make.
    pub repair: Option<Repair>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// As it should be.
    Pass,
    /// Something is odd; things work.
    Warn,
    /// Something does not work.
    Fail,
}

/// A repair. It loses nothing but runs that are due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// Take from others the right to write this file.
    Close(PathBuf),
    /// Remove the runs that are due.
    Prune,
}

impl Check {
    /// As it should be.
    pub fn pass(what: impl Into<String>) -> Self {
        Self { grade: Grade::Pass, what: what.into(), lines: Vec::new(), remedy: None, repair: None }
    }

    /// A warning, with the way to solve it.
    pub fn warn(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { grade: Grade::Warn, remedy: Some(remedy.into()), ..Self::pass(what) }
    }

    /// A failure, with the way to solve it.
    pub fn fail(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { grade: Grade::Fail, ..Self::warn(what, remedy) }
    }

    /// The same, with lines of somebody else's.
    #[must_use]
    pub fn with_lines(self, lines: Vec<String>) -> Self {
        Self { lines, ..self }
    }

    /// The same, which cuff can mend.
    #[must_use]
    pub fn mended_by(self, repair: Repair) -> Self {
        Self { repair: Some(repair), ..self }
    }

    /// Adds the repair of a file that others may write. The target of a link may belong to another user, so
    /// cuff does not change it.
    pub(super) fn mended_by_closing(self, file: PathBuf) -> Self {
        match files::link_target(&file) {
            Some(to) => {
                Self { remedy: Some(format!("a link leads to {0}: `chmod go-w {0}`", to.display())), ..self }
            }
            None => self.mended_by(Repair::Close(file)),
        }
    }

    pub(super) fn of(problem: &Problem) -> Self {
        let grade = match problem.severity {
            Severity::Error => Grade::Fail,
            Severity::Warning => Grade::Warn,
            Severity::Info => Grade::Pass,
        };
        Self { grade, remedy: problem.help.clone(), ..Self::pass(problem.to_string()) }
    }

    pub(super) fn of_instance(instance: &str, problem: &Problem) -> Self {
        let check = Self::of(problem);
        Self { what: format!("{instance}: {}", check.what), ..check }
    }
}
