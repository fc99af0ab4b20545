//! Sources of tasks with the real tools: what cuff lists is what the tool itself lists, a task runs, and one that fails has
//! its findings.

mod builds;
mod runners;

use std::process::Command;

use serde_json::Value;

use crate::support::project::{Project, Run};
use crate::support::tools;

/// A test of full moons that fails, and a file in which ruff finds something.
const FAILING: &str = "def test_full():\n    phase = 1\n    assert phase == 2\n";
const UNUSED: &str = "import os\n";

/// A project with these files.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::empty();
    for (name, text) in files {
        project.write(name, text);
    }
    project
}

/// The tasks of a source as cuff lists them, in alphabetical order.
fn listed(project: &Project, source: &str) -> Vec<String> {
    let list = project.cuff(["list", "--plugin", source, "--json"]).succeeded().json();
    let tools = list["tools"].as_array().expect("a list");
    sorted(tools.iter().map(|tool| tool["original"].as_str().expect("a name").to_owned()))
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The answer of the tool itself.
fn asked(project: &Project, line: &str) -> Run {
    let mut words = line.split(' ');
    let program = words.next().expect("a program");
    let mut command = Command::new(tools::require(program).expect("a program that was asked for before"));
    command.args(words);
    project.surround(&mut command);
    Run::of(command).succeeded()
}

/// The names under this key in a list of JSON.
fn names(list: &Value, key: &str) -> Vec<String> {
    let entries = list.as_array().expect("a list").iter();
    sorted(entries.map(|entry| entry[key].as_str().expect("a name").to_owned()))
}

/// The findings of a task that fails.
fn findings(project: &Project, task: &str) -> String {
    let run = project.cuff(["run", task, "--json"]);
    assert_ne!(run.code, 0, "{run:?}");
    let result = run.json();
    let found = result["diagnostics"].as_array().unwrap_or_else(|| panic!("findings: {run:?}"));
    let line = |one: &Value| {
        let place = format!("{}:{}", one["file"].as_str().unwrap_or_default(), one["line"]);
        let message = one["message"].as_str().unwrap_or_default().replace('\n', " / ");
        format!("{place}: {message} ({})", one["source"].as_str().unwrap_or_default())
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn ends_with(run: Run, line: &str) {
    let run = run.succeeded();
    assert!(run.stdout.trim_end().ends_with(line), "{run:?}");
}
