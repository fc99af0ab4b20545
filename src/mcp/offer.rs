//! The registry as MCP tools: names, schemas, annotations.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::engine::{Registered, Registry, parameters};
use crate::model::{Field, ToolName, visible};
use crate::wire::ToolResult;

/// How qualified names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// `instance.name`.
    Dotted,
    /// `instance__name`, for clients that take letters, digits, `_` and `-` alone.
    Portable,
}

impl Spelling {
    /// The name that a client sees.
    pub fn write(self, name: &ToolName) -> String {
        match self {
            Self::Dotted => name.to_string(),
            Self::Portable => format!("{}__{}", name.instance, name.local),
        }
    }
}

/// Every tool, in the registry's order. Of names that are spelled alike only the first is offered: an instance
/// `a__b` beside an instance `a` can bring that about in the portable spelling.
pub(super) fn tools(registry: &Registry, spelling: Spelling) -> Vec<Tool> {
    let mut taken = BTreeMap::new();
    for tool in registry.tools() {
        taken.entry(spelling.write(&tool.name)).or_insert(&tool.name);
    }
    let firsts =
        registry.tools().iter().filter(|tool| taken.get(&spelling.write(&tool.name)) == Some(&&tool.name));
    firsts.map(|tool| describe(tool, spelling)).collect()
}

/// The qualified name behind the name that a client used.
pub(super) fn qualified(registry: &Registry, name: &str, spelling: Spelling) -> String {
    let found = registry.tools().iter().find(|tool| spelling.write(&tool.name) == name);
    found.map_or_else(|| name.to_owned(), |tool| tool.name.to_string())
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
        Tool::new(spelling.write(&tool.name), description, input).with_annotations(annotations);
    described.title = Some(title);
    described.output_schema = Some(object(ToolResult::schema()));
    described
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
