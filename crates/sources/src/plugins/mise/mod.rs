//! Tasks of mise.toml, and the files in its folders of tasks.

mod usage;

use std::path::{Component, Path};

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskManifest, words};
use crate::model::{Problem, Word, shown};

pub(super) const MISE: SourceSpec = SourceSpec {
    id: "mise",
    codes: "MISE",
    summary: "Tasks of mise, and the install of its tools",
    files: &[
        "mise.toml",
        ".mise.toml",
        "mise/config.toml",
        ".mise/config.toml",
        ".config/mise.toml",
        ".config/mise/config.toml",
    ],
    read,
    programs: &[("mise", "install mise: https://mise.jdx.dev/installing-mise.html")],
    separator: Some("--"),
    runners: &["mise"],
    ..SourceSpec::BLANK
};

/// The folders whose files are tasks.
const FOLDERS: [&str; 5] = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"];

/// How many files and folders that mise.toml includes are read.
const MOST_INCLUDED: usize = 100;

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let mise = look.command(&["mise"]);
    let (mut tasks, mut has_tools) = (Vec::new(), false);
    let mut included: Option<Vec<String>> = None;
    for name in MISE.files.iter().filter(|name| look.has_file(name)).collect::<Vec<_>>() {
        let Some(manifest) = look.manifest(name) else { continue };
        has_tools |= manifest.get(&["tools"]).is_some();
        tasks.extend(
            manifest.entries(&["tasks"]).into_iter().map(|(name, own)| declared(&manifest, name, own, &mise)),
        );
        if let Some(own) = manifest.get(&["task_config", "includes"]).and_then(Value::as_array) {
            let included = included.get_or_insert_default();
            for name in own.iter().filter_map(Value::as_str).take(MOST_INCLUDED) {
                if is_in_project(name) {
                    included.push(name.trim_end_matches('/').to_owned());
                } else {
                    let what = format!("the tasks that mise.toml includes from {} are left out", shown(name));
                    look.problem(
                        Problem::warning(what).help("only files and folders of the project are read"),
                    );
                }
            }
        }
    }
    // Included files and folders stand for the usual folders.
    for name in included.unwrap_or_else(|| FOLDERS.map(str::to_owned).into()) {
        if Path::new(&name).extension().is_some_and(|extension| extension == "toml") {
            let Some(manifest) = look.manifest(&name) else { continue };
            tasks.extend(
                manifest.entries(&[]).into_iter().map(|(name, own)| declared(&manifest, name, own, &mise)),
            );
        } else {
            for file in look.find(&[format!("{name}/*"), format!("{name}/*/*"), format!("{name}/*/*/*")]) {
                tasks.extend(of_file(look, &name, &file, &mise));
            }
        }
    }
    if has_tools {
        let install = [mise, words(["install"])].concat();
        tasks.push(SourceTask::usual("install", install, "Install the tools of mise.toml").fetching());
    }
    tasks
}

/// Whether an included name lies in the folder: no address, no home folder, and nothing above.
fn is_in_project(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.starts_with('~')
        && !name.contains(':')
        && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn declared(manifest: &TaskManifest, name: &str, own: &Value, mise: &[Word]) -> SourceTask {
    let text = |key: &str| own.get(key).and_then(Value::as_str);
    let runs = own.get("run").unwrap_or(own);
    let list = runs.as_array().into_iter().flatten().filter_map(Value::as_str);
    let lines: Vec<&str> = runs.as_str().into_iter().chain(list).map(str::trim).collect();
    let aliases = own.get("alias").or_else(|| own.get("aliases"));
    let others = aliases.and_then(Value::as_array).into_iter().flatten();
    let aliases = aliases.into_iter().chain(others).filter_map(Value::as_str);
    let asks = text("confirm").is_some();
    // mise would ask on a terminal that the tool does not have; cuff asks instead.
    let yes = asks.then_some("--yes").into_iter();
    let task = SourceTask::own(name, [mise, &words(["run"].into_iter().chain(yes).chain([name]))].concat())
        .described(text("description"))
        .aliases(aliases)
        .text(Some(lines.join("\n")).filter(|text| !text.is_empty()))
        .confirming(asks)
        .declaring(text("usage").map(usage::parameters).unwrap_or_default())
        .at(&manifest.file, manifest.line(name));
    if own.get("hide") == Some(&Value::Bool(true)) {
        return task.hidden("it is marked `hide`; name it under `tasks` in the settings to offer it");
    }
    task
}

/// The task that a file is, with what its comments say of it.
fn of_file(look: &mut SourceLook<'_>, folder: &str, file: &str, mise: &[Word]) -> Option<SourceTask> {
    let text = look.text(file)?;
    let inside = file.strip_prefix(folder)?.trim_start_matches('/');
    let name = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem).replace('/', ":");
    let marked = |key: &str| {
        text.lines().find_map(|line| {
            let line = line.trim_start_matches(['#', '/', '-', ' ']).strip_prefix("MISE")?;
            let value = line.trim_start_matches(']').trim().strip_prefix(key)?.trim().strip_prefix('=')?;
            Some(value.trim().trim_matches(['"', '\'']))
        })
    };
    let task =
        SourceTask::own(&*name, [mise, &words(["run", &name])].concat()).described(marked("description"));
    let task = task.declaring(usage::in_comments(text)).at(look.place(file), None);
    Some(if marked("hide") == Some("true") {
        task.hidden("it is marked `hide`; name it under `tasks` in the settings to offer it")
    } else {
        task
    })
}
