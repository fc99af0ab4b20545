//! The suggestion of `cuff init` for a source whose file it finds.

use super::offer::{look, offer_found};
use super::spec::SourceSpec;
use crate::model::{Field, Files, Pick, Picking, Problem, Role, Suggestion, Tool, Values, counted, path};

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
    let picks: Vec<Pick> = offered.tools.iter().filter_map(|tool| pick(spec, card.source, tool)).collect();
    let look = found.look;
    let value = |key: &'static Field| {
        let own = look.settings.iter().find(|(own, _)| *own == key);
        own.map(|(_, value)| value.as_str().into()).or_else(|| key.default_value())
    };
    let count = counted(picks.len() as u64, card.noun);
    let draft = Suggestion {
        description: format!("Found {} with {count}", path::within(look.folder(), &look.source)),
        confidence: if picks.is_empty() { 0.5 } else { 0.95 },
        config: spec.written.iter().filter_map(|key| Some((*key, value(key)?))).collect(),
        asking: offered.tools.iter().filter(|tool| mutates(tool)).map(|tool| tool.name.clone()).collect(),
        warnings: offered.problems.iter().map(Problem::sentence).collect(),
        picking: (!picks.is_empty() && card.config.contains(field)).then_some(Picking {
            field,
            excluding: Some(excluding),
            picks,
        }),
        items: offered.tools.into_iter().map(|tool| tool.name).collect(),
        ..Suggestion::default()
    };
    (spec.suggest)(&look, draft)
}

fn mutates(tool: &Tool) -> bool {
    matches!(&tool.role, Role::Run { command, .. } if command.requires_confirmation)
}

/// A task to choose. The project may have its runner ask before it.
fn pick(spec: &SourceSpec, source: &str, tool: &Tool) -> Option<Pick> {
    let Role::Run { .. } = &tool.role else { return None };
    let irreversible = tool.confirms.then(|| format!("`{}` in {source}", spec.asks));
    Some(Pick { irreversible, ..Pick::of(tool, tool.original.clone()) })
}
