//! Tasks of deno.json, and deno's everyday commands.

use serde_json::Value;

use super::tasks::{
    ManifestFormat, SourceLook, SourceSpec, SourceTask, TaskManifest, TaskProgram, WorkspaceSpec, package,
};
use crate::model::{PACKAGES, Package, path};

pub(super) const DENO: SourceSpec = SourceSpec {
    id: "deno",
    codes: "DENO",
    summary: "Deno: tasks of deno.json and its workspace; test, lint and format",
    files: NAMES,
    read,
    workspace: Some(WORKSPACE),
    programs: &[("deno", "install Deno: https://docs.deno.com/runtime")],
    ..SourceSpec::BLANK
};

const NAMES: &[&str] = &["deno.json", "deno.jsonc"];

/// The members of a workspace. They import each other by name, and no manifest says so.
const WORKSPACE: WorkspaceSpec = WorkspaceSpec {
    manifests: NAMES,
    members: |look| {
        let source = look.first(NAMES)?;
        let folders = members(&look.manifest(source)?);
        (!folders.is_empty()).then_some([folders, Vec::new()])
    },
    of_manifest: |text| package(ManifestFormat::Json, text, &["name"], |_| Package::default()),
    setting: None,
};

/// The patterns of the folders of a workspace's members.
fn members(root: &TaskManifest) -> Vec<String> {
    let list = root.get(&["workspace", "members"]).or_else(|| root.get(&["workspace"]));
    let patterns = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    patterns.map(|folder| folder.trim_start_matches("./").trim_end_matches('/').to_owned()).collect()
}

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    let Some(manifest) = look.manifest(&source) else { return Vec::new() };
    let deno = look.program(&["deno"]);
    let mut tasks = own_tasks(&manifest, "", &deno, &["task"]);
    // Packages that settings take in have their tasks themselves.
    if !look.config.has(&PACKAGES) {
        tasks.extend(of_members(look, &manifest, &deno));
    }
    tasks.push(deno.usual("test", &["test"], "Run the tests").repeatable());
    tasks.push(deno.usual("lint", &["lint"], "Find problems").building());
    tasks.push(deno.usual("fmt", &["fmt"], "Format the code; `--check` only looks").aliases(["format"]));
    let install = deno.usual("install", &["install"], "Download the modules that the project imports");
    tasks.push(install.fetching());
    tasks
}

/// The tasks of one file, behind a prefix of their names.
fn own_tasks(manifest: &TaskManifest, prefix: &str, deno: &TaskProgram, front: &[&str]) -> Vec<SourceTask> {
    let task = |(name, own): (&str, &Value)| {
        let text = own.as_str().or_else(|| own.get("command")?.as_str()).map(str::to_owned);
        let needed = own.get("dependencies").and_then(Value::as_array).into_iter().flatten();
        let needed = needed.filter_map(Value::as_str);
        deno.own(format!("{prefix}{name}"), &[front, &[name]].concat())
            .described(own.get("description").and_then(Value::as_str))
            .text(text)
            .starting(needed.map(|name| format!("{prefix}{name}")))
            .at(&manifest.file, manifest.line(name))
    };
    manifest.entries(&["tasks"]).into_iter().map(task).collect()
}

/// The tasks of a workspace's members, behind the name of the folder, or its path where two folders have the name.
fn of_members(look: &mut SourceLook<'_>, root: &TaskManifest, deno: &TaskProgram) -> Vec<SourceTask> {
    let of_folder =
        |folder: &String| NAMES.iter().map(move |name| format!("{folder}/{name}")).collect::<Vec<_>>();
    let files = look.find(&members(root).iter().flat_map(of_folder).collect::<Vec<_>>());
    let folders: Vec<&str> = files.iter().map(|file| path::split(file).0).collect();
    let called = |folder: &str| {
        let name = path::split(folder).1;
        let is_alone = folders.iter().filter(|other| path::split(other).1 == name).count() == 1;
        if is_alone { name.to_owned() } else { folder.to_owned() }
    };
    let mut tasks = Vec::new();
    for (file, folder) in files.iter().zip(&folders) {
        let Some(manifest) = look.manifest(file) else { continue };
        let prefix = format!("{}:", called(folder));
        tasks.extend(own_tasks(&manifest, &prefix, deno, &["task", "--cwd", folder]));
    }
    tasks
}
