//! The workspaces of cargo and uv: their packages, and what each needs.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use super::tasks::config::COMMAND;
use super::tasks::{ManifestFormat, SourceLook, WorkspaceSpec, package};
use crate::model::{Package, path};

/// The members of a Cargo workspace.
pub(super) const CARGO: WorkspaceSpec = WorkspaceSpec {
    manifests: &["Cargo.toml"],
    members: crates,
    of_manifest: |text| package(ManifestFormat::Toml, text, &["package", "name"], crate_of),
    setting: None,
};

/// The folders of the members that the root lists, and of the packages below it that these need by a path, which cargo takes in as
/// well. What the root excludes are folders with all in them, but for listed members, and no patterns.
fn crates(look: &mut SourceLook<'_>) -> Option<[Vec<String>; 2]> {
    let root = look.manifest("Cargo.toml")?;
    let [listed, excluded] = members(look, "Cargo.toml", &["workspace"])?
        .map(|folders| folders.into_iter().map(|folder| path::join("", &folder)).collect::<Vec<String>>());
    let is_in =
        |folder: &str, folders: &[String]| folders.iter().any(|own| Path::new(folder).starts_with(own));
    let is_left_out = |folder: &str| is_in(folder, &excluded) && !is_in(folder, &listed);
    let shared = |name: &str| root.get(&["workspace", "dependencies", name, "path"]).and_then(Value::as_str);
    let manifests: Vec<String> = listed.iter().map(|folder| path::join(folder, "Cargo.toml")).collect();
    let mut waiting = vec!["Cargo.toml".to_owned()];
    waiting.extend(look.find(&manifests));
    let (mut seen, mut folders): (HashSet<String>, _) = (waiting.iter().cloned().collect(), Vec::new());
    while let Some(file) = waiting.pop() {
        let own = path::split(&file).0;
        if is_left_out(own) || !look.has_file(&file) {
            continue;
        }
        if is_below(own) {
            folders.push(own.to_owned());
        }
        let Some(manifest) = look.manifest(&file) else { continue };
        for (name, value) in dependencies(&manifest.value) {
            let of_root = || value.get("workspace").and_then(|_| shared(name));
            let folder = match value.get("path").and_then(Value::as_str) {
                Some(way) => path::join(own, way),
                None => of_root().map(|way| path::join("", way)).unwrap_or_default(),
            };
            let needed = path::join(&folder, "Cargo.toml");
            if is_below(&folder) && seen.insert(needed.clone()) {
                waiting.push(needed);
            }
        }
    }
    folders.extend(listed.into_iter().filter(|folder| folder.starts_with("../")));
    Some([folders, Vec::new()])
}

/// Whether a tidy path leads into a folder below the one that it begins in.
fn is_below(folder: &str) -> bool {
    !matches!(folder.split('/').next(), Some("" | "." | "..") | None)
}

/// The dependencies of a crate, of all kinds and for all targets.
fn dependencies(manifest: &Value) -> impl Iterator<Item = (&str, &Value)> {
    const TABLES: [&str; 5] =
        ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"];
    let targets = manifest.get("target").and_then(Value::as_object).into_iter().flatten().map(|(_, own)| own);
    let tables = std::iter::once(manifest).chain(targets).flat_map(|own| TABLES.map(|table| own.get(table)));
    tables.flatten().filter_map(Value::as_object).flatten().map(|(name, value)| (name.as_str(), value))
}

/// The crates that one needs, and the other names that a workspace has for some.
fn crate_of(manifest: &Value) -> Package {
    // A dependency may have another name here than the package has.
    let real =
        |name: &str, value: &Value| value.get("package").and_then(Value::as_str).unwrap_or(name).to_owned();
    let needs = dependencies(manifest).map(|(name, value)| real(name, value)).collect();
    let shared =
        manifest.get("workspace").and_then(|own| own.get("dependencies")?.as_object()).into_iter().flatten();
    let renames = shared.map(|(name, value)| (name.clone(), real(name, value)));
    let renames = renames.filter(|(name, real)| name != real).collect();
    Package { needs, renames, ..Package::default() }
}

/// The members of a workspace of uv.
pub(super) const UV: WorkspaceSpec = WorkspaceSpec {
    manifests: &["pyproject.toml"],
    members: |look| members(look, "pyproject.toml", &["tool", "uv", "workspace"]),
    of_manifest: |text| {
        package(ManifestFormat::Toml, text, &["project", "name"], |manifest| {
            let of_project = manifest.get("project").and_then(|project| project.get("dependencies"));
            let groups = manifest.get("dependency-groups").and_then(Value::as_object).into_iter().flatten();
            let lists =
                of_project.into_iter().chain(groups.map(|(_, list)| list)).filter_map(Value::as_array);
            let needs = lists.flatten().filter_map(Value::as_str).map(requirement).collect();
            Package { needs, ..Package::default() }
        })
        .map(|package| Package { name: requirement(&package.name), ..package })
    },
    setting: Some((&COMMAND, "uv run")),
};

fn members(look: &mut SourceLook<'_>, file: &str, table: &[&str]) -> Option<[Vec<String>; 2]> {
    let manifest = look.manifest(file)?;
    let workspace = manifest.get(table)?;
    let texts = |key: &str| {
        let list = workspace.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(|text| text.trim_end_matches('/').to_owned()).collect()
    };
    Some([texts("members"), texts("exclude")])
}

/// The name in a requirement of Python, as it is compared: `My_Pkg[extra] >= 1` is `my-pkg`.
fn requirement(text: &str) -> String {
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || "-_.".contains(letter)));
    text[..end.unwrap_or(text.len())].to_lowercase().replace(['_', '.'], "-")
}
