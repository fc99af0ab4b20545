//! Packages of a package.json, installed by npm, pnpm or bun: one plugin for each of them.

mod arguments;
mod binding;
mod config;
mod flags;
mod manager;
mod package;
mod project;
mod suggest;
mod task;
#[cfg(test)]
mod tests;
mod tools;

use crate::model::{
    About, Absence, BadCall, Binding, Checks, Command, Discovery, Fault, Files, Governance, Problem,
    Suggestion, Tool, Values, Want,
};
use crate::plugin::Plugin;
use crate::plugins::managers;

use manager::Manager;
use project::Project;
use task::Task;
use tools::offer;

/// npm, and the package.json that it installs for.
pub(super) const NPM: Installs = Installs(Manager::Npm);
/// pnpm, and the package.json that it installs for.
pub(super) const PNPM: Installs = Installs(Manager::Pnpm);
/// bun, and the package.json that it installs for.
pub(super) const BUN: Installs = Installs(Manager::Bun);

/// The installs of one package manager.
#[derive(Debug)]
pub(super) struct Installs(Manager);

impl Plugin for Installs {
    fn about(&self) -> About {
        About {
            summary: self.0.summary(),
            noun: "command",
            source: "package.json",
            unknown: "Command not found",
            facts: &[managers::FACT],
            runner: Some(managers::FACT),
            config: self.0.config(),
            programs: &["npm", "pnpm", "yarn", "bun"],
            ..About::new(self.0.program(), self.0.code_prefix())
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(self.0, files)
    }

    fn wants(&self, config: &Values, _: &Files) -> Vec<Want> {
        Project::new(self.0, config).wants()
    }

    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding {
        binding::binding(&Project::new(self.0, config), Task::of(tool), seen)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        let project = Project::new(self.0, config);
        match offer(&project, config, files) {
            Ok(discovery) => discovery,
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        if name != Task::Ci.name() {
            return Absence::Unknown;
        }
        let project = Project::new(self.0, config);
        let unseen: Vec<Want> = project.wants().into_iter().filter(|want| !seen.answers(want)).collect();
        if !unseen.is_empty() {
            return Absence::Look(unseen);
        }
        if project.lock_file(seen).is_some() {
            return Absence::Unknown;
        }
        let what = format!("There is no {} for `ci` to go by", self.0.lock_files()[0]);
        Absence::Because(Box::new(
            Problem::error(Fault::NotFound, what).help("`install` writes it; from then on `ci` is offered"),
        ))
    }

    fn checks(&self, _: &Values, tools: &[&Tool], seen: &Files) -> Checks {
        managers::checks(tools, seen)
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        arguments::add(self.0, Task::of(tool), command, config, arguments, governance)
    }
}
