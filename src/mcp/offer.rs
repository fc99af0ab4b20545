//! The registry as MCP tools: names, schemas, annotations.

use std::collections::BTreeSet;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::engine::{Registered, Registry, parameters};
use crate::model::{Field, Spelling, visible};
use crate::wire::ToolResult;

/// Every tool, in the registry's order. Of names that are spelled alike only the first is offered: an instance
/// `a__b` beside an instance `a` can bring that about in the portable spelling.
pub(super) fn tools(registry: &Registry, spelling: Spelling) -> Vec<Tool> {
    let mut taken = BTreeSet::new();
    let firsts = registry.tools().iter().filter(|tool| taken.insert(tool.name.spelled(spelling)));
    firsts.map(|tool| describe(tool, spelling)).collect()
}

fn describe(tool: &Registered, spelling: Spelling) -> Tool {
    let effects = tool.tool.effects;
    let title =
        if tool.tool.original.is_empty() { tool.name.local.clone() } else { tool.tool.original.clone() };
    let title = visible(&title).into_owned();
    let annotations = ToolAnnotations::from_raw(
        Some(title.clone()),
        Some(effects.read_only),
        Some(effects.destructive),
        Some(effects.idempotent),
        Some(effects.open_world),
    );
    let input = object(Field::object_schema(&parameters(&tool.tool)));
    let description = visible(&tool.tool.description).into_owned();
    let mut described =
        Tool::new(tool.name.spelled(spelling), description, input).with_annotations(annotations);
    described.title = Some(title);
    described.output_schema = Some(object(ToolResult::schema()));
    described
}

pub(super) fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
