//! Scripts of package.json, run by npm, pnpm, yarn or bun.

mod above;
mod arguments;
mod config;
mod dependencies;
mod hooks;
mod manager;
mod needs;
mod person_words;
mod project;
mod selection;
mod suggest;
#[cfg(test)]
mod tests;
mod tools;
pub(in crate::plugins) mod workspaces;

use crate::model::{
    Absence, BadCall, Binding, Checks, Command, Discovery, Files, Governance, InstallHint, LITERAL, Package,
    PluginInfo, Reach, Registered, Role, Suggestion, Tool, Values, Want, Workspace, path, words_of,
};
use crate::plugin::Plugin;
use crate::plugins::managers::{self, PackageManager, PackageScript};

use project::PackageProject;
use tools::{look, tool_name};

/// The scripts of one package.json.
#[derive(Debug)]
pub(super) struct PackageJson;

/// Managers, and programs that run scripts of package.json by their names.
const PROGRAMS: &[&str] = &[
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "corepack",
    "nr",
    "npm-run-all",
    "npm-run-all2",
    "run-s",
    "run-p",
    "run-z",
    "wireit",
    "concurrently",
    "conc",
    "turbo",
    "nx",
    "lerna",
    "rush",
    "rushx",
    "moon",
    "wsrun",
    "ultra",
    "nps",
    "start-server-and-test",
    "start-test",
];

impl Plugin for PackageJson {
    fn about(&self) -> PluginInfo {
        PluginInfo {
            summary: "Scripts of package.json, run by npm, pnpm, yarn or bun",
            noun: "script",
            source: "package.json",
            looked_for: "package.json",
            unknown: "Unknown tool",
            facts: &[managers::FACT],
            runner: Some(managers::FACT),
            config: config::FIELDS,
            narrows: config::NARROWS,
            speaks_for_below: false,
            options: config::OPTIONS,
            programs: PROGRAMS,
            ..PluginInfo::new("packagejson", "PKGJSON")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        let mut wants = self.wants(&Values::default(), seen);
        let Workspace { wants: of_workspace, members, .. } = workspaces::of(&Values::default(), seen);
        wants.extend(of_workspace);
        wants.extend(members.iter().map(|member| Want::File(path::join(&member.folder, "package.json"))));
        wants.extend(above::wants(seen));
        wants
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(files)
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        PackageProject::new(config).wants(seen)
    }

    fn workspace(&self, config: &Values, seen: &Files) -> Workspace {
        workspaces::of(config, seen)
    }

    fn package(&self, manifest: &[u8]) -> Option<Package> {
        needs::of(manifest)
    }

    fn binding(&self, config: &Values, seen: &Files, _: &Tool) -> Binding {
        PackageProject::new(config).binding(seen)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match look(config, files) {
            Ok((_, discovery)) => discovery,
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        let project = PackageProject::new(config);
        let mut wants = project.wants(seen);
        wants.retain(|want| !seen.answers(want));
        if !wants.is_empty() {
            return Absence::Look(wants);
        }
        let called = |script: &&PackageScript| {
            script.name == name
                || PackageManager::ALL.iter().any(|manager| tool_name(*manager, &script.name) == name)
        };
        let Ok(manifest) = project.own(seen) else { return Absence::Unknown };
        let Some(script) = manifest.scripts.iter().find(called) else { return Absence::Unknown };
        match selection::left_out(script, config, &project.file) {
            Absence::Unknown => {}
            absence => return absence,
        }
        let Some(problem) = selection::by_name_alone(script, config, &project.file) else {
            return Absence::Unknown;
        };
        let tool = tools::named(&project, &manifest, script, config, seen);
        Absence::ByName(Box::new(tool), Box::new(problem))
    }

    fn checks(&self, _: &Values, tools: &[&Tool], seen: &Files) -> Checks {
        managers::checks(tools, seen)
    }

    fn install_hint(&self, _: &Values, tool: &Tool, offered: &[Registered], seen: &Files) -> InstallHint {
        dependencies::hint(tool, offered, seen)
    }

    fn plan(
        &self,
        config: &Values,
        _: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        let mode = if governance.is_governed() { config.text(&config::ARGUMENTS) } else { LITERAL };
        arguments::add(command, mode, arguments.text(&config::EXTRA_ARGS))
    }

    fn wants_of_person(&self, config: &Values, tool: &Tool, seen: &Files) -> Vec<Want> {
        match &tool.role {
            Role::Run { command, .. } => person_words::wants(config, command, seen),
            Role::List(_) | Role::Relay(_) => Vec::new(),
        }
    }

    fn plan_of_person(
        &self,
        config: &Values,
        _: &Tool,
        command: Command,
        arguments: &Values,
        seen: &Files,
    ) -> Result<Command, BadCall> {
        person_words::add(command, config, words_of(arguments.text(&config::EXTRA_ARGS))?, seen)
    }

    fn reach(&self, _: &Tool) -> Reach {
        Reach::Appended
    }
}
