//! The suggestion of `cuff init` for a source whose file it finds.

use super::config;
use super::offer::offer;
use super::spec::SourceSpec;
use crate::model::{
    DEFAULT_TIMEOUT, Field, Files, Pick, Picking, Problem, Role, Suggestion, Tool, Values, counted,
};

/// The source, when it has tasks.
pub(super) fn suggest(spec: &SourceSpec, files: &Files) -> Option<Suggestion> {
    let offered = offer(spec, &Values::default(), files);
    if offered.tools.is_empty() {
        return None;
    }
    let written: [&'static Field; 4] =
        [&config::WORKING_DIRECTORY, &config::TASKS, &config::EXCLUDE_TASKS, &DEFAULT_TIMEOUT];
    let mutates =
        |tool: &&Tool| matches!(&tool.role, Role::Run { command, .. } if command.requires_confirmation);
    Some(Suggestion {
        description: format!(
            "Found {} with {}",
            offered.heading.source,
            counted(offered.tools.len() as u64, "task")
        ),
        confidence: 0.95,
        config: written.into_iter().filter_map(|key| Some((key, key.default_value()?))).collect(),
        asking: offered.tools.iter().filter(mutates).map(|tool| tool.name.clone()).collect(),
        warnings: offered.problems.iter().map(Problem::sentence).collect(),
        picking: Some(Picking {
            field: &config::TASKS,
            excluding: Some(&config::EXCLUDE_TASKS),
            picks: offered.tools.iter().map(pick).collect(),
        }),
        items: offered.tools.into_iter().map(|tool| tool.name).collect(),
        ..Suggestion::default()
    })
}

/// A task to choose. The project may have its runner ask before it.
fn pick(tool: &Tool) -> Pick {
    let irreversible = tool.confirms.then(|| format!("{} asks before it", tool.source.file));
    Pick { irreversible, ..Pick::of(tool, tool.original.clone()) }
}
