//! One name per tool: the registry, in the order of settings and then of each source.

mod lookup;
mod names;
mod near;

use std::collections::{HashMap, HashSet};
use std::path::{Component, PathBuf};
use std::sync::Arc;

use crate::model::{Discovery, Later, Problem, Role, Severity, Tool, ToolName, lasting};

pub use lookup::{NoSuchTool, foremost, innermost};

/// Every tool that is offered, under its final name.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    tools: Vec<Registered>,
    problems: Vec<Reported>,
    notes: Vec<Noted>,
}

/// A tool under its final name.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The qualified name.
    pub name: ToolName,
    /// The built-in it comes from, by id.
    pub plugin: &'static str,
    /// The tool as its plugin found it; `tool.name` is what the plugin wanted it to be called.
    pub tool: Tool,
    /// Of each instance what is irreversible.
    irreversible: Later<Vec<Irreversible>>,
    /// Which of them is its own.
    place: usize,
}

/// A problem and the instance it was found in.
#[derive(Debug, Clone)]
pub struct Reported {
    /// The instance.
    pub instance: String,
    /// The built-in, by id.
    pub plugin: &'static str,
    /// What is wrong.
    pub problem: Problem,
}

/// How something was found out, and in which instance.
#[derive(Debug, Clone)]
pub struct Noted {
    /// The instance.
    pub instance: String,
    /// The built-in, by id.
    pub plugin: &'static str,
    /// In words.
    pub note: String,
}

impl Registry {
    /// Joins discoveries, in their order, and settles every name.
    pub fn new(discoveries: impl IntoIterator<Item = (String, &'static str, Arc<Discovery>)>) -> Self {
        let mut registry = Self::default();
        let discoveries: Vec<_> = discoveries.into_iter().collect();
        let all = discoveries.clone();
        let irreversible = Later::new(move || irreversible(&all));
        for (place, (instance, plugin, discovery)) in discoveries.iter().enumerate() {
            let (instance, plugin) = (instance.clone(), *plugin);
            let (names, collisions) = names::settle(&instance, &discovery.tools);
            for (local, tool) in names.into_iter().zip(&discovery.tools) {
                let name = ToolName { instance: instance.clone(), local };
                let (tool, irreversible) = (tool.clone(), irreversible.clone());
                registry.tools.push(Registered { name, plugin, tool, irreversible, place });
            }
            for problem in discovery.problems.iter().cloned().chain(collisions) {
                registry.problems.push(Reported { instance: instance.clone(), plugin, problem });
            }
            for note in discovery.notes.iter().cloned() {
                registry.notes.push(Noted { instance: instance.clone(), plugin, note });
            }
        }
        registry
    }

    /// Adds what is wrong with what the settings say of these tools.
    pub fn complain(&mut self, problems: impl IntoIterator<Item = Reported>) {
        self.problems.extend(problems);
    }

    /// Every tool, in order.
    pub fn tools(&self) -> &[Registered] {
        &self.tools
    }

    /// Everything that is wrong with the sources, in order.
    pub fn problems(&self) -> &[Reported] {
        &self.problems
    }

    /// How the sources were read, where that is worth a word, in order.
    pub fn notes(&self) -> &[Noted] {
        &self.notes
    }

    /// Whether an instance has no tools for what is wrong with its sources.
    pub fn is_barren(&self, instance: &str) -> bool {
        let is_wrong = |reported: &Reported| {
            reported.instance == instance && reported.problem.severity == Severity::Error
        };
        self.of_instance(instance).next().is_none() && self.problems.iter().any(is_wrong)
    }

    /// The tools of one instance, in order.
    pub fn of_instance<'a>(&'a self, instance: &'a str) -> impl Iterator<Item = &'a Registered> {
        self.tools.iter().filter(move |tool| tool.name.instance == instance)
    }
}

impl Registered {
    /// Whether nothing seems to take back what it does, or what it leads to in any instance. The first to ask for any tool
    /// has all of them judged.
    pub fn is_irreversible(&self) -> bool {
        self.irreversible.get(self.place).is_some_and(|names| names.contains_key(&self.tool.original))
    }

    /// What it leads to that nothing seems to take back, by way of what else: which instance of all has each, and what its
    /// source calls it. Nothing, where it is so itself.
    pub fn leads_to(&self) -> Vec<(usize, &str)> {
        let next = |place: usize, name: &str| self.irreversible.get(place)?.get(name)?.as_ref();
        let first = next(self.place, &self.tool.original);
        let way = std::iter::successors(first, |(place, name)| next(*place, name));
        let mut seen = HashSet::from([(self.place, self.tool.original.as_str())]);
        let way = way.map(|(place, name)| (*place, name.as_str())).take_while(|step| seen.insert(*step));
        way.filter(|(_, name)| !name.is_empty()).collect()
    }
}

/// The names of what nothing seems to take back, and of what leads to it: the next on the way, and whose that is.
type Irreversible = HashMap<String, Option<(usize, String)>>;

fn irreversible(discoveries: &[(String, &'static str, Arc<Discovery>)]) -> Vec<Irreversible> {
    let folders: Vec<PathBuf> = discoveries.iter().map(|(.., discovery)| folder(discovery)).collect();
    let sources = folders.iter().zip(discoveries);
    let sources: Vec<_> =
        sources.map(|(folder, (.., discovery))| (folder.as_path(), discovery.ways.as_slice())).collect();
    let owned = |(name, next): (&str, Option<(usize, &str)>)| {
        (name.to_owned(), next.map(|(place, name)| (place, name.to_owned())))
    };
    lasting(&sources).into_iter().map(|names| names.into_iter().map(owned).collect()).collect()
}

/// Where the tools of an instance run.
fn folder(discovery: &Discovery) -> PathBuf {
    let folder = discovery.tools.iter().find_map(|tool| match &tool.role {
        Role::Run { command, .. } => Some(command.directory.components()),
        Role::List(_) => None,
    });
    folder.into_iter().flatten().filter(|part| *part != Component::CurDir).collect()
}
