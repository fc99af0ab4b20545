//! The shape of settings.yml: what it may say, and every problem with it at once.

use std::collections::{BTreeSet, HashSet};

use super::content::Instance;
use super::expand::ExpandedTree;
use super::inspection::{DeclaredEntry, Inspection};
use super::keys::{AGENT_SHELL, TOP_KEYS};
use super::problem::{ProblemDraft, ProblemText, SettingsProblem};
use super::records::RECORDS_ENTRY;
use super::runners::runner_entry;
use super::tree::{Content, Node};
use super::upstream::Upstream;
use super::{parse, syntax};
use crate::model::{AgentShell, PluginInfo, Runner, Severity, TeamRecords, shown};
use crate::sys::Environment;

/// The most problems that are listed; each costs one pass over the text to be placed.
const MOST_PROBLEMS: usize = 50;

/// The content of a settings text.
#[derive(Debug, Default)]
pub(super) struct ReadSettings {
    /// The fate of an agent's shell commands that tools could run.
    pub(super) agent_shell: AgentShell,
    /// The instances that are whole; none with an error that concerns the whole file.
    pub(super) instances: Vec<Instance>,
    /// The MCP servers that are whole, by the same rule.
    pub(super) upstreams: Vec<Upstream>,
    /// The runners that are whole, by the same rule.
    pub(super) runners: Vec<Runner>,
    /// The records of the team, by the same rule.
    pub(super) records: Option<TeamRecords>,
    /// All problems in the order of the file.
    pub(super) problems: Vec<SettingsProblem>,
    /// The variables whose values the instances have.
    pub(super) variables: BTreeSet<String>,
    /// Every key under `plugins:`, those of entries with errors as well.
    pub(super) names: Vec<String>,
}

/// Reads a text as it is written: the instances that are whole, and all problems.
pub(super) fn read(name: &str, text: &str, abouts: &[PluginInfo]) -> (Vec<Instance>, Vec<SettingsProblem>) {
    let ReadSettings { instances, problems, .. } = read_expanded(name, text, abouts, None);
    (instances, problems)
}

/// Reads a text, and expands its variables where there is an environment.
pub(super) fn read_expanded(
    name: &str,
    text: &str,
    abouts: &[PluginInfo],
    environment: Option<&Environment>,
) -> ReadSettings {
    let source = ProblemText::new(name, text);
    let text = source.text();
    let unusable = |draft: ProblemDraft, offset| ReadSettings {
        problems: vec![draft.at(&source, offset)],
        ..ReadSettings::default()
    };
    if let Some((draft, offset)) = syntax::forbidden_character(text) {
        return unusable(draft, offset);
    }
    let (mut root, oddities) = match parse::parse(text) {
        Ok(grown) => grown,
        Err(no_tree) => {
            let (draft, offset) = syntax::explain(text, no_tree);
            return unusable(draft, offset);
        }
    };
    let (drafts, expanded) = (Vec::new(), ExpandedTree::default());
    let is_final = environment.is_some();
    let mut inspection = Inspection { abouts, drafts, expanded, is_final, runners: Vec::new() };
    if let Some(environment) = environment {
        inspection.expand(&mut root, environment);
    }
    for oddity in &oddities {
        inspection.odd(oddity);
    }
    let declared = inspection.root(&root);
    inspection.excuse_disabled(&root);
    let errors = inspection.drafts.iter().filter(|(draft, _)| draft.severity == Severity::Error);
    let broken: HashSet<_> = errors.map(|(draft, _)| draft.instance.as_deref()).collect();
    let whole_file = broken.contains(&None);
    let is_whole = |name: &str| !whole_file && !broken.contains(&Some(&shown(name)));
    let (mut instances, mut upstreams, mut runners) = (Vec::new(), Vec::new(), Vec::new());
    let mut records = None;
    for one in declared {
        match one {
            DeclaredEntry::Instance(instance) if is_whole(&instance.name) => instances.push(instance),
            DeclaredEntry::Upstream(upstream) if is_whole(&upstream.name) => upstreams.push(upstream),
            DeclaredEntry::Runner(runner) if is_whole(&runner_entry(&runner.name)) => runners.push(runner),
            DeclaredEntry::Records(found) if is_whole(RECORDS_ENTRY) => records = Some(found),
            DeclaredEntry::Instance(_)
            | DeclaredEntry::Upstream(_)
            | DeclaredEntry::Runner(_)
            | DeclaredEntry::Records(_) => {}
        }
    }
    let variables = inspection.expanded.variables;
    let problems = place(&source, inspection.drafts, |number| parse::offset(source.text(), number));
    let agent_shell = agent_shell(&root);
    ReadSettings {
        agent_shell,
        instances,
        upstreams,
        runners,
        records,
        problems,
        variables,
        names: names(&root),
    }
}

/// A value of the file.
fn inner<'n>(root: &'n Node, key: &str) -> Option<&'n Node> {
    match &root.content {
        Content::Map(map) => map.get(key).map(|entry| &entry.value),
        Content::List(_) | Content::Scalar(_) => None,
    }
}

/// The fate of an agent's shell commands; a word that is none is an error of the file.
fn agent_shell(root: &Node) -> AgentShell {
    let word = inner(root, AGENT_SHELL).map(Node::value);
    word.and_then(|word| AgentShell::of(word.as_str()?)).unwrap_or_default()
}

/// The keys under `plugins:`.
fn names(root: &Node) -> Vec<String> {
    match inner(root, TOP_KEYS[2]).map(|plugins| &plugins.content) {
        Some(Content::Map(plugins)) => plugins.iter().map(|entry| entry.key.clone()).collect(),
        Some(Content::List(_) | Content::Scalar(_)) | None => Vec::new(),
    }
}

/// Finds where each problem stands, errors first when there are too many. `offset` finds a node's place in the text.
pub(super) fn place(
    source: &ProblemText,
    mut drafts: Vec<(ProblemDraft, usize)>,
    offset: impl Fn(usize) -> Option<usize>,
) -> Vec<SettingsProblem> {
    let total = drafts.len();
    drafts.sort_by_key(|(draft, number)| (std::cmp::Reverse(draft.severity), *number));
    drafts.truncate(MOST_PROBLEMS);
    let mut placed: Vec<_> = drafts.into_iter().map(|(draft, number)| (offset(number), draft)).collect();
    placed.sort_by_key(|(offset, _)| *offset);
    let mut problems: Vec<_> = placed.into_iter().map(|(offset, draft)| draft.at(source, offset)).collect();
    if total > MOST_PROBLEMS {
        let more = format!("{} more problems are not listed", total - MOST_PROBLEMS);
        problems
            .push(ProblemDraft::warning(more).help("correct the first ones and look again").at(source, None));
    }
    problems
}
