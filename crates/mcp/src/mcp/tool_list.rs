//! The registry as MCP tools: names, schemas, annotations.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::list_entry::ToolEntry;
use super::sanitize;
use crate::calls::{self, CHOSEN_RUNNER, parameters, with_declared};
use crate::model::{self, Field, Role, Spelling, visible};
use crate::project::Project;
use crate::registry::{AgentTool, PACKAGE, Registered, Registry};

/// Every tool, in the registry's order. The definitions of the tools of other MCP servers are in the form that clients
/// take, under the names that cuff has for them.
pub(super) fn entries(project: &Project, registry: &Registry, spelling: Spelling) -> Vec<ToolEntry> {
    let mut schemas = Schemas::of(project);
    let entry = |tool: &AgentTool<'_>| match &tool.first.tool.role {
        Role::Relay(definition) => {
            let name = tool.name.spelled(spelling);
            let definition = named(definition.offered(), &name);
            Some(ToolEntry::relayed(name, &definition))
        }
        Role::Run { .. } | Role::List(_) => ToolEntry::of(&sanitize::tool(schemas.describe(tool, spelling))),
    };
    registry.for_agents().iter().filter_map(entry).collect()
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

/// How many packages a schema names.
const MOST_PACKAGES: usize = 40;

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

/// The description of a tool, or of the one that several packages share.
fn described(tool: &AgentTool<'_>) -> String {
    let line = description(&tool.first.tool);
    let is_alike = tool.all().all(|found| found.tool.text == tool.first.tool.text);
    match (tool.packages.len(), is_alike) {
        (0, _) => line,
        (_, true) => format!("{line} (`{PACKAGE}` says where)"),
        (_, false) => format!("{line} (another text in other packages: `{PACKAGE}` says which)"),
    }
}

/// The line of a tool in the dispatcher's list. A mark says that a person is asked first, or has yet to approve it.
pub(super) fn list_line(project: &Project, tool: &AgentTool<'_>) -> String {
    let mut line = described(tool);
    let share = |is_so: &dyn Fn(&Registered) -> bool| match tool.all().filter(|found| is_so(found)).count() {
        0 => None,
        some if some == tool.all().count() => Some(""),
        _ => Some(" in some packages"),
    };
    if let Some(share) = share(&|found| project.settings.is_text_unapproved(found)) {
        line.extend([" (refused", share, ": nobody has approved what it runs now)"]);
    } else if let Some(share) = share(&|found| project.asks_first(found)) {
        line.extend([" (a person is asked first", share, ")"]);
    }
    line
}

/// The schema of the arguments with the package, whose names are listed.
fn with_package(input: &JsonObject, tool: &AgentTool<'_>) -> Arc<JsonObject> {
    let (listed, more) = tool.packages.split_at(tool.packages.len().min(MOST_PACKAGES));
    let mut about = "The package of the workspace".to_owned();
    if tool.has_root {
        about.push_str("; left out, the root");
    }
    let mut package = json!({"type": "string"});
    let names: Vec<String> = listed.iter().map(|(name, _)| visible(name).into_owned()).collect();
    if more.is_empty() {
        package["enum"] = json!(names);
    } else {
        about.extend([": ", &names.join(", "), " and ", &more.len().to_string(), " more, by name or folder"]);
    }
    package["description"] = json!(about);
    let mut input = input.clone();
    if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(PACKAGE.to_owned(), package);
    }
    if !tool.has_root {
        input.insert("required".to_owned(), json!([PACKAGE]));
    }
    Arc::new(input)
}

/// The schema of the arguments with the runners that a call may choose from, if there are some.
fn with_runners(input: Arc<JsonObject>, runners: &[&str]) -> Arc<JsonObject> {
    if runners.is_empty() {
        return input;
    }
    let mut input = Arc::unwrap_or_clone(input);
    if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
        let on = json!({"type": "string", "enum": runners, "description": CHOSEN_RUNNER.about});
        properties.entry(CHOSEN_RUNNER.name).or_insert(on);
    }
    Arc::new(input)
}

/// The schemas of a list. Most tools have the same, and share it: a list that waits to be read takes little.
pub(super) struct Schemas<'p> {
    project: &'p Project,
    inputs: Vec<(Vec<&'static Field>, Arc<JsonObject>)>,
    output: Option<Arc<JsonObject>>,
}

impl<'p> Schemas<'p> {
    pub(super) fn of(project: &'p Project) -> Self {
        Self { project, inputs: Vec::new(), output: None }
    }

    /// The entry of a tool in `tools/list`.
    pub(super) fn describe(&mut self, shared: &AgentTool<'_>, spelling: Spelling) -> Tool {
        let tool = shared.first;
        let effects = tool.tool.effects;
        let title =
            if tool.tool.original.is_empty() { tool.name.local.clone() } else { tool.tool.original.clone() };
        let title = visible(&title).into_owned();
        let annotations = ToolAnnotations::from_raw(
            Some(title.clone()),
            Some(effects.read_only),
            Some(shared.all().any(|found| found.tool.is_destructive())),
            Some(effects.idempotent),
            Some(effects.open_world),
        );
        if let Role::Relay(definition) = &tool.tool.role {
            return relayed(tool, definition.offered(), spelling);
        }
        let fields = parameters(&tool.tool);
        let input = match tool.tool.input.declared() {
            Some(_) => object(with_declared(&tool.tool, Field::arguments_schema(&fields))),
            None => self.input(fields),
        };
        let input = with_runners(input, &calls::open_runners(&self.project.settings, tool));
        let input = if shared.is_shared() { with_package(&input, shared) } else { input };
        let description = described(shared);
        let mut described =
            Tool::new(shared.name.spelled(spelling), description, input).with_annotations(annotations);
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
