//! The tools of a project as programs see them: a server for each instance, a function for each tool.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::observed::Shapes;
use crate::calls::parameters;
use crate::model::{Field, Input, ToolName};
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::sandbox::types::{ENVIRONMENT, declarations};
use crate::sandbox::{Catalog, Output, Server, ToolDescription};
use crate::wire::ToolResult;

/// The tools of a project, by the names that programs have for them.
#[derive(Debug)]
pub struct Tools {
    /// The names and schemas.
    pub catalog: Arc<Catalog>,
    pub(super) registry: Arc<Registry>,
    names: HashMap<(String, String), ToolName>,
}

impl Tools {
    /// The tools of a list.
    pub fn of(project: &Project, registry: Arc<Registry>) -> Self {
        let shapes = Shapes::of(project);
        let mut servers: Vec<Server> = Vec::new();
        let mut names = HashMap::new();
        for found in registry.tools() {
            let instance = &found.name.instance;
            let described = described(found, &shapes);
            names.insert((instance.clone(), described.name.clone()), found.name.clone());
            match servers.iter_mut().find(|server| server.name == *instance) {
                Some(server) => server.tools.push(described),
                None => servers.push(Server { name: instance.clone(), tools: vec![described] }),
            }
        }
        // A server whose tools are not known, or are withheld, is there all the same.
        for name in project.servers() {
            if !servers.iter().any(|server| server.name == name) {
                servers.push(Server { name: name.to_owned(), tools: Vec::new() });
            }
        }
        Self { catalog: Arc::new(Catalog::new(servers)), registry, names }
    }

    /// The tools as they are now. The servers that a source names are connected to where their tools are not known yet.
    pub async fn for_source(project: &Project, source: &str) -> Self {
        let tools = Self::of(project, project.list().await);
        let servers: Vec<&str> = project.servers().collect();
        let mut registry = Arc::clone(&tools.registry);
        for server in tools.catalog.servers().iter().filter(|server| servers.contains(&&*server.name)) {
            if source.contains(&server.name) || source.contains(&server.identifier) {
                registry = project.list_for(&format!("{}.", server.name)).await;
            }
        }
        if Arc::ptr_eq(&registry, &tools.registry) { tools } else { Self::of(project, registry) }
    }

    /// The tools as they are now. Every server whose tools are not known yet is connected to.
    pub async fn all(project: &Project) -> Self {
        let servers: Vec<String> = project.servers().map(str::to_owned).collect();
        let mut registry = project.list().await;
        for server in servers {
            registry = project.list_for(&format!("{server}.")).await;
        }
        Self::of(project, registry)
    }

    /// The qualified name of a tool that a program calls.
    pub(super) fn name(&self, server: &str, tool: &str) -> Option<&ToolName> {
        self.names.get(&(server.to_owned(), tool.to_owned()))
    }

    /// The tool of this qualified name.
    pub(super) fn found(&self, name: &ToolName) -> Option<&Registered> {
        self.registry.tools().iter().find(|found| found.name == *name)
    }
}

/// The types of all tools that are wanted, as one file of declarations. A tool is wanted by `server`, `server__tool`,
/// `server.tool`, or the same with the names that programs have.
pub fn types(catalog: &Catalog, wanted: &[String]) -> String {
    let is = |given: &str, name: &str, identifier: &str| given == name || given == identifier;
    let tools = declarations(catalog, |server, tool| {
        wanted.is_empty()
            || wanted.iter().any(|wanted| {
                let (of, rest) = match wanted.split_once("__").or_else(|| wanted.split_once('.')) {
                    Some((of, rest)) => (of, Some(rest)),
                    None => (wanted.as_str(), None),
                };
                let is_of_server =
                    is(of, &server.name, &server.identifier) || is(wanted, &server.name, &server.identifier);
                is_of_server && rest.is_none_or(|rest| is(rest, &tool.described.name, &tool.function))
            })
    });
    format!("{tools}\n{ENVIRONMENT}")
}

fn described(found: &Registered, shapes: &Shapes) -> ToolDescription {
    let tool = &found.tool;
    let description = Some(tool.told().into_owned()).filter(|text| !text.is_empty());
    match (&tool.input, tool.role.definition()) {
        (Input::Schema(schema), Some(definition)) => ToolDescription {
            name: tool.original.clone(),
            description,
            input: Value::clone(schema),
            output: match (definition.raw().get("outputSchema"), shapes.shape(&found.name)) {
                (Some(schema), _) => Output::Declared(schema.clone()),
                (None, Some(shape)) => Output::Observed(shape),
                (None, None) => Output::Unknown,
            },
        },
        _ => ToolDescription {
            name: found.name.local.clone(),
            description,
            input: Field::object_schema(&parameters(tool)),
            output: Output::Declared(ToolResult::schema()),
        },
    }
}
