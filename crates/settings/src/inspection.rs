//! A look at the tree of a settings text, and all that is wrong with it.

mod instance;
mod records;
mod runner;
mod servers;
mod upstream;

use std::collections::HashSet;

use serde_json::Value;

use super::content::Instance;
use super::expand::{ExpandedTree, Unset};
use super::keys::{AGENT_SHELL, MCP, RECORDS, RUNNERS, TOP_KEYS, VERSION};
use super::limits;
use super::parse::{OddityKind, YamlOddity};
use super::problem::ProblemDraft;
use super::runners::runner_entry;
use super::tree::{Content, Map, Node, TreeEntry};
use super::upstream::Upstream;
use crate::model::{AgentShell, PluginInfo, Runner, Severity, TeamRecords, nearest, shown};
use crate::sys::Environment;

/// The state of a look at a tree.
pub(super) struct Inspection<'a> {
    pub(super) abouts: &'a [PluginInfo],
    /// Problems, each with the number of the node to point at.
    pub(super) drafts: Vec<(ProblemDraft, usize)>,
    pub(super) expanded: ExpandedTree,
    /// Whether variables are expanded, so that each value is the one that counts.
    pub(super) is_final: bool,
    /// The keys under `runners:`, those with mistakes as well.
    pub(super) runners: Vec<String>,
}

/// An entry under `plugins:` or `runners:`, or the records, where it is whole.
pub(super) enum DeclaredEntry {
    Instance(Instance),
    Upstream(Upstream),
    Runner(Runner),
    Records(TeamRecords),
}

