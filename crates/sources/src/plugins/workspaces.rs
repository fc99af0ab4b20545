//! The workspaces of cargo and uv: their packages, and what each needs.

use serde_json::Value;

use super::tasks::config::COMMAND;
use super::tasks::{ManifestFormat, SourceLook, WorkspaceSpec, package};

/// The members of a Cargo workspace.
pub(super) const CARGO: WorkspaceSpec = WorkspaceSpec {
    manifests: &["Cargo.toml"],
    members: |look| members(look, "Cargo.toml", &["workspace"]),
    package: |text| {
        package(ManifestFormat::Toml, text, &["package", "name"], |manifest| {
            let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
            let entries = tables.iter().filter_map(|table| manifest.get(table)?.as_object()).flatten();
            // A dependency may have another name here than the package has.
            let named =
                entries.map(|(name, value)| value.get("package").and_then(Value::as_str).unwrap_or(name));
            named.map(str::to_owned).collect()
        })
    },
    setting: None,
};

/// The members of a workspace of uv.
pub(super) const UV: WorkspaceSpec = WorkspaceSpec {
    manifests: &["pyproject.toml"],
    members: |look| members(look, "pyproject.toml", &["tool", "uv", "workspace"]),
    package: |text| {
        package(ManifestFormat::Toml, text, &["project", "name"], |manifest| {
            let of_project = manifest.get("project").and_then(|project| project.get("dependencies"));
            let groups = manifest.get("dependency-groups").and_then(Value::as_object).into_iter().flatten();
            let lists =
                of_project.into_iter().chain(groups.map(|(_, list)| list)).filter_map(Value::as_array);
            lists.flatten().filter_map(Value::as_str).map(requirement).collect()
        })
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
