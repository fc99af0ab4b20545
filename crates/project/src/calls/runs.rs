//! The runs that were recorded: for people who ask what happened.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::log_excerpt::log_excerpt;
use crate::calls::log_excerpt::LogQuery;
use crate::diagnostics::{Reader, without_interruptions};
use crate::model::{
    Answer, Beginning, Caller, Chunk, Diagnostic, Findings, Problem, RecordState, Recorded, RunId, Severity,
    Stream,
};
use crate::project::project_scope::ProjectScope;
use crate::project::{Context, Project};
use crate::settings::{self, Preferences};
use crate::store::{LATEST, Log, NoSuchRun, RetentionLimits, Store, StoreError, Swept};
use crate::sys::{self, Environment};

/// How many lines are shown above what nothing explains, and as many below it.
const AROUND: u64 = 10;

/// The recorded runs of this user.
#[derive(Debug)]
pub struct RecordedRuns {
    store: Store,
    scope: ProjectScope,
    /// Whether runs that were pulled from the records of the team are found.
    finds_pulled: bool,
    now: u64,
}

/// The runs that were recorded; `None` where the environment names no place for them.
pub fn all_runs(context: &Context) -> Option<RecordedRuns> {
    let store = Store::of(&context.environment)?;
    let now = context.clock.milliseconds();
    Some(RecordedRuns { store, scope: ProjectScope::All, finds_pulled: true, now })
}

/// Those of them that somebody in the working directory means who names none: of the project that it lies in, and of
/// projects in it. An id means a run of any project.
pub fn runs_near(context: &Context) -> Option<RecordedRuns> {
    Some(RecordedRuns { scope: ProjectScope::near(&context.environment), ..all_runs(context)? })
}

/// The same for what is typed here: an agent has the runs of its project alone, as over MCP.
pub fn runs_for_caller(context: &Context, config: Option<&Path>) -> Option<RecordedRuns> {
    if !context.at_terminal().is_governed() {
        return runs_near(context);
    }
    if let Ok(project) = Project::open_typed(context.clone(), config) {
        return own_runs(&project);
    }
    let folder = sys::files::canonical(context.environment.directory());
    let scope = ProjectScope::Project(folder.display().to_string());
    Some(RecordedRuns { scope, finds_pulled: false, ..all_runs(context)? })
}

/// Problems of this user's preferences.
pub fn preference_problems(context: &Context) -> Vec<Problem> {
    settings::preferences(&context.environment).problems
}

/// How long runs are kept in this environment.
pub fn limits(environment: &Environment) -> RetentionLimits {
    let Preferences { keep_days, keep_bytes, problems, .. } = settings::preferences(environment);
    if !problems.is_empty() {
        return RetentionLimits { age: Duration::MAX, bytes: u64::MAX };
    }
    let standard = RetentionLimits::default();
    RetentionLimits {
        age: keep_days.map_or(standard.age, RetentionLimits::days),
        bytes: keep_bytes.unwrap_or(standard.bytes),
    }
}

/// The runs that were recorded, of all projects; `None` where the environment names no place for them.
pub fn runs(context: &Context) -> Option<RecordedRuns> {
    all_runs(context)
}

/// The runs of this project alone, as agents may see them.
pub fn own_runs(project: &Project) -> Option<RecordedRuns> {
    let scope = ProjectScope::Project(project.settings.root.display().to_string());
    let finds_pulled = shows_pulled(project);
    Some(RecordedRuns { scope, finds_pulled, ..all_runs(&project.context)? })
}

/// Whether a run was one of this project's tools, and agents may see it.
pub fn ran(project: &Project, run: &Recorded) -> bool {
    run.beginning.project == project.settings.root.display().to_string()
        && (shows_pulled(project) || !run.beginning.is_pulled)
}

/// Whether agents see runs that were pulled from the records of the team.
fn shows_pulled(project: &Project) -> bool {
    project.settings.records.as_ref().is_some_and(|records| records.is_open_to_agents)
}

