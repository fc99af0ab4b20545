//! The suggestion of `cuff init` for the justfile that it finds.

use serde_json::{Value, json};

use super::config;
use super::tools::{look, offer};
use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Fault, Field, Files, Pick, Picking, Problem, Role, Suggestion, Values,
    counted, path,
};

/// The justfile that just would take, when there is one that can be read.
pub(super) fn suggest(files: &Files) -> Option<Suggestion> {
    let usual = Values::default();
    let found = look(&usual, files).ok()?;
    let offered = offer(&found, &usual);
    let runs = offered.tools.iter().filter(|tool| matches!(tool.role, Role::Run { .. }));
    let picks: Vec<Pick> = runs.map(|tool| Pick::of(tool, tool.original.clone())).collect();
    let name = path::split(&found.project.file).1;
    // No settings allow a question to just yet.
    let is_unasked = |problem: &&Problem| problem.fault == Some(Fault::NotReady);
    let unasked = offered.problems.iter().any(|problem| is_unasked(&problem));
    let description = if unasked {
        format!("Found {name}; just says which recipes it has once settings allow that")
    } else {
        format!("Found {name} with {}", counted(picks.len() as u64, "recipe"))
    };
    Some(Suggestion {
        description,
        confidence: if picks.is_empty() { 0.5 } else { 0.95 },
        config: settings(&found.project.file),
        items: offered.tools.into_iter().map(|tool| tool.name).collect(),
        warnings: offered.problems.iter().filter(|it| !is_unasked(it)).map(Problem::sentence).collect(),
        picking: (!picks.is_empty()).then_some(Picking {
            field: &config::RECIPES,
            excluding: Some(&config::EXCLUDE_RECIPES),
            picks,
        }),
        ..Suggestion::default()
    })
}

fn settings(file: &str) -> Vec<(&'static Field, Value)> {
    let written: [&'static Field; 6] = [
        &config::RECIPES,
        &config::EXCLUDE_RECIPES,
        &CACHE_TTL,
        &config::WORKING_DIRECTORY,
        &DEFAULT_TIMEOUT,
        &config::EXPOSE_LIST_RECIPES,
    ];
    let own = (&config::JUSTFILE_PATH, json!(format!("./{file}")));
    let rest = written.into_iter().filter_map(|key| Some((key, key.default_value()?)));
    std::iter::once(own).chain(rest).collect()
}
