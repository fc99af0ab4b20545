//! Targets of a Makefile.

mod absence;
mod arguments;
mod binding;
mod config;
mod database;
mod extractor;
mod first;
mod probe;
mod project;
mod recipe;
mod selection;
mod simple;
mod special;
mod suggest;
mod targets;
#[cfg(test)]
mod tests;
mod unsettled;
mod written;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::model::{
    About, Absence, BadCall, Binding, Command, Content, Discovery, Fault, Files, Governance, Later, Location,
    Problem, Seen, Suggestion, Tool, Values, Want, Word, Wrapped, one_line, shown,
};
use crate::plugin::Plugin;

use extractor::Extraction;
use first::first;
use project::Project;
use recipe::Recipes;
use selection::Selection;
use targets::{Makefile, Target};

/// What to do where make is missing.
const ADVICE: &str =
    "install GNU make: apt-get install make, dnf install make, or xcode-select --install on macOS";

/// The targets of one Makefile.
#[derive(Debug)]
pub(super) struct MakefileTargets;

impl Plugin for MakefileTargets {
    fn about(&self) -> About {
        About {
            summary: "Targets of a Makefile, run by make",
            noun: "target",
            source: "the Makefile",
            looked_for: "a Makefile",
            unknown: "Target not found",
            facts: &["makefile"],
            config: config::FIELDS,
            narrows: config::NARROWS,
            options: config::OPTIONS,
            ..About::new("makefile", "MAKE")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(files)
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        let mut wants = Project::wants(config);
        if wants.iter().all(|want| seen.answers(want))
            && let Ok(project) = Project::new(config, seen)
            && project.check(seen).is_ok()
        {
            wants.extend(project.sought(config).map(Want::Program));
            wants.extend(extractor::extract(&project, config, seen).wants);
        }
        wants
    }

    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding {
        binding::binding(config, seen, &tool.original)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match look(config, files) {
            Ok(found) => offer(&Arc::new(found), config),
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        let wants = self.wants(config, seen);
        let fresh: Vec<Want> = wants.into_iter().filter(|want| !seen.answers(want)).collect();
        if !fresh.is_empty() {
            return Absence::Look(fresh);
        }
        look(config, seen).map_or(Absence::Unknown, |found| absence::because(&found, config, name))
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        let command = arguments::add(command, config, arguments, governance)?;
        if governance.is_governed() {
            arguments::unless_pinned(tool, config, arguments, &command)?;
        }
        Ok(command)
    }

    fn judge(&self, wrapped: &Wrapped<'_>) -> Option<Result<(), BadCall>> {
        arguments::judge(wrapped)
    }
}

/// A Makefile that was read.
#[derive(Debug)]
struct Found {
    project: Project,
    makefile: Makefile,
    /// How it was read.
    note: String,
    /// How make could be had to say what reading left open.
    remedy: &'static str,
    /// The targets of the text that make says are not there.
    absent: Vec<Target>,
    /// What is wrong with make.
    problems: Vec<Problem>,
    /// All that make reads, where the settings have it pinned and it can be known.
    content: Option<Content>,
    /// Words that keep make from another text than that.
    keeping: Vec<Word>,
    /// What the targets run.
    recipes: Recipes,
    /// The places of targets by their names, once they are wanted.
    places: OnceLock<HashMap<String, usize>>,
}

/// The Makefile, and what is wrong with it or with make.
fn look(config: &Values, files: &Files) -> Result<Found, Box<Problem>> {
    let project = Project::new(config, files)?;
    project.check(files)?;
    let mut problems = Vec::new();
    let missing = |make: &String| files.programs.get(make).is_some_and(Option::is_none);
    if let Some(make) = project.sought(config).filter(missing) {
        let what = format!("{} is not installed or not on the PATH", shown(&make));
        problems.push(Problem::warning(what).numbered(Fault::ProgramNotFound).help(ADVICE));
    }
    let Extraction { mut makefile, note, remedy, absent, includes, unread, written, recipes, .. } =
        extractor::extract(&project, config, files);
    if !problems.is_empty() {
        // That make could not be asked either is told by that.
        makefile.problems.retain(|problem| problem.fault != Some(Fault::ProgramNotFound));
    }
    let pinned = config.pins_texts() && !unread && includes.len() <= probe::MOST_OLD;
    let content = pinned.then(|| content(files));
    let keeping = if pinned { probe::kept(&project, &includes) } else { Vec::new() };
    let recipes = Recipes::new(written, recipes);
    Ok(Found {
        project,
        makefile,
        note,
        remedy,
        absent,
        problems,
        content,
        keeping,
        recipes,
        places: OnceLock::new(),
    })
}

/// Every file that was read: any line of any of them can change what any recipe runs.
fn content(files: &Files) -> Content {
    let read = files.files.iter().filter_map(|(path, seen)| match seen {
        Seen::File(file) => Some((path.as_str(), &*file.bytes)),
        Seen::Missing | Seen::Unreadable(_) => None,
    });
    Content::of(read)
}

/// The tools of a Makefile that was read.
fn offer(found: &Arc<Found>, config: &Values) -> Discovery {
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
    tools.extend(targets.into_iter().map(|target| {
        let text = found.recipes.text(&target).text;
        let (all, own) = (Arc::clone(found), target.clone());
        let along = Later::new(move || first(&all, &own));
        tool(target, found, config).text(text).along(along).content(found.content.clone())
    }));
    Discovery { tools, problems, notes }
}

fn tool(target: Target, found: &Found, config: &Values) -> Tool {
    let own = target.description.as_deref().and_then(one_line);
    let otherwise = format!("Execute 'make {}'", shown(&target.name));
    let command = command(&target.name, found, config);
    let tool = Tool::running(tool_name(&target.name), &*target.name, target.source, command)
        .described_or(own, otherwise)
        .parameters(config::TARGET_PARAMETERS)
        .fact("makefile", found.project.file.clone());
    let mut entry = Map::new();
    entry.insert("target".into(), target.name.into());
    entry.insert("description".into(), tool.description.clone().into());
    entry.insert("phony".into(), Value::Bool(target.phony));
    let tool = tool.shown_as(entry);
    // Even then make runs what the Makefile says while it is read, and lines that begin with `+`.
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

/// The name of a target's tool: `test-unit.fast` is `make_test_unit_fast`, `test:unit` is `make_test__unit`.
fn tool_name(target: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = target.replace(':', "__").chars().map(safe).collect();
    format!("make_{name}")
}
