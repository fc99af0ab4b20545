//! Tasks of a Taskfile and of the files that it includes, run by task.

mod commands;
mod includes;
#[cfg(test)]
pub(in crate::plugins) mod tests;
mod variables;

use serde_json::Value;

use super::tasks::config::{ARGS, ARGUMENTS};
use super::tasks::{PlannedCall, SourceLook, SourceSpec, SourceTask, TaskListing, TaskManifest, words};
use crate::model::{BadCall, Command, ErrorCode, Field, LITERAL, Location, Parameter, Problem, Word, shown};

use includes::{Included, NAMES, includes, manifest};
use variables::{ReachingCall, TaskfileTasks};

pub(super) const TASKFILE: SourceSpec = SourceSpec {
    id: "taskfile",
    codes: "TASKFILE",
    summary: "Tasks of a Taskfile and its includes, run by task",
    files: NAMES,
    read,
    programs: &[("task", "install task: https://taskfile.dev/installation")],
    separator: Some("--"),
    runners: &["task", "go-task"],
    words: with_variables,
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
        vars: Value::Null,
        place: Location::file(""),
    };
    let (mut files, mut waiting) = (Vec::new(), vec![root]);
    while let Some(mut included) = waiting.pop() {
        let Some(file) = manifest(look, &mut included) else { continue };
        warn_of_version(look, &file);
        if let Some(problem) = unreadable(&file) {
            look.problem(problem);
        }
        let mut below = includes(look, &file, &included);
        below.reverse();
        waiting.append(&mut below);
        files.push((file, included));
    }
    let all = TaskfileTasks::of(&files);
    let mut tasks = Vec::new();
    for (file, included) in &files {
        for (name, own) in file.entries(&["tasks"]) {
            let full = format!("{}{name}", included.space());
            if let Some(problem) = no_name(&full, own) {
                look.problem(problem.at(Location::line(&file.file, file.line(name))));
            }
            // task takes such a name for a variable.
            if !full.contains('=') {
                tasks.push(task(file, included, (name, own), &command, &all.reaching(&full)));
            }
        }
    }
    // Without any description task's own list is empty, and people know the names.
    if !tasks.iter().any(|(_, is_described)| *is_described) {
        return tasks.into_iter().map(|(task, _)| task).collect();
    }
    let why = "it has no `desc`, and `task --list` leaves it out too; name it under `tasks` in the settings to offer it";
    tasks.into_iter().map(|(task, is_described)| if is_described { task } else { task.hidden(why) }).collect()
}

