//! The tools of a project as programs see them: a server for each instance, a function for each tool.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::observed::Shapes;
use crate::calls::{self, CHOSEN_RUNNER, parameters, with_declared};
use crate::model::{Field, Input, Severity, Spelling, ToolName, listed, shown, slip};
use crate::project::Project;
use crate::registry::{AgentTool, PACKAGE, Registered, Registry};
use crate::sandbox::types::{ENVIRONMENT, declarations, declarations_of};
use crate::sandbox::{
    Catalog, NamedServer, NamedTool, ResultShape, ToolDescription, ToolServer, WithheldName,
};

/// How many names an error suggests.
const MOST_NEAR: usize = 8;

/// The tools of a project, by the names that programs have for them.
#[derive(Debug)]
pub struct Tools {
    /// The names and schemas.
    pub catalog: Arc<Catalog>,
    pub(super) registry: Arc<Registry>,
    /// The name of each as agents have it, and of the first tool that it stands for.
    names: HashMap<(String, String), (ToolName, ToolName)>,
}

impl Tools {
    /// The tools of a list.
    pub fn of(project: &Project, registry: Arc<Registry>) -> Self {
        let shapes = Shapes::of(project);
        let mut servers: Vec<ToolServer> = Vec::new();
        let (mut names, mut also) = (HashMap::new(), HashMap::new());
        for tool in registry.for_agents() {
            let (found, instance) = (tool.first, &tool.name.instance);
            let described = described(&tool, &shapes, &calls::open_runners(&project.settings, tool.first));
            let (local, own) = (&found.name.local, &found.tool.original);
            let other = if described.name == *own { local } else { own };
            also.insert((instance.clone(), described.name.clone()), other.clone());
            names.insert((instance.clone(), described.name.clone()), (tool.name.clone(), found.name.clone()));
            match servers.iter_mut().find(|server| server.name == *instance) {
                Some(server) => server.tools.push(described),
                None => servers.push(ToolServer {
                    name: instance.clone(),
                    tools: vec![described],
                    ..ToolServer::default()
                }),
            }
        }
        // A server whose tools are not known, or are withheld, is there all the same.
        for name in project.settings.servers() {
            if !servers.iter().any(|server| server.name == name) {
                servers.push(ToolServer { name: name.to_owned(), ..ToolServer::default() });
            }
        }
        let also = |server: &str, tool: &str| {
            let found = also.get(&(server.to_owned(), tool.to_owned()));
            found.filter(|also| !also.is_empty() && *also != tool).cloned()
        };
        tell_why(project, &registry, &mut servers);
        let waits = |name: &str| WithheldName {
            name: name.to_owned(),
            why: "it waits for approval; a person runs `cuff approve settings`, which shows it, and asks"
                .to_owned(),
        };
        let waiting = project.settings.withheld_servers().chain(project.settings.withheld_instances());
        let catalog = Catalog::new(servers).also_called(also).withholding(waiting.map(waits).collect());
        Self { catalog: Arc::new(catalog), registry, names }
    }

    /// The tools as they are now. The servers that a source names are waited for where their tools are not known yet. A
    /// program that looks for tools has those of all servers that answer in time.
    pub async fn for_source(project: &Project, source: &str) -> Self {
        let looks = |word: &str| source.contains(word) && source.contains("toolscript");
        if looks("search") || looks("describe") {
            return Self::wanted(project, &[]).await;
        }
        Self::of_servers(project, |server| {
            source.contains(&server.name) || source.contains(&server.identifier)
        })
        .await
    }

    /// The tools as they are now. Where names of servers or tools are wanted, their servers are waited for; else each server
    /// whose tools nobody knows yet, for a moment.
    pub async fn wanted(project: &Project, wanted: &[String]) -> Self {
        if wanted.is_empty() {
            return Self::of(project, project.list_all().await);
        }
        Self::of_servers(project, |server| wanted.iter().any(|name| is_of_server(name, server))).await
    }

