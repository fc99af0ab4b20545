//! The registry as MCP tools: names, schemas, annotations.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::clean;
use super::entry::Entry;
use crate::calls::parameters;
use crate::model::{self, Field, Role, Spelling, visible};
use crate::project::Project;
use crate::registry::{Registered, Registry};

/// Every tool, in the registry's order. The definitions of the tools of other MCP servers are in the form that clients
/// take, under the names that cuff has for them.
pub(super) fn entries(registry: &Registry, spelling: Spelling) -> Vec<Entry> {
    let mut schemas = Schemas::default();
    let entry = |found: &Registered| match &found.tool.role {
        Role::Relay(definition) => {
            let name = found.name.spelled(spelling);
            let definition = named(definition.offered(), &name);
            Some(Entry::relayed(name, &definition))
        }
        Role::Run { .. } | Role::List(_) => Entry::of(&clean::tool(schemas.describe(found, spelling))),
    };
    registry.tools().iter().filter_map(entry).collect()
}

/// A tool of another MCP server; `None`: it is none.
pub(super) fn of_server(found: &Registered, spelling: Spelling) -> Option<Tool> {
    match &found.tool.role {
        Role::Relay(definition) => Some(relayed(found, definition.offered(), spelling)),
        Role::Run { .. } | Role::List(_) => None,
    }
}

fn named(definition: &Value, name: &str) -> Value {
    let mut named = definition.clone();
    named["name"] = json!(name);
    named
}

/// The longest text of a tool's command in its description, in characters: every session reads it.
const LONGEST_TEXT: usize = 120;

/// The description of a tool, or the command that it runs if nobody has described it.
fn description(tool: &model::Tool) -> String {
    let mut line = visible(&tool.description).into_owned();
    if let Some(text) = tool.text.as_deref().filter(|_| !tool.is_described) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut = text.char_indices().nth(LONGEST_TEXT).map(|(at, _)| at);
        let shown = visible(text.get(..cut.unwrap_or(text.len())).unwrap_or_default()).into_owned();
        line.extend([": ", &shown, if cut.is_some() { "…" } else { "" }]);
    }
    line
}

/// The line of a tool in the dispatcher's list. A mark says that a person is asked first, or has yet to approve it.
pub(super) fn list_line(engine: &Project, found: &Registered) -> String {
    let mut line = description(&found.tool);
    if engine.is_text_unapproved(found) {
        line.push_str(" (refused: nobody has approved what it runs now)");
    } else if engine.asks_first(found) {
        line.push_str(" (a person is asked first)");
    }
    line
}

/// The schemas of a list. Most tools have the same, and share it: a list that waits to be read takes little.
#[derive(Default)]
pub(super) struct Schemas {
    inputs: Vec<(Vec<&'static Field>, Arc<JsonObject>)>,
    output: Option<Arc<JsonObject>>,
}

impl Schemas {
    /// The entry of a tool in `tools/list`.
    pub(super) fn describe(&mut self, tool: &Registered, spelling: Spelling) -> Tool {
        let effects = tool.tool.effects;
        let title =
            if tool.tool.original.is_empty() { tool.name.local.clone() } else { tool.tool.original.clone() };
        let title = visible(&title).into_owned();
        let annotations = ToolAnnotations::from_raw(
            Some(title.clone()),
            Some(effects.read_only),
            Some(tool.tool.is_destructive()),
            Some(effects.idempotent),
            Some(effects.open_world),
        );
        if let Role::Relay(definition) = &tool.tool.role {
            return relayed(tool, definition.offered(), spelling);
        }
        let input = self.input(parameters(&tool.tool));
        let description = description(&tool.tool);
        let mut described =
            Tool::new(tool.name.spelled(spelling), description, input).with_annotations(annotations);
        described.title = Some(title);
        described.output_schema =
            Some(Arc::clone(self.output.get_or_insert_with(|| object(result_in_short()))));
        described
    }

    fn input(&mut self, fields: Vec<&'static Field>) -> Arc<JsonObject> {
        if let Some((_, known)) = self.inputs.iter().find(|(known, _)| *known == fields) {
            return Arc::clone(known);
        }
        let made = object(Field::arguments_schema(&fields));
        self.inputs.push((fields, Arc::clone(&made)));
        made
    }
}

/// The entry of another MCP server's tool: its own definition, under the name that cuff has for it. Of what the server
/// says about effects nothing is dropped, and nothing is believed: no rule of cuff reads it.
fn relayed(found: &Registered, definition: &Value, spelling: Spelling) -> Tool {
    let name = found.name.spelled(spelling);
    serde_json::from_value(named(definition, &name)).unwrap_or_else(|_| {
        let schema = found.tool.input.schema().cloned().unwrap_or_default();
        Tool::new(name, visible(&found.tool.description).into_owned(), object(schema))
    })
}

/// The fields that all results have, and that a caller looks at first. The list has them with each tool, and
/// a client that validates results accepts further ones: the whole shape would be most of the list.
fn result_in_short() -> Value {
    json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"}, "exit_code": {"type": "integer"}, "diagnostics": {"type": "object"},
            "data": {"type": "object"},
        },
        "required": ["success"],
    })
}

pub(super) fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
