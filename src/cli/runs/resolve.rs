//! Which run somebody means who names it: by an id, as the latest, or by its tool.

use std::path::Path;

use crate::calls;
use crate::calls::{RecordedRuns, age};
use crate::cli::arguments::{LogOptions, RunAndEarlier, RunAndForm, RunAndJson, RunsCommand, tree};
use crate::cli::usage::near_inner;
use crate::model::{Beginning, Recorded, RunId, shown, visible};
use crate::project::{Context, Project};
use crate::registry::NoSuchTool;
use crate::store::{LATEST, NoSuchRun, StoreError};
use crate::terminal::Failed;

/// How many runs are named that a text may mean.
const MOST_ALIKE: usize = 5;

/// Puts ids in the place of the words of a command that mean runs in another way. To be stopped is what goes on.
pub(super) fn settle(
    context: &Context,
    config: Option<&Path>,
    runs: &RecordedRuns,
    command: &mut RunsCommand,
) {
    let goes_on = |id| runs.is_going(id);
    let is_to_stop = matches!(command, RunsCommand::Stop(_));
    for named in named(command) {
        let id = match runs.find(named) {
            Ok(_) if is_to_stop && named == LATEST => {
                runs.newest(|id, _| goes_on(id)).map(|id| runs.several_with(id).unwrap_or(id))
            }
            Err(NoSuchRun::Unknown(_)) => {
                let called = MeantTools::of(context, config, named);
                let going = || runs.newest(|id, run| called.is(run) && goes_on(id));
                let going = if is_to_stop { going() } else { None };
                going.or_else(|| runs.newest(|_, run| called.is(run)))
            }
            _ => None,
        };
        if let Some(id) = id {
            *named = id.to_string();
        }
    }
}

/// The words of a command that name a run.
fn named(command: &mut RunsCommand) -> Vec<&mut String> {
    match command {
        RunsCommand::List(_) | RunsCommand::Prune(_) | RunsCommand::Pull(_) | RunsCommand::Push(_) => {
            Vec::new()
        }
        RunsCommand::Log(LogOptions { run, .. })
        | RunsCommand::Status(RunAndJson { run, .. })
        | RunsCommand::Show(RunAndJson { run, .. })
        | RunsCommand::Diagnostics(RunAndForm { run, .. })
        | RunsCommand::Stop(RunAndJson { run, .. }) => vec![run],
        RunsCommand::Diff(RunAndEarlier { run, earlier, .. }) => {
            std::iter::once(run).chain(earlier.as_mut()).collect()
        }
    }
}

/// The tools that a name may mean: of several that are called so the newest run is meant.
struct MeantTools {
    name: String,
    tools: Vec<String>,
}

impl MeantTools {
    fn of(context: &Context, config: Option<&Path>, name: &str) -> Self {
        let tools = match Project::open_readonly(context.clone(), config, None) {
            None => Vec::new(),
            Some(project) => match calls::resolve(&project, &project.recalled(), name) {
                Ok(tool) => vec![tool.name.to_string()],
                Err(NoSuchTool::Ambiguous { candidates }) => {
                    candidates.iter().map(ToString::to_string).collect()
                }
                Err(NoSuchTool::Unknown { .. }) => Vec::new(),
            },
        };
        Self { name: name.to_owned(), tools }
    }

    /// Whether the tool of this run may be meant: also one that is no longer offered.
    fn is(&self, run: &Beginning) -> bool {
        let tool = run.tool.as_str();
        tool == self.name
            || run.name() == self.name
            || tool.split_once('.').is_some_and(|(_, local)| local == self.name)
            || self.tools.iter().any(|called| called == tool)
    }
}

/// The error for a filter that no run passes, and that is a slip away from a command of `cuff runs`.
pub(super) fn command(filter: &str) -> Option<Failed> {
    let meant = near_inner(&tree(&[]), "runs", filter)?;
    let failed =
        Failed::usage(format!("`{}` is neither a command of `cuff runs` nor a tool that ran", shown(filter)));
    Some(failed.help(format!("did you mean `cuff runs {meant}`?")))
}

pub(in crate::cli) fn read(runs: &RecordedRuns, wanted: &str) -> Result<Recorded, Failed> {
    let id = find(runs, wanted)?;
    runs.run(id).map_err(|error| unreadable(&error))
}

pub(in crate::cli) fn find(runs: &RecordedRuns, wanted: &str) -> Result<RunId, Failed> {
    runs.find(wanted).map_err(|none| no_such(runs, &none))
}

pub(super) fn no_such(runs: &RecordedRuns, none: &NoSuchRun) -> Failed {
    let help = match none {
        NoSuchRun::None if runs.are_of_one_project() => "each `cuff run` leaves one".to_owned(),
        NoSuchRun::None => {
            "each `cuff run` leaves one; `cuff runs list --all` has those of all projects".to_owned()
        }
        NoSuchRun::Unknown(_) => "`cuff runs list` shows those there are".to_owned(),
        NoSuchRun::Ambiguous(_, ids) => {
            let some = &ids[..ids.len().min(MOST_ALIKE)];
            let line = |(short, id): (String, &RunId)| {
                let tool = runs.tool(*id).unwrap_or_else(|| "unreadable".to_owned());
                format!("\n  {short}  {}, {}", visible(&tool), age(*id, runs.now()))
            };
            let lines: String = runs.shortened(some).into_iter().zip(some).map(line).collect();
            let newest = if some.len() < ids.len() { "the newest of them are" } else { "they are" };
            format!("{newest}{lines}")
        }
        NoSuchRun::Unreadable(_) => {
            "it must be a folder of yours, no link, that others cannot write; tools can be run without it"
                .to_owned()
        }
    };
    let nor = if matches!(none, NoSuchRun::Unknown(_)) { ", and no tool of that name ran here" } else { "" };
    Failed::usage(format!("{none}{nor}")).unable().help(help)
}

/// Why a run cannot be read, and what to do.
pub(in crate::cli) fn unreadable(error: &StoreError) -> Failed {
    let help = match error {
        StoreError::Meta(id, _) => format!("`cuff runs log {id}` shows what it printed, where that is there"),
        StoreError::Io(..) => "runs that can be read are in `cuff runs list`".to_owned(),
    };
    Failed::usage(error.to_string()).unable().help(help)
}
