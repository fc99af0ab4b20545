//! Tasks that pyproject.toml declares for poe, pdm, hatch and taskipy.

use serde_json::Value;

use super::runner::PythonRunner;
use crate::model::{Profile, Word};
use crate::plugins::tasks::{SourceLook, SourceTask, TaskListing, TaskManifest, words};

/// The tasks of all tables that are there.
pub(super) fn tasks(
    look: &mut SourceLook<'_>,
    manifest: &TaskManifest,
    runner: PythonRunner,
) -> Vec<SourceTask> {
    let mut tasks = poe(look, manifest, runner);
    for (name, own) in manifest.entries(&["tool", "taskipy", "tasks"]) {
        let words = runner.words(look, &["task", name]);
        tasks.push(task(manifest, name, own, words, None));
    }
    for (name, own) in manifest.entries(&["tool", "pdm", "scripts"]) {
        if name != "_" {
            let words = look.command(&["pdm", "run"]).into_iter().chain([Word::fixed(name)]).collect();
            let task = task(manifest, name, own, words, None);
            let why = "its name begins with `_`; name it under `tasks` in the settings to offer it";
            tasks.push(if name.starts_with('_') { task.hidden(why) } else { task });
        }
    }
    tasks.extend(hatch(manifest, &["tool", "hatch", "envs"]));
    let own = look.manifest("hatch.toml");
    if let Some(own) = &own {
        tasks.extend(hatch(own, &["envs"]));
    }
    let has_environments = |file: &TaskManifest, keys: &[&str]| !file.entries(keys).is_empty();
    // Another manager runs the tools where a project has one.
    if runner == PythonRunner::Environment
        && (has_environments(manifest, &["tool", "hatch", "envs"])
            || own.is_some_and(|own| has_environments(&own, &["envs"])))
    {
        for (name, description) in HATCH {
            let own = words(["hatch", name]);
            tasks.push(SourceTask::usual(name, own, description).profile(Profile::Build));
        }
    }
    tasks
}

/// The commands of hatch itself, for projects that have environments of it.
const HATCH: [(&str, &str); 3] = [
    ("test", "Run the tests in hatch's environment for them"),
    ("fmt", "Format the code and find problems, with hatch"),
    ("build", "Build the packages with hatch"),
];

/// The tasks of poe, in pyproject.toml and the files that it includes.
fn poe(look: &mut SourceLook<'_>, manifest: &TaskManifest, runner: PythonRunner) -> Vec<SourceTask> {
    let mut tasks = Vec::new();
    let included = match manifest.get(&["tool", "poe", "include"]) {
        Some(Value::Array(list)) => list.iter().collect(),
        one => one.into_iter().collect::<Vec<_>>(),
    };
    let paths = included.into_iter().filter_map(|one| one.as_str().or_else(|| one.get("path")?.as_str()));
    let others: Vec<TaskManifest> = paths.filter_map(|path| look.manifest(path)).collect();
    for file in std::iter::once(manifest).chain(&others) {
        for (name, own) in file.entries(&["tool", "poe", "tasks"]).into_iter().chain(file.entries(&["tasks"]))
        {
            let words = runner.words(look, &["poe", name]);
            let again = format!("poe {name}");
            let is_plain = own.is_string() || own.get("cmd").is_some() && own.get("args").is_none();
            let task = task(file, name, own, words, (!is_plain).then_some(again.as_str()));
            let never = TaskListing::Never("its name begins with `_`: other tasks alone run it");
            tasks.push(if name.starts_with('_') { task.listing(never) } else { task });
        }
    }
    tasks
}

/// The scripts of hatch's environments; those of the default one go by their name alone.
fn hatch(manifest: &TaskManifest, keys: &[&str]) -> Vec<SourceTask> {
    let mut tasks = Vec::new();
    for (environment, own) in manifest.entries(keys) {
        for (name, script) in own.get("scripts").and_then(Value::as_object).into_iter().flatten() {
            let full = if environment == "default" { name.clone() } else { format!("{environment}:{name}") };
            let words = words(["hatch", "run", &full]);
            tasks.push(task(manifest, &full, script, words, None).at(&manifest.file, manifest.line(name)));
        }
    }
    tasks
}

/// A task of one of these tables. `last` is the command that a call's words reach, where it is not that of the text.
fn task(file: &TaskManifest, name: &str, own: &Value, words: Vec<Word>, last: Option<&str>) -> SourceTask {
    let text = |key: &str| own.get(key).and_then(Value::as_str);
    let parts = own
        .as_array()
        .or_else(|| ["sequence", "composite"].into_iter().find_map(|key| own.get(key)?.as_array()));
    let steps =
        parts.into_iter().flatten().filter_map(|one| one.as_str().or_else(|| one.get("cmd")?.as_str()));
    let one = own.as_str().or_else(|| ["cmd", "shell", "script", "call", "expr"].into_iter().find_map(text));
    let lines: Vec<&str> = one.into_iter().chain(steps).map(str::trim).chain(last).collect();
    let known = Some(lines.join("\n")).filter(|text| !text.is_empty());
    let task = SourceTask::own(name, words).described(text("help")).text(known);
    task.starting(started(own)).at(&file.file, file.line(name))
}

/// The names of other tasks in a task's definition: `deps`, `uses`, `ref` and the steps of a sequence. What stands among them may be
/// no task, as a step of pdm is a command where no script has its name.
fn started(own: &Value) -> Vec<String> {
    let keys = ["deps", "uses", "ref", "sequence", "composite", "parallel"];
    let lists =
        std::iter::once(own).filter(|own| own.is_array()).chain(keys.iter().filter_map(|key| own.get(key)));
    let steps = lists.flat_map(|one| match one {
        Value::Array(list) => list.iter().collect(),
        Value::Object(named) => named.values().collect(),
        one => vec![one],
    });
    let names = steps.filter_map(|step| step.as_str().or_else(|| step.get("ref")?.as_str()));
    names.filter_map(|name| Some(name.split_whitespace().next()?.to_owned())).collect()
}