    async fn of_servers(project: &Project, is_wanted: impl Fn(&NamedServer) -> bool) -> Self {
        let tools = Self::of(project, project.list_known().await);
        let servers = tools.catalog.servers().iter().filter(|server| is_wanted(server));
        let names: Vec<&str> = servers.map(|server| server.name.as_str()).collect();
        let registry = project.list_of_servers(&names).await;
        if Arc::ptr_eq(&registry, &tools.registry) { tools } else { Self::of(project, registry) }
    }

    /// The tool that a program calls, or the first that it stands for, and its qualified name.
    pub(super) fn found(&self, server: &str, tool: &str) -> Option<(&ToolName, &Registered)> {
        let (name, first) = self.names.get(&(server.to_owned(), tool.to_owned()))?;
        let found = self.registry.tools().iter().find(|found| found.name == *first)?;
        Some((name, found))
    }

    /// Every name that somebody may have for a tool that programs call: the qualified ones, its source's and that of its function.
    pub(super) fn names_of(&self, server: &str, tool: &str) -> Vec<String> {
        let Some((name, _)) = self.found(server, tool) else { return Vec::new() };
        let mut names = vec![name.to_string(), name.spelled(Spelling::Portable)];
        if let Some((server, tool)) =
            self.catalog.server(server).and_then(|server| Some((server, server.tool(tool)?)))
        {
            let own = [Some(&tool.function), Some(&tool.described.name), tool.also.as_ref()];
            names.extend(
                own.into_iter().flatten().flat_map(|own| {
                    [&server.name, &server.identifier].map(|server| format!("{server}.{own}"))
                }),
            );
        }
        names
    }
}

/// Adds the tools that programs do not get, and the problems of servers.
fn tell_why(project: &Project, registry: &Registry, servers: &mut [ToolServer]) {
    for server in servers {
        let is_of = |instance: &str| instance == server.name;
        let why = |found: &Registered| WithheldName {
            name: found.tool.original.clone(),
            why: calls::refused(project, registry, &found.name.to_string(), Spelling::Dotted).map_or_else(
                || "no person has approved it as it is".to_owned(),
                |refused| {
                    [Some(refused.message), refused.help].into_iter().flatten().collect::<Vec<_>>().join("; ")
                },
            ),
        };
        server.withheld =
            registry.withheld().iter().filter(|found| is_of(&found.name.instance)).map(why).collect();
        for reported in registry.problems().iter().filter(|reported| is_of(&reported.instance)) {
            let why = reported.problem.in_one_line();
            let withheld = reported
                .problem
                .withheld
                .iter()
                .map(|name| WithheldName { name: name.clone(), why: why.clone() });
            server.withheld.extend(withheld);
            if server.tools.is_empty() && reported.problem.severity == Severity::Error {
                server.problem = Some(why);
            }
        }
    }
}

/// The types of all tools that are wanted, as one file of declarations. A tool is wanted by `server`, `server__tool`,
/// `server.tool`, `tool`, or the same with the names that programs have. Where nothing is named it has all tools, and what every
/// program has beside them.
pub fn types(catalog: &Catalog, wanted: &[String]) -> String {
    if wanted.is_empty() {
        let tools = declarations(catalog);
        return format!("{tools}\n{ENVIRONMENT}");
    }
    declarations_of(catalog, |server, tool| wanted.iter().any(|wanted| is_wanted(wanted, server, tool)))
}

fn is_wanted(wanted: &str, server: &NamedServer, tool: &NamedTool) -> bool {
    let of = |given: &str| given == server.name || given == server.identifier;
    let is = |given: &str| server.tool(given).is_some_and(|found| std::ptr::eq(found, tool));
    let parts = wanted.split_once("__").or_else(|| wanted.split_once('.'));
    of(wanted) || parts.map_or_else(|| is(wanted), |(name, rest)| of(name) && is(rest))
}

