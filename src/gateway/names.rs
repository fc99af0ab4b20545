//! The names of tools in addresses and in filters.

use crate::sandbox::{NamedServer, NamedTool};

/// The name of a tool in addresses: `server__tool`.
pub fn portable(server: &NamedServer, tool: &NamedTool) -> String {
    format!("{}__{}", server.name, tool.described.name)
}

/// Which tools are wanted: all, or those that a list names by `server`, `server__tool` or `server.tool`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Filter(Vec<String>);

impl Filter {
    /// The filter of a list with commas. An empty one wants all.
    pub fn new(list: &str) -> Self {
        let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        Self(words.map(str::to_owned).collect())
    }

    /// Whether all are wanted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a tool is wanted.
    pub fn takes(&self, server: &NamedServer, tool: &NamedTool) -> bool {
        self.is_empty() || self.0.iter().any(|word| names(word, server, tool))
    }
}

fn names(word: &str, server: &NamedServer, tool: &NamedTool) -> bool {
    [&server.name, &server.identifier].into_iter().any(|of| {
        let Some(rest) = word.strip_prefix(of.as_str()) else { return false };
        let local = rest.strip_prefix("__").or_else(|| rest.strip_prefix('.'));
        rest.is_empty() || local.is_some_and(|local| local == tool.described.name || local == tool.function)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::sandbox::{Catalog, Output, Server, ToolDescription};

    #[test]
    fn a_filter_names_servers_and_tools_in_every_spelling() {
        let tool = |name: &str| ToolDescription {
            name: name.to_owned(),
            description: None,
            input: Value::Null,
            output: Output::Unknown,
        };
        let server = |name: &str, tools: &[&str]| Server {
            name: name.to_owned(),
            tools: tools.iter().map(|name| tool(name)).collect(),
        };
        let catalog =
            Catalog::new(vec![server("git-hub", &["create_issue", "list"]), server("git", &["log"])]);
        let taken = |list: &str| {
            let filter = Filter::new(list);
            let all = catalog.servers().iter().flat_map(|of| of.tools.iter().map(move |tool| (of, tool)));
            let taken = all.filter(|(of, tool)| filter.takes(of, tool));
            taken.map(|(of, tool)| portable(of, tool)).collect::<Vec<_>>().join(" ")
        };
        let all = "git-hub__create_issue git-hub__list git__log";
        for (list, expected) in [
            ("", all),
            (" , ", all),
            ("git", "git__log"),
            ("git-hub", "git-hub__create_issue git-hub__list"),
            ("gitHub", "git-hub__create_issue git-hub__list"),
            ("git-hub__list,git.log", "git-hub__list git__log"),
            ("gitHub.createIssue", "git-hub__create_issue"),
            ("nope", ""),
        ] {
            assert_eq!(taken(list), expected, "{list}");
        }
    }
}