impl RecordedRuns {
    /// The runs that can be read, the newest first, each when it is asked for.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn readable(&self) -> Result<impl Iterator<Item = Recorded> + '_, StoreError> {
        let runs = self.store.ids()?.into_iter().map(|id| self.store.run(id));
        Ok(runs.filter(|run| self.counts(run)).filter_map(Result::ok))
    }

    /// Whether a run is of the projects that are asked for. One that cannot be read is of no certain one.
    pub fn counts(&self, run: &Result<Recorded, StoreError>) -> bool {
        match run {
            Ok(run) => self.is_own(&run.beginning),
            Err(_) => !matches!(self.scope, ProjectScope::Project(_)),
        }
    }

    /// Whether there are no other projects for the caller.
    pub fn are_of_one_project(&self) -> bool {
        matches!(self.scope, ProjectScope::Project(_))
    }

    /// Whether a list of everything that the caller may see has this run.
    pub fn may_see(&self, run: &Result<Recorded, StoreError>) -> bool {
        match (&self.scope, run) {
            (ProjectScope::Project(_), Ok(run)) => self.finds(&run.beginning),
            (ProjectScope::Project(_), Err(_)) => false,
            (ProjectScope::All | ProjectScope::Near(_), _) => true,
        }
    }

    /// Whether an id means this run where there is no other project.
    fn finds(&self, run: &Beginning) -> bool {
        self.scope.counts(&run.project) && (self.finds_pulled || !run.is_pulled)
    }

    /// Whether a run is of the projects that are asked for, and ran on this machine.
    fn is_own(&self, run: &Beginning) -> bool {
        !run.is_pulled && self.scope.counts(&run.project)
    }

    /// The runs that people started, the newest first. Each is read when the iterator reaches it, and none is
    /// changed.
    pub fn by_people(&self) -> impl Iterator<Item = Beginning> + '_ {
        let ids = self.store.ids().unwrap_or_default().into_iter();
        let is_wanted =
            |run: &Beginning| run.caller == Caller::Human.name() && run.parent.is_none() && self.is_own(run);
        ids.filter_map(|id| self.store.beginning(id)).filter(is_wanted)
    }

    /// The ids of all runs, the newest first; those of other projects are among them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn ids(&self) -> Result<Vec<RunId>, StoreError> {
        self.store.ids()
    }

    /// The short name of a run, the same everywhere: the end of its id.
    pub fn short(&self, id: RunId) -> String {
        self.shortened(&[id]).pop().unwrap_or_default()
    }

    /// The same of several runs.
    pub fn shortened(&self, ids: &[RunId]) -> Vec<String> {
        let length = distinct(&self.store.ids().unwrap_or_default());
        let short = |id: &RunId| {
            let text = id.to_string();
            text[text.len().saturating_sub(length)..].to_owned()
        };
        ids.iter().map(short).collect()
    }

    /// The newest run that is meant, by its id and its beginning.
    pub fn newest(&self, is_meant: impl Fn(RunId, &Beginning) -> bool) -> Option<RunId> {
        let ids = self.store.ids().unwrap_or_default().into_iter();
        ids.filter_map(|id| Some((id, self.store.beginning(id)?)))
            .find(|(id, run)| self.is_own(run) && is_meant(*id, run))
            .map(|(id, _)| id)
    }

    /// The newest run of a tool, by any name that a face shows of it: that of its source, `npm_test`, `packagejson.npm_test` or
    /// `packagejson__npm_test`. With `is_going`, the newest that goes on.
    pub fn newest_of(&self, tool: &str, is_going: bool) -> Option<RunId> {
        self.newest(|id, run| {
            let local = run.tool.split_once('.').map_or(&*run.tool, |(_, local)| local);
            let portable = run.tool.replacen('.', "__", 1);
            [&run.tool, run.name(), local, &portable].contains(&tool) && (!is_going || self.is_going(id))
        })
    }

    /// Whether a run is of the wanted projects, as far as that is known without writing.
    pub fn is_near(&self, id: RunId) -> bool {
        self.store.beginning(id).is_none_or(|run| self.is_own(&run))
    }

    /// The tools that ran lately, each with its newest run. Nothing is written for it.
    pub fn tools(&self) -> Vec<(RunId, Beginning)> {
        /// How many runs are looked at.
        const LATELY: usize = 300;
        let mut tools: Vec<(RunId, Beginning)> = Vec::new();
        for id in self.store.ids().unwrap_or_default().into_iter().take(LATELY) {
            let Some(run) = self.store.beginning(id) else { continue };
            if self.is_own(&run) && !tools.iter().any(|(_, known)| known.tool == run.tool) {
                tools.push((id, run));
            }
        }
        tools
    }

    /// Whether a run goes on, as far as that is known without writing.
    pub fn is_going(&self, id: RunId) -> bool {
        self.store.is_recorded(id)
    }

    /// The run that is meant by `latest`, an id, or a part of one.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, wanted: &str) -> Result<RunId, NoSuchRun> {
        self.store.find(wanted, &|id| match &self.scope {
            // The last call of a program is a part of it, and a pulled run is not of this machine.
            _ if wanted == LATEST && !self.may_be_latest(id) => false,
            ProjectScope::All => true,
            ProjectScope::Project(_) => self.store.run(id).is_ok_and(|run| self.finds(&run.beginning)),
            ProjectScope::Near(_) if wanted != LATEST => true,
            // One that cannot be read may be what is looked for.
            ProjectScope::Near(_) => self.is_near(id),
        })
    }

    /// The run of several tools that this run is a part of.
    pub fn several_with(&self, id: RunId) -> Option<RunId> {
        let parent = self.store.beginning(id)?.parent?;
        self.store.beginning(parent)?.is_several.then_some(parent)
    }

    /// Whether a run stands for itself: no program made it, it is not one of several, and it ran here.
    fn may_be_latest(&self, id: RunId) -> bool {
        self.store.beginning(id).is_none_or(|run| run.parent.is_none() && !run.is_pulled)
    }

    /// Reads the record of a run.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn run(&self, id: RunId) -> Result<Recorded, StoreError> {
        self.store.run(id)
    }

    /// The tool of a run, as people see it; `None` where that cannot be read. Nothing is written for it, as [`run`](Self::run) may do.
    pub fn tool(&self, id: RunId) -> Option<String> {
        self.store.beginning(id).map(|beginning| beginning.name().to_owned())
    }

    /// The findings in a run's output: those that were kept when it ended, else those that its log has so
    /// far.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn findings(&self, run: &Recorded) -> Result<Findings, StoreError> {
        let findings = self.store.findings(run.id).map_or_else(|| self.read_again(run), Ok)?;
        Ok(match &run.state {
            RecordState::Ended(end) => without_interruptions(findings, &end.ending),
            RecordState::Running(_) | RecordState::Interrupted => findings,
        })
    }

    fn read_again(&self, run: &Recorded) -> Result<Findings, StoreError> {
        let log = self.store.log(run.id)?;
        let (root, directory) = (&run.beginning.project, &run.beginning.directory);
        let mut reader = Reader::new(Path::new(root), Path::new(directory), Vec::new()).seeing(is_there);
        let read = log.each_with_stream(0..log.bytes(), &mut |stream, bytes| {
            reader.push(Chunk::new(stream, bytes));
            ControlFlow::Continue(())
        });
        read.map_err(|error| StoreError::Io(self.store.path().to_owned(), error))?;
        Ok(reader.finish())
    }

    /// The lines of the log around the first finding that says only that something failed: nothing was read from them, so
    /// they may say why. Those of standard output may come below it, since the order of two streams is not known.
    pub fn around_unexplained(&self, run: &Recorded, findings: &Findings) -> Option<String> {
        let first = findings.diagnostics.iter().find(|found| found.severity == Severity::Error)?;
        if findings.unexplained == 0 || findings.unexplained != findings.errors {
            return None;
        }
        let log = self.log(run.id).ok()?;
        let lines = |wanted: LogQuery| {
            let wanted = LogQuery { tail: Some(AROUND), for_agents: true, ..wanted };
            log_excerpt(&log, &wanted).map_or_else(|_| String::new(), |excerpt| excerpt.text)
        };
        let above = first.log.start_line.checked_sub(1).filter(|above| *above > 0);
        let above =
            above.map_or_else(String::new, |to| lines(LogQuery { to: Some(to), ..LogQuery::default() }));
        let (from, stream) = (Some(first.log.end_line + 1), Some(Stream::Out));
        let below = lines(LogQuery { from, stream, ..LogQuery::default() });
        let text = [above.trim_end(), below.trim_end()].join("\n").trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The findings with which this run is compared with another: one that says only that something failed has the lines of
    /// the log around it, since its reason may be another each time.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn comparable(&self, run: &Recorded) -> Result<Findings, StoreError> {
        let mut findings = self.findings(run)?;
        let around = self.around_unexplained(run, &findings);
        let is_error = |found: &&mut Diagnostic| found.severity == Severity::Error;
        if let (Some(around), Some(failure)) = (around, findings.diagnostics.iter_mut().find(is_error)) {
            failure.message.push('\n');
            failure.message.push_str(&around);
        }
        Ok(findings)
    }

    /// The last run of the same tool in the same project that had ended before this one began.
    pub fn previous(&self, run: &Recorded) -> Option<Recorded> {
        let older = self.store.ids().unwrap_or_default().into_iter().filter(|id| *id < run.id);
        let mut runs = older.filter_map(|id| self.store.run(id).ok());
        let same = |other: &Recorded| {
            other.beginning.tool == run.beginning.tool && other.beginning.project == run.beginning.project
        };
        let is_own = |other: &Recorded| !other.beginning.is_pulled;
        runs.find(|other| same(other) && is_own(other) && matches!(other.state, RecordState::Ended(_)))
    }

    /// The last run of the same tool in the same project that ended while its repository was on this branch.
    pub fn last_on(&self, branch: &str, run: &Recorded) -> Option<RunId> {
        let ids = self.store.ids().unwrap_or_default().into_iter().filter(|id| *id != run.id);
        let is_it = |other: &Beginning| {
            other.revision.branch.as_deref() == Some(branch)
                && other.tool == run.beginning.tool
                && other.project == run.beginning.project
        };
        let mut ids = ids.filter(|id| self.store.beginning(*id).is_some_and(|other| is_it(&other)));
        ids.find(|id| self.store.run(*id).is_ok_and(|other| matches!(other.state, RecordState::Ended(_))))
    }

    /// The output of a run, up to now if it goes on.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn log(&self, id: RunId) -> Result<Log, StoreError> {
        self.store.log(id)
    }

    /// The answer of another MCP server to a call; `None` for a process, or where there was no answer.
    pub fn answer(&self, id: RunId) -> Option<Answer> {
        self.store.answer(id)
    }

    /// The source of a program; `None` for another run.
    pub fn script(&self, id: RunId) -> Option<String> {
        self.store.script(id)
    }

    /// The result of a program; `None` where it returned nothing, or for another run.
    pub fn result(&self, id: RunId) -> Option<Value> {
        self.store.result(id)
    }

    /// The calls that a program made, or of which a run of several tools consists, in their order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn calls_of(&self, parent: RunId) -> Result<Vec<Recorded>, StoreError> {
        let later = self.store.ids()?.into_iter().take_while(|id| *id > parent);
        let is_its = |id: &RunId| self.store.beginning(*id).is_some_and(|run| run.parent == Some(parent));
        let mut calls: Vec<Recorded> =
            later.filter(is_its).filter_map(|id| self.store.run(id).ok()).collect();
        calls.reverse();
        Ok(calls)
    }

    /// Ends a run that goes on, also one that somebody else started; `false` when there is nothing to end.
    ///
    /// # Errors
    /// When the operating system does not let this user end it.
    pub fn stop(&self, run: &Recorded) -> io::Result<bool> {
        match run.state {
            RecordState::Running(None) if run.beginning.is_several => {
                // Its process looks for the note, and ends its calls: those as well that are about to start.
                self.store.note_stop(run.id);
                Ok(true)
            }
            RecordState::Running(Some(group)) => {
                self.store.note_stop(run.id);
                let ended = sys::group::end(group);
                if !matches!(ended, Ok(true)) {
                    self.store.forget_stop(run.id);
                }
                ended
            }
            RecordState::Running(None) | RecordState::Interrupted | RecordState::Ended(_) => Ok(false),
        }
    }

    /// Removes runs that are too old or too many, of all projects.
    pub fn prune(&self, limits: RetentionLimits) -> Swept {
        self.store.sweep(limits, self.now)
    }

    /// Returns what [`prune`](Self::prune) would remove, and removes nothing.
    pub fn would_prune(&self, limits: RetentionLimits) -> Swept {
        self.store.rehearse_sweep(limits, self.now)
    }

    /// Now, in milliseconds since 1970.
    pub fn now(&self) -> u64 {
        self.now
    }
}