/// The first wanted name that no tool and no server has, in one sentence, and the next step: the nearest names.
pub fn not_found(catalog: &Catalog, wanted: &[String]) -> Option<(String, String)> {
    let is_there = |wanted: &&String| {
        catalog.server(wanted).is_some()
            || catalog
                .servers()
                .iter()
                .any(|server| server.tools.iter().any(|tool| is_wanted(wanted, server, tool)))
    };
    let unknown = wanted.iter().find(|wanted| !is_there(wanted))?;
    let (of, _) =
        unknown.split_once("__").or_else(|| unknown.split_once('.')).unwrap_or((unknown.as_str(), ""));
    let (what, mut near) = match catalog.server(of) {
        Some(server) => {
            let functions =
                server.tools.iter().map(|tool| format!("{}.{}", server.identifier, tool.function));
            (format!("there is no tool `{}`", shown(unknown)), functions.collect::<Vec<_>>())
        }
        None => (
            format!("there is no server `{}`", shown(of)),
            catalog.servers().iter().map(|server| server.identifier.clone()).collect(),
        ),
    };
    let wanted = unknown.replacen("__", ".", 1);
    near.sort_by_key(|name| slip(&wanted, name).unwrap_or(usize::MAX));
    let near: Vec<String> = near.iter().map(|name| shown(name)).collect();
    let help = if near.is_empty() {
        "`toolscript list-tools` shows all".to_owned()
    } else {
        format!("there are {}", listed(&near, MOST_NEAR))
    };
    Some((what, help))
}

/// Whether a name is that of a server, or begins with it: `server`, `server__tool`, `server.tool`.
pub fn is_of_server(name: &str, server: &NamedServer) -> bool {
    let begins = |with: &str| {
        let rest = name.strip_prefix(with);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("__") || rest.starts_with('.'))
    };
    begins(&server.name) || begins(&server.identifier)
}

fn described(shared: &AgentTool<'_>, shapes: &Shapes, runners: &[&str]) -> ToolDescription {
    let (found, tool) = (shared.first, &shared.first.tool);
    let description = Some(tool.told().into_owned()).filter(|text| !text.is_empty());
    match (&tool.input, tool.role.definition()) {
        (Input::Schema(schema), Some(definition)) => ToolDescription {
            name: tool.original.clone(),
            description,
            input: Value::clone(schema),
            output: match (
                definition.raw().get("outputSchema").filter(|schema| schema.is_object()),
                shapes.shape(&found.name),
            ) {
                (Some(schema), _) => ResultShape::Declared(schema.clone()),
                (None, Some(shape)) => ResultShape::Observed(shape),
                (None, None) => ResultShape::Unknown,
            },
        },
        _ => ToolDescription {
            name: found.name.local.clone(),
            description,
            input: with_runners(
                with_package(with_declared(tool, Field::object_schema(&parameters(tool))), shared),
                runners,
            ),
            output: ResultShape::Run,
        },
    }
}

/// The arguments with the runners that a call may choose from, where settings open some.
fn with_runners(mut schema: Value, runners: &[&str]) -> Value {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let Some(properties) = properties.filter(|_| !runners.is_empty()) {
        let on = json!({"type": "string", "enum": runners, "description": CHOSEN_RUNNER.about});
        properties.entry(CHOSEN_RUNNER.name).or_insert(on);
    }
    schema
}

/// The arguments with the package, where packages of a workspace share a tool.
fn with_package(mut schema: Value, shared: &AgentTool<'_>) -> Value {
    if !shared.is_shared() {
        return schema;
    }
    let names: Vec<&str> = shared.packages.iter().map(|(name, _)| *name).collect();
    let about = if shared.has_root { "The package; left out, the root" } else { "The package" };
    schema["properties"][PACKAGE] = json!({"type": "string", "enum": names, "description": about});
    if !shared.has_root {
        schema["required"] = json!([PACKAGE]);
    }
    schema
}
