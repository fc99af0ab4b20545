//! The tasks of a justfile.

use std::borrow::Cow;

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
    let usage: Vec<String> = recipe.parameters.iter().map(Parameter::usage).collect();
    let parts = [("alias", &aliases), ("group", &recipe.groups)];
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
    let names: Vec<String> = parts.map(|(word, names)| format!("{word} {}", names.join(", "))).collect();
    // `Build it: TARGET [FLAGS]... (alias b; group dev)`
    let with_more = |doc| with(with(doc, [": ", ""], &usage.join(" ")), [" (", ")"], &names.join("; "));
    let own = recipe.doc.as_deref().and_then(one_line).map(|doc| with_more(doc.into_owned()));
    let otherwise = || with_more(format!("Execute 'just {}'", shown(&recipe.path)));
    // just would ask on a terminal that the tool does not have; cuff asks instead.
    let yes = texts.confirms.then(|| Word::fixed("--yes"));
    let words = words.iter().cloned().chain(yes).chain([Word::fixed(&*recipe.path)]).collect();
    let never = TaskListing::Never(
        "just lists no recipe and no module with `[private]` or a leading `_`; rename it to offer it",
    );
    let task = SourceTask::own(&*recipe.path, words)
        .named(tool_name(&recipe.path))
        .aliases(aliases.iter().map(String::as_str))
        .confirming(texts.confirms)
        .pinned()
        .with(|tool| {
            let tool = tool.described_or(own.map(Cow::from), otherwise);
            let entry = arguments::entry(recipe, &tool.description);
            let tool = tool.shown_as(entry).declaring(config::RECIPE_PARAMETERS, recipe.parameters.clone());
            tool.rehearsed_by("--dry-run").text(texts.own).written(texts.written).along(texts.along)
        });
    let needed = recipe.dependencies.iter().filter_map(|(name, _)| dump.named(&recipe.module, name));
    let task = task.starting(needed.map(|needed| needed.path.clone()));
    let task = match justfile.places.get(&recipe.path) {
        Some(place) => task.at(&*place.file, place.line),
        None => task,
    };
    if recipe.is_private || justfile.hides(&recipe.module) { task.listing(never) } else { task }
}

/// A description with something behind it, if there is any and it is not too long: its parameters, or its other names.
fn with(doc: String, [front, end]: [&str; 2], more: &str) -> String {
    let Some(more) = one_line(more) else { return doc };
    let both = [&doc, front, &*more, end].concat();
    if both.chars().count() <= LONGEST { both } else { doc }
}
