//! Problems for patterns of the settings that match no tool.

use std::borrow::Cow;

use crate::model::{CONFIRM, Location, Patterns, Problem, bounded};
use crate::project::opened::Project;
use crate::registry::{Registered, Registry, ReportedProblem};
use crate::settings::{self, Instance};

impl Project {
    /// A problem for each pattern of `confirm` that matches no tool: its author believes that a person is asked.
    ///
    /// A tool that is there and not offered may be meant as well.
    pub(crate) async fn unmatched_patterns(&self, registry: &Registry) -> Vec<ReportedProblem> {
        let mut all = Vec::new();
        // The patterns of a workspace are those of its packages, too.
        let confirms = |instance: &&Instance| {
            instance.workspace.is_none() && !instance.config.texts(&CONFIRM).is_empty()
        };
        for instance in self.settings.instances.iter().filter(|instance| instance.enabled).filter(confirms) {
            let family: Vec<&str> = registry.family(&instance.name).collect();
            if family.iter().all(|one| registry.of_instance(one).next().is_none()) {
                continue;
            }
            let mut found = Vec::new();
            for pattern in instance.config.texts(&CONFIRM) {
                let (patterns, bad) = Patterns::new([pattern]);
                found
                    .extend(bad.iter().map(|bad| {
                        bad.problem(&CONFIRM, "until then every call of its tools asks a person")
                    }));
                if !bad.is_empty() || family.iter().any(|one| is_heeded(registry, one, &patterns)) {
                    continue;
                }
                if !self.is_left_out(&family, pattern).await {
                    found.push(self.means_nothing(registry, &family, pattern));
                }
            }
            let mut problems = Vec::new();
            bounded(found, &mut problems);
            all.extend(problems.into_iter().map(|problem| ReportedProblem {
                instance: instance.name.clone(),
                plugin: instance.plugin,
                problem,
            }));
        }
        all
    }

    /// Whether one of these instances has something of this name that it does not offer.
    async fn is_left_out(&self, instances: &[&str], name: &str) -> bool {
        let view = self.context.view(&self.settings.root);
        for source in instances.iter().filter_map(|instance| self.source(instance)) {
            if source.absence(name, &view).await.is_some() {
                return true;
            }
        }
        false
    }

    fn means_nothing(&self, registry: &Registry, instances: &[&str], pattern: &str) -> Problem {
        let tools = instances.iter().flat_map(|instance| registry.of_instance(instance));
        let tools = tools.filter(|found| !found.tool.role.is_list());
        let file = self.settings.file().unwrap_or(settings::FILE_NAME);
        let effect = "no tool, so that nobody is asked because of it";
        Patterns::idle(&CONFIRM, pattern, effect, tools.flat_map(names)).at(Location::file(file))
    }
}

/// Whether patterns mean something of an instance: a tool, or what its problems say is not offered.
fn is_heeded(registry: &Registry, instance: &str, patterns: &Patterns) -> bool {
    let offered = registry.of_instance(instance).flat_map(Registered::rule_names);
    let problems = registry.problems().iter().filter(|reported| reported.instance == instance);
    let withheld =
        problems.flat_map(|reported| reported.problem.withheld.iter().map(|name| Cow::from(name.as_str())));
    offered.chain(withheld).any(|name| patterns.matches(&name))
}

/// The names that one would take for a pattern's.
fn names(found: &Registered) -> [&str; 2] {
    [&found.name.local, &found.tool.original]
}
