//! Targets of a Makefile.

mod absence;
mod arguments;
mod binding;
mod config;
mod database;
mod extractor;
mod found;
mod names;
mod probe;
mod project;
mod recipe;
mod selection;
mod simple;
mod special;
mod suggest;
mod targets;
#[cfg(test)]
mod tests;
mod tools;
mod unsettled;
mod written;

use found::look;
use tools::offer;

use crate::model::{
    Absence, BadCall, Binding, Command, Discovery, Files, Governance, PluginInfo, Suggestion, Tool, Values,
    Want,
};
use crate::plugin::Plugin;

/// The targets of one Makefile.
#[derive(Debug)]
pub(super) struct MakefileTargets;

impl Plugin for MakefileTargets {
    fn about(&self) -> PluginInfo {
        PluginInfo {
            summary: "Targets of a Makefile, run by make",
            noun: "target",
            source: "the Makefile",
            looked_for: "a Makefile",
            unknown: "Target not found",
            facts: &["makefile"],
            config: config::FIELDS,
            narrows: config::NARROWS,
            options: config::OPTIONS,
            programs: &["make", "gmake", "bmake"],
            ..PluginInfo::new("makefile", "MAKE")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(files)
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        found::wants(config, seen)
    }

    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding {
        binding::binding(config, seen, &tool.original)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match look(config, files) {
            Ok(found) => offer(&found, config),
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        let wants = self.wants(config, seen);
        let fresh: Vec<Want> = wants.into_iter().filter(|want| !seen.answers(want)).collect();
        if !fresh.is_empty() {
            return Absence::Look(fresh);
        }
        look(config, seen).map_or(Absence::Unknown, |found| absence::because(&found, config, name))
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        let command = arguments::add(command, config, arguments, governance)?;
        if governance.is_governed() {
            arguments::unless_pinned(tool, config, arguments, &command)?;
        }
        Ok(command)
    }
}
