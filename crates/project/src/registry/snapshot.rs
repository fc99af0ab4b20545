//! All tools at one moment, each under its final name.

pub(super) mod lookup;
mod shown_names;
pub(super) mod workspaces;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::names;
use crate::model::Registered;
use crate::model::{Discovery, Heading, Problem, Severity, SharedTool, Tool, ToolName};

/// Every tool that is offered, under its final name.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    generation: u64,
    tools: Vec<Registered>,
    withheld: Vec<Registered>,
    problems: Vec<ReportedProblem>,
    notes: Vec<Noted>,
    headings: HashMap<String, Heading>,
    /// The instances of packages, each with that of its workspace.
    workspaces: BTreeMap<String, String>,
}

/// A problem and the instance it was found in.
#[derive(Debug, Clone)]
pub struct ReportedProblem {
    /// The instance.
    pub instance: String,
    /// The built-in, by id.
    pub plugin: &'static str,
    /// The problem.
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
        let mut sources = Vec::new();
        for (instance, plugin, discovery) in discoveries {
            let (names, collisions) = names::settle(&instance, &discovery.tools);
            registry.tools.reserve(discovery.tools.len());
            let package: Option<Arc<[String]>> =
                (!discovery.heading.package.is_empty()).then(|| discovery.heading.package.as_slice().into());
            for (local, tool) in names.into_iter().zip(SharedTool::all(&discovery)) {
                let name = ToolName { instance: instance.clone(), local };
                let mut tool = Registered::new(name, plugin, tool);
                if let Some(package) = &package {
                    tool.package = Arc::clone(package);
                }
                registry.tools.push(tool);
            }
            for problem in discovery.problems.iter().cloned().chain(collisions) {
                registry.problems.push(ReportedProblem { instance: instance.clone(), plugin, problem });
            }
            for note in discovery.notes.iter().cloned() {
                registry.notes.push(Noted { instance: instance.clone(), plugin, note });
            }
            registry.headings.insert(instance.clone(), discovery.heading.clone());
            sources.push((instance, plugin));
        }
        for (instance, problem) in names::settle_across(&mut registry.tools) {
            let plugin = sources.iter().find(|(name, _)| *name == instance).map_or("", |(_, plugin)| plugin);
            registry.problems.push(ReportedProblem { instance, plugin, problem });
        }
        registry
    }

    /// The same registry, as the one of this number of its project.
    #[must_use]
    pub fn of_generation(self, generation: u64) -> Self {
        Self { generation, ..self }
    }

    /// The same registry, with the problems of the settings about these tools.
    #[must_use]
    pub fn with_problems(mut self, problems: impl IntoIterator<Item = ReportedProblem>) -> Self {
        self.problems.extend(problems);
        self
    }

    /// The same registry without these problems of its sources.
    #[must_use]
    pub fn without_problems(mut self, is_meant: impl Fn(&Problem) -> bool) -> Self {
        self.problems.retain(|reported| !is_meant(&reported.problem));
        self
    }

    /// The same registry without the tools that are withheld from its caller. They are only found to explain why
    /// one cannot be called. The names of the others stay.
    #[must_use]
    pub fn withholding(mut self, is_withheld: impl Fn(&Registered) -> bool) -> Self {
        let (withheld, tools) = self.tools.into_iter().partition(is_withheld);
        (self.tools, self.withheld) = (tools, withheld);
        self
    }

    /// The name that people see of a tool; the qualified one of a tool that is not here.
    pub fn shown(&self, name: &ToolName) -> String {
        let tool = self.tools.iter().find(|tool| tool.name == *name);
        tool.map_or_else(|| name.to_string(), |tool| tool.shown.clone())
    }

    /// The words above the tools of an instance, the most important first.
    pub fn heading(&self, instance: &str) -> Vec<String> {
        self.headings
            .get(instance)
            .map_or_else(|| vec![instance.to_owned()], |heading| heading.words(instance))
    }

    /// The names of the workspace package that an instance belongs to, the shortest first; none for the root.
    pub fn package(&self, instance: &str) -> &[String] {
        self.headings.get(instance).map_or(&[], |heading| heading.package.as_slice())
    }

    /// The same registry with one tool more, for a person who named it. Its name is that of no other tool.
    #[must_use]
    pub fn with_tool(mut self, instance: &str, plugin: &'static str, tool: Tool) -> Self {
        let mut of_instance: Vec<Tool> =
            self.of_instance(instance).map(|known| Tool::clone(&known.tool)).collect();
        of_instance.push(tool.clone());
        let (names, _) = names::settle(instance, &of_instance);
        let local = names.into_iter().last().unwrap_or_default();
        let name = ToolName { instance: instance.to_owned(), local };
        self.tools.push(Registered::new(name, plugin, tool));
        self
    }

    /// Which registry of its project it is: where two have the same number, they are the same.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Every tool, in order.
    pub fn tools(&self) -> &[Registered] {
        &self.tools
    }

    /// The tools that are withheld from the caller that the registry was made for, in order.
    pub fn withheld(&self) -> &[Registered] {
        &self.withheld
    }

    /// Everything that is wrong with the sources, in order.
    pub fn problems(&self) -> &[ReportedProblem] {
        &self.problems
    }

    /// How the sources were read, where that is worth a word, in order.
    pub fn notes(&self) -> &[Noted] {
        &self.notes
    }

    /// Whether an instance has no tools because of errors in its sources.
    pub fn is_barren(&self, instance: &str) -> bool {
        let is_wrong = |reported: &ReportedProblem| {
            reported.instance == instance && reported.problem.severity == Severity::Error
        };
        self.of_instance(instance).next().is_none() && self.problems.iter().any(is_wrong)
    }

    /// The tools of one instance, in order.
    pub fn of_instance<'a>(&'a self, instance: &'a str) -> impl Iterator<Item = &'a Registered> {
        self.tools.iter().filter(move |tool| tool.name.instance == instance)
    }
}
