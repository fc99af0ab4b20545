//! The suggestion of `cuff init` for a source whose file it finds.

use super::offer::{look, offer_found};
use super::spec::SourceSpec;
use crate::model::{
    Discovery, Field, Files, Pick, Picking, Problem, Role, Suggestion, Tool, Values, counted, gathered, path,
};

/// The source, when it has tasks.
pub(super) fn suggest(spec: &SourceSpec, files: &Files) -> Option<Suggestion> {
    let config = Values::default();
    let found = look(spec, &config, files);
    let offered = offer_found(spec, &found, &config, files);
    if offered.tools.is_empty() {
        return None;
    }
    let card = spec.card();
    let [field, excluding] = spec.selecting;
    let asks: Vec<String> =
        offered.tools.iter().filter(|tool| tool.confirms).map(|tool| tool.original.clone()).collect();
    let asking = offered.tools.iter().filter(|tool| mutates(tool)).map(|tool| tool.name.clone()).collect();
    let look = found.look;
    let file = path::within(look.folder(), &look.source);
    let mut draft = draft(offered, &file, card.noun, field);
    draft.asking = asking;
    draft.picking = draft.picking.filter(|found| !found.picks.is_empty() && card.config.contains(field));
    if let Some(picking) = &mut draft.picking {
        picking.excluding = Some(excluding);
        // The project may have its runner ask before a task.
        let asked = format!("`{}` in {}", spec.asks, card.source);
        let picks = picking.picks.iter_mut().filter(|pick| asks.contains(&pick.name));
        picks.for_each(|pick| pick.irreversible = Some(asked.clone()));
    }
    let value = |key: &'static Field| {
        let own = look.settings.iter().find(|(own, _)| *own == key);
        own.map(|(_, value)| value.as_str().into()).or_else(|| key.default_value())
    };
    draft.config = spec.written.iter().filter_map(|key| Some((*key, value(key)?))).collect();
    (spec.suggest)(&look, draft)
}

fn mutates(tool: &Tool) -> bool {
    matches!(&tool.role, Role::Run { command, .. } if command.requires_confirmation)
}

/// The suggestion of a source that found these tools in this file: the tools to choose among, and what is odd about them.
pub(in crate::plugins) fn draft(
    found: Discovery,
    file: &str,
    noun: &str,
    field: &'static Field,
) -> Suggestion {
    let runs = found.tools.iter().filter(|tool| matches!(tool.role, Role::Run { .. }));
    let picks: Vec<Pick> = runs.map(|tool| Pick::of(tool, tool.original.clone())).collect();
    let problems = found.problems.iter().filter(|problem| !problem.is_note());
    Suggestion {
        description: format!("Found {file} with {}", counted(picks.len() as u64, noun)),
        confidence: if picks.is_empty() { 0.5 } else { 0.95 },
        warnings: problems.map(Problem::sentence).collect(),
        notes: gathered(&found.problems).into_iter().collect(),
        picking: Some(Picking { field, excluding: None, picks }),
        items: found.tools.into_iter().map(|tool| tool.name).collect(),
        ..Suggestion::default()
    }
}
