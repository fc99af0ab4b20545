//! Python: the tools that a project configures, its entry points, and the tasks of pyproject.toml.

mod configured;
mod decorated;
mod runner;
mod tables;

pub(in crate::plugins) use decorated::{DecoratedFunction, decorated};
pub(in crate::plugins) use runner::{PROGRAMS, is_named, tool};

use super::tasks::{
    MissingDependency, SourceLook, SourceSpec, SourceTask, TaskManifest, check_members, words,
};
use super::workspaces;
use crate::model::Profile;

use configured::{CONFIGURED, ConfiguredTool};
use runner::PythonRunner;

pub(super) const PYTHON: SourceSpec = SourceSpec {
    id: "python",
    codes: "PYTHON",
    summary: "Python: pytest, ruff, mypy; tasks of poe, pdm, hatch and taskipy",
    files: &["pyproject.toml", "setup.cfg", "pytest.ini", "setup.py"],
    read,
    missing: Some(missing),
    workspace: Some(workspaces::UV),
    programs: PROGRAMS,
    usual_advice: ENVIRONMENT,
    keeps_programs: true,
    runners: &["poe", "pdm", "hatch"],
    ..SourceSpec::BLANK
};

/// The way to tools without a manager.
const ENVIRONMENT: &str =
    "install the project and its tools into .venv (python3 -m venv .venv), or put it on the PATH";

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let manifest = look.manifest("pyproject.toml");
    check_members(look, &workspaces::UV);
    let runner = PythonRunner::of(look, manifest.as_ref());
    look.detail(runner.name());
    let mut tasks: Vec<SourceTask> =
        CONFIGURED.iter().filter_map(|own| configured(look, manifest.as_ref(), runner, own)).collect();
    if tasks.iter().any(|task| task.is("ruff")) && !tasks.iter().any(|task| task.is("black")) {
        let words = runner.words(look, &["ruff", "format"]);
        tasks.push(SourceTask::usual("format", words, "Format the code with ruff").aliases(["fmt"]));
    }
    if let Some(manifest) = &manifest {
        let mut programs = manifest.entries(&["project", "scripts"]);
        programs.extend(manifest.entries(&["tool", "poetry", "scripts"]));
        for (name, _) in programs {
            if tasks.iter().any(|task| task.is(name)) {
                continue;
            }
            let described = format!("Run {name}, a program of this project");
            tasks.push(SourceTask::usual(name, runner.words(look, &[name]), &described));
        }
        tasks.extend(tables::tasks(look, manifest, runner));
    }
    tasks.extend(runner.installs().map(|own| {
        let described = "Install what the project depends on, exactly as locked";
        SourceTask::usual("sync", words(own.iter().copied()), described).fetching().aliases(["install"])
    }));
    tasks
}

fn configured(
    look: &mut SourceLook<'_>,
    manifest: Option<&TaskManifest>,
    runner: PythonRunner,
    own: &ConfiguredTool,
) -> Option<SourceTask> {
    let has_table = manifest.is_some_and(|manifest| manifest.get(own.table).is_some());
    let mut has_section = |file: &str| {
        let begins = |line: &str| !own.section.is_empty() && line.trim() == own.section;
        look.text(file).is_some_and(|text| text.lines().any(begins))
    };
    let is_configured = has_table || has_section("setup.cfg") || look.first(own.files).is_some();
    let mut words: Vec<&str> = own.words.to_vec();
    if own.name == "mypy"
        && manifest.is_none_or(|manifest| manifest.get(&["tool", "mypy", "files"]).is_none())
    {
        words.push(".");
    }
    let profile = if own.name == "pytest" { Profile::Test } else { Profile::Build };
    let task =
        is_configured.then(|| SourceTask::usual(own.name, runner.words(look, &words), own.description))?;
    let task = task.aliases(own.aliases.iter().copied()).profile(profile);
    Some(if own.name == "black" { task } else { task.repeatable() })
}

fn missing(look: &mut SourceLook<'_>) -> Option<MissingDependency> {
    let manifest = look.manifest("pyproject.toml");
    let runner = PythonRunner::of(look, manifest.as_ref());
    let is_missing = runner.keeps_environment() && !look.has_file(".venv");
    let what = "nothing that pyproject.toml depends on is installed".to_owned();
    is_missing.then_some(MissingDependency { what, task: "sync" })
}
