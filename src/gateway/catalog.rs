//! The tools of a project as programs see them: a server for each instance.

use crate::calls::parameters;
use crate::model::{Field, Input};
use crate::registry::{Registered, Registry};
use crate::sandbox::{Catalog, Output, Server, ToolDescription};

/// The catalog of these tools, and of servers that have none yet.
pub(super) fn catalog<'a>(registry: &Registry, servers: impl Iterator<Item = &'a str>) -> Catalog {
    let mut all: Vec<Server> = Vec::new();
    for found in registry.tools() {
        let described = described(found);
        match all.iter_mut().find(|server| server.name == found.name.instance) {
            Some(server) => server.tools.push(described),
            None => all.push(Server { name: found.name.instance.clone(), tools: vec![described] }),
        }
    }
    for name in servers {
        if !all.iter().any(|server| server.name == name) {
            all.push(Server { name: name.to_owned(), tools: Vec::new() });
        }
    }
    Catalog::new(all)
}

fn described(found: &Registered) -> ToolDescription {
    let tool = &found.tool;
    let (name, input, output) = match (&tool.input, tool.role.definition()) {
        (Input::Schema(schema), Some(definition)) => {
            let output = definition.raw().get("outputSchema").cloned();
            (tool.original.clone(), serde_json::Value::clone(schema), output)
        }
        _ => (found.name.local.clone(), Field::object_schema(&parameters(tool)), None),
    };
    let description = Some(tool.told()).filter(|told| !told.is_empty());
    ToolDescription { name, description, input, output: output.map_or(Output::Unknown, Output::Declared) }
}
