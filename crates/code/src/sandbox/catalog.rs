//! The tools that programs can call, as a plain description: names and schemas.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names;
use super::withheld::WithheldName;

/// A source of tools, as it is described.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolServer {
    /// As settings call it.
    pub name: String,
    /// Its tools. Of two with one name the first counts.
    pub tools: Vec<ToolDescription>,
    /// Its tools that programs do not get.
    pub withheld: Vec<WithheldName>,
    /// Why tools of it are not there: it is down, or its files are broken.
    pub problem: Option<String>,
}

/// A tool, as its source describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDescription {
    /// As its source calls it.
    pub name: String,
    /// Its purpose. A stranger's text.
    #[serde(skip)]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input: Value,
    /// The shape of its answer.
    #[serde(skip)]
    pub output: ResultShape,
}

/// The known shape of a tool's results.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ResultShape {
    /// Nothing.
    #[default]
    Unknown,
    /// The result of a run, as all tools of the project itself have it.
    Run,
    /// The JSON Schema that its source has declared.
    Declared(Value),
    /// The shape that earlier results had, as a JSON Schema.
    Observed(Value),
}

/// All tools, by the names that programs know them by. Immutable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalog {
    servers: Vec<NamedServer>,
    /// The servers that programs do not get.
    withheld: Vec<WithheldName>,
}

/// A server, and its name in programs. The interpreter gets it as well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedServer {
    /// As settings call it.
    pub name: String,
    /// As a word of JavaScript: `gitHub`.
    pub identifier: String,
    /// Its tools, in the order of the source.
    pub tools: Vec<NamedTool>,
    /// Its tools that programs do not get.
    #[serde(default)]
    pub withheld: Vec<WithheldName>,
    /// Why tools of it are not there: it is down, or its files are broken.
    pub problem: Option<String>,
}

/// A tool, and its name in programs. The interpreter gets it as well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedTool {
    /// Its number among all tools.
    pub number: u32,
    /// Its function: `createIssue`.
    pub function: String,
    /// Its other name, which other faces show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// Its description and its schemas.
    #[serde(flatten)]
    pub described: ToolDescription,
}

impl Catalog {
    /// Names all tools.
    pub fn new(servers: Vec<ToolServer>) -> Self {
        let identifiers = names::distinct(servers.iter().map(|server| server.name.as_str()));
        let mut number = 0;
        let servers = servers.into_iter().zip(identifiers).map(|(server, identifier)| {
            let functions = names::distinct(server.tools.iter().map(|tool| tool.name.as_str()));
            let tools = server.tools.into_iter().zip(functions).filter_map(|(described, function)| {
                let tool = NamedTool { number, function: function?, also: None, described };
                number += 1;
                Some(tool)
            });
            let tools = tools.collect();
            let (name, withheld, problem) = (server.name, server.withheld, server.problem);
            identifier.map(|identifier| NamedServer { name, identifier, tools, withheld, problem })
        });
        Self { servers: servers.flatten().collect(), withheld: Vec::new() }
    }

    /// The same with the other name of each tool, by its server and its name, where it has one.
    #[must_use]
    pub fn also_called(mut self, other: impl Fn(&str, &str) -> Option<String>) -> Self {
        for server in &mut self.servers {
            for tool in &mut server.tools {
                tool.also = other(&server.name, &tool.described.name);
            }
        }
        self
    }

    /// With the servers that programs do not get.
    #[must_use]
    pub fn withholding(self, withheld: Vec<WithheldName>) -> Self {
        Self { withheld, ..self }
    }

    /// The servers that programs do not get.
    pub fn withheld(&self) -> &[WithheldName] {
        &self.withheld
    }

    /// All servers, in their order.
    pub fn servers(&self) -> &[NamedServer] {
        &self.servers
    }

    /// The server of this name, or with this identifier.
    pub fn server(&self, key: &str) -> Option<&NamedServer> {
        let by_name = self.servers.iter().find(|server| server.name == key);
        by_name.or_else(|| self.servers.iter().find(|server| server.identifier == key))
    }

