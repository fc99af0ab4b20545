//! Tasks of mise.toml, and the files in its folders of tasks.

mod usage;

use std::path::{Component, Path};

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskManifest, TaskProgram};
use crate::model::{Problem, shown};

pub(super) const MISE: SourceSpec = SourceSpec {
    id: "mise",
    codes: "MISE",
    summary: "Tasks of mise, and the install of its tools",
    files: &[
        "mise.toml",
        ".mise.toml",
        "mise/config.toml",
        "mise/conf.d/*.toml",
        ".mise/config.toml",
        ".mise/conf.d/*.toml",
        ".config/mise.toml",
        ".config/mise/mise.toml",
        ".config/mise/config.toml",
        ".config/mise/conf.d/*.toml",
        "mise.local.toml",
        ".mise.local.toml",
        "mise/config.local.toml",
        ".mise/config.local.toml",
        ".config/mise.local.toml",
        ".config/mise/mise.local.toml",
        ".config/mise/config.local.toml",
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
    let mise = look.program(&["mise"]);
    let (mut tasks, mut has_tools) = (Vec::new(), false);
    let mut included: Option<Vec<String>> = None;
    // A task of a local file stands for one of the same name in the others.
    let (local, shared): (Vec<&str>, Vec<&str>) =
        MISE.files.iter().partition(|name| name.contains(".local."));
    // Of a folder conf.d the last file counts.
    let names = local.into_iter().chain(shared);
    let names: Vec<String> = names.flat_map(|name| look.there(name).into_iter().rev()).collect();
    for name in names {
        let Some(manifest) = look.manifest(&name) else { continue };
        has_tools |= manifest.get(&["tools"]).is_some();
        for (name, own) in manifest.entries(&["tasks"]) {
            if !tasks.iter().any(|other: &SourceTask| other.is(name)) {
                tasks.push(declared(&manifest, name, own, &mise));
            }
        }
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
        tasks.push(mise.usual("install", &["install"], "Install the tools of mise.toml").fetching());
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

fn declared(manifest: &TaskManifest, name: &str, own: &Value, mise: &TaskProgram) -> SourceTask {
    let text = |key: &str| own.get(key).and_then(Value::as_str);
    let runs = own.get("run").unwrap_or(own);
    let list = runs.as_array().into_iter().flatten().filter_map(Value::as_str);
    let lines: Vec<&str> = runs.as_str().into_iter().chain(list).map(str::trim).collect();
    let aliases = own.get("alias").or_else(|| own.get("aliases"));
    let others = aliases.and_then(Value::as_array).into_iter().flatten();
    let aliases = aliases.into_iter().chain(others).filter_map(Value::as_str);
    let asks = text("confirm").is_some();
    // mise would ask on a terminal that the tool does not have; cuff asks instead.
    let run: &[&str] = if asks { &["run", "--yes", name] } else { &["run", name] };
    let task = mise
        .own(name, run)
        .described(text("description"))
        .aliases(aliases)
        .text(Some(lines.join("\n")).filter(|text| !text.is_empty()))
        .starting(started(own, runs))
        .confirming(asks)
        .declaring(text("usage").map(usage::parameters).unwrap_or_default())
        .at(&manifest.file, manifest.line(name));
    if own.get("hide") == Some(&Value::Bool(true)) {
        return task.hidden("it is marked `hide`; name it under `tasks` in the settings to offer it");
    }
    task
}

/// The tasks that a task starts: `depends`, `depends_post`, and those among its commands. The words behind a name are left out.
fn started(own: &Value, runs: &Value) -> Vec<String> {
    let needed = ["depends", "depends_post"].into_iter().filter_map(|key| own.get(key));
    let called = runs.as_array().into_iter().flatten().chain([runs]);
    let called = called.flat_map(|one| [one.get("task"), one.get("tasks")]).flatten();
    let names = needed
        .chain(called)
        .flat_map(|one| one.as_array().map_or_else(|| vec![one], |list| list.iter().collect()));
    names.filter_map(|name| Some(name.as_str()?.split_whitespace().next()?.to_owned())).collect()
}

/// The task that a file is, with what its comments say of it; `None` for a file that is hidden or that nobody can run.
fn of_file(look: &mut SourceLook<'_>, folder: &str, file: &str, mise: &TaskProgram) -> Option<SourceTask> {
    let inside = file.strip_prefix(folder)?.trim_start_matches('/');
    if inside.split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    let text = look.text(file)?;
    if !look.files.file(&look.place(file))?.executable {
        return None;
    }
    let name = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem).replace('/', ":");
    // Such a file is the task of its folder.
    let name = name.strip_suffix(":_default").unwrap_or(&name);
    let marked = |key: &str| {
        text.lines().find_map(|line| {
            let line = line.trim_start_matches(['#', '/', '-', ' ', '[']).strip_prefix("MISE")?;
            let value = line.trim_start_matches(']').trim().strip_prefix(key)?.trim().strip_prefix('=')?;
            Some(value.trim().trim_matches(['"', '\'']))
        })
    };
    let aliases = marked("alias").or_else(|| marked("aliases")).unwrap_or_default().split(',');
    let aliases = aliases.map(|alias| alias.trim_matches(['[', ']', ' ', '"', '\'']));
    let task = mise
        .own(name, &["run", name])
        .described(marked("description"))
        .aliases(aliases.filter(|alias| !alias.is_empty()))
        .declaring(usage::in_comments(text))
        .at(look.place(file), None);
    Some(if marked("hide") == Some("true") {
        task.hidden("it is marked `hide`; name it under `tasks` in the settings to offer it")
    } else {
        task
    })
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn files_count_in_the_order_of_mise() {
        let task =
            |name: &str| format!("[tasks]\n{name} = 'x'\n[tasks.all]\nrun = 'x'\ndescription = '{name}'\n");
        let [first, second, mise, config] = ["first", "second", "mise", "config"].map(task);
        let all = [
            (".config/mise/conf.d/1.toml", &*first),
            (".config/mise/conf.d/2.toml", &*second),
            (".config/mise/mise.toml", &*mise),
            (".config/mise/config.toml", &*config),
        ];
        insta::assert_snapshot!(listed(&MISE, &all), @"
        mise [mise run mise …]  mise run mise
        all [mise run all …]  mise
        config [mise run config …]  mise run config
        second [mise run second …]  mise run second
        first [mise run first …]  mise run first
        ");
        insta::assert_snapshot!(listed(&MISE, &all[..2]), @"
        second [mise run second …]  mise run second
        all [mise run all …]  second
        first [mise run first …]  mise run first
        ");
    }

    #[test]
    fn files_are_tasks_as_mise_reads_them() {
        let run = "#!/bin/sh\n";
        insta::assert_snapshot!(listed(&MISE, &[
            ("mise.toml", "[tasks]\na = 'echo a'\nb = 'echo b'"),
            ("mise.local.toml", "[tasks.a]\nrun = 'echo own'\ndescription = 'My own'\n[tasks.c]\nrun = 'echo c'"),
            ("mise-tasks/docs/_default", run),
            ("mise-tasks/docs/build", "#!/bin/sh\n# [MISE] description=\"Build\"\n#MISE alias=\"db\""),
            ("mise-tasks/test/bats/_default", "#!/bin/sh\n#MISE aliases=[\"x\", 'y']"),
            ("mise-tasks/.dot", run),
            ("mise-tasks/.git/x", run),
            ("mise-tasks/README.md", "Not executable"),
        ]), @r"
        a [mise run a …]  My own
        c [mise run c …]  mise run c
        b [mise run b …]  mise run b
        docs [mise run docs …]  mise run docs
        docs:build = db [mise run docs:build …]  Build
        test:bats = x = y [mise run test:bats …]  mise run test:bats
        ");
    }
}
