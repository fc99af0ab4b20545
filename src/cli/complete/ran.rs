//! The runs that may be named, and the tools that ran.

use super::candidate::Candidate;
use super::position::Position;
use crate::calls;
use crate::calls::{RecordedRuns, age};
use crate::model::RunId;
use crate::project::{Context, Project};

/// How many runs are offered, the newest of those that begin with what was typed.
const MOST_RUNS: usize = 50;
/// How many of the newest runs, of all projects, are looked at.
const LATELY: usize = 2000;

/// Runs by their ids, and by the tools that are typed for their newest run. For `stop`, only runs that still
/// go on.
pub(super) fn runs(
    context: &Context,
    position: &Position<'_>,
    project: impl FnOnce() -> Option<Project>,
) -> Vec<Candidate> {
    let Some(runs) = calls::runs_near(context) else { return Vec::new() };
    let mut ids = runs.ids().unwrap_or_default();
    ids.truncate(LATELY);
    let is_of_going = position.commands.last() == Some(&"stop");
    if is_of_going {
        ids.retain(|id| runs.is_going(*id));
    }
    let described = |id| {
        let tool = runs.tool(id).unwrap_or_else(|| "unreadable".to_owned());
        format!("{}, {tool}", age(id, runs.now()))
    };
    let latest = || Some(Candidate::new("latest", described(*ids.iter().find(|id| runs.is_near(**id))?)));
    let typed = position.typed.to_ascii_lowercase();
    // Ids as they are listed; for the beginning of a whole id, whole ones.
    let forms = |(short, id): (String, &RunId)| [(short, *id), (id.to_string(), *id)];
    let begun = runs
        .shortened(&ids)
        .into_iter()
        .zip(&ids)
        .filter_map(|both| forms(both).into_iter().find(|(text, _)| text.starts_with(&typed)))
        // Another project's run is named by who knows its id.
        .filter(|(_, id)| runs.is_near(*id));
    let listed = begun.take(MOST_RUNS).map(|(text, id)| Candidate::new(text, described(id)));
    let newest = if is_of_going { None } else { latest() };
    let tools =
        if typed.is_empty() || is_of_going { Vec::new() } else { tools_that_ran(&runs, project().as_ref()) };
    newest.into_iter().chain(listed).chain(tools).collect()
}

/// The names of tools that stand for their newest run.
fn tools_that_ran(runs: &RecordedRuns, project: Option<&Project>) -> Vec<Candidate> {
    let registry = project.map(Project::recalled).unwrap_or_default();
    let mut offered: Vec<Candidate> = Vec::new();
    for (id, run) in runs.tools() {
        let local = run.tool.split_once('.').map(|(_, local)| local.to_owned());
        let known = registry.tools().iter().find(|known| known.name.to_string() == run.tool);
        let original = known.map(|known| known.tool.original.clone()).filter(|name| !name.is_empty());
        let about = format!("the newest run of {}, {}", run.name(), age(id, runs.now()));
        let names = [run.name().to_owned(), run.tool.clone()];
        for name in names.into_iter().chain(local).chain(original) {
            // The newest run of several that are called so is the one that is meant.
            if !offered.iter().any(|known| known.value == name) {
                offered.push(Candidate::new(name, about.clone()));
            }
        }
    }
    offered
}
