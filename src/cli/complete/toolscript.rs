//! Candidates for the words of `toolscript`: sources of tools, tools by their qualified names, and sessions.

use super::candidate::Candidate;
use crate::project::Project;

/// The entries of the settings that programs find tools in, MCP servers first.
pub(super) fn sources(project: &Project) -> Vec<Candidate> {
    let servers = project.written_upstreams().into_iter();
    let mut found: Vec<Candidate> = servers.map(|(file, server)| Candidate::new(server.name, file)).collect();
    let registry = project.recalled();
    for tool in registry.tools() {
        let name = &tool.name.instance;
        if found.iter().all(|candidate| candidate.value != *name) {
            found.push(Candidate::new(name, registry.heading(name).into_iter().next().unwrap_or_default()));
        }
    }
    found
}

/// Each source, with `all` behind its name, and where something is typed each tool by its qualified name.
pub(super) fn qualified(project: &Project, all: &str, typed: &str) -> Vec<Candidate> {
    let sources = sources(project).into_iter();
    let sources =
        sources.map(|Candidate { value, about, .. }| Candidate::new(format!("{value}{all}"), about));
    let mut found: Vec<Candidate> = sources.collect();
    if !typed.is_empty() {
        let registry = project.recalled();
        let tools = registry.tools().iter().filter(|tool| !tool.tool.role.is_list());
        found.extend(tools.map(|tool| Candidate::new(tool.name.to_string(), tool.tool.told())));
    }
    found
}

/// The sessions of this user that have a gateway.
#[cfg(all(feature = "code", feature = "http"))]
pub(super) fn sessions(context: &crate::project::Context) -> Vec<Candidate> {
    use crate::gateway::{SessionFiles, SessionFolder};

    let folders = SessionFolder::all(&context.environment);
    let all = folders.iter().flat_map(SessionFolder::sessions);
    let records = all.filter_map(|files: SessionFiles| files.record());
    records.map(|record| Candidate::new(record.session, record.directory)).collect()
}

/// This build has no gateways.
#[cfg(not(all(feature = "code", feature = "http")))]
pub(super) fn sessions(_context: &crate::project::Context) -> Vec<Candidate> {
    Vec::new()
}
