//! The tools of a Makefile that was read.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::first::first;
use super::found::{ADVICE, Found};
use super::names::tool_name;
use super::project::Project;
use super::selection::Selection;
use super::targets::Target;
use super::{config, unsettled};
use crate::model::{
    Command, Discovery, Heading, Lazy, Location, Problem, Tool, Values, Word, one_line, shown,
};

/// The tools of a Makefile that was read.
pub(super) fn offer(found: &Arc<Found>, config: &Values) -> Discovery {
    let Found { project, makefile, note, .. } = &**found;
    let mut problems = found.problems.clone();
    problems.extend(makefile.problems.iter().cloned());
    let selection = Selection::new(config);
    problems.extend(unsettled::problems(makefile, &selection, found.remedy));
    let mut notes = vec![note.clone()];
    notes.extend(unsettled::notes(makefile));
    let targets = selection.select(makefile, &project.file, &mut problems, &mut notes);
    if targets.is_empty() && problems.is_empty() {
        let help = "give it targets, or see what `targets` and `exclude_targets` in the settings leave out";
        problems.push(Problem::warning("No targets found").at(Location::file(&project.file)).help(help));
    }
    let mut tools = Vec::with_capacity(targets.len() + 1);
    if config.flag(&config::EXPOSE_LIST_TARGETS) {
        tools.push(list_tool(project));
    }
    tools.extend(targets.into_iter().map(|target| runnable(found, config, target)));
    Discovery { tools, problems, notes, heading: Heading::of(&project.file) }
}

/// The tool of a target, with the text that it runs.
pub(super) fn runnable(found: &Arc<Found>, config: &Values, target: Target) -> Tool {
    let tool = tool(&target, found, config);
    let name = target.stands_for.clone().unwrap_or_else(|| target.name.clone());
    let own = Target { name, ..target };
    let text = found.recipes.text(&own).text;
    let all = Arc::clone(found);
    let along = Lazy::new(move || first(&all, &own));
    tool.text(text).along(along).content(found.content.clone())
}

fn tool(target: &Target, found: &Found, config: &Values) -> Tool {
    let command = command(&target.name, found, config);
    let tool = Tool::running(tool_name(&target.name), &*target.name, target.source.clone(), command);
    let tool = match target.description.as_deref().and_then(one_line) {
        Some(own) => tool.described(own),
        None => tool.described_or(None, format!("Execute 'make {}'", shown(&target.name))),
    };
    let tool = tool.parameters(config::TARGET_PARAMETERS).fact("makefile", found.project.file.clone());
    let mut entry = Map::with_capacity(3);
    entry.insert("target".into(), target.name.clone().into());
    entry.insert("description".into(), tool.description.clone().into());
    entry.insert("phony".into(), Value::Bool(target.phony));
    let tool = tool.shown_as(entry);
    // Even then make runs commands while it reads the Makefile, and lines that begin with `+`.
    if config::trusts_makefile(config) { tool.rehearsed_by("-n") } else { tool }
}

fn command(target: &str, Found { project, keeping, .. }: &Found, config: &Values) -> Command {
    let jobs = config::jobs(config).map(|jobs| Word::settings(format!("-j{jobs}")));
    let words = project.words.iter().cloned().chain(jobs).chain(keeping.iter().cloned());
    let mut words = words.chain([Word::fixed(target)]);
    // `make_command` is never without a word.
    let program = words.next().unwrap_or_else(|| Word::fixed("make"));
    config.command(program).arguments(words).directory(&project.folder).if_missing(ADVICE.to_owned())
}

fn list_tool(project: &Project) -> Tool {
    Tool::listing("make_list_targets", "list_targets", Location::file(&project.file), "targets")
        .described("List all available make targets")
        .parameters(config::LIST_PARAMETERS)
        .fact("makefile", project.file.clone())
}
