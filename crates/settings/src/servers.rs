//! `.toolscript.json`: the MCP servers of a project and of its user, in the shape of Claude Code's `.mcp.json`.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::expand::ExpandedTree;
use super::find::{SettingsOrigin, SettingsPlace};
use super::inspection::Inspection;
use super::json::{self, Duplicate};
use super::keys::SERVERS;
use super::load::look;
use super::problem::{ProblemDraft, ProblemText, SettingsProblem};
use super::read::place;
use super::syntax;
use super::tree::{Content, Node};
use super::upstream::Upstream;
use crate::model::{Seen, Severity, shown};
use crate::sys::{Environment, files};

/// A `.toolscript.json` that was read.
#[derive(Debug, Clone)]
pub struct ServerFile {
    /// The file. Relative paths in it count from its folder, in the user's own file from the project's root.
    pub place: SettingsPlace,
    /// The bytes that were read.
    pub bytes: Arc<[u8]>,
    /// The servers without an error, in the order of the file.
    pub upstreams: Vec<Upstream>,
    /// Every problem, in the order of the file.
    pub problems: Vec<SettingsProblem>,
    /// The variables whose values the servers have.
    pub variables: BTreeSet<String>,
    /// Every name in the file, those of servers with errors as well, each with its place in bytes.
    names: Vec<(String, usize)>,
}

/// Reads the file at a place. A file that cannot be read has one problem and no servers.
pub fn load_servers(place: &SettingsPlace, environment: &Environment) -> ServerFile {
    // A run writes the project: by a link it would have cuff read, and show in an error, what the run itself may not see.
    if place.origin == SettingsOrigin::Found
        && let Some(target) = files::led_out(&place.root, &place.file)
    {
        let what = format!(
            "the file is a link that leads out of its folder, to {}",
            shown(&target.display().to_string())
        );
        return nothing(place, &[], ProblemDraft::error(what).help("write the servers into the file itself"));
    }
    let why = match look(&place.file) {
        Seen::File(file) if file.mode & 0o002 != 0 => {
            let draft = ProblemDraft::error(
                "every user of this machine may write the file, so its servers are not used",
            );
            return nothing(place, &file.bytes, draft.help(format!("run `chmod o-w {}`", place.name)));
        }
        Seen::File(file) => return read_servers(place, &file.bytes, environment),
        Seen::Missing => "there is no such file".to_owned(),
        Seen::Unreadable(why) => why,
    };
    nothing(place, &[], ProblemDraft::error(format!("the servers cannot be read: {why}")))
}

/// Reads the content of a file, whose `${VAR}` this environment expands.
pub fn read_servers(of: &SettingsPlace, bytes: &[u8], environment: &Environment) -> ServerFile {
    read_expanded(of, bytes, Some(environment))
}

fn read_expanded(of: &SettingsPlace, bytes: &[u8], environment: Option<&Environment>) -> ServerFile {
    let text = match syntax::decode(bytes) {
        Ok(text) => text,
        Err(draft) => return nothing(of, bytes, draft),
    };
    let source = ProblemText::new(&of.name, text);
    let (mut root, duplicates) = match json::parse(text) {
        Ok(parsed) => parsed,
        Err(placed) => {
            let (draft, offset) = *placed;
            return ServerFile { problems: vec![draft.at(&source, offset)], ..empty(of, bytes) };
        }
    };
    let mut inspection = Inspection {
        abouts: &[],
        drafts: Vec::new(),
        expanded: ExpandedTree::default(),
        is_final: environment.is_some(),
        runners: Vec::new(),
    };
    for duplicate in &duplicates {
        inspection.drafts.push(twice(duplicate));
    }
    let names = names(&root);
    let upstreams = inspection.servers(&mut root, environment);
    let broken: HashSet<_> = inspection
        .drafts
        .iter()
        .filter(|(draft, _)| draft.severity == Severity::Error)
        .map(|(draft, _)| draft.instance.clone())
        .collect();
    let is_whole = |one: &Upstream| !broken.contains(&None) && !broken.contains(&Some(shown(&one.name)));
    ServerFile {
        upstreams: upstreams.into_iter().filter(is_whole).map(|one| one.of(of)).collect(),
        problems: place(&source, inspection.drafts, Some),
        variables: inspection.expanded.variables,
        names,
        ..empty(of, bytes)
    }
}

