//! A source of tasks that settings describe: the files that name the tasks, the place of the names in them, and one command
//! with `{name}` that runs each.

use std::iter;

use serde_json::Value;

use super::config::{ARGUMENTS, EXCLUDE_TASKS, TASKS, WORKING_DIRECTORY};
use super::look::SourceLook;
use super::manifest::TaskManifest;
use super::spec::SourceSpec;
use super::task::SourceTask;
use super::words::is_pasted_safely;
use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Default, ENVIRONMENT, ErrorCode, Field, Location, Narrows, PlainCommand,
    PluginInfo, Problem, TRUST, ValueKind, Word, counted, path, shown,
};
use crate::plugins::commands::own_file::own_file;

const FILES: Field = Field {
    name: "files",
    kind: ValueKind::TextList,
    default: Default::Required,
    about: "The files that name the tasks: paths with `*`, `?` and `[…]` within a folder and `**` across folders, relative to \
            working_directory. They end with .json, .jsonc, .yml, .yaml or .toml.",
};
const PATH: Field = Field {
    name: "path",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The keys that lead to the tasks, from the outermost: `[tool, jobs]`. Left out, the file itself is the tasks. A \
            mapping has a task for each of its keys, a list one for each entry: a text, or a mapping with a name.",
};
const NAME: Field = Field {
    name: "name",
    kind: ValueKind::Text,
    default: Default::Text("name"),
    about: "The key of an entry of a list that has the task's name.",
};
const DESCRIPTION: Field = Field {
    name: "description",
    kind: ValueKind::Text,
    default: Default::Text("description"),
    about: "The key of a task that has one line for people and agents.",
};
const RUN: Field = Field {
    name: "run",
    kind: ValueKind::Words,
    default: Default::Required,
    about: "The program that runs a task and its words, in which `{name}` is the name of the task: a line without operators \
            of a shell, or a list whose words are taken as they stand.",
};

/// The name of the task in the words of `run`.
const PLACE_OF_NAME: &str = "{name}";

/// The most files that are read, and the most tasks of a file.
const MOST_FILES: usize = 100;
const MOST_TASKS: usize = 1000;

pub(in crate::plugins) const DESCRIBED: SourceSpec = SourceSpec {
    id: "tasks",
    read,
    card: Some(PluginInfo {
        summary: "Tasks of a file that settings.yml describes",
        noun: "task",
        source: "the described files",
        unknown: "Task not found",
        example: "version: \"1\"\nplugins:\n  jobs: {type: tasks, config: {files: [jobs.json], run: \"make {name}\"}}",
        config: &[
            FILES,
            PATH,
            NAME,
            DESCRIPTION,
            RUN,
            WORKING_DIRECTORY,
            TASKS,
            EXCLUDE_TASKS,
            DEFAULT_TIMEOUT,
            ENVIRONMENT,
            CACHE_TTL,
            ARGUMENTS,
            TRUST,
        ],
        narrows: &[
            (&TASKS, Narrows::Selection),
            (&EXCLUDE_TASKS, Narrows::Selection),
            (&ARGUMENTS, Narrows::To("strict")),
        ],
        is_type: true,
        ..PluginInfo::new("tasks", "TASKS")
    }),
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let patterns = look.config.texts(&FILES);
    let mut files = if patterns.is_empty() { Vec::new() } else { look.find(&patterns) };
    let Some(first) = files.first() else {
        let what =
            format!("No file of `files` is in {}: {}", shown(look.folder()), shown(&patterns.join(", ")));
        look.problem(
            Problem::error(ErrorCode::SourceNotFound, what)
                .help("create one, or correct `files` or working_directory in the settings"),
        );
        return Vec::new();
    };
    look.name_source(look.place(first));
    if files.len() > MOST_FILES {
        let what = format!("`files` matches {} files, of which the first {MOST_FILES} are read", files.len());
        look.problem(Problem::warning(what).help("write a narrower pattern"));
        files.truncate(MOST_FILES);
    }
    files.iter().flat_map(|file| of_file(look, file)).collect()
}

