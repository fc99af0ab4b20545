//! The engine of sources that are values: what a source reads becomes tools, the same way for all.
//!
//! A source is a [`SourceSpec`] in a file beside this folder, and a line in the list of plugins.

pub(in crate::plugins) mod config;
mod ini;
mod look;
mod manifest;
mod offer;
mod spec;
mod suggest;
mod task;
#[cfg(test)]
mod tests;

use crate::model::{
    About, Absence, After, BadCall, Binding, Command, Discovery, Fault, Files, Governance, InstallHint,
    Installer, Missing, Patterns, Problem, Reach, Registered, Role, Suggestion, Tool, Values, Want, Word,
    shown,
};
use crate::plugin::{Conclusion, Explored, Plugin};
use crate::plugins::scripts::arguments::check_characters;

pub(in crate::plugins) use ini::ini_entries;
pub(in crate::plugins) use look::Look;
pub(in crate::plugins) use manifest::Manifest;
pub(in crate::plugins) use spec::{MissingDependency, SourceSpec};
pub(in crate::plugins) use task::{Listing, Task, words};

use config::{ARGS, ARGUMENTS, EXCLUDE_TASKS};

impl Plugin for SourceSpec {
    fn about(&self) -> About {
        About {
            summary: self.summary,
            noun: "task",
            source: self.files.first().copied().unwrap_or_default(),
            looked_for: self.files.first().copied().unwrap_or_default(),
            unknown: "Task not found",
            config: config::FIELDS,
            narrows: config::NARROWS,
            programs: self.runners,
            has_command: false,
            ..About::new(self.id, self.codes)
        }
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

    fn explore(&self, config: &Values, seen: &Files) -> Explored {
        let found = offer::look(self, config, seen);
        let conclusion = found.look.is_complete().then(|| -> Conclusion {
            let discovery = offer::offer_found(self, &found, config, seen);
            Box::new(move |_, _| discovery)
        });
        Explored { wants: found.look.wants, conclusion }
    }

    fn binding(&self, config: &Values, seen: &Files, _: &Tool) -> Binding {
        let look = offer::look(self, config, seen).look;
        let mut binding = Binding::same(look.read);
        for want in look.wants {
            match want {
                Want::File(file) => binding.add(After::Same, [file]),
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
        let found = offer::look(self, config, seen);
        let wants = found.look.wants.iter();
        let fresh: Vec<Want> = wants.filter(|want| !seen.answers(want)).cloned().collect();
        if !fresh.is_empty() {
            return Absence::Look(fresh);
        }
        let called = |task: &&Task| {
            task.name == name || task.tool_name() == name || task.aliases.iter().any(|alias| alias == name)
        };
        let Some(task) = found.tasks.iter().find(called) else { return Absence::Unknown };
        let (excluded, _) = Patterns::new(config.texts(&EXCLUDE_TASKS));
        let (what, help) = match task.listing {
            Listing::ByName(why) | Listing::Never(why) => ("Task is private", why),
            Listing::Public if excluded.matches(&task.name) => {
                ("Task is excluded", "`exclude_tasks` in the settings leaves it out")
            }
            Listing::Public => ("Task not in allowed patterns", "add it to `tasks` in settings.yml"),
        };
        let problem = Problem::error(Fault::NotFound, format!("{what}: {}", shown(&task.name)));
        let problem = Box::new(problem.help(help));
        match task.listing {
            Listing::ByName(_) if !excluded.matches(&task.name) => {
                let tool = offer::tool(self, task, &found.look, config, seen);
                Absence::ByName(Box::new(tool), problem)
            }
            _ => Absence::Because(problem),
        }
    }

    fn install_hint(
        &self,
        config: &Values,
        tool: &Tool,
        offered: &[Registered],
        seen: &Files,
    ) -> InstallHint {
        let Some(missing) = self.missing else { return InstallHint::Nothing };
        let Found { mut look, tasks, .. } = offer::look(self, config, seen);
        let missing = missing(&mut look).filter(|missing| missing.task != tool.original);
        let fresh: Vec<Want> = look.wants.iter().filter(|want| !seen.answers(want)).cloned().collect();
        if !fresh.is_empty() {
            return InstallHint::Look(fresh);
        }
        let Some(missing) = missing else { return InstallHint::Nothing };
        let Some(task) = tasks.iter().find(|task| task.name == missing.task) else {
            return InstallHint::Nothing;
        };
        let installs = |other: &&Registered| {
            let Role::Run { command, .. } = &other.tool.role else { return false };
            other.tool.original == missing.task && command.words().eq(&texts(&task.words))
        };
        let installer = match offered.iter().find(installs) {
            Some(found) => Installer::Tool(found.name.clone()),
            None => Installer::ByHand {
                line: texts(&task.words).join(" "),
                directory: look.folder().to_owned().into(),
            },
        };
        InstallHint::Missing(Missing { what: missing.what, installer })
    }

    fn plan(
        &self,
        config: &Values,
        _: &Tool,
        mut command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        let given = arguments.texts(&ARGS);
        if governance.is_governed() {
            check_characters(config.text(&ARGUMENTS), &given)?;
        }
        let separator = self.separator.filter(|_| !given.is_empty());
        command.arguments.extend(separator.map(Word::fixed));
        command.arguments.extend(given.into_iter().map(Word::call));
        Ok(command)
    }

    fn reach(&self, tool: &Tool) -> Reach {
        if tool.input.fields().is_empty() { Reach::Declared } else { Reach::Appended }
    }
}

use offer::Found;

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}
