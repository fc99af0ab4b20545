//! The MCP servers of the settings, each connected to now: `cuff mcp test`.

use serde_json::Value;
use tokio::task::JoinSet;

use super::servers::{ServerState, server_state};
use crate::calls::OfferKind;
use crate::model::Problem;
use crate::project::Project;
use crate::settings::{ServerTransport, Upstream};
use crate::sources::upstream::{Took, UpstreamHealth, UpstreamSource};

/// How many of the last lines of standard error are shown.
const LINES: usize = 10;

/// A server that was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The instance of the settings.
    pub server: String,
    /// The way to reach it: `stdio`, `http` or `sse`.
    pub transport: &'static str,
    /// How that went.
    pub result: TrialResult,
}

/// The result of a trial. Secrets are taken out.
#[derive(Debug, Clone, PartialEq)]
pub enum TrialResult {
    /// The server answered.
    Works(Box<Works>),
    /// It did not: why, and the last lines that it printed on standard error.
    Failed {
        /// Why.
        reason: String,
        /// The lines, oldest first.
        lines: Vec<String>,
    },
    /// It was not connected to, or wants a login that there is not.
    NotTried(ServerState),
}

/// A server that answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Works {
    /// The protocol that is spoken.
    pub protocol: String,
    /// The server's name, as it says.
    pub name: Option<String>,
    /// Its version, as it says.
    pub version: Option<String>,
    /// How many tools it lists.
    pub tools: usize,
    /// How many prompts, where it has any; the reason where it did not list them.
    pub prompts: Option<Result<usize, String>>,
    /// How many resources, likewise.
    pub resources: Option<Result<usize, String>>,
    /// How long it took.
    pub took: Took,
    /// The problems of its lists and its output.
    pub problems: Vec<String>,
}

impl Trial {
    /// Whether nothing is to be done about the server.
    pub fn is_well(&self) -> bool {
        matches!(self.result, TrialResult::Works(_) | TrialResult::NotTried(ServerState::Off))
    }
}

/// Tries the servers, or the one of this name, all at once. Needs a runtime. Empty where there is no such server.
pub async fn trials(project: &Project, only: Option<&str>) -> Vec<Trial> {
    let written = project.written_upstreams().into_iter().map(|(_, server)| server);
    let wanted: Vec<Upstream> =
        written.filter(|server| only.is_none_or(|name| server.name == name)).collect();
    let mut trying = JoinSet::new();
    for (at, server) in wanted.iter().enumerate() {
        if matches!(server_state(project, server), ServerState::Approved | ServerState::NeedsLogin)
            && let Some(source) = project.server(&server.name)
        {
            trying.spawn(async move { (at, tried(&source).await) });
        }
    }
    let mut results: Vec<_> =
        wanted.iter().map(|server| TrialResult::NotTried(server_state(project, server))).collect();
    while let Some(done) = trying.join_next().await {
        if let Ok((at, result)) = done {
            results[at] = redacted(project, &wanted[at].name, result);
        }
    }
    // A server that has answered is in the next list, whoever asks for that.
    project.list_known().await;
    let trial = |(server, result): (&Upstream, TrialResult)| Trial {
        server: server.name.clone(),
        transport: transport(server),
        result,
    };
    wanted.iter().zip(results).map(trial).collect()
}

/// The word for the way to reach a server.
pub fn transport(server: &Upstream) -> &'static str {
    match server.transport {
        ServerTransport::Stdio { .. } => "stdio",
        ServerTransport::Http { is_legacy: true, .. } => "sse",
        ServerTransport::Http { is_legacy: false, .. } => "http",
    }
}

async fn tried(source: &UpstreamSource) -> TrialResult {
    let (name, version, protocol, took) = match source.tried().await {
        UpstreamHealth::Connected { name, version, protocol, took, .. } => (name, version, protocol, took),
        UpstreamHealth::Down { .. } if source.needs_login() => {
            return TrialResult::NotTried(ServerState::NeedsLogin);
        }
        UpstreamHealth::Down { reason, .. } => {
            let lines = source.last_lines();
            return TrialResult::Failed {
                reason,
                lines: lines[lines.len().saturating_sub(LINES)..].to_vec(),
            };
        }
        UpstreamHealth::NotStarted | UpstreamHealth::Connecting => {
            return TrialResult::Failed { reason: "it was not connected to".to_owned(), lines: Vec::new() };
        }
    };
    let capabilities = source.capabilities().unwrap_or_default();
    let prompts = counted(source, &capabilities, OfferKind::Prompts).await;
    let resources = counted(source, &capabilities, OfferKind::Resources).await;
    let tools = source.listing().map_or(0, |listing| listing.tools.len());
    let problems = source.problems().iter().map(Problem::in_one_line).collect();
    TrialResult::Works(Box::new(Works { protocol, name, version, tools, prompts, resources, took, problems }))
}

async fn counted(
    source: &UpstreamSource,
    capabilities: &Value,
    kind: OfferKind,
) -> Option<Result<usize, String>> {
    capabilities.get(kind.key())?;
    Some(source.list(kind).await.map(|entries| entries.len()))
}

fn redacted(project: &Project, server: &str, result: TrialResult) -> TrialResult {
    let secrets = project.secrets_of_server(server);
    let text = |text: String| secrets.redact(&text).into_owned();
    match result {
        TrialResult::Works(works) => TrialResult::Works(Box::new(Works {
            name: works.name.map(text),
            version: works.version.map(text),
            prompts: works.prompts.map(|prompts| prompts.map_err(text)),
            resources: works.resources.map(|resources| resources.map_err(text)),
            problems: works.problems.into_iter().map(text).collect(),
            ..*works
        })),
        TrialResult::Failed { reason, lines } => {
            TrialResult::Failed { reason: text(reason), lines: lines.into_iter().map(text).collect() }
        }
        TrialResult::NotTried(state) => TrialResult::NotTried(state),
    }
}
