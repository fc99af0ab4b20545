//! The definitions of MCP servers' tools as they were pinned: a file for each file that names servers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::pin::{PinnedBy, PinnedTools};

/// The pinned definitions of the servers that one file names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedServers {
    /// The file that names them, for people who read this.
    pub(super) file: String,
    pub(super) servers: BTreeMap<String, PinnedServer>,
}

/// The pinned definitions of one server's tools. One that the server no longer lists stays pinned: it may come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PinnedServerEntry", into = "PinnedServerEntry")]
pub struct PinnedServer {
    /// When the last of them was pinned, in milliseconds since 1970.
    pub at: u64,
    /// On what occasion.
    pub by: PinnedBy,
    /// The definitions.
    pub tools: PinnedTools,
}

/// The tools that a server has listed.
#[derive(Debug)]
pub struct SeenServer {
    /// The server.
    pub server: String,
    /// Its tools.
    pub tools: PinnedTools,
    /// Whether a tool that it adds is taken as it comes.
    pub takes_new: bool,
}

/// Something that was pinned as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinning {
    /// The server.
    pub server: String,
    /// How many of its tools.
    pub tools: usize,
    /// Whether nothing of the server was pinned before.
    pub is_first: bool,
}

/// Why nobody has reviewed the definition of a server's tool as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreviewed {
    /// It is another one than was pinned.
    Changed,
    /// The server added the tool since its tools were pinned.
    New,
    /// Nothing of the server is pinned, or it cannot be read.
    Unpinned,
}

impl PinnedServers {
    /// The pins of a server; `None` before its first list.
    pub fn server(&self, name: &str) -> Option<&PinnedServer> {
        self.servers.get(name)
    }

    /// How a tool's definition stands to what was pinned of its server.
    ///
    /// # Errors
    /// With the reason why it is none that was pinned.
    pub fn review(&self, server: &str, tool: &str, digest: &str) -> Result<(), Unreviewed> {
        let server = self.server(server).ok_or(Unreviewed::Unpinned)?;
        match server.tools.definition(tool) {
            None => Err(Unreviewed::New),
            Some(pinned) if pinned != digest => Err(Unreviewed::Changed),
            Some(_) => Ok(()),
        }
    }

    /// Pins what was seen first: of a server of which nothing is pinned all tools, and new ones where they are taken.
    pub(super) fn see(&mut self, seen: &[SeenServer], at: u64) -> Vec<Pinning> {
        let mut pinned = Vec::new();
        for SeenServer { server, tools, takes_new } in seen {
            let pinning = |tools, is_first| Pinning { server: server.clone(), tools, is_first };
            let Some(known) = self.servers.get_mut(server) else {
                let first = PinnedServer { at, by: PinnedBy::FirstUse, tools: tools.clone() };
                self.servers.insert(server.clone(), first);
                pinned.push(pinning(tools.len(), true));
                continue;
            };
            let mut new = tools.clone();
            new.digests.retain(|tool, _| *takes_new && known.tools.digest(tool).is_none());
            if !new.is_empty() {
                pinned.push(pinning(new.len(), false));
                known.at = at;
                known.tools.extend(new);
            }
        }
        pinned
    }

    /// Pins the definitions that a person approved.
    pub(super) fn approve(&mut self, server: &str, tools: PinnedTools, at: u64) {
        let none = || PinnedServer { at, by: PinnedBy::Approved, tools: PinnedTools::default() };
        let known = self.servers.entry(server.to_owned()).or_insert_with(none);
        known.tools.extend(tools);
        (known.at, known.by) = (at, PinnedBy::Approved);
    }
}

/// The pins of a server in the file.
#[derive(Debug, Serialize, Deserialize)]
struct PinnedServerEntry {
    at: u64,
    is_approved: bool,
    #[serde(flatten)]
    tools: PinnedTools,
}

impl From<PinnedServerEntry> for PinnedServer {
    fn from(PinnedServerEntry { at, is_approved, tools }: PinnedServerEntry) -> Self {
        Self { at, by: if is_approved { PinnedBy::Approved } else { PinnedBy::FirstUse }, tools }
    }
}

