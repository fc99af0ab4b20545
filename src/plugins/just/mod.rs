//! Recipes of a justfile.

mod arguments;
mod config;
mod dump;
mod header;
mod probe;
mod project;
mod reader;
mod recipe;
mod selection;
mod sources;
mod suggest;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod tools;

use crate::model::{
    About, Absence, After, BadCall, Binding, Command, Discovery, Files, Governance, Suggestion, Tool, Values,
    Want,
};
use crate::plugin::Plugin;

use project::Project;

/// The recipes of one justfile and of its modules.
#[derive(Debug)]
pub(super) struct Just;

impl Plugin for Just {
    fn about(&self) -> About {
        About {
            summary: "Recipes of a justfile, run by just",
            noun: "recipe",
            source: "the justfile",
            looked_for: "a justfile",
            unknown: "Recipe not found",
            facts: &["justfile"],
            config: config::FIELDS,
            narrows: config::NARROWS,
            options: config::OPTIONS,
            programs: &["just"],
            ..About::new("just", "JUST")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(files)
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        let mut wants = Project::wants(config);
        if wants.iter().all(|want| seen.answers(want))
            && let Ok(project) = Project::new(config, seen)
            && project.check(seen).is_ok()
        {
            wants.extend(sources::sources(&project, seen).wants());
            if wants.iter().all(|want| seen.answers(want)) {
                // just answers once all files are known whose change makes its answer another one.
                wants.extend(project.sought(config).map(Want::Program));
                wants.push(Want::Probe(probe::probe(&project, config)));
            }
        }
        wants
    }

    fn binding(&self, config: &Values, seen: &Files, _: &Tool) -> Binding {
        let mut binding = Binding::same(project::candidates(config));
        if let Ok(project) = Project::new(config, seen) {
            let sources = sources::sources(&project, seen);
            binding.add(After::Same, sources.files);
            // Recipes may set up their own variables.
            binding.add(After::Written, sources.variables);
        }
        binding
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match tools::look(config, files) {
            Ok(found) => tools::offer(&found, config),
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        let fresh: Vec<Want> =
            self.wants(config, seen).into_iter().filter(|want| !seen.answers(want)).collect();
        if !fresh.is_empty() {
            return Absence::Look(fresh);
        }
        match tools::look(config, seen).map(|found| found.dump) {
            Ok(Ok(dump)) => selection::absence(&dump, config, name),
            Ok(Err(_)) | Err(_) => Absence::Unknown,
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
        arguments::add(command, config, tool, arguments, governance.is_governed())
    }
}
