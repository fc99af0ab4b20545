//! The tasks of a justfile.

use std::borrow::Cow;
use std::collections::HashSet;

use super::dump::Dump;
use super::reader::JustfileText;
use super::recipe::{Recipe, tool_name};
use super::{arguments, config, text};
use crate::model::{Content, Parameter, Word, one_line, shown};
use crate::plugins::tasks::{SourceLook, SourceTask, TaskListing};

/// The longest description with its parameters.
const LONGEST: usize = 200;

/// The tasks of a justfile that was read.
pub(super) fn tasks(
    look: &SourceLook<'_>,
    words: &[Word],
    justfile: &JustfileText,
    dump: &Dump,
) -> Vec<SourceTask> {
    // Any line of any of the files can change any recipe.
    let read = justfile.files.iter();
    let read = read.filter_map(|path| Some((path.as_str(), &*look.files.file(path)?.bytes)));
    let content = (look.config.pins_texts() && !justfile.has_more).then(|| Content::of(read));
    let task = |recipe| task(recipe, words, justfile, dump).with(|tool| tool.content(content.clone()));
    dump.recipes.iter().map(task).collect()
}

fn task(recipe: &Recipe, words: &[Word], justfile: &JustfileText, dump: &Dump) -> SourceTask {
    let texts = text::of(recipe, dump);
    let aliases = dump.aliases.iter().filter(|(_, target)| **target == recipe.path);
    let mut aliases: Vec<String> = aliases.map(|(alias, _)| alias.clone()).collect();
    aliases.sort();
    let with_more = |doc: String| with_names(with_usage(doc, recipe), &aliases, &recipe.groups);
    let own = recipe.doc.as_deref().and_then(one_line).map(|doc| with_more(doc.into_owned()));
    let otherwise = || with_more(format!("Execute 'just {}'", shown(&recipe.path)));
    let confirms = confirms(recipe, dump);
    // just would ask on a terminal that the tool does not have; cuff asks instead.
    let yes = confirms.then(|| Word::fixed("--yes"));
    let words = words.iter().cloned().chain(yes).chain([Word::fixed(&*recipe.path)]).collect();
    let never =
        TaskListing::Never("just lists no recipe with `[private]` or a leading `_`; rename it to offer it");
    let task = SourceTask::own(&*recipe.path, words)
        .named(tool_name(&recipe.path))
        .aliases(aliases.iter().map(String::as_str))
        .confirming(confirms)
        .pinned()
        .with(|tool| {
            let tool = tool.described_or(own.map(Cow::from), otherwise);
            let entry = arguments::entry(recipe, &tool.description);
            let tool = tool.shown_as(entry).declaring(config::RECIPE_PARAMETERS, recipe.parameters.clone());
            tool.rehearsed_by("--dry-run").text(texts.own).along(texts.along)
        });
    let task = match justfile.places.get(&recipe.path) {
        Some(place) => task.at(&*place.file, place.line),
        None => task,
    };
    if recipe.is_private { task.listing(never) } else { task }
}

/// A description with the parameters behind it: `Build it: TARGET [FLAGS]...`.
fn with_usage(doc: String, recipe: &Recipe) -> String {
    let usage: Vec<String> = recipe.parameters.iter().map(Parameter::usage).collect();
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
