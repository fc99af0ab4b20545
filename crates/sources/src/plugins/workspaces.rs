//! The workspaces of cargo and uv: their packages, and what each needs.

use serde_json::Value;

use super::tasks::config::COMMAND;
use super::tasks::{ManifestFormat, SourceLook, WorkspaceSpec, package};
use crate::model::Package;

/// The members of a Cargo workspace.
pub(super) const CARGO: WorkspaceSpec = WorkspaceSpec {
    manifests: &["Cargo.toml"],
    members: |look| members(look, "Cargo.toml", &["workspace"]),
    of_manifest: |text| package(ManifestFormat::Toml, text, &["package", "name"], crate_of),
    setting: None,
};

/// The crates that one needs, and the other names that a workspace has for some.
fn crate_of(manifest: &Value) -> Package {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest.get("target").and_then(Value::as_object).into_iter().flatten().map(|(_, own)| own);
    let tables = std::iter::once(manifest).chain(targets).flat_map(|own| TABLES.map(|table| own.get(table)));
    // A dependency may have another name here than the package has.
    let real =
        |name: &str, value: &Value| value.get("package").and_then(Value::as_str).unwrap_or(name).to_owned();
    let entries = tables.flatten().filter_map(Value::as_object).flatten();
    let needs = entries.map(|(name, value)| real(name, value)).collect();
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
