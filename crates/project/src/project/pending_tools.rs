//! Tools of MCP servers that wait for a person: their definitions beside those that were pinned.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::task::{JoinSet, yield_now};

use super::context::Context;
use super::open_error::OpenError;
use super::opened::Project;
use super::pins;
use crate::ledger::{LedgerError, PinnedTools, SeenServer, Unreviewed};
use crate::model::{Caller, Severity, counted};
use crate::registry::{Registered, Registry};
use crate::sources::project::ProjectView;
use crate::sources::upstream::{Connect, steering_of};
use crate::sources::{Freshness, Source};
use crate::sys::terminal::TypedConsent;

/// A tool whose definition waits for a person.
#[derive(Debug, Clone)]
pub struct PendingTool {
    /// The server.
    pub server: String,
    /// The qualified name.
    pub tool: String,
    /// The definition that was pinned. Empty: none was; `None`: it was too long to be kept.
    pub before: Option<String>,
    /// The definition as the server listed it last.
    pub after: String,
    /// A description of text in it that may steer a model.
    pub steering: Option<String>,
    name: String,
    digest: Arc<str>,
    file: PathBuf,
}

/// The tools of a server that a person has just approved, as it lists them now.
#[derive(Debug)]
pub struct FirstList {
    /// The server.
    pub server: String,
    /// The qualified names of all tools that the settings select.
    pub tools: Vec<String>,
    /// Those that wait: all of them where nothing was pinned before.
    pub pending: Vec<PendingTool>,
    /// Whether nothing was pinned before.
    pub is_first: bool,
    /// Why the server could not be asked.
    pub unreachable: Option<String>,
    /// The tools to pin at the first time, with those that the settings leave out.
    all: PinnedTools,
    file: Option<PathBuf>,
}

