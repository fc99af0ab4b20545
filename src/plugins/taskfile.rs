//! Tasks of a Taskfile and of the files that it includes, run by task.

use serde_json::Value;

use super::tasks::{Listing, Look, Manifest, SourceSpec, Task, words};
use crate::model::{Fault, Location, Problem, Word, path, shown};

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

/// The names that task looks for, in its order.
const NAMES: &[&str] = &[
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "taskfile.dist.yml",
    "Taskfile.dist.yaml",
    "taskfile.dist.yaml",
];

/// How deep includes are followed.
const DEEPEST: usize = 12;

/// One file of tasks, as it is included.
#[derive(Debug, Clone)]
struct Included {
    file: String,
    /// The names before those of its tasks: the namespace, then its aliases.
    spaces: Vec<String>,
    is_internal: bool,
    is_optional: bool,
    excludes: Vec<String>,
    above: Vec<String>,
    place: Location,
}

fn read(look: &mut Look<'_>) -> Vec<Task> {
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

fn manifest(look: &mut Look<'_>, included: &Included) -> Option<Manifest> {
    let name = &included.file;
    let is_file = matches!(name.rsplit_once('.'), Some((_, "yml" | "yaml")));
    let names: Vec<String> =
        if is_file { vec![name.clone()] } else { NAMES.iter().map(|own| path::join(name, own)).collect() };
    let found = names.iter().find(|name| look.has_file(name));
    if found.is_none() && look.is_complete() && !included.is_optional {
        let what = format!("{} is included and not there", shown(name));
        let problem = Problem::error(Fault::SourceInvalid, what).at(included.place.clone());
        look.problem(
            problem.help("correct the include, or mark it `optional: true`; the other tasks still work"),
        );
    }
    look.manifest(found?)
}

/// The files that a file includes. Those whose path only task knows are told.
fn includes(look: &mut Look<'_>, file: &Manifest, from: &Included) -> Vec<Included> {
    let mut all = Vec::new();
    for (name, own) in file.entries(&["includes"]) {
        let text = |key: &str| own.get(key).and_then(Value::as_str);
        let is = |key: &str| own.get(key).and_then(Value::as_bool).unwrap_or_default();
        let Some(called) = own.as_str().or_else(|| text("taskfile")) else { continue };
        let called = called.replace("{{.ROOT_DIR}}/", "").replace("{{.TASKFILE_DIR}}/", "");
        let place = Location::line(&file.file, file.line(name));
        let own_file = path::join(path::split(&from.file).0, &called);
        let why = match () {
            () if called.contains("{{") => Some("its path is a template that only task fills in"),
            () if called.contains("://") => Some("it lies on another machine"),
            () if from.above.contains(&own_file) || from.file == own_file => Some("it includes itself"),
            () if from.above.len() >= DEEPEST => Some("includes are followed twelve files deep"),
            () => None,
        };
        if let Some(why) = why {
            let what = format!("the tasks of the include {} are not offered: {why}", shown(name));
            look.problem(
                Problem::warning(what).at(place).help("the other tasks still work; `task --list` shows all"),
            );
            continue;
        }
        let texts = |key: &str| -> Vec<String> {
            let list = own.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let names: Vec<String> = std::iter::once(name.to_owned()).chain(texts("aliases")).collect();
        let space = |space: &String| names.iter().map(|name| format!("{space}{name}:")).collect::<Vec<_>>();
        let spaces =
            if is("flatten") { from.spaces.clone() } else { from.spaces.iter().flat_map(space).collect() };
        all.push(Included {
            file: own_file,
            spaces,
            is_internal: from.is_internal || is("internal"),
            is_optional: is("optional"),
            excludes: texts("excludes"),
            above: from.above.iter().chain([&from.file]).cloned().collect(),
            place,
        });
    }
    all
}

/// A task, and whether it is described.
fn task(file: &Manifest, included: &Included, name: &str, own: &Value, command: &[Word]) -> (Task, bool) {
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
    let (text, takes_words) = text(own, &full);
    let task = Task::own(&*full, words)
        .described(description)
        .aliases(aliases.iter().map(String::as_str))
        .text(text)
        .confirming(asks)
        .at(&file.file, file.line(name));
    let task = if takes_words { task } else { task.without_words() };
    let is_hidden =
        is("internal") || included.is_internal || included.excludes.iter().any(|other| other == name);
    let never = Listing::Never("it is internal: other tasks alone run it");
    let task = if is_hidden || name.contains('*') { task.listing(never) } else { task };
    (task, own.get("desc").is_some())
}

/// The commands of a task, and whether they take words of a call.
fn text(own: &Value, name: &str) -> (Option<String>, bool) {
    const WORDS: &str = "{{.CLI_ARGS}}";
    let commands = ["cmds", "cmd"].into_iter().find_map(|key| own.get(key)).unwrap_or(own);
    let list: Vec<&Value> = commands.as_array().map_or_else(|| vec![commands], |list| list.iter().collect());
    let mut lines: Vec<String> = list
        .iter()
        .filter_map(|one| {
            let text = |key: &str| one.get(key).and_then(Value::as_str);
            let line = one.as_str().or_else(|| text("cmd")).map(str::to_owned);
            line.or_else(|| Some(format!("task {}", text("task")?)))
        })
        .collect();
    let used = lines.iter().filter(|line| line.contains("CLI_ARGS")).count();
    if let Some(last) = lines.last_mut()
        && used == 1
        && let Some(front) = last.trim_end().strip_suffix(WORDS)
    {
        *last = front.trim_end().to_owned();
    } else if used > 0 {
        // The words reach other commands than the last.
        lines.push(format!("task {name}"));
    }
    (Some(lines.join("\n")).filter(|text| !text.is_empty()), used > 0)
}