impl From<PinnedServer> for PinnedServerEntry {
    fn from(PinnedServer { at, by, tools }: PinnedServer) -> Self {
        Self { at, is_approved: by == PinnedBy::Approved, tools }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::ledger::format;

    /// The same pins, written and read.
    fn again(pinned: &PinnedServers) -> PinnedServers {
        format::read(Path::new("x"), &format::bytes(pinned)).unwrap()
    }

    fn tools(tools: &[(&str, &str)]) -> PinnedTools {
        PinnedTools::of_definitions(tools.iter().map(|(name, digest)| (*name, *digest, "text")))
    }

    fn seen(server: &str, all: &[(&str, &str)], takes_new: bool) -> SeenServer {
        SeenServer { server: server.to_owned(), tools: tools(all), takes_new }
    }

    #[test]
    fn the_first_list_is_pinned_and_what_comes_later_is_not() {
        let mut pinned = PinnedServers::default();
        assert_eq!(pinned.review("shop", "buy", "1"), Err(Unreviewed::Unpinned));
        let first = pinned.see(&[seen("shop", &[("buy", "1"), ("sell", "1")], false)], 5);
        assert_eq!(first, [Pinning { server: "shop".to_owned(), tools: 2, is_first: true }]);
        let later = [("buy", "2"), ("steal", "1")];
        assert_eq!(pinned.see(&[seen("shop", &later, false)], 6), []);
        for (tool, digest, expected) in [
            ("buy", "1", Ok(())),
            ("buy", "2", Err(Unreviewed::Changed)),
            ("steal", "1", Err(Unreviewed::New)),
            ("sell", "1", Ok(())),
        ] {
            assert_eq!(pinned.review("shop", tool, digest), expected, "{tool} {digest}");
        }
        // Settings may take what is new, and never what is another.
        let taken = pinned.see(&[seen("shop", &later, true)], 7);
        assert_eq!(taken, [Pinning { server: "shop".to_owned(), tools: 1, is_first: false }]);
        assert_eq!(pinned.review("shop", "steal", "1"), Ok(()));
        assert_eq!(pinned.review("shop", "steal", "2"), Err(Unreviewed::Changed));
        assert_eq!(pinned.review("shop", "buy", "2"), Err(Unreviewed::Changed));
        pinned.approve("shop", tools(&[("buy", "2")]), 8);
        assert_eq!(pinned.review("shop", "buy", "2"), Ok(()));
        assert_eq!(pinned.review("shop", "buy", "1"), Err(Unreviewed::Changed));
        assert_eq!(pinned.review("shop", "sell", "1"), Ok(()), "one that is gone may come back");
        assert_eq!(again(&pinned), pinned);
    }

    #[test]
    fn a_server_without_tools_is_pinned_too() {
        let mut pinned = PinnedServers::default();
        pinned.see(&[seen("shop", &[], false)], 5);
        assert_eq!(pinned.review("shop", "buy", "1"), Err(Unreviewed::New));
        assert_eq!(again(&pinned), pinned);
    }

    #[test]
    fn however_many_names_a_server_invents_few_stay_pinned() {
        let mut pinned = PinnedServers::default();
        let long = "x".repeat(1_000_000);
        for round in 0..5 {
            let names: Vec<String> = (0..5_000).map(|at| format!("{round}_{at}")).collect();
            let all = names.iter().map(|name| (name.as_str(), "1", "text"));
            let tools = PinnedTools::of_definitions(all.chain([(long.as_str(), "1", long.as_str())]));
            pinned.see(&[SeenServer { server: "shop".to_owned(), tools, takes_new: true }], round);
            assert_eq!(pinned.review("shop", &names[7], "1"), Ok(()));
        }
        assert_eq!(pinned.review("shop", &long, "2"), Err(Unreviewed::Changed));
        let bytes = format::bytes(&pinned).len();
        assert!(bytes < 2 * 1024 * 1024, "{bytes}");
    }
}
