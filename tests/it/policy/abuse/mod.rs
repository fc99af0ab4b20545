//! Bad input for what cuff keeps: output of any size and shape, a full disk, broken files, several cuffs at once.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

mod broken_ledgers;
mod broken_stores;
mod output_size;
mod oversized_calls;
mod secrets_in_output;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::project::{Project, Run};

/// Python that runs a command, and says on the last line of standard error how many kilobytes it, or any process that
/// it waited for, had at most.
const MEASURED: &str = "\
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(peak // 1024 if sys.platform == 'darwin' else peak, file=sys.stderr)
sys.exit(code)
";

/// The most that any process may have, in kilobytes.
const MOST_KILOBYTES: u64 = 64 * 1024;

/// A project with a shell script of each name.
fn scripts(scripts: &[(&str, &str)]) -> Project {
    let project = Project::empty();
    project
        .write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*.sh']}}}\n");
    for (name, text) in scripts {
        project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    project
}

/// Runs cuff and asserts how much memory that took.
fn measured(project: &Project, words: &[&str]) -> Run {
    let mut command = Command::new("python3");
    command.args(["-c", MEASURED, env!("CARGO_BIN_EXE_cuff")]).args(words);
    project.surround(&mut command);
    let run = Run::of(command);
    let peak: u64 = run.stderr.lines().next_back().unwrap().parse().unwrap();
    assert!(peak < MOST_KILOBYTES, "{words:?} took {peak} KB");
    run
}

fn store(project: &Project) -> PathBuf {
    project.outside().join("home/data/cuff/runs")
}

fn ledger(project: &Project) -> PathBuf {
    project.outside().join("home/state/cuff")
}

/// The folder of the newest run.
fn newest(project: &Project) -> PathBuf {
    let run = project.cuff(["runs", "list", "--json", "-n", "1"]).succeeded().json();
    store(project).join(run["runs"][0]["run_id"].as_str().unwrap())
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The names in a folder.
fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
