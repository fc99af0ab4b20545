//! A source of tasks, as a value.

use std::fmt::{Debug, Formatter, Result as Formatted};

use super::config::{COMMAND, EXCLUDE_TASKS, FIELDS, NARROWS, TASKS, WORKING_DIRECTORY, WORKSPACE_FIELDS};
use super::look::SourceLook;
use super::task::SourceTask;
use super::words::{PlannedCall, plain};
use crate::model::{
    BadCall, Binding, Checks, Command, DEFAULT_TIMEOUT, Ended, Field, Files, Package, PluginInfo, Reach,
    Suggestion, Tool, Verdict,
};

/// A source of tasks: the files that have it apply, and the way to read tasks from them. The engine does the rest, once for all.
#[derive(Clone, Copy)]
pub(in crate::plugins) struct SourceSpec {
    /// The id, also the usual name of its instance: `cargo`.
    pub(in crate::plugins) id: &'static str,
    /// The front of its error codes: `CARGO`.
    pub(in crate::plugins) codes: &'static str,
    /// One line for settings and docs, without a full stop.
    pub(in crate::plugins) summary: &'static str,
    /// The files that have it apply, by names or patterns; the first that is there names the source. With none here, `read`
    /// decides.
    pub(in crate::plugins) files: &'static [&'static str],
    /// Reads the tasks. It names each file that it looks at, and is asked again once those were seen.
    pub(in crate::plugins) read: fn(&mut SourceLook<'_>) -> Vec<SourceTask>,
    /// Names a dependency that is not installed, where files show that.
    pub(in crate::plugins) missing: Option<fn(&mut SourceLook<'_>) -> Option<MissingDependency>>,
    /// The way to get each program: its name and one line.
    pub(in crate::plugins) programs: &'static [(&'static str, &'static str)],
    /// The way to get all other programs. Empty: it is not known, and whether they are there is not looked at.
    pub(in crate::plugins) usual_advice: &'static str,
    /// Whether a project keeps those in a folder of its own.
    pub(in crate::plugins) keeps_programs: bool,
    /// The word between a task's own words and those of a call, where its program needs one: `--`.
    pub(in crate::plugins) separator: Option<&'static str>,
    /// The programs that run tasks by their names. Behind one in another tool's own text a call adds no words.
    pub(in crate::plugins) runners: &'static [&'static str],
    /// The identity card, where it is not the usual one.
    pub(in crate::plugins) card: Option<PluginInfo>,
    /// The keys that select tasks, and leave some out.
    pub(in crate::plugins) selecting: [&'static Field; 2],
    /// The key with the program that runs tasks.
    pub(in crate::plugins) command: &'static Field,
    /// The keys that `cuff init` writes.
    pub(in crate::plugins) written: &'static [&'static Field],
    /// Whether its file stands above its tasks in lists, and not the name of the instance.
    pub(in crate::plugins) has_heading: bool,
    /// A tool that lists the others.
    pub(in crate::plugins) list: Option<TaskList>,
    /// The word of its files that has a task ask a person: `confirm`.
    pub(in crate::plugins) asks: &'static str,
    /// Adds the words of a call to a task's command.
    pub(in crate::plugins) words: fn(&PlannedCall<'_>) -> Result<Command, BadCall>,
    /// The part of a task's text that those words reach.
    pub(in crate::plugins) reach: Reach,
    /// The files of a yes, where they are others than those that were read.
    pub(in crate::plugins) binding: Option<fn(&mut SourceLook<'_>, &Tool) -> Binding>,
    /// Completes the suggestion of `cuff init`, or takes it back.
    pub(in crate::plugins) suggest: fn(&SourceLook<'_>, Suggestion) -> Option<Suggestion>,
    /// The checks of `cuff doctor`.
    pub(in crate::plugins) checks: fn(&[&Tool], &Files) -> Checks,
    /// The packages of its workspaces, where it has such.
    pub(in crate::plugins) workspace: Option<WorkspaceSpec>,
    /// The dialect of a report on standard output, and the verdict by it.
    pub(in crate::plugins) report: Option<(&'static str, TaskVerdict)>,
}

/// The verdict on a task's process that ended.
type TaskVerdict = fn(&Tool, Ended<'_>) -> Verdict;

/// The workspaces of a source.
#[derive(Debug, Clone, Copy)]
pub(in crate::plugins) struct WorkspaceSpec {
    /// The file that each package has, by its names: `Cargo.toml`.
    pub(in crate::plugins) manifests: &'static [&'static str],
    /// The patterns of the packages' folders, and of those that are none; `None`: the root has no workspace.
    pub(in crate::plugins) members: fn(&mut SourceLook<'_>) -> Option<[Vec<String>; 2]>,
    /// The package of a manifest.
    pub(in crate::plugins) of_manifest: fn(&str) -> Option<Package>,
    /// A key of the settings that packages have from their root, with its value.
    pub(in crate::plugins) setting: Option<(&'static Field, &'static str)>,
}

/// A tool that lists the tasks of its source.
#[derive(Debug, Clone, Copy)]
pub(in crate::plugins) struct TaskList {
    /// Its local name.
    pub(in crate::plugins) name: &'static str,
    /// Its name in the source.
    pub(in crate::plugins) original: &'static str,
    /// The key of the list in its answer.
    pub(in crate::plugins) key: &'static str,
    /// One line about it.
    pub(in crate::plugins) description: &'static str,
    /// The key of the settings that offers it.
    pub(in crate::plugins) flag: &'static Field,
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
        usual_advice: "install it, or put it on the PATH",
        keeps_programs: false,
        separator: None,
        runners: &[],
        card: None,
        selecting: [&TASKS, &EXCLUDE_TASKS],
        command: &COMMAND,
        written: &[&WORKING_DIRECTORY, &TASKS, &EXCLUDE_TASKS, &DEFAULT_TIMEOUT],
        has_heading: true,
        list: None,
        asks: "confirm",
        words: plain,
        reach: Reach::Appended,
        binding: None,
        suggest: |_, suggestion| Some(suggestion),
        checks: |_, _| Checks { found: Vec::new(), wants: Vec::new() },
        workspace: None,
        report: None,
    };

    /// Its identity card.
    pub(super) fn card(&self) -> PluginInfo {
        let first = self.files.first().copied().unwrap_or_default();
        self.card.unwrap_or_else(|| PluginInfo {
            summary: self.summary,
            noun: "task",
            source: first,
            looked_for: first,
            unknown: "Task not found",
            config: if self.workspace.is_some() { WORKSPACE_FIELDS } else { FIELDS },
            narrows: NARROWS,
            programs: self.runners,
            has_command: false,
            ..PluginInfo::new(self.id, self.codes)
        })
    }

    /// The way to get a program.
    pub(super) fn advice(&self, program: &str) -> Option<&'static str> {
        let known = self.programs.iter().find(|(name, _)| *name == program).map(|(_, advice)| *advice);
        known.or(Some(self.usual_advice).filter(|usual| !usual.is_empty()))
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
