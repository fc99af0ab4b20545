//! The files that decide what a target runs: the Makefile, those that make would prefer to it, and all
//! includes.

use std::collections::HashSet;

use super::extractor::extract;
use super::names::GENERATED;
use super::project::MakefileProject;
use crate::model::{Binding, Files, StatePart, Values, Want, path};

/// The files of a target. Make itself writes those that it has a rule for.
pub(super) fn binding(config: &Values, seen: &Files, target: &str) -> Binding {
    let own = MakefileProject::wants(config).into_iter().filter_map(file);
    let mut binding = Binding::same(own);
    let Ok(project) = MakefileProject::new(config, seen) else { return binding };
    let project = MakefileProject { goal: Some(target.to_owned()), ..project };
    let reading = extract(&project, config, seen).reading;
    let made: HashSet<String> = reading
        .written
        .rules
        .iter()
        .flat_map(|rule| &rule.names)
        .map(|name| path::join(&project.folder, name))
        .collect();
    let included = reading.includes.iter().map(|name| path::join(&project.folder, name));
    for path in included.chain(reading.wants.into_iter().filter_map(file)) {
        let is_written = made.contains(&path) || GENERATED.iter().any(|ending| path.ends_with(ending));
        binding.add(if is_written { StatePart::Written } else { StatePart::Same }, [path]);
    }
    binding
}

fn file(want: Want) -> Option<String> {
    match want {
        Want::File(path) => Some(path),
        Want::Glob(_) | Want::Program(_) | Want::ProgramFile(_) | Want::Probe(_) => None,
    }
}
