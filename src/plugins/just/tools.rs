//! The tools of a justfile.

use std::borrow::Cow;
use std::collections::HashSet;

use super::dump::{self, Dump};
use super::project::Project;
use super::recipe::{Recipe, tool_name};
use super::sources::{self, Sources};
use super::{arguments, config, probe, reader, selection, text};
use crate::model::{
    Command, Content, Discovery, Fault, Files, Heading, Location, Probed, Problem, Tool, Values, Word,
    one_line, shown,
};

/// The longest description with its parameters.
const LONGEST: usize = 200;

/// A justfile that was read.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) project: Project,
    pub(super) sources: Sources,
    /// The recipes: by just's answer, or by the text where no settings allow the question. Otherwise why there are none.
    pub(super) dump: Result<Dump, Box<Problem>>,
    /// The doubts about recipes that the text alone says.
    pub(super) doubts: Vec<Problem>,
    /// The texts of all its files, if they are pinned and known.
    pub(super) content: Option<Content>,
}

/// Reads the justfile as far as it was seen.
///
/// # Errors
/// A problem when there is none that can be read, or no command to read it with.
pub(super) fn look(config: &Values, files: &Files) -> Result<Found, Box<Problem>> {
    let project = Project::new(config, files)?;
    project.check(files)?;
    let sources = sources::sources(&project, files);
    let (dump, doubts) = match answer(&project, config, files) {
        Answer::Of(dump) => (dump, Vec::new()),
        Answer::NotAllowed(missing) => {
            let (dump, mut doubts) = reader::read(&sources, files);
            doubts.extend(missing);
            (Ok(dump), doubts)
        }
    };
    let content = (config.pins_texts() && sources.are_all).then(|| content(&sources, files));
    Ok(Found { project, sources, dump, doubts, content })
}

/// Every file that was read: any line of any of them can change any recipe.
fn content(sources: &Sources, files: &Files) -> Content {
    let read = sources.files.iter().filter_map(|path| Some((path.as_str(), &*files.file(path)?.bytes)));
    Content::of(read)
}

/// The knowledge of just's answer.
enum Answer {
    /// The recipes, or why there are none.
    Of(Result<Dump, Box<Problem>>),
    /// No settings allow the question; and a warning if just is missing.
    NotAllowed(Option<Problem>),
}

fn answer(project: &Project, config: &Values, files: &Files) -> Answer {
    let sought = project.sought(config);
    let is_missing = sought.is_some_and(|it| files.programs.get(&it).is_some_and(Option::is_none));
    let unanswered = |fault, why| Err(Box::new(probe::unanswered(project, fault, why)));
    Answer::Of(match files.probes.get(&probe::probe(project, config)) {
        None | Some(Probed::Nothing { fault: Fault::NotReady, .. }) => {
            return Answer::NotAllowed(is_missing.then(|| probe::missing(project)));
        }
        Some(Probed::Nothing { .. }) if is_missing => unanswered(Fault::ProgramNotFound, ""),
        Some(Probed::Nothing { fault, why }) => unanswered(*fault, why),
        Some(Probed::Ended { code: 0, out, .. }) => {
            dump::read(out).ok_or_else(|| Box::new(probe::unreadable(project)))
        }
        Some(Probed::Ended { code, err, .. }) => Err(Box::new(probe::rejected(project, *code, err))),
    })
}

/// The tools, and the problems that keep others from being there.
pub(super) fn offer(found: &Found, config: &Values) -> Discovery {
    let Found { project, dump, .. } = found;
    let (mut tools, mut problems) = (Vec::new(), found.doubts.clone());
    if config.flag(&config::EXPOSE_LIST_RECIPES) {
        tools.push(list_tool(project));
    }
    match dump {
        Err(problem) => problems.push((**problem).clone()),
        Ok(dump) => {
            let selected = selection::select(&dump.recipes, config, &mut problems);
            if selected.is_empty() && problems.is_empty() {
                let help = "give it public recipes, or see what `recipes` and `exclude_recipes` in the settings leave out";
                let problem = Problem::warning("No recipes found").at(Location::file(&project.file));
                problems.push(problem.help(help));
            }
            tools.extend(selected.into_iter().map(|recipe| tool(recipe, dump, found, config)));
        }
    }
    Discovery { tools, problems, notes: Vec::new(), heading: Heading::of(&project.file) }
}