/// Whether there is a file.
pub(crate) fn is_there(path: &Path) -> bool {
    sys::files::stamp(path).is_some()
}

/// So many characters of their ends tell all of these from each other.
fn distinct(ids: &[RunId]) -> usize {
    let mut ends: Vec<Vec<u8>> = ids.iter().map(|id| id.to_string().bytes().rev().collect()).collect();
    ends.sort_unstable();
    let alike = |pair: &[Vec<u8>]| pair[0].iter().zip(&pair[1]).take_while(|(a, b)| a == b).count();
    ends.windows(2).map(|pair| alike(pair) + 1).max().unwrap_or(0).max(RunId::SHORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_end_alike_are_shown_as_far_as_they_do_not() {
        let id = |end: [u8; 4]| RunId::new(1, [0, 0, 0, 0, 0, 7, end[0], end[1], end[2], end[3]]);
        assert_eq!(distinct(&[]), 8);
        assert_eq!(distinct(&[id([1, 2, 3, 4]), id([2, 2, 3, 4])]), 8);
        let other = RunId::new(1, [0, 0, 0, 0, 0, 8, 1, 2, 3, 4]);
        assert_eq!(distinct(&[id([1, 2, 3, 4]), id([9, 9, 9, 9]), other]), 9);
    }
}
