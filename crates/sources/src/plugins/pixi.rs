//! Tasks of pixi.toml, or of the part of pyproject.toml that is for pixi.

use serde_json::Value;

use super::tasks::{MissingDependency, SourceLook, SourceSpec, SourceTask, TaskManifest, TaskProgram};
use crate::model::Parameter;

pub(super) const PIXI: SourceSpec = SourceSpec {
    id: "pixi",
    codes: "PIXI",
    summary: "Tasks of pixi.toml, run by pixi",
    files: &["pixi.toml", "pyproject.toml"],
    read,
    missing: Some(|look| {
        let what = "nothing that the project depends on is installed".to_owned();
        (!look.has_file(".pixi/envs")).then_some(MissingDependency { what, task: "install" })
    }),
    programs: &[("pixi", "install pixi: https://pixi.sh")],
    runners: &["pixi"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    let is_python = source == "pyproject.toml";
    // Most projects have that file for other programs.
    if is_python && !look.has_file("pixi.lock") {
        return Vec::new();
    }
    let Some(manifest) = look.manifest(&source) else { return Vec::new() };
    let root: &[&str] = if is_python { &["tool", "pixi"] } else { &[] };
    if is_python && manifest.get(root).is_none() {
        return Vec::new();
    }
    let pixi = look.program(&["pixi"]);
    let mut parts = vec![root.to_vec()];
    parts.extend(below(&manifest, root, "feature"));
    for part in parts.clone() {
        parts.extend(below(&manifest, &part, "target"));
    }
    let mut tasks: Vec<SourceTask> = Vec::new();
    for part in &parts {
        for (name, own) in manifest.entries(&[part, &["tasks"][..]].concat()) {
            // A feature and a system may have a task of the same name.
            if !tasks.iter().any(|task| task.is(name)) {
                tasks.push(task(&manifest, name, own, &pixi));
            }
        }
    }
    tasks.push(pixi.usual("install", &["install"], "Install what the project depends on").fetching());
    tasks
}

/// The keys of each feature, or of each system, of a part of the file.
fn below<'m>(manifest: &'m TaskManifest, part: &[&'m str], kind: &'m str) -> Vec<Vec<&'m str>> {
    let keys = [part, &[kind]].concat();
    manifest.entries(&keys).into_iter().map(|(name, _)| [&keys[..], &[name]].concat()).collect()
}

/// A task: a command, a list of the tasks that it stands for, or a table.
fn task(manifest: &TaskManifest, name: &str, own: &Value, pixi: &TaskProgram) -> SourceTask {
    let text = own.as_str().or_else(|| own.get("cmd")?.as_str()).map(str::to_owned);
    let declared = own.get("args").and_then(Value::as_array).into_iter().flatten();
    let task = pixi
        .own(name, &["run", name])
        .described(own.get("description").and_then(Value::as_str))
        .text(text)
        .declaring(declared.filter_map(parameter).collect())
        .at(&manifest.file, manifest.line(name));
    let why = "its name begins with `_`, and `pixi task list` leaves it out too; name it under `tasks` in the settings to offer it";
    if name.starts_with('_') { task.hidden(why) } else { task }
}

/// A parameter: its name, or a table with a default or the values that it takes.
fn parameter(own: &Value) -> Option<Parameter> {
    let name = own.as_str().or_else(|| own.get("arg")?.as_str())?;
    let default = own.get("default").and_then(Value::as_str);
    let choices = own.get("choices").and_then(Value::as_array).into_iter().flatten();
    Some(Parameter {
        is_required: default.is_none(),
        default: default.map(str::to_owned),
        choices: choices.filter_map(Value::as_str).map(str::to_owned).collect(),
        ..Parameter::placed(name)
    })
}
