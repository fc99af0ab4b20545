//! Recipes of a justfile.

mod arguments;
mod config;
mod dump;
mod header;
mod probe;
mod reader;
mod recipe;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod tools;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskList, source_file};
use crate::model::{
    Binding, CACHE_TTL, DEFAULT_TIMEOUT, PluginInfo, Reach, StatePart, Values, Want, Word, path,
};

use config::{EXCLUDE_RECIPES, EXPOSE_LIST_RECIPES, JUST_COMMAND, JUSTFILE_PATH, RECIPES, WORKING_DIRECTORY};
use reader::{JustfileText, USUAL};

/// The recipes of one justfile and of its modules.
pub(super) const JUST: SourceSpec = SourceSpec {
    id: "just",
    read,
    programs: &[("just", probe::ADVICE)],
    card: Some(PluginInfo {
        summary: "Recipes of a justfile, run by just",
        noun: "recipe",
        source: "the justfile",
        looked_for: "a justfile",
        unknown: "Recipe not found",
        facts: &["justfile"],
        config: config::FIELDS,
        narrows: config::NARROWS,
        options: config::OPTIONS,
        programs: &["just"],
        ..PluginInfo::new("just", "JUST")
    }),
    selecting: [&RECIPES, &EXCLUDE_RECIPES],
    command: &JUST_COMMAND,
    written: &[
        &JUSTFILE_PATH,
        &RECIPES,
        &EXCLUDE_RECIPES,
        &CACHE_TTL,
        &WORKING_DIRECTORY,
        &DEFAULT_TIMEOUT,
        &EXPOSE_LIST_RECIPES,
    ],
    list: Some(TaskList {
        name: "just_list_recipes",
        original: "list_recipes",
        key: "recipes",
        description: "List all available just recipes",
        flag: &EXPOSE_LIST_RECIPES,
    }),
    asks: "[confirm]",
    words: arguments::add,
    reach: Reach::Declared,
    binding: Some(|look, _| {
        let mut binding = Binding::same(candidates(look.config));
        if let Some(file) = file(look) {
            let justfile = JustfileText::read(&file, look.files);
            binding.add(StatePart::Same, justfile.files);
            // Recipes may set up their own variables.
            binding.add(StatePart::Written, justfile.variables);
        }
        binding
    }),
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(file) = file(look) else { return Vec::new() };
    let missing = "create it, or set justfile_path and working_directory";
    if let Err(problem) = source_file("justfile", &file, look.files, missing) {
        look.fail(*problem);
        return Vec::new();
    }
    look.name_source(&*file);
    look.fact("justfile", file.clone());
    look.setting(&JUSTFILE_PATH, format!("./{file}"));
    let mut words = look.command(&["just"]);
    words.extend(named(look, &file));
    let mut justfile = JustfileText::read(&file, look.files);
    for file in &justfile.files {
        look.want(Want::File(file.clone()));
    }
    if !look.is_complete() {
        return Vec::new();
    }
    // just answers once all files are known whose change makes its answer another one.
    match probe::answer(look, &words) {
        Ok(Some(dump)) => tools::tasks(look, &words, &justfile, &dump),
        Ok(None) => {
            let (dump, doubts) = justfile.recipes();
            for doubt in doubts {
                look.problem(doubt);
            }
            tools::tasks(look, &words, &justfile, &dump)
        }
        Err(problem) => {
            look.problem(*problem);
            Vec::new()
        }
    }
}

/// The words that name the justfile, as it is called in the folder.
fn named(look: &SourceLook<'_>, file: &str) -> [Word; 2] {
    let own = path::within(look.folder(), file);
    // just would take `-` for its standard input.
    let own = if own.starts_with('-') { format!("./{own}") } else { own };
    let is_default = is_default(look.config);
    [Word::fixed("--justfile"), if is_default { Word::fixed(own) } else { Word::settings(own) }]
}

/// The justfile, once it is known which one it is: from the project's root, or absolute.
fn file(look: &mut SourceLook<'_>) -> Option<String> {
    let candidates = candidates(look.config);
    for file in &candidates {
        look.want(Want::File(file.clone()));
    }
    let first = candidates.iter().find(|file| look.files.exists(file)).or(candidates.first()).cloned();
    first.filter(|_| candidates.iter().all(|file| look.files.files.contains_key(file)))
}

/// The files that may be the justfile, the preferred one first.
fn candidates(config: &Values) -> Vec<String> {
    let folder = path::join(".", config.text(&WORKING_DIRECTORY));
    if is_default(config) {
        return USUAL.map(|name| path::join(&folder, name)).into();
    }
    vec![path::join(&folder, config.text(&JUSTFILE_PATH))]
}

/// Whether `justfile_path` names the file that just itself prefers.
fn is_default(config: &Values) -> bool {
    path::join(".", config.text(&JUSTFILE_PATH)) == USUAL[0]
}
