//! Tasks of a Taskfile and of the files that it includes, run by task.

mod commands;
mod includes;

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskListing, TaskManifest, words};
use crate::model::{Location, Parameter, Problem, Word, shown};

use includes::{Included, NAMES, includes, manifest};

pub(super) const TASKFILE: SourceSpec = SourceSpec {
    id: "taskfile",
    codes: "TASKFILE",
    summary: "Tasks of a Taskfile and its includes, run by task",
    files: NAMES,
    read,
    programs: &[("task", "install task: https://taskfile.dev/installation")],
    separator: Some("--"),
    runners: &["task", "go-task"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let command = look.command(&["task"]);
    let root = Included {
        file: look.source(),
        spaces: vec![String::new()],
        is_internal: false,
        is_optional: false,
        excludes: Vec::new(),
        above: Vec::new(),
        place: Location::file(""),
    };
    let (mut tasks, mut waiting) = (Vec::new(), vec![root]);
    while let Some(included) = waiting.pop() {
        let Some(file) = manifest(look, &included) else { continue };
        warn_of_version(look, &file);
        tasks.extend(
            file.entries(&["tasks"])
                .into_iter()
                .map(|(name, own)| task(&file, &included, name, own, &command)),
        );
        let mut below = includes(look, &file, &included);
        below.reverse();
        waiting.append(&mut below);
    }
    // Without any description task's own list is empty, and people know the names.
    if !tasks.iter().any(|(_, is_described)| *is_described) {
        return tasks.into_iter().map(|(task, _)| task).collect();
    }
    let why = "it has no `desc`, and `task --list` leaves it out too; name it under `tasks` in the settings to offer it";
    tasks.into_iter().map(|(task, is_described)| if is_described { task } else { task.hidden(why) }).collect()
}

/// Says that task refuses a file of another version than 3.
fn warn_of_version(look: &mut SourceLook<'_>, file: &TaskManifest) {
    let Some(version) = file.get(&["version"]) else { return };
    let text = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
    if text.split('.').next() != Some("3") {
        let what =
            format!("{} is of version {}, and task reads version 3 alone", shown(&file.file), shown(&text));
        let place = Location::line(&file.file, file.line("version"));
        look.problem(
            Problem::warning(what)
                .at(place)
                .help("see https://taskfile.dev/migration; nothing of it runs until then"),
        );
    }
}

/// A task, and whether it is described.
fn task(
    file: &TaskManifest,
    included: &Included,
    name: &str,
    own: &Value,
    command: &[Word],
) -> (SourceTask, bool) {
    let is = |key: &str| own.get(key).and_then(Value::as_bool).unwrap_or_default();
    let description = ["desc", "summary"].into_iter().find_map(|key| own.get(key)?.as_str());
    let (first, others) =
        included.spaces.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let full = format!("{first}{name}");
    let mut aliases: Vec<String> = others.iter().map(|space| format!("{space}{name}")).collect();
    let own_aliases =
        own.get("aliases").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    aliases.extend(own_aliases.map(|alias| format!("{first}{alias}")));
    if name == "default" {
        aliases.extend(included.spaces.iter().map(|space| space.trim_end_matches(':').to_owned()));
        aliases.retain(|alias| !alias.is_empty());
    }
    let asks = own.get("prompt").is_some();
    // task would ask on a terminal that the tool does not have; cuff asks instead.
    let yes = asks.then_some("--yes").into_iter();
    let words = [command, &words(yes.chain([full.as_str()]))].concat();
    let (text, takes_words) = commands::text(own, &full);
    let task = SourceTask::own(&*full, words)
        .described(description)
        .aliases(aliases.iter().map(String::as_str))
        .text(text)
        .confirming(asks)
        .at(&file.file, file.line(name));
    let variables = commands::required(own);
    let rest = Parameter { is_variadic: true, ..Parameter::placed("CLI_ARGS") };
    let task = match (variables.is_empty(), takes_words) {
        (true, true) => task,
        (true, false) => task.without_words(),
        (false, _) => task.declaring(variables.into_iter().chain(takes_words.then_some(rest)).collect()),
    };
    let is_hidden =
        is("internal") || included.is_internal || included.excludes.iter().any(|other| other == name);
    let never = TaskListing::Never("it is internal: other tasks alone run it");
    let task = if is_hidden || name.contains('*') { task.listing(never) } else { task };
    (task, own.get("desc").is_some())
}
