//! The engine of sources that are values: what a source reads becomes tools, the same way for all.
//!
//! A source is a [`SourceSpec`] in a file beside this folder, and a line in the list of plugins.

mod absence;
mod asked;
pub(in crate::plugins) mod config;
mod described;
mod ini;
mod look;
mod manifest;
mod offer;
mod patterns;
mod spec;
mod suggest;
mod task;
#[cfg(test)]
mod tests;
mod words;
mod workspace;

use crate::model::{
    Absence, BadCall, Binding, Checks, Command, Discovery, Ended, Files, Governance, InstallHint, Installer,
    Missing, Package, PluginInfo, Reach, Registered, Role, StatePart, Suggestion, Tool, Values, Verdict,
    Want, Workspace,
};
use crate::plugin::Plugin;

pub(in crate::plugins) use asked::complete;
pub(in crate::plugins) use described::DESCRIBED;
pub(in crate::plugins) use ini::{ini_entries, ini_fault};
pub(in crate::plugins) use look::{SourceLook, source_file};
pub(in crate::plugins) use manifest::{ManifestFormat, TaskManifest};
pub(in crate::plugins) use patterns::TaskPatterns;
pub(in crate::plugins) use spec::{MissingDependency, SourceSpec, TaskList, WorkspaceSpec};
pub(in crate::plugins) use suggest::draft;
pub(in crate::plugins) use task::{SourceTask, TaskListing, TaskProgram, words};
pub(in crate::plugins) use words::{PlannedCall, check_pasted};
pub(in crate::plugins) use workspace::{check_members, package};

use offer::FoundSource;

impl Plugin for SourceSpec {
    fn about(&self) -> PluginInfo {
        self.card()
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(self, files)
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        offer::look(self, config, seen).look.wants
    }

    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding {
        let mut look = offer::look(self, config, seen).look;
        if let Some(own) = self.binding {
            return own(&mut look, tool);
        }
        let mut binding = Binding::same(look.read);
        for want in look.wants {
            match want {
                Want::File(file) => binding.add(StatePart::Same, [file]),
                // Which further files are read depends on it.
                other => binding.wants.push(other),
            }
        }
        binding
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        offer::offer(self, config, files)
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        absence::absence(self, &offer::look(self, config, seen), name)
    }

    fn checks(&self, _: &Values, tools: &[&Tool], seen: &Files) -> Checks {
        (self.checks)(tools, seen)
    }

    fn install_hint(
        &self,
        config: &Values,
        tool: &Tool,
        offered: &[Registered],
        seen: &Files,
    ) -> InstallHint {
        let Some(missing) = self.missing else { return InstallHint::Nothing };
        let FoundSource { mut look, tasks, .. } = offer::look(self, config, seen);
        let missing = missing(&mut look).filter(|missing| missing.task != tool.original);
        let fresh = look.fresh();
        if !fresh.is_empty() {
            return InstallHint::Look(fresh);
        }
        let Some(missing) = missing else { return InstallHint::Nothing };
        let Some(task) = tasks.iter().find(|task| task.is(missing.task)) else {
            return InstallHint::Nothing;
        };
        let installs = |other: &&Registered| {
            let Role::Run { command, .. } = &other.tool.role else { return false };
            other.tool.original == missing.task && command.words() == task.command.words()
        };
        let installer = match offered.iter().find(installs) {
            Some(found) => Installer::Tool(found.name.clone()),
            None => Installer::ByHand {
                line: task.command.words().join(" "),
                directory: look.folder().to_owned().into(),
            },
        };
        InstallHint::Missing(Missing { what: missing.what, installer })
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        (self.words)(&PlannedCall {
            id: self.id,
            separator: self.separator,
            config,
            tool,
            command,
            arguments,
            governance,
        })
    }

    fn workspace(&self, config: &Values, seen: &Files) -> Workspace {
        self.workspace.map_or_else(Workspace::default, |own| workspace::of(self, &own, config, seen))
    }

    fn package(&self, manifest: &[u8]) -> Option<Package> {
        (self.workspace?.of_manifest)(std::str::from_utf8(manifest).ok()?)
    }

    fn reach(&self, tool: &Tool) -> Reach {
        let is_declared = tool.input.fields().is_empty() || tool.input.declared().is_some();
        if is_declared { Reach::Declared } else { self.reach }
    }

    fn reading(&self, _: &Tool) -> Option<&'static str> {
        self.report.map(|(dialect, _)| dialect)
    }

    fn verdict(&self, tool: &Tool, ended: Ended<'_>) -> Option<Verdict> {
        self.report.map(|(_, judge)| judge(tool, ended))
    }
}
