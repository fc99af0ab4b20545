//! Scripts of package.json, run by npm, pnpm, yarn or bun.

mod above;
mod arguments;
mod config;
mod manager;
pub(in crate::plugins) mod manifest;
mod project;
mod selection;
mod suggest;
mod table;
#[cfg(test)]
mod tests;
mod tools;
mod value;
pub(in crate::plugins) mod workspaces;
mod wrapped;

use crate::model::{
    About, Absence, BadCall, Binding, Command, Discovery, Files, Governance, LITERAL, PackageManager, Reach,
    Suggestion, Tool, Values, Want, Wrapped,
};
use crate::plugin::Plugin;

use manifest::Script;
use project::Project;
use tools::{look, tool_name};

/// The scripts of one package.json.
#[derive(Debug)]
pub(super) struct PackageJson;

impl Plugin for PackageJson {
    fn about(&self) -> About {
        About {
            summary: "Scripts of package.json, run by npm, pnpm, yarn or bun",
            noun: "script",
            source: "package.json",
            unknown: "Unknown tool",
            facts: &["package_manager"],
            config: config::FIELDS,
            narrows: config::NARROWS,
            options: config::OPTIONS,
            ..About::new("packagejson", "PKGJSON")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        let mut wants = self.wants(&Values::default(), seen);
        wants.extend(workspaces::wants(seen));
        wants.extend(above::wants(seen));
        wants
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(files)
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        Project::new(config).wants(seen)
    }

    fn binding(&self, config: &Values, seen: &Files, _: &Tool) -> Binding {
        Project::new(config).binding(seen)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match look(config, files) {
            Ok((_, discovery)) => discovery,
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        let project = Project::new(config);
        if !seen.files.contains_key(&project.file) {
            return Absence::Look(vec![Want::File(project.file)]);
        }
        let called = |script: &&Script| {
            script.name == name
                || PackageManager::ALL.iter().any(|manager| tool_name(*manager, &script.name) == name)
        };
        let manifest = project.own(seen);
        let scripts = manifest.map_or_else(|_| Vec::new(), |manifest| manifest.scripts);
        let script = scripts.iter().find(called);
        script.map_or(Absence::Unknown, |script| selection::left_out(script, config, &project.file))
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

    fn reach(&self, _: &Tool) -> Reach {
        Reach::Appended
    }

    fn judge(&self, wrapped: &Wrapped<'_>) -> Option<Result<(), BadCall>> {
        wrapped::judge(wrapped)
    }
}