    /// A tool by its number, with its server.
    pub fn tool(&self, number: u32) -> Option<(&NamedServer, &NamedTool)> {
        self.servers.iter().find_map(|server| {
            let first = server.tools.first()?.number;
            let at = usize::try_from(number.checked_sub(first)?).ok()?;
            Some((server, server.tools.get(at)?))
        })
    }

    /// The servers as the interpreter gets them: all names, and the schemas of the tools that a program may
    /// name. Nothing is said of the arguments of others.
    pub(super) fn start_servers(&self, source: &str) -> Vec<NamedServer> {
        let tool = |tool: &NamedTool| {
            let NamedTool { number, function, also, described: ToolDescription { name, input, .. } } = tool;
            let is_named = [function, name].into_iter().chain(also).any(|name| source.contains(name));
            let input = if is_named { input.clone() } else { Value::Bool(true) };
            let (name, output) = (name.clone(), ResultShape::Unknown);
            let described = ToolDescription { name, description: None, input, output };
            NamedTool { number: *number, function: function.clone(), also: also.clone(), described }
        };
        let server = |server: &NamedServer| NamedServer {
            name: server.name.clone(),
            identifier: server.identifier.clone(),
            tools: server.tools.iter().map(tool).collect(),
            withheld: server.withheld.clone(),
            problem: server.problem.clone(),
        };
        self.servers.iter().map(server).collect()
    }

    /// The tools as the interpreter got them.
    pub(super) fn of_start(servers: &[NamedServer], withheld: &[WithheldName]) -> Self {
        Self { servers: servers.to_vec(), withheld: withheld.to_vec() }
    }
}

impl NamedServer {
    /// The tool of this name, with this function, or with this other name.
    pub fn tool(&self, key: &str) -> Option<&NamedTool> {
        let by_name = self.tools.iter().find(|tool| tool.described.name == key);
        let by_function = || self.tools.iter().find(|tool| tool.function == key);
        let by_other = || self.tools.iter().find(|tool| tool.also.as_deref() == Some(key));
        by_name.or_else(by_function).or_else(by_other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(name: &str, tools: &[&str]) -> ToolServer {
        let tool = |name: &&str| ToolDescription {
            name: (*name).to_owned(),
            description: None,
            input: Value::Null,
            output: ResultShape::Unknown,
        };
        ToolServer { name: name.to_owned(), tools: tools.iter().map(tool).collect(), ..ToolServer::default() }
    }

    #[test]
    fn every_tool_is_found_by_its_names_and_its_number() {
        let catalog = Catalog::new(vec![
            server("git-hub", &["create_issue", "createPull", "create_issue"]),
            server("empty", &[]),
            server("fs", &["read-file"]),
            server("git-hub", &["again"]),
        ]);
        let names: Vec<&str> = catalog.servers().iter().map(|server| server.identifier.as_str()).collect();
        assert_eq!(names, ["gitHub", "empty", "fs"]);
        for key in ["git-hub", "gitHub"] {
            let server = catalog.server(key).unwrap();
            assert_eq!(server.tools.len(), 2);
            assert_eq!(server.tool("create_issue"), server.tool("createIssue"));
        }
        for number in 0..3 {
            let (server, tool) = catalog.tool(number).unwrap();
            assert_eq!((tool.number, server.tool(&tool.function)), (number, Some(tool)));
        }
        assert_eq!((catalog.tool(3), catalog.server("nope")), (None, None));
        let started = Catalog::of_start(&catalog.start_servers("tools.fs.readFile({})"), &[]);
        assert_eq!(started.tool(2).unwrap().1, catalog.tool(2).unwrap().1);
        assert_eq!(started.tool(1).unwrap().1.described.input, Value::Bool(true));
    }

    #[test]
    fn the_interpreter_gets_all_names_and_the_digits_of_every_schema() {
        let mut catalog = Catalog::new(vec![server("fs", &["read-file"])]);
        let input = serde_json::from_str(r#"{"minimum": 1, "maximum": 1234567890123456789012.50}"#).unwrap();
        catalog.servers[0].tools[0].described.input = input;
        let sent = serde_json::to_string(&catalog.start_servers("tools.fs.readFile({})")).unwrap();
        assert!(!sent.contains("also"), "{sent}");
        assert_eq!(serde_json::from_str::<Vec<NamedServer>>(&sent).unwrap(), catalog.servers);
    }
}
