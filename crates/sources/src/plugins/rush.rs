//! Rush: its everyday commands, and those that command-line.json adds.

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask};
use crate::model::Profile;

pub(super) const RUSH: SourceSpec = SourceSpec {
    id: "rush",
    codes: "RUSH",
    summary: "Rush: install, update and build; the commands of command-line.json",
    files: &["rush.json"],
    read,
    programs: &[
        ("rush", "install Rush: npm install --global @microsoft/rush"),
        ("node", "install Node.js: https://nodejs.org"),
    ],
    ..SourceSpec::BLANK
};

/// The commands that a repository adds to rush.
const OWN: &str = "common/config/rush/command-line.json";

/// The script by which a repository starts its own version of rush.
const SCRIPT: &str = "common/scripts/install-run-rush.js";

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    if look.manifest("rush.json").is_none() {
        return Vec::new();
    }
    let has_script = look.has_file(SCRIPT);
    let is_here = !has_script || look.has_program("rush");
    let rush = look.program(if is_here { &["rush"] } else { &["node", SCRIPT] });
    let fetching = |name: &str, description: &str| {
        rush.usual(name, &[name], description).profile(Profile::Install).mutating()
    };
    let mut tasks = vec![
        fetching("install", "Install the packages of all projects, exactly as locked"),
        fetching("update", "Install the packages of all projects, and renew the lock file"),
    ];
    let build =
        |name: &str, description: &str| rush.usual(name, &[name], description).profile(Profile::Build);
    tasks.push(build("build", "Build the projects that changed"));
    tasks.push(build("rebuild", "Build all projects"));
    let Some(manifest) = look.manifest(OWN) else { return tasks };
    for own in manifest.get(&["commands"]).and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| own.get(key).and_then(Value::as_str);
        let Some(name) = text("name") else { continue };
        // A global command has its line here; others run the script of that name in each project.
        let task = rush.own(name, &[name]).profile(Profile::Build);
        let usual = if name == "build" { Some("Build the projects that changed") } else { None };
        let task = task.described(text("summary").or_else(|| text("description")).or(usual));
        let task = task.text(text("shellCommand").map(str::to_owned));
        tasks.push(task.at(&manifest.file, manifest.line(name)));
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn a_broken_file_is_said_with_its_line() {
        insta::assert_snapshot!(listed(&RUSH, &[("rush.json", "{\n  \"rushVersion\": 5,\n  \"projects\": x\n}\n")]), @"error: rush.json:3: rush.json cannot be parsed: expected value at line 3 column 15 (correct it; tools of other sources still work)");
    }
}
