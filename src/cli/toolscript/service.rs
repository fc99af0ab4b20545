//! Where the commands of `toolscript` have their answers from: the project, or the gateway of the session, which knows all tools and
//! keeps their servers connected.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::found_tools::{FoundTools, note_connecting};
#[cfg(feature = "http")]
use super::gateway_service::GatewayService;
use super::opened::{hint, opened};
use crate::code::{Tools, hit_list, not_found, search, server_list, tool_list, types};
use crate::project::{Context, Project};
use crate::registry::Registry;
use crate::terminal::{Failed, Ui, runtime, wait_for};

/// One of the two.
pub(super) enum ToolService {
    Project(Arc<Project>),
    #[cfg(feature = "http")]
    Gateway(GatewayService),
}

impl ToolService {
    /// The gateway that the session's environment names, else the project that lies here.
    ///
    /// # Errors
    /// When the gateway does not run, or the settings cannot be used at all.
    pub(super) fn of(ui: &Ui, context: &Context, config: Option<&Path>) -> Result<Self, Failed> {
        #[cfg(feature = "http")]
        if let Some(gateway) = GatewayService::named(context) {
            return Ok(Self::Gateway(gateway?));
        }
        Ok(Self::Project(opened(ui, context, config)?))
    }

    /// The MCP servers, and how each is. None is connected to.
    pub(super) fn servers(&self, ui: &Ui) -> Result<Vec<Value>, Failed> {
        match self {
            Self::Project(project) => {
                let registry: Arc<Registry> = wait_for(ui, project.list())?;
                Ok(server_list(project, &registry))
            }
            #[cfg(feature = "http")]
            Self::Gateway(gateway) => gateway.servers(),
        }
    }

    /// The tools of a server, which is waited for, or of all.
    pub(super) fn tools(&self, ui: &Ui, server: Option<&str>) -> Result<FoundTools, Failed> {
        match self {
            Self::Project(project) => {
                let wanted: Vec<String> = server.map(str::to_owned).into_iter().collect();
                let (tools, connecting) = wanted_tools(ui, project, &wanted)?;
                let tools = tool_list(project, &tools.catalog, server).map_err(unlisted)?;
                Ok(FoundTools { tools, connecting })
            }
            #[cfg(feature = "http")]
            Self::Gateway(gateway) => gateway.tools(server),
        }
    }

    /// The declarations of the tools that are wanted, of all where none is named.
    pub(super) fn types(&self, ui: &Ui, wanted: &[String]) -> Result<String, Failed> {
        match self {
            Self::Project(project) => {
                let (tools, connecting) = wanted_tools(ui, project, wanted)?;
                note_connecting(ui, &connecting);
                if let Some(wrong) = not_found(&tools.catalog, wanted) {
                    return Err(unlisted(wrong));
                }
                Ok(types(&tools.catalog, wanted))
            }
            #[cfg(feature = "http")]
            Self::Gateway(gateway) => gateway.types(wanted),
        }
    }

    /// The tools that match these words, the best first.
    pub(super) fn search(&self, ui: &Ui, words: &str, limit: u16) -> Result<FoundTools, Failed> {
        match self {
            Self::Project(project) => {
                let (tools, connecting) = wanted_tools(ui, project, &[])?;
                let hits = search(&tools.catalog, words, limit.into());
                Ok(FoundTools { tools: hit_list(&hits), connecting })
            }
            #[cfg(feature = "http")]
            Self::Gateway(gateway) => gateway.search(words, limit),
        }
    }

    /// Says what is in the way of more tools. The agent of a session reads it where it found nothing.
    #[cfg_attr(not(feature = "http"), expect(unused_variables, reason = "a gateway speaks HTTP"))]
    pub(super) fn hint(&self, ui: &Ui, has_found: bool) -> Result<(), Failed> {
        match self {
            Self::Project(project) => hint(ui, &project.settings),
            #[cfg(feature = "http")]
            Self::Gateway(gateway) if !has_found => gateway.hint(ui)?,
            #[cfg(feature = "http")]
            Self::Gateway(_) => {}
        }
        Ok(())
    }
}

/// The tools, and the servers that have not answered yet. Where names of servers or tools are wanted, their servers are waited for;
/// else each server whose tools are not known yet, for a moment.
fn wanted_tools(ui: &Ui, project: &Project, wanted: &[String]) -> Result<(Tools, Vec<String>), Failed> {
    let waiting = ui.waiting();
    let (tools, connecting) = runtime()?.block_on(async {
        let tools = Tools::wanted(project, wanted).await;
        let connecting = project.connecting_servers().map(str::to_owned).collect();
        project.catalog.close().await;
        (tools, connecting)
    });
    waiting.finish_and_clear();
    Ok((tools, if wanted.is_empty() { connecting } else { Vec::new() }))
}

fn unlisted((what, help): (String, String)) -> Failed {
    Failed::usage(what).unable().help(help)
}