impl Inspection<'_> {
    /// Turns the errors of disabled instances into warnings.
    pub(super) fn excuse_disabled(&mut self, root: &Node) {
        let Content::Map(root) = &root.content else { return };
        let Some(Content::Map(plugins)) = root.get(TOP_KEYS[2]).map(|entry| &entry.value.content) else {
            return;
        };
        let off: HashSet<_> =
            plugins.iter().filter(|entry| is_off(entry)).map(|entry| shown(&entry.key)).collect();
        for (draft, _) in &mut self.drafts {
            if draft.instance.as_ref().is_some_and(|instance| off.contains(instance)) {
                draft.severity = Severity::Warning;
            }
        }
    }

    /// Expands the variables of every enabled instance and of every runner.
    pub(super) fn expand(&mut self, root: &mut Node, environment: &Environment) {
        let Content::Map(root) = &mut root.content else { return };
        for part in root.iter_mut().filter(|entry| [TOP_KEYS[2], RUNNERS].contains(&&*entry.key)) {
            let is_runners = part.key == RUNNERS;
            let Content::Map(entries) = &mut part.value.content else { continue };
            for entry in entries.iter_mut().filter(|entry| !is_off(entry)) {
                let name = if is_runners { runner_entry(&entry.key) } else { entry.key.clone() };
                for Unset { variable, number } in self.expanded.expand(&mut entry.value, environment) {
                    self.unset(&variable, number, &name);
                }
            }
        }
    }

    fn unset(&mut self, variable: &str, number: usize, instance: &str) {
        if variable.contains(':') {
            let draft =
                ProblemDraft::error(format!("`${{{variable}}}` is for editors, and is not expanded here"))
                    .label("needs a value")
                    .help("write `${VAR}`, and set that variable before cuff starts");
            return self.add(number, draft.of(instance));
        }
        let draft = ProblemDraft::error(format!("the variable `{variable}` is not set"))
            .label("needs its value")
            .help(format!("set it before cuff starts, or write `${{{variable}:-default}}`"));
        self.add(number, draft.of(instance));
    }

    fn add(&mut self, number: usize, draft: ProblemDraft) {
        self.drafts.push((draft, number));
    }

    pub(super) fn root(&mut self, root: &Node) -> Vec<DeclaredEntry> {
        let Content::Map(map) = &root.content else {
            let draft = if root.is_null() {
                ProblemDraft::error("the settings are empty")
            } else {
                ProblemDraft::error(format!("the settings must be a mapping, not {}", root.kind()))
                    .label("here")
            };
            let help =
                "start with `version: \"1\"` and `plugins:`, or have `cuff init --force` write the file";
            self.add(root.number, draft.help(help));
            return Vec::new();
        };
        self.unknown_keys(map);
        self.version(map.get("version"));
        if let Some(entry) = map.get("plugin_settings") {
            self.mapping(entry, None);
        }
        if let Some(entry) = map.get(AGENT_SHELL) {
            self.agent_shell(entry);
        }
        let mut declared = self.runners(map.get(RUNNERS));
        declared.extend(self.records(map.get(RECORDS)));
        let Some(plugins) = map.get("plugins") else {
            let draft =
                ProblemDraft::warning("`plugins` is missing, so no tool is offered").label("from here on");
            self.add(root.number, draft.help("`cuff init` finds what the project has"));
            return declared;
        };
        let Some(plugins) = self.mapping(plugins, None) else { return declared };
        declared.extend(plugins.iter().filter_map(|entry| self.entry(entry)));
        declared
    }

    fn agent_shell(&mut self, entry: &TreeEntry) {
        let value = entry.value.value();
        if value.as_str().and_then(AgentShell::of).is_some() {
            return;
        }
        let draft =
            ProblemDraft::error(format!("`{AGENT_SHELL}` is one of {}", AgentShell::WORDS.join(", ")));
        let help = "`advise` tells agents of the tool for a command, and `enforce` does not run the command";
        self.add(entry.value.number, draft.label("another word").help(help));
    }

    fn version(&mut self, version: Option<&TreeEntry>) {
        // Settings without one are of the only version that there is.
        let Some(version) = version else { return };
        let message = match version.value.value() {
            Value::String(text) if text == VERSION => return,
            Value::Number(number) if number.to_string() == VERSION => return,
            Value::String(text) => format!("settings of version {} are not understood", shown(&text)),
            Value::Number(number) => format!("settings of version {number} are not understood"),
            _ => format!("`version` must be a string, not {}", version.value.kind()),
        };
        let draft = ProblemDraft::error(message)
            .label("not a version that this cuff reads")
            .help(format!("this cuff reads version \"{VERSION}\"; newer settings need a newer cuff"));
        self.add(version.value.number, draft);
    }

    pub(super) fn odd(&mut self, oddity: &YamlOddity) {
        let draft = match &oddity.kind {
            OddityKind::Duplicate(key) => ProblemDraft::error(format!("`{}` is there twice", shown(key)))
                .label("the second one")
                .help("remove one of them; YAML readers differ in which one they take"),
            OddityKind::KeyNotText(key) => {
                let draft =
                    ProblemDraft::error(format!("the key {} is not a string", shown(&key.to_string())));
                if key.is_array() || key.is_object() {
                    draft.help("names are plain words: look for a `?`, `{` or `[` that starts the line")
                } else {
                    draft.help(format!("write it in quotes: \"{key}\""))
                }
            }
            OddityKind::Tag(tag) => {
                ProblemDraft::error(format!("the tag `!{}` has no meaning in settings", shown(tag)))
                    .help("remove it, or write the value in quotes if it starts with `!`")
            }
            OddityKind::Merge => ProblemDraft::error("`<<` merges mappings, and this is none")
                .help("name a mapping with an alias, as in `<<: *defaults`"),
        };
        let draft = match (&oddity.within[..], &oddity.kind) {
            ([plugins, instance], _) if plugins == "plugins" => draft.of(instance),
            ([plugins], OddityKind::Duplicate(instance)) if plugins == "plugins" => draft.of(instance),
            _ => draft,
        };
        self.add(oddity.number, draft);
    }

    /// An unknown key beside `plugins` takes the whole file out where it may have been meant to hold tools back.
    fn unknown_keys(&mut self, map: &Map) {
        for entry in map.iter().filter(|entry| !TOP_KEYS.contains(&entry.key.as_str())) {
            let draft = unknown(&entry.key, &TOP_KEYS);
            let fields: Vec<_> = self.abouts.iter().flat_map(PluginInfo::keys).collect();
            let field = limits::nearest_key(&entry.key, &fields).filter(|field| limits::holds_back(field));
            let draft = match field {
                Some(field) => ProblemDraft { severity: Severity::Error, ..draft }.help(format!(
                    "did you mean `{}`? It belongs below the `config` of an instance",
                    field.name
                )),
                None => draft,
            };
            self.add(entry.number, draft);
        }
    }

    /// The mapping under a key; nothing under it is an empty one and no complaint.
    fn mapping<'e>(&mut self, entry: &'e TreeEntry, instance: Option<&str>) -> Option<&'e Map> {
        match &entry.value.content {
            Content::Map(map) => return Some(map),
            Content::Scalar(Value::Null) => return None,
            Content::Scalar(_) | Content::List(_) => {}
        }
        let found = entry.value.kind();
        let draft = ProblemDraft::error(format!("`{}` must be a mapping, not {found}", shown(&entry.key)));
        let draft = ProblemDraft { instance: instance.map(shown), ..draft };
        self.add(entry.number, draft.label("a mapping").help("write its keys indented below it, one a line"));
        None
    }

    fn text<'e>(&mut self, entry: &'e TreeEntry, instance: &str) -> Option<&'e str> {
        if let Content::Scalar(Value::String(text)) = &entry.value.content {
            return Some(text);
        }
        let draft =
            ProblemDraft::error(format!("`{}` must be a string, not {}", entry.key, entry.value.kind()));
        self.add(entry.value.number, draft.of(instance).label("a string"));
        None
    }
}

/// The complaint about a key that is none of those that are known.
fn unknown(key: &str, known: &[&'static str]) -> ProblemDraft {
    let draft = ProblemDraft::warning(format!("`{}` is not known here", shown(key))).label("unknown key");
    match nearest(key, known.iter().copied()) {
        Some(meant) => draft.help(format!("did you mean `{meant}`?")),
        None => draft.help(format!("known here are {}", known.join(", "))),
    }
}

/// Whether an instance is switched off, in so many words.
fn is_off(entry: &TreeEntry) -> bool {
    let Content::Map(map) = &entry.value.content else { return false };
    map.get("enabled").is_some_and(|enabled| enabled.value.value() == Value::Bool(false))
}

/// Whether an entry names another MCP server.
fn is_upstream(entry: &TreeEntry) -> bool {
    let Content::Map(map) = &entry.value.content else { return false };
    map.get("type").is_some_and(|kind| kind.value.value() == MCP)
}
