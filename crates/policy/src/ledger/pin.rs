//! The pin of one settings file.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

/// The folder of pins within the ledger.
pub(super) const FOLDER: &str = "pins";
/// The longest text of a tool that is kept beside its digest, in bytes of the file: a longer one cannot be shown later.
const LONGEST_TEXT: usize = 256 * 1024;
/// How many bytes of its file one pin keeps for texts.
const MOST_TEXT: usize = 4 * 1024 * 1024;
/// The same for the definitions of one MCP server's tools: others share the file.
const LONGEST_DEFINITION: usize = 64 * 1024;
const MOST_DEFINITIONS: usize = 1024 * 1024;
/// A longer name of a server's tool is pinned by its hash, in bytes.
const LONGEST_NAME: usize = 200;
/// How many of a server's tools stay pinned. Those that the server no longer lists go first.
const MOST_TOOLS: usize = 10_000;

/// The pin of one settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// The settings file, for people who read this.
    pub file: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// On what occasion.
    pub by: PinnedBy,
    /// The whole text of the file; `None`: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The texts that the tools of instances with `trust: pinned` run.
    #[serde(flatten)]
    pub tools: PinnedTools,
    /// The names of those MCP servers of the text that a person approved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
}

/// On what occasion something was pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PinnedBy {
    /// `cuff init` wrote it.
    Init,
    /// A person read the difference and said yes.
    Approved,
    /// It was there at the first look: of the definitions of a server's tools alone. A pin of settings that says so is of
    /// an earlier cuff, and counts for nothing.
    FirstUse,
}

/// Texts of tools: the digest of each by the tool's qualified name, and the text of a digest where it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedTools {
    #[serde(default, rename = "tools", skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) digests: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) texts: BTreeMap<String, String>,
}

impl PinnedTools {
    /// These tools, each with its name, the digest of its text and the text. Many tools may share one, which is kept once;
    /// one that takes too much room is not kept.
    pub fn of<'t>(tools: impl IntoIterator<Item = (String, &'t str, &'t str)>) -> Self {
        Self::within((LONGEST_TEXT, MOST_TEXT), tools)
    }

    /// The definitions of an MCP server's tools, each with the server's name of it, its digest and its text.
    pub fn of_definitions<'t>(tools: impl IntoIterator<Item = (&'t str, &'t str, &'t str)>) -> Self {
        let tools = tools.into_iter().map(|(name, digest, text)| (key(name).into_owned(), digest, text));
        Self::within((LONGEST_DEFINITION, MOST_DEFINITIONS), tools)
    }

    fn within<'t>(
        (longest, most): (usize, usize),
        tools: impl IntoIterator<Item = (String, &'t str, &'t str)>,
    ) -> Self {
        let (mut all, mut measured, mut kept) = (Self::default(), HashSet::new(), 0);
        for (tool, digest, text) in tools {
            all.digests.insert(tool, digest.to_owned());
            // Each text once: all targets of a Makefile may have the whole of it.
            let room = if measured.insert(digest) { room(text) } else { continue };
            if room <= longest && kept + room <= most {
                kept += room;
                all.texts.insert(digest.to_owned(), text.to_owned());
            }
        }
        all
    }

    /// Adds these definitions; one of a tool that was pinned takes the place of the other.
    pub(super) fn extend(&mut self, newer: Self) {
        if self.digests.len() + newer.digests.len() > MOST_TOOLS {
            self.digests.clear();
        }
        self.digests.extend(newer.digests);
        let used: HashSet<&String> = self.digests.values().collect();
        let (known, more) = (std::mem::take(&mut self.texts), newer.texts);
        let mut kept = 0;
        // The latest are what a person will be shown.
        for (digest, text) in more.into_iter().chain(known).filter(|(digest, _)| used.contains(digest)) {
            let room = room(&text);
            if kept + room <= MOST_DEFINITIONS && self.texts.insert(digest, text).is_none() {
                kept += room;
            }
        }
    }

    /// The digest of the definition of an MCP server's tool, by the server's name of it.
    pub fn definition(&self, tool: &str) -> Option<&str> {
        self.digest(&key(tool))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The digest of a tool's text.
    pub fn digest(&self, tool: &str) -> Option<&str> {
        self.digests.get(tool).map(String::as_str)
    }

    /// The text of a digest, where it is kept.
    pub fn text(&self, digest: &str) -> Option<&str> {
        self.texts.get(digest).map(String::as_str)
    }

    /// Every tool with the digest of its text, and the text where it is kept; in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, Option<&str>)> {
        self.digests.iter().map(|(tool, digest)| (tool.as_str(), digest.as_str(), self.text(digest)))
    }
}

/// The name by which a server's tool is pinned.
fn key(name: &str) -> Cow<'_, str> {
    if name.len() <= LONGEST_NAME {
        return name.into();
    }
    format!("blake3:{}", blake3::hash(name.as_bytes()).to_hex()).into()
}

/// How many bytes a text takes in JSON.
fn room(text: &str) -> usize {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\t' | b'\r' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(byte).sum()
}
