//! Solutions and projects of .NET, built, tested, run, formatted and restored by dotnet.
//!
//! `restore` declares that it mutates, as installs do: it fetches packages. `build` and `test` write bin/ and obj/ alone, and
//! ask for nothing unless `confirm` in the settings names them.

mod arguments;
mod binding;
mod config;
mod environment;
mod options;
mod project;
#[cfg(test)]
mod tests;

use super::tasks::{SourceLook, SourceSpec, SourceTask, words};
use crate::model::{
    DEFAULT_TIMEOUT, Location, PluginInfo, Problem, Profile, Reach, Suggestion, Word, path, shown,
};

use options::{BUILD, FORMAT, RESTORE, RUN, TEST};
use project::ChosenProject;

/// The solution or project of one folder.
pub(super) const DOTNET: SourceSpec = SourceSpec {
    id: "dotnet",
    read,
    usual_advice: "install the .NET SDK: https://dotnet.microsoft.com/download",
    card: Some(PluginInfo {
        summary: "Solutions and projects of .NET, built and tested by dotnet",
        noun: "command",
        source: "solutions and projects",
        looked_for: "a .sln or .csproj",
        unknown: "Command not found",
        facts: &["project"],
        config: config::FIELDS,
        programs: &["dotnet"],
        ..PluginInfo::new("dotnet", "DOTNET")
    }),
    command: &config::COMMAND,
    written: &[&config::WORKING_DIRECTORY, &DEFAULT_TIMEOUT, &config::PROJECT],
    has_heading: false,
    words: arguments::add,
    reach: Reach::Declared,
    binding: Some(|look, tool| binding::binding(look, tool.original != TEST)),
    suggest: |look, draft| {
        let is_one_of_several = draft.config.iter().any(|(key, _)| **key == config::PROJECT);
        let confidence = if is_one_of_several { 0.7 } else { 0.95 };
        Some(Suggestion { description: format!("Found {}", shown(look.source_file())), confidence, ..draft })
    },
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(chosen) = project::choose(look) else { return Vec::new() };
    look.name_source(&*chosen.file);
    look.fact("project", chosen.file.clone());
    if !chosen.others.is_empty() {
        look.setting(&config::PROJECT, chosen.file.clone());
        let others: Vec<String> = chosen.others.iter().map(|other| shown(other)).collect();
        let what = format!("{} is taken; there is also {}", shown(&chosen.file), others.join(", "));
        let help =
            "set `project` to the solution or project that is meant; a call reaches another by its `cwd`";
        look.problem(Problem::warning(what).at(Location::file(&chosen.file)).help(help));
    }
    let command = look.command(&["dotnet"]);
    let program = project::program(look);
    let run = program.map(|program| task(&program, &command, RUN, "Build and run").profile(Profile::Serve));
    let tasks = [
        task(&chosen, &command, BUILD, "Build").profile(Profile::Build),
        task(&chosen, &command, TEST, "Build and run the tests of").profile(Profile::Build),
        task(&chosen, &command, FORMAT, "Format the code of").profile(Profile::Build),
        task(&chosen, &command, RESTORE, "Fetch the packages of").profile(Profile::Install).mutating(),
    ];
    tasks.into_iter().chain(run).collect()
}

fn task(chosen: &ChosenProject, command: &[Word], name: &str, what: &str) -> SourceTask {
    let own = command.iter().cloned().chain(words([name])).chain(chosen.word()).collect();
    SourceTask::usual(name, own, &format!("{what} {} (dotnet {name})", shown(&chosen.file)))
        .repeatable()
        .running(|command| command.directory(path::split(&chosen.file).0))
        .with(|tool| tool.parameters(config::PARAMETERS).text(None))
}
