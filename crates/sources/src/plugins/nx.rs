//! Targets of an nx workspace: each in all projects, and in each project that a project.json describes.

use std::collections::BTreeSet;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskManifest, TaskProgram};

pub(super) const NX: SourceSpec = SourceSpec {
    id: "nx",
    codes: "NX",
    summary: "Targets of an nx workspace, run by nx",
    files: &["nx.json"],
    read,
    programs: &[("nx", "install the packages of package.json, or nx itself: npm install --global nx")],
    runners: &["nx"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let root = look.manifest("package.json");
    let Some(manifest) = look.manifest("nx.json") else { return Vec::new() };
    let nx = look.packaged("nx");
    let files = look.find(&["**/project.json"]);
    let projects: Vec<TaskManifest> = files.iter().filter_map(|file| look.manifest(file)).collect();
    let of_projects = projects.iter().flat_map(|project| project.entries(&["targets"]));
    let defaults = manifest.entries(&["targetDefaults"]);
    // A default may be for an executor (`@nx/jest:jest`) or a pattern (`e2e-ci--*`).
    let names: BTreeSet<&str> = of_projects
        .chain(defaults)
        .map(|(name, _)| name)
        .filter(|name| !name.contains([':', '*', '/']))
        .collect();
    let mut tasks = Vec::new();
    for name in names {
        let has_script = root.as_ref().is_some_and(|root| root.get(&["scripts", name]).is_some());
        if !has_script {
            let description = format!("Run {name} in all projects");
            tasks.push(task(&nx, name, &["run-many", "-t", name], &description).at(&manifest.file, None));
        }
    }
    for project in &projects {
        let Some(of) = project.str(&["name"]) else { continue };
        for (name, own) in project.entries(&["targets"]) {
            let full = format!("{of}:{name}");
            let described = own.get("metadata").and_then(|own| own.get("description")?.as_str());
            let usual = format!("Run {name} of {of}");
            let task = task(&nx, &full, &["run", &full], described.unwrap_or(&usual));
            tasks.push(task.at(&project.file, project.line(name)));
        }
    }
    tasks
}

fn task(nx: &TaskProgram, name: &str, own: &[&str], description: &str) -> SourceTask {
    nx.own(name, own).described(description).text(format!("nx {}", own.join(" ")))
}
