//! The suggestion of `cuff init` for the justfile that it finds.

use serde_json::{Value, json};

use super::config;
use super::tools::{look, offer};
use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Field, Files, Pick, Picking, Problem, Role, Suggestion, Tool, Values,
    counted, path,
};

/// The justfile that just would take, when there is one that can be read.
pub(super) fn suggest(files: &Files) -> Option<Suggestion> {
    let usual = Values::default();
    let found = look(&usual, files).ok()?;
    let offered = offer(&found, &usual);
    let picks: Vec<Pick> = offered.tools.iter().filter_map(pick).collect();
    let name = path::split(&found.project.file).1;
    Some(Suggestion {
        description: format!("Found {name} with {}", counted(picks.len() as u64, "recipe")),
        confidence: if picks.is_empty() { 0.5 } else { 0.95 },
        config: settings(&found.project.file),
        items: offered.tools.into_iter().map(|tool| tool.name).collect(),
        warnings: offered.problems.iter().map(Problem::sentence).collect(),
        picking: (!picks.is_empty()).then_some(Picking {
            field: &config::RECIPES,
            excluding: Some(&config::EXCLUDE_RECIPES),
            picks,
        }),
        ..Suggestion::default()
    })
}

/// A recipe to choose. just itself asks before one with `[confirm]`.
fn pick(tool: &Tool) -> Option<Pick> {
    let Role::Run { .. } = &tool.role else { return None };
    let irreversible = tool.confirms.then(|| "`[confirm]` in the justfile".to_owned());
    Some(Pick { irreversible, ..Pick::of(tool, tool.original.clone()) })
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
