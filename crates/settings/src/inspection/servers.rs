//! The servers of a `.toolscript.json`.

use serde_json::Value;

use super::{Inspection, unknown};
use crate::expand::Unset;
use crate::keys::SERVERS;
use crate::model::{Field, Severity, Values, nearest, shown};
use crate::problem::ProblemDraft;
use crate::sys::Environment;
use crate::tree::{Content, Map, Node, TreeEntry};
use crate::upstream::{self, Upstream, declared};
use crate::written::check_written;

/// A key that editors read.
const SCHEMA: &str = "$schema";

impl Inspection<'_> {
    /// The servers of a file, with a problem for everything that is wrong.
    pub(crate) fn servers(&mut self, root: &mut Node, environment: Option<&Environment>) -> Vec<Upstream> {
        let Some(servers) = self.server_map(root) else { return Vec::new() };
        let mut upstreams = Vec::new();
        for entry in servers.iter_mut().filter(|entry| entry.key != SCHEMA) {
            if let Some(environment) = environment.filter(|_| !is_off(entry)) {
                self.expand_entry(entry, environment);
            }
            upstreams.extend(self.server(entry));
        }
        upstreams
    }

    /// The mapping of names to servers.
    fn server_map<'n>(&mut self, root: &'n mut Node) -> Option<&'n mut Map> {
        let (number, kind) = (root.number, root.kind());
        let Content::Map(map) = &mut root.content else {
            let draft = ProblemDraft::error(format!("the file must be an object, not {kind}")).label("here");
            self.add(number, draft.help(format!("write {{\"{SERVERS}\": {{}}}}")));
            return None;
        };
        if map.get(SERVERS).is_none() {
            let is_server = |entry: &&TreeEntry| declared::KEYS.iter().any(|field| has(entry, field.name));
            let near = map.iter().find(|entry| nearest(&entry.key, [SERVERS, "servers"]).is_some());
            if let Some(entry) = near.filter(|entry| !is_server(entry)) {
                let draft = ProblemDraft::error(format!("`{}` is not known here", shown(&entry.key)));
                self.add(entry.number, draft.label("unknown key").help(format!("did you mean `{SERVERS}`?")));
                return None;
            }
            return Some(map);
        }
        for entry in map.iter().filter(|entry| ![SERVERS, SCHEMA].contains(&entry.key.as_str())) {
            self.add(entry.number, unknown(&entry.key, &[SERVERS]));
        }
        let entry = map.iter_mut().find(|entry| entry.key == SERVERS)?;
        let (number, kind) = (entry.value.number, entry.value.kind());
        let Content::Map(servers) = &mut entry.value.content else {
            let draft =
                ProblemDraft::error(format!("`{SERVERS}` must be an object, not {kind}")).label("here");
            self.add(number, draft.help("write one key for each server: its name"));
            return None;
        };
        Some(servers)
    }

    fn expand_entry(&mut self, entry: &mut TreeEntry, environment: &Environment) {
        for Unset { variable, number } in self.expanded.expand(&mut entry.value, environment) {
            self.unset(&variable, number, &entry.key);
        }
    }

    /// The server under this key.
    fn server(&mut self, entry: &TreeEntry) -> Option<Upstream> {
        let (name, before) = (&entry.key, self.drafts.len());
        self.instance_name(entry);
        let Content::Map(map) = &entry.value.content else {
            let draft = ProblemDraft::error(format!(
                "`{}` must be an object, not {}",
                shown(name),
                entry.value.kind()
            ));
            let draft = draft.of(name).label("an object");
            self.add(entry.number, draft.help("write `command` and `args`, or `url`"));
            return None;
        };
        let (values, mistakes) = check_written(&declared::KEYS, self.known_values(map, &declared::KEYS));
        let named = (name.as_str(), upstream::CODE_PREFIX);
        let is_right = self.mistakes(mistakes, map, named, entry.number, &declared::KEYS);
        let transport = if is_right { self.reached(entry, map, &values, &declared::TYPE) } else { None };
        let has_patterns = self.has_patterns(&declared::PATTERNS, &values, map, name, entry.number);
        self.timeout(map, &values, name);
        let enabled = values.flag(&declared::ENABLED) && !values.flag(&declared::DISABLED);
        if !enabled {
            self.drafts.truncate(before);
        }
        let transport = transport.filter(|_| has_patterns && (!enabled || self.is_whole(name)))?;
        Some(Upstream::new(name.clone(), enabled, transport, declared::config(&values)))
    }

    /// Warns of a number of seconds in the place of milliseconds.
    fn timeout(&mut self, map: &Map, values: &Values, name: &str) {
        if let Some(entry) = map.get(declared::TIMEOUT.name).filter(|_| declared::is_short(values)) {
            let draft =
                ProblemDraft::warning("`timeout` counts milliseconds, and this is less than a second");
            self.add(
                entry.value.number,
                draft.of(name).label("milliseconds").help("for seconds, write three zeros more"),
            );
        }
    }

    /// Whether nothing is wrong with the entry of this name.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        let whose = Some(shown(name));
        let is_error = |draft: &ProblemDraft| draft.severity == Severity::Error && draft.instance == whose;
        !self.drafts.iter().any(|(draft, _)| is_error(draft))
    }
}

/// Whether a server is switched off, in so many words.
fn is_off(entry: &TreeEntry) -> bool {
    let Content::Map(map) = &entry.value.content else { return false };
    let is = |field: &Field, value: bool| {
        map.get(field.name).is_some_and(|entry| entry.value.value() == Value::Bool(value))
    };
    is(&declared::DISABLED, true) || is(&declared::ENABLED, false)
}

fn has(entry: &TreeEntry, key: &str) -> bool {
    matches!(&entry.value.content, Content::Map(map) if map.get(key).is_some())
}
