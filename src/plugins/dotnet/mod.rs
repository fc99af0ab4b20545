//! Solutions and projects of .NET, built, tested and restored by dotnet.
//!
//! `restore` declares that it mutates, as installs do: it fetches packages. `build` and `test` write bin/ and obj/ alone, and
//! ask for nothing unless `confirm` in the settings names them.

mod arguments;
mod binding;
mod config;
mod environment;
mod options;
mod project;
mod task;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::model::{
    About, BadCall, Binding, Command, DEFAULT_TIMEOUT, Discovery, Effects, Fault, Field, Files, Governance,
    Location, Problem, Profile, Suggestion, Tool, Values, Want, Word, path, shown,
};
use crate::plugin::Plugin;

use project::{Chosen, Project};
use task::Task;

/// How to get dotnet.
const ADVICE: &str = "install the .NET SDK: https://dotnet.microsoft.com/download";

/// The solution or project of one folder.
#[derive(Debug)]
pub(super) struct DotNet;

impl Plugin for DotNet {
    fn about(&self) -> About {
        About {
            summary: "Solutions and projects of .NET, built and tested by dotnet",
            noun: "command",
            source: "solutions and projects",
            looked_for: "a .sln or .csproj",
            unknown: "Command not found",
            facts: &["project"],
            config: config::FIELDS,
            programs: &["dotnet"],
            ..About::new("dotnet", "DOTNET")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        let config = Values::default();
        let found = Project::new(&config).chosen(files).ok()?;
        let discovery = self.discover(&config, files);
        let written: [&'static Field; 2] = [&config::WORKING_DIRECTORY, &DEFAULT_TIMEOUT];
        let mut settings: Vec<_> =
            written.into_iter().filter_map(|key| Some((key, key.default_value()?))).collect();
        if !found.others.is_empty() {
            settings.push((&config::PROJECT, found.file.clone().into()));
        }
        Some(Suggestion {
            description: format!("Found {}", shown(&found.file)),
            confidence: if found.others.is_empty() { 0.95 } else { 0.7 },
            config: settings,
            items: discovery.tools.into_iter().map(|tool| tool.name).collect(),
            warnings: discovery.problems.iter().map(warning).collect(),
            asking: vec![Task::Restore.name().to_owned()],
            ..Suggestion::default()
        })
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        Project::new(config).wants(config, seen)
    }

    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding {
        binding::binding(config, seen, Task::of(tool) != Task::Test)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match offer(config, files) {
            Ok(discovery) => discovery,
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        arguments::add(Task::of(tool), command, config, arguments, governance)
    }
}

/// The three tools of the solution or project that was chosen.
fn offer(config: &Values, files: &Files) -> Result<Discovery, Box<Problem>> {
    let chosen = Project::new(config).chosen(files)?;
    let (program, words) = config.program(&config::COMMAND)?;
    let mut problems = Vec::new();
    if files.programs.get(&program.text).is_some_and(Option::is_none) {
        let what = format!("{} is not installed or not on the PATH", shown(&program.text));
        problems.push(Problem::warning(what).numbered(Fault::ProgramNotFound).help(ADVICE));
    }
    if !chosen.others.is_empty() {
        let others: Vec<String> = chosen.others.iter().map(|other| shown(other)).collect();
        let what = format!("{} is taken; there is also {}", shown(&chosen.file), others.join(", "));
        let help =
            "set `project` to the solution or project that is meant; a call reaches another by its `cwd`";
        problems.push(Problem::warning(what).at(Location::file(&chosen.file)).help(help));
    }
    let command = |task: Task| {
        config
            .command(program.clone())
            .arguments(words.iter().cloned().chain([Word::fixed(task.name())]).chain(chosen.word()))
            .directory(path::split(&chosen.file).0)
            .requires_confirmation(task == Task::Restore)
            .profile(if task == Task::Restore { Profile::Install } else { Profile::Build })
            .if_missing(Cow::from(ADVICE))
    };
    let tools = Task::ALL.into_iter().map(|task| tool(task, &chosen, command(task))).collect();
    Ok(Discovery { tools, problems, ..Discovery::default() })
}

fn tool(task: Task, chosen: &Chosen, command: Command) -> Tool {
    Tool::running(task.name(), task.name(), Location::file(&chosen.file), command)
        .described(format!("{} {} (dotnet {})", task.description(), shown(&chosen.file), task.name()))
        .parameters(config::PARAMETERS)
        .effects(Effects { destructive: false, idempotent: true, ..Effects::UNKNOWN })
        .fact("project", chosen.file.clone())
}

/// A problem as one sentence for `cuff init`.
fn warning(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{problem} ({help})"),
        None => problem.to_string(),
    }
}
