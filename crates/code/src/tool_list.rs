//! Tools that programs can call, as JSON: what commands show and a gateway answers.

use serde_json::{Value, json};

use super::Hit;
use crate::model::{nearest, shown, visible};
use crate::project::Project;
use crate::sandbox::types::tool_types;
use crate::sandbox::{Catalog, NamedServer, NamedTool, ResultShape};

/// The tools of a server, or of all, with their schemas.
///
/// # Errors
/// A problem and the next step, where there is no such server, or none of its tools is known.
pub fn tool_list(
    project: &Project,
    catalog: &Catalog,
    server: Option<&str>,
) -> Result<Vec<Value>, (String, String)> {
    let servers: Vec<&NamedServer> = match server {
        Some(name) => vec![catalog.server(name).ok_or_else(|| no_server(catalog, name))?],
        None => catalog.servers().iter().collect(),
    };
    let tools = servers.iter().flat_map(|of| of.tools.iter().map(move |tool| (*of, tool)));
    let listed: Vec<Value> = tools.map(|(of, tool)| with_schemas(of, tool)).collect();
    match server.filter(|_| listed.is_empty()).and_then(|name| Some((name, project.why_unknown(name)?))) {
        Some((name, why)) => Err((
            format!("the tools of the server {} are not known: {}", shown(name), visible(&why)),
            "`toolscript status` tries each server; the tools of the others work meanwhile".to_owned(),
        )),
        None => Ok(listed),
    }
}

/// Tools that were found by words, each with its score, the reason and its types.
pub fn hit_list(hits: &[Hit<'_>]) -> Vec<Value> {
    let shape = |hit: &Hit<'_>| {
        let mut shape = named(hit.server, hit.tool);
        shape["score"] = json!((hit.score * 1000.0).round() / 1000.0);
        shape["reason"] = json!(hit.reason);
        shape["types"] = json!(tool_types(hit.tool));
        shape
    };
    hits.iter().map(shape).collect()
}

fn with_schemas(server: &NamedServer, tool: &NamedTool) -> Value {
    let mut shape = named(server, tool);
    shape["inputSchema"] = tool.described.input.clone();
    if let ResultShape::Declared(schema) = &tool.described.output {
        shape["outputSchema"] = schema.clone();
    }
    shape
}

/// A tool by its names.
fn named(server: &NamedServer, tool: &NamedTool) -> Value {
    let mut shape = json!({
        "name": format!("{}__{}", server.name, tool.described.name), "server": server.name, "tool": tool.described.name,
        "function": format!("{}.{}", server.identifier, tool.function),
    });
    if let Some(description) = &tool.described.description {
        shape["description"] = json!(description);
    }
    shape
}

/// There is no such server, with the nearest name.
fn no_server(catalog: &Catalog, name: &str) -> (String, String) {
    let near = nearest(name, catalog.servers().iter().map(|server| server.name.as_str()));
    let help = near.map_or_else(
        || "`toolscript list-servers` shows all".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    (format!("there is no server `{}`", shown(name)), help)
}
