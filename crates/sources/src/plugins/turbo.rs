//! Tasks of turbo.json, as turbo runs them in all packages. Those that the root's package.json has a script for are its own.

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask};
use crate::model::Profile;

pub(super) const TURBO: SourceSpec = SourceSpec {
    id: "turbo",
    codes: "TURBO",
    summary: "Tasks of turbo.json, run by turbo in all packages",
    files: &["turbo.json", "turbo.jsonc"],
    read,
    programs: &[(
        "turbo",
        "install the packages of package.json, or turbo itself: npm install --global turbo",
    )],
    runners: &["turbo"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let source = look.source();
    let root = look.manifest("package.json");
    let Some(manifest) = look.manifest(&source) else { return Vec::new() };
    let turbo = look.packaged("turbo");
    // The key was `pipeline` before turbo 2.
    let key = if manifest.get(&["tasks"]).is_some() { "tasks" } else { "pipeline" };
    let mut tasks = Vec::new();
    for (name, own) in manifest.entries(&[key]) {
        // `web#build` says how `build` is run in one package.
        let own_name = name.strip_prefix("//#").unwrap_or(name);
        let has_script = root.as_ref().is_some_and(|root| root.get(&["scripts", own_name]).is_some());
        if own_name.contains('#') || has_script {
            continue;
        }
        let is_long = own.get("persistent").and_then(Value::as_bool) == Some(true);
        let usual = if name == own_name { "Run NAME in all packages" } else { "Run NAME at the root" };
        let described = own.get("description").and_then(Value::as_str).map(str::to_owned);
        let described = described.unwrap_or_else(|| usual.replace("NAME", own_name));
        let task = turbo
            .own(own_name, &["run", own_name])
            .described(described.as_str())
            .text(format!("turbo run {own_name}"))
            .at(&manifest.file, manifest.line(name));
        tasks.push(if is_long { task.profile(Profile::Serve) } else { task });
    }
    tasks
}