impl ServerFile {
    /// The names of all servers in the file, but for those that another file takes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// The servers that this file is read for as they are written, without the values of variables.
    pub fn written(&self) -> Vec<Upstream> {
        let mut written = read_expanded(&self.place, &self.bytes, None).upstreams;
        written.retain(|one| self.names.iter().any(|(name, _)| *name == one.name));
        written
    }

    /// Leaves out the servers that settings.yml names as well, with a warning for each. `file` is that file's name.
    pub fn leave_out(&mut self, taken: &[String], file: &str) {
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        let source = ProblemText::new(&self.place.name, text.trim_start_matches('\u{feff}'));
        let is_taken = |name: &str| taken.iter().any(|taken| shown(taken) == name);
        self.problems.retain(|one| one.instance.as_deref().is_none_or(|name| !is_taken(name)));
        for (name, offset) in self.names.iter().filter(|(name, _)| taken.contains(name)) {
            let message = format!("`{}` is not used here: {file} has an entry of that name", shown(name));
            let draft = ProblemDraft::warning(message)
                .of(name)
                .label("not used")
                .help("rename or remove one of them");
            self.problems.push(draft.at(&source, Some(*offset)));
        }
        self.upstreams.retain(|one| !taken.contains(&one.name));
        self.names.retain(|(name, _)| !taken.contains(name));
    }

    /// Leaves out the servers that another such file replaces.
    pub fn replaced_by(&mut self, other: &Self) {
        let taken: HashSet<&str> = other.names().collect();
        self.upstreams.retain(|one| !taken.contains(one.name.as_str()));
        self.names.retain(|(name, _)| !taken.contains(name.as_str()));
        let taken: HashSet<String> = taken.into_iter().map(shown).collect();
        self.problems.retain(|one| one.instance.as_ref().is_none_or(|name| !taken.contains(name)));
    }
}

/// The names in a file, in its order.
fn names(root: &Node) -> Vec<(String, usize)> {
    let Content::Map(map) = &root.content else { return Vec::new() };
    let servers = match map.get(SERVERS).map(|entry| &entry.value.content) {
        Some(Content::Map(servers)) => servers,
        Some(Content::List(_) | Content::Scalar(_)) => return Vec::new(),
        None => map,
    };
    servers.iter().map(|entry| (entry.key.clone(), entry.number)).collect()
}

fn twice(Duplicate { within, key, offset }: &Duplicate) -> (ProblemDraft, usize) {
    let draft = ProblemDraft::error(format!("`{}` is there twice", shown(key))).label("the second one");
    let draft = draft.help("remove one of them; JSON readers differ in which one they take");
    let draft = match &within[..] {
        [servers] if servers == SERVERS => draft.of(key),
        [servers, name, ..] if servers == SERVERS => draft.of(name),
        [] if key != SERVERS => draft.of(key),
        [name, ..] if name != SERVERS => draft.of(name),
        _ => draft,
    };
    (draft, *offset)
}

fn nothing(place: &SettingsPlace, bytes: &[u8], draft: ProblemDraft) -> ServerFile {
    let problem = draft.at(&ProblemText::new(&place.name, ""), None);
    ServerFile { problems: vec![problem], ..empty(place, bytes) }
}

fn empty(place: &SettingsPlace, bytes: &[u8]) -> ServerFile {
    ServerFile {
        place: place.clone(),
        bytes: bytes.into(),
        upstreams: Vec::new(),
        problems: Vec::new(),
        variables: BTreeSet::new(),
        names: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