/// The problem of a name that stands for no one task.
fn no_name(full: &str, own: &Value) -> Option<Problem> {
    if full.contains('=') {
        let what = format!("{} is no name of a task, since task takes it for a variable", shown(full));
        return Some(Problem::warning(what).help("rename it; the other tasks are offered"));
    }
    let stands_for_many = full.contains('*') && own.get("desc").is_some() && own.get("internal").is_none();
    stands_for_many.then(|| {
        let help = format!("run one of them with `task {}`", full.replace('*', "VALUE"));
        Problem::note(format!("{} stands for many tasks, and is not offered", shown(full))).help(help)
    })
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

/// The problem of a file that task refuses for a value of another kind.
fn unreadable(file: &TaskManifest) -> Option<Problem> {
    const KINDS: [(&str, &str); 5] =
        [("cmds", "list"), ("deps", "list"), ("aliases", "list"), ("desc", "text"), ("summary", "text")];
    let is_kind = |kind: &str, own: &Value| match kind {
        "map" => own.is_object(),
        "list" => own.is_array(),
        _ => !own.is_array() && !own.is_object(),
    };
    let of_file = ["tasks", "includes", "vars"].map(|key| (key, key, "map", file.get(&[key])));
    let tasks = file.entries(&["tasks"]).into_iter();
    let of_tasks = tasks.flat_map(|(name, own)| KINDS.map(|(key, kind)| (name, key, kind, own.get(key))));
    let is_wrong =
        |kind: &str, own: Option<&Value>| own.is_some_and(|own| !own.is_null() && !is_kind(kind, own));
    let (name, key, kind, _) =
        of_file.into_iter().chain(of_tasks).find(|(.., kind, own)| is_wrong(kind, *own))?;
    let what = format!("`{key}` is no {kind}, so task refuses all tasks");
    let place = Location::line(&file.file, file.line(name));
    Some(Problem::error(ErrorCode::SourceInvalid, what).at(place).help("correct it; `task --list` says more"))
}

/// A task, and whether it is described.
fn task(
    file: &TaskManifest,
    included: &Included,
    (name, own): (&str, &Value),
    command: &[Word],
    reached: &ReachingCall,
) -> (SourceTask, bool) {
    let is = |key: &str| own.get(key).and_then(Value::as_bool).unwrap_or_default();
    let description = ["desc", "summary"].into_iter().find_map(|key| own.get(key)?.as_str());
    let first = included.space();
    let others = included.spaces.get(1..).unwrap_or_default();
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
    let task = SourceTask::own(&*full, words)
        .described(description)
        .aliases(aliases.iter().map(String::as_str))
        .text(commands::text(own, &full, reached.takes_words))
        .starting(commands::started(own, first))
        .confirming(asks)
        .at(&file.file, file.line(name));
    let mut variables = commands::required(own);
    let optional = reached.variables.iter().filter(|own| variables.iter().all(|other| other.name != **own));
    let optional: Vec<Parameter> = optional.map(Parameter::variable).collect();
    variables.extend(optional);
    let task = match (reached.takes_words, variables.iter().any(|own| own.is_required)) {
        // The words are judged by the command that they reach, so no variables are declared beside them.
        (true, false) => task,
        (false, _) if variables.is_empty() && !reached.replaces => task.without_words(),
        (takes_words, _) => {
            let rest = Parameter { is_variadic: true, ..Parameter::placed("CLI_ARGS") };
            variables.extend(takes_words.then_some(rest));
            task.with(|tool| tool.declaring(WORDS, variables))
        }
    };
    let is_hidden =
        is("internal") || included.is_internal || included.excludes.iter().any(|other| other == name);
    let task = match () {
        () if is_hidden => task.listing(TaskListing::Never("it is internal: other tasks alone run it")),
        () if full.contains('*') => {
            task.listing(TaskListing::Never("its name stands for many; `task` runs one by its whole name"))
        }
        () => task,
    };
    (task, own.get("desc").is_some())
}

/// The field that takes the words of a call.
const WORDS: &[Field] = &[ARGS];

/// Adds the words of a call. People set any variable before the others, as task has it: `NAME=value -- word`.
fn with_variables(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let given = call.arguments.texts(&ARGS);
    if call.governance.is_governed() {
        if call.config.text(&ARGUMENTS) != LITERAL {
            check_options(call.tool.input.declared().unwrap_or_default(), &given)?;
        }
        return (SourceSpec::BLANK.words)(call);
    }
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_variable = |word: &&&str| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let (variables, rest) = given.split_at(given.iter().take_while(is_variable).count());
    let rest = rest.strip_prefix(&["--"]).unwrap_or(rest);
    let separator = call.separator.filter(|_| !rest.is_empty()).map(Word::fixed);
    let more = variables.iter().copied().map(Word::call).chain(separator);
    Ok(call.command.clone().arguments(more.chain(rest.iter().copied().map(Word::call))))
}

/// Refuses a value that would be an option of a command, for a variable that the task does not require.
fn check_options(declared: &[Parameter], words: &[&str]) -> Result<(), BadCall> {
    let is_option = |word: &&&str| {
        word.split_once("=-")
            .is_some_and(|(name, _)| declared.iter().any(|own| own.name == name && !own.is_required))
    };
    words.iter().find(is_option).map_or(Ok(()), |word| {
        let what = format!("args: \"{}\" would be an option of a command", shown(word));
        Err(BadCall::refused(what)
            .help("leave the dash out, or allow it in settings.yml with `arguments: literal`"))
    })
}
