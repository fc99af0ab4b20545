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
    let steps = steps(own, 0);
    let written = Some(steps.join("\n")).filter(|text| !text.is_empty());
    let lines: Vec<&str> = steps.iter().map(String::as_str).chain(last).collect();
    let known = Some(lines.join("\n")).filter(|text| !text.is_empty());
    let task = SourceTask::own(name, words).described(text("help")).text(known);
    task.with(|tool| tool.written(written)).starting(started(own)).at(&file.file, file.line(name))
}

/// The names of other tasks in a task's definition: `deps`, `uses`, `ref` and the steps of a sequence. What stands among them may be
/// no task, as a step of pdm is a command where no script has its name.
fn started(own: &Value) -> Vec<String> {
    let keys = ["deps", "uses", "ref", "sequence", "composite", "parallel", "switch"];
    let inner = |one: &Value| match one {
        Value::String(line) => line.split_whitespace().next().map(str::to_owned).into_iter().collect(),
        one => started(one),
    };
    match own {
        Value::Array(list) => list.iter().flat_map(inner).collect(),
        own => {
            let named =
                own.get("uses").and_then(Value::as_object).into_iter().flatten().map(|(_, value)| value);
            keys.iter()
                .filter_map(|key| own.get(key))
                .filter(|one| !one.is_object())
                .chain(named)
                .flat_map(inner)
                .collect()
        }
    }
}

/// The lines that a task runs, those of the parts of a sequence one by one. The name of another task is a line too.
fn steps(own: &Value, depth: usize) -> Vec<String> {
    const DEEPEST: usize = 16;
    let text = |key: &&str| own.get(key)?.as_str();
    let one =
        own.as_str().or_else(|| ["cmd", "shell", "script", "call", "expr", "ref"].iter().find_map(text));
    let list = |key: &&str| own.get(key)?.as_array();
    let parts =
        own.as_array().or_else(|| ["sequence", "composite", "parallel", "switch"].iter().find_map(list));
    let parts = parts.into_iter().flatten().filter(|_| depth < DEEPEST).flat_map(|one| steps(one, depth + 1));
    one.into_iter().map(|line| line.trim().to_owned()).chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::PYTHON;
    use crate::plugins::taskfile::tests::discovered;

    #[test]
    fn a_sequence_has_the_lines_of_all_its_parts() {
        let text = r#"
            [tool.poe.tasks]
            fmt = "ruff format"
            list = ["fmt", "lint", {cmd = "echo x"}]
            lint = {cmd = "ruff check"}
            args = {cmd = "ruff check ${path}", args = ["path"]}
            ref = {ref = "fmt"}
            mixed = {sequence = [{ref = "lint --fix"}, {script = "m:f"}, {shell = "ls | wc"}, ["x", {parallel = ["p", "q"]}]]}
            [[tool.poe.tasks.many]]
            cmd = "one"
            [[tool.poe.tasks.many]]
            expr = "1 + 1"
            [tool.poe.tasks.switch]
            control = "uname"
            switch = [{case = "a", cmd = "echo a"}, {cmd = "echo b"}]
        "#;
        let mut shown = String::new();
        for tool in discovered(&PYTHON, &[("pyproject.toml", text)]).tools {
            writeln!(shown, "{}: {} | {:?}", tool.original, tool.told(), tool.text).unwrap();
        }
        insta::assert_snapshot!(shown, @r#"
        fmt: ruff format | Some("ruff format")
        list: fmt; lint; echo x | Some("fmt\nlint\necho x\npoe list")
        lint: ruff check | Some("ruff check")
        args: ruff check ${path} | Some("ruff check ${path}\npoe args")
        ref: fmt | Some("fmt\npoe ref")
        mixed: lint --fix; m:f; ls | wc; x; p; q | Some("lint --fix\nm:f\nls | wc\nx\np\nq\npoe mixed")
        many: one; 1 + 1 | Some("one\n1 + 1\npoe many")
        switch: echo a; echo b | Some("echo a\necho b\npoe switch")
        "#);
    }
}
