//! The tools of a package.json.

use super::config;
use super::project::Project;
use super::task::Task;
use crate::model::{Command, Discovery, Effects, Fault, Files, Location, Problem, Tool, Values, Word};
use crate::plugins::managers;

/// The tools of a package.json that is there, with a command that can be called.
pub(super) fn offer(project: &Project, config: &Values, files: &Files) -> Result<Discovery, Box<Problem>> {
    project.readable(files)?;
    let command = project.command(config)?;
    let mut problems = Vec::new();
    let program = &command.program.text;
    if files.programs.get(program).is_some_and(Option::is_none) {
        let what = format!("{program} is not installed or not on the PATH");
        let problem = Problem::warning(what).numbered(Fault::ProgramNotFound);
        problems.push(problem.help(project.manager.advice()));
    }
    let mut tools = vec![tool(Task::Install, project, command.clone(), project.file.clone())];
    tools.extend(project.lock_file(files).map(|lock| tool(Task::Ci, project, command, lock)));
    Ok(Discovery { tools, problems, ..Discovery::default() })
}

fn tool(task: Task, project: &Project, command: Command, source: String) -> Tool {
    let manager = project.manager;
    let program = manager.program();
    let (words, description): (&[&str], String) = match task {
        Task::Install => {
            let what = "Install what package.json says, or add the packages that args names";
            (&["install"], format!("{what} ({program} install)"))
        }
        Task::Ci => {
            let words = manager.locked_install();
            let what = "Install exactly what the lock file says";
            (words, format!("{what} ({program} {})", words.join(" ")))
        }
    };
    let command = command.arguments(words.iter().map(|word| Word::fixed(*word)));
    Tool::running(task.name(), task.name(), Location::file(source), command)
        .described(description)
        .parameters(match task {
            Task::Install => config::INSTALL_PARAMETERS,
            Task::Ci => config::CI_PARAMETERS,
        })
        // Both replace packages, and run the scripts of the new ones.
        .effects(Effects { idempotent: task == Task::Ci, ..Effects::UNKNOWN })
        .fact(managers::FACT, program.to_owned())
}