fn tool(recipe: &Recipe, dump: &Dump, found: &Found, config: &Values) -> Tool {
    let Found { project, sources, .. } = found;
    let place = sources.places.get(&recipe.path).cloned().unwrap_or_else(|| Location::file(&project.file));
    let texts = text::of(recipe, dump);
    let tool =
        Tool::running(tool_name(&recipe.path), &*recipe.path, place, command(recipe, dump, project, config));
    let aliases = dump.aliases.iter().filter(|(_, target)| **target == recipe.path);
    let mut aliases: Vec<String> = aliases.map(|(alias, _)| alias.clone()).collect();
    aliases.sort();
    let with_more = |doc: String| with_names(with_usage(doc, recipe), &aliases, &recipe.groups);
    let own = recipe.doc.as_deref().and_then(one_line).map(|doc| with_more(doc.into_owned()));
    let otherwise = || with_more(format!("Execute 'just {}'", shown(&recipe.path)));
    let tool = tool.described_or(own.map(Cow::from), otherwise);
    let entry = arguments::entry(recipe, &tool.description);
    tool.shown_as(entry)
        .parameters(config::RECIPE_PARAMETERS)
        .rehearsed_by("--dry-run")
        .text(texts.own)
        .along(texts.along)
        .content(found.content.clone())
        .fact("justfile", project.file.clone())
        .aliases(aliases)
        .confirming(confirms(recipe, dump))
}

/// A description with the parameters behind it: `Build it: TARGET [FLAGS]...`.
fn with_usage(doc: String, recipe: &Recipe) -> String {
    let usage: Vec<String> = recipe.parameters.iter().map(super::recipe::Parameter::usage).collect();
    let usage = usage.join(" ");
    let Some(usage) = one_line(&usage) else { return doc };
    let both = format!("{doc}: {usage}");
    if both.chars().count() <= LONGEST { both } else { doc }
}

/// A description with the recipe's other names and its groups behind it: `Build it (alias b; group dev)`.
fn with_names(doc: String, aliases: &[String], groups: &[String]) -> String {
    let part =
        |word: &str, names: &[String]| (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")));
    let parts: Vec<String> = [part("alias", aliases), part("group", groups)].into_iter().flatten().collect();
    let Some(names) = one_line(&parts.join("; ")).map(|names| format!("{doc} ({names})")) else { return doc };
    if names.chars().count() <= LONGEST { names } else { doc }
}

fn command(recipe: &Recipe, dump: &Dump, project: &Project, config: &Values) -> Command {
    // just would ask on a terminal that the tool does not have; cuff asks instead.
    let confirms = confirms(recipe, dump);
    let words = project.words.iter().cloned();
    let words = words.chain(confirms.then(|| Word::fixed("--yes"))).chain([Word::fixed(&*recipe.path)]);
    config
        .command(project.program.clone())
        .arguments(words)
        .directory(&project.folder)
        .if_missing(Cow::from(probe::ADVICE))
}

/// Whether just would ask a person before this recipe, or one that it depends on, runs.
fn confirms(recipe: &Recipe, dump: &Dump) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut waiting = vec![recipe];
    while let Some(recipe) = waiting.pop() {
        if recipe.confirms {
            return true;
        }
        if seen.insert(&recipe.path) {
            let needed = recipe.dependencies.iter();
            waiting.extend(needed.filter_map(|(name, _)| dump.named(&recipe.module, name)));
        }
    }
    false
}

fn list_tool(project: &Project) -> Tool {
    Tool::listing("just_list_recipes", "list_recipes", Location::file(&project.file), "recipes")
        .described("List all available just recipes")
        .parameters(config::LIST_PARAMETERS)
        .fact("justfile", project.file.clone())
}