/// The tasks of one file.
fn of_file(look: &mut SourceLook<'_>, file: &str) -> Vec<SourceTask> {
    let place = look.place(file);
    if ![".json", ".jsonc", ".yml", ".yaml", ".toml"].iter().any(|ending| file.ends_with(ending)) {
        let what = format!("{} is neither JSON, YAML nor TOML by its name", shown(&place));
        let help = "name files that end with .json, .jsonc, .yml, .yaml or .toml";
        look.problem(Problem::error(ErrorCode::SourceInvalid, what).help(help));
        return Vec::new();
    }
    let Some(manifest) = look.manifest(file) else { return Vec::new() };
    let keys = look.config.texts(&PATH);
    let entries = match manifest.get(&keys) {
        Some(Value::Object(map)) => map.iter().map(|(name, value)| (Some(name.as_str()), value)).collect(),
        Some(Value::Array(list)) => {
            list.iter().map(|value| (name_in(look, value), value)).collect::<Vec<_>>()
        }
        other => {
            look.problem(no_tasks(&manifest, &keys, other));
            return Vec::new();
        }
    };
    let run = look.config.texts(&RUN);
    let is_pasted = run.iter().any(|word| word.contains(PLACE_OF_NAME) && *word != PLACE_OF_NAME);
    let is_usable = |name: &&str| SourceTask::is_word(name) && (!is_pasted || is_pasted_safely(name));
    let mut tasks = Vec::new();
    let mut unusable = Vec::new();
    for (name, value) in entries.iter().take(MOST_TASKS) {
        match name.filter(is_usable) {
            Some(name) => tasks.push(task(look, &run, name, value).at(&place, manifest.line(name))),
            None => unusable.push((*name, *value)),
        }
    }
    let left_out = entries.len().saturating_sub(MOST_TASKS);
    if left_out > 0 {
        let what =
            format!("{} has {left_out} tasks more than the {MOST_TASKS} that are offered", shown(&place));
        look.problem(
            Problem::warning(what).at(Location::file(&place)).help("name fewer files, or split this one"),
        );
    }
    if let Some((name, value)) = unusable.first() {
        let first = name.map_or_else(|| shown(&value.to_string()), shown);
        let count = counted(unusable.len() as u64, "task");
        let what =
            format!("{count} of {} left out, since the name is no word; the first: {first}", shown(&place));
        let help = "a name is one line of text without a dash at its beginning. Where `{name}` is a part of a word of `run`, it \
                    has no blanks and no signs of a shell. In a list, `name` in the settings is the key that has it";
        look.problem(Problem::warning(what).at(Location::file(&place)).help(help));
    }
    tasks
}

/// The name of an entry of a list.
fn name_in<'v>(look: &SourceLook<'_>, entry: &'v Value) -> Option<&'v str> {
    entry.as_str().or_else(|| entry.get(look.config.text(&NAME))?.as_str())
}

/// The task of this name.
fn task(look: &mut SourceLook<'_>, run: &[&str], name: &str, value: &Value) -> SourceTask {
    let command = PlainCommand {
        name: name.to_owned(),
        words: run.iter().map(|word| word.replace(PLACE_OF_NAME, name)).collect(),
        description: None,
        confirms: false,
        environment: Vec::new(),
        folder: look.folder().to_owned(),
    };
    // A yes is for the program or script of the project that it runs as well.
    if let Some(own) = own_file(&command) {
        look.has_file(&path::within(look.folder(), &own));
    }
    let words = iter::zip(run, command.words)
        .map(|(written, word)| if *written == word { Word::settings(word) } else { Word::fixed(word) });
    SourceTask::own(name, words.collect())
        .described(value.get(look.config.text(&DESCRIPTION)).and_then(Value::as_str))
        .text(value.as_str().filter(|text| *text != name).map(str::to_owned))
}

/// The problem of keys that lead to no tasks.
fn no_tasks(manifest: &TaskManifest, keys: &[&str], found: Option<&Value>) -> Problem {
    let (file, keys) = (shown(&manifest.file), shown(&keys.join(" → ")));
    let what = match found {
        None => format!("{file} has no {keys}, where the settings look for tasks"),
        Some(_) if keys.is_empty() => format!("{file} is neither a mapping nor a list of tasks"),
        Some(_) => format!("{keys} of {file} is neither a mapping nor a list of tasks"),
    };
    Problem::error(ErrorCode::SourceInvalid, what)
        .at(Location::file(&manifest.file))
        .help("correct `path` in the settings, or the file; tools of other sources still work")
}