impl FirstList {
    /// Whether the server lists no tools.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// The tools of approved servers that wait here, as the servers listed them last. Nothing is started or pinned.
pub(super) fn pending(context: &Context, explicit: Option<&Path>) -> Vec<PendingTool> {
    let context = Context { connect: Connect::Never, ..context.clone() };
    let project = Project::open_readonly(context, explicit, None);
    project.map_or_else(Vec::new, |project| waiting(&project, &project.recalled()))
}

/// The tools of a registry with definitions that were not pinned.
fn waiting(project: &Project, registry: &Registry) -> Vec<PendingTool> {
    let mut waiting = Vec::new();
    for found in registry.tools() {
        let server = &found.name.instance;
        let (Some(definition), Some(why)) = (found.tool.role.definition(), project.unreviewed(found)) else {
            continue;
        };
        let pins = project.pins_of(server).ok();
        // The first list of a server is pinned as it comes; what cannot be read is pinned anew.
        if why == Unreviewed::Unpinned && pins.is_some() {
            continue;
        }
        let pinned = pins.as_ref().and_then(|pins| pins.server(server)).map(|server| &server.tools);
        let known = pinned.and_then(|tools| Some((tools, tools.definition(definition.name())?)));
        let before = match known {
            Some((tools, digest)) => tools.text(digest).map(str::to_owned),
            None => Some(String::new()),
        };
        waiting.extend(pending_tool(project, found, before));
    }
    waiting
}

/// A tool that waits, beside the text that was pinned of it.
fn pending_tool(project: &Project, found: &Registered, before: Option<String>) -> Option<PendingTool> {
    let server = &found.name.instance;
    let definition = found.tool.role.definition()?;
    Some(PendingTool {
        server: server.clone(),
        tool: found.name.to_string(),
        before,
        after: project.secrets_of_server(server).redact(&definition.text()).into_owned(),
        steering: steering_of(definition.raw()),
        name: definition.name().to_owned(),
        digest: Arc::clone(definition.digest()),
        file: project.settings.naming_file(server)?,
    })
}

/// Pins the definitions that a person has read.
pub(super) fn approve(
    context: &Context,
    yes: &TypedConsent,
    root: &Path,
    tools: &[PendingTool],
) -> Result<(), LedgerError> {
    let Some(ledger) = context.ledger() else { return Ok(()) };
    let mut by_server: BTreeMap<(&Path, &str), Vec<&PendingTool>> = BTreeMap::new();
    for tool in tools {
        by_server.entry((&tool.file, &tool.server)).or_default().push(tool);
    }
    for ((file, server), tools) in by_server {
        let definitions = tools.iter().map(|tool| (tool.name.as_str(), &*tool.digest, tool.after.as_str()));
        let pinned = PinnedTools::of_definitions(definitions);
        ledger.pin_definitions(yes, file, (server, pinned), context.clock.milliseconds())?;
        let names = counted(tools.len() as u64, "tool");
        let rule = format!("a person approved {names} of the MCP server {server}");
        pins::note_pinning(context, &ledger, root, Caller::Human, rule)?;
    }
    Ok(())
}

/// Connects to servers that a person has just approved, all at once, and lists their tools. Nothing is pinned.
///
/// # Errors
/// When the project cannot be opened.
pub async fn first_lists(
    context: &Context,
    explicit: Option<&Path>,
    servers: &[String],
) -> Result<Vec<FirstList>, OpenError> {
    // A caller that polls without a runtime panics here.
    yield_now().await;
    let context = Context { connect: Connect::WhenCalled, ..context.clone() };
    let project = Project::open(context, explicit, Caller::Human)?;
    let is_wanted = |source: &&Arc<dyn Source>| servers.iter().any(|server| server == source.instance());
    let sources: Vec<&Arc<dyn Source>> = project.sources().iter().filter(is_wanted).collect();
    let mut asked = JoinSet::new();
    for source in &sources {
        let source = Arc::clone(source);
        let view = ProjectView::since(project.context.clock.now());
        asked.spawn(async move { drop(source.refresh(Freshness::Afresh, &view).await) });
    }
    asked.join_all().await;
    Ok(sources.into_iter().map(|source| first_list(&project, &**source)).collect())
}

fn first_list(project: &Project, source: &dyn Source) -> FirstList {
    let server = source.instance();
    let discovery = source.recalled(&ProjectView::since(project.context.clock.now()));
    let mut list = FirstList {
        server: server.to_owned(),
        tools: Vec::new(),
        pending: Vec::new(),
        is_first: !project.is_pinned(server),
        unreachable: None,
        all: PinnedTools::default(),
        file: project.settings.naming_file(server),
    };
    let Some(definitions) = source.definitions() else {
        let mut wrong = discovery.problems.iter().filter(|problem| problem.severity == Severity::Error);
        let why = wrong.next().map_or_else(|| "it gave no answer".to_owned(), ToString::to_string);
        return FirstList { unreachable: Some(why), ..list };
    };
    let registry = Registry::new([(server.to_owned(), source.plugin(), discovery)]);
    list.tools = registry.tools().iter().map(|found| found.name.to_string()).collect();
    list.all = project.pinned_tools(server, &definitions);
    list.pending = if list.is_first {
        let new = |found| pending_tool(project, found, Some(String::new()));
        registry.tools().iter().filter_map(new).collect()
    } else {
        waiting(project, &registry)
    };
    list
}

/// Pins the tools of a list: all of them where nothing was pinned before, else those that waited.
///
/// # Errors
/// When the ledger cannot be written.
pub fn approve_list(context: &Context, yes: &TypedConsent, list: &FirstList) -> Result<(), LedgerError> {
    let (Some(ledger), Some(file)) = (context.ledger(), &list.file) else { return Ok(()) };
    let root = context.environment.directory();
    if !list.is_first {
        return approve(context, yes, root, &list.pending);
    }
    let tools = counted(list.all.len() as u64, "tool");
    let server = &list.server;
    ledger.pin_definitions(yes, file, (server, list.all.clone()), context.clock.milliseconds())?;
    let rule = format!("a person approved the MCP server {server}, which lists {tools}");
    pins::note_pinning(context, &ledger, root, Caller::Human, rule)
}

/// Holds back all tools of a list until a person approves them: its server's next list is not taken as it comes.
///
/// # Errors
/// When the ledger cannot be written.
pub fn hold_list(context: &Context, list: &FirstList) -> Result<(), LedgerError> {
    let (Some(ledger), Some(file), true) = (context.ledger(), &list.file, list.is_first) else {
        return Ok(());
    };
    let none = SeenServer { server: list.server.clone(), tools: PinnedTools::default(), takes_new: false };
    ledger.pin_seen(file, &[none], context.clock.milliseconds()).map(|_| ())
}
