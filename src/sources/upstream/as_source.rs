//! The tools of another MCP server under the contract of all sources.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::conversation::{Answered, Unattended};
use super::listing::{ForeignTool, Listing};
use super::upstream_source::UpstreamSource;
use crate::model::{
    Answer, BadCall, BoundFile, Discovery, Ending, Leftovers, Location, NotStarted, Outcome, Patterns, Plan,
    Problem, Seen, Tool, UpstreamCall,
};
use crate::settings::{EXCLUDE_TOOLS, INCLUDE_TOOLS};
use crate::sources::{CallInput, Freshness, Source, Unbindable, Waiting};
use crate::sys::watch::Places;

impl Source for UpstreamSource {
    fn instance(&self) -> &str {
        &self.upstream().name
    }

    fn plugin(&self) -> &'static str {
        "mcp"
    }

    fn snapshot(&self) -> Option<Arc<Discovery>> {
        self.listing().map(|listing| self.kept(&listing))
    }

    fn refresh(&self, how: Freshness) -> Waiting<'_, Arc<Discovery>> {
        Box::pin(async move {
            let listing = match how {
                Freshness::Current => self.listed().await,
                Freshness::Afresh => self.listed_afresh().await,
            };
            self.kept(&listing)
        })
    }

    fn recalled(&self) -> Arc<Discovery> {
        self.kept(&self.listing().unwrap_or_default())
    }

    fn watched(&self) -> Places {
        Places::default()
    }

    fn plan(&self, tool: &Tool, input: &CallInput<'_>) -> Result<Plan, BadCall> {
        Ok(Plan::Upstream(UpstreamCall {
            server: self.upstream().name.clone(),
            tool: tool.original.clone(),
            arguments: input.arguments.clone(),
            timeout: self.upstream().config.default_timeout(),
        }))
    }

    fn call<'a>(&'a self, call: &'a UpstreamCall, cancel: &'a CancellationToken) -> Waiting<'a, Outcome> {
        Box::pin(async move {
            let begun = Instant::now();
            let answered = self.call_with(call, &Unattended, cancel).await;
            answered.outcome(begun.elapsed())
        })
    }

    fn bind<'a>(&'a self, tool: &'a Tool) -> Waiting<'a, Result<Vec<(BoundFile, Seen)>, Unbindable>> {
        let is_offered = self.recalled().tools.contains(tool);
        let bound = if is_offered { Ok(Vec::new()) } else { Err(Unbindable::Gone) };
        Box::pin(std::future::ready(bound))
    }

    fn absence<'a>(&'a self, name: &'a str) -> Waiting<'a, Option<Problem>> {
        let listing = self.listing().unwrap_or_default();
        let is_listed = listing.tools.iter().any(|tool| tool.name == name);
        let server = &self.upstream().name;
        let absence = is_listed.then(|| {
            let message = format!(
                "the server {server} offers {name}, and include_tools or exclude_tools leaves it out"
            );
            Problem::note(message).withholding(name)
        });
        Box::pin(std::future::ready(absence.or_else(|| self.problems().into_iter().next())))
    }
}

impl UpstreamSource {
    /// The tools and problems; the very same value while both are.
    fn kept(&self, listing: &Listing) -> Arc<Discovery> {
        self.keep_discovery(Discovery {
            tools: self.selected(listing),
            problems: self.problems(),
            notes: Vec::new(),
        })
    }

    fn selected(&self, listing: &Listing) -> Vec<Tool> {
        let config = &self.upstream().config;
        let (include, _) = Patterns::new(config.texts(&INCLUDE_TOOLS));
        let (exclude, _) = Patterns::new(config.texts(&EXCLUDE_TOOLS));
        let is_selected = |name: &str| include.matches(name) && !exclude.matches(name);
        let chosen = listing.tools.iter().filter(|tool| is_selected(&tool.name));
        chosen.map(|tool| tool.as_tool(&self.upstream().name)).collect()
    }
}

impl ForeignTool {
    /// The tool for the registry. Its annotations are kept in the definition, and not believed.
    fn as_tool(&self, server: &str) -> Tool {
        let (schema, raw) = (Arc::clone(&self.schema), Arc::clone(&self.raw));
        let tool = Tool::relayed(&self.name, &self.name, Location::file(server), schema, raw);
        let text = self.raw.get("description").and_then(Value::as_str).unwrap_or_default();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        tool.described_or(line.map(str::to_owned), &self.name)
    }
}

impl Answered {
    /// The end of the run that the call was.
    pub fn outcome(self, duration: Duration) -> Outcome {
        let mut answer = None;
        let ending = match self {
            Self::Result(result) => {
                let given = answer.insert(Answer::new(result));
                Ending::Answered { is_error: given.is_error() }
            }
            Self::Rejected { code, message, .. } => Ending::Rejected(format!("{message} ({code})")),
            Self::TimedOut(time) => Ending::TimedOut(time),
            Self::Cancelled => Ending::Cancelled,
            Self::Lost(reason) => Ending::Disconnected(reason),
            Self::Unreachable(reason) => Ending::NotStarted(NotStarted::Other(reason)),
        };
        Outcome { ending, duration, leftovers: Leftovers::default(), answer }
    }
}
