//! The tools of another MCP server under the contract of all sources.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::conversation::{Conversation, ServerAnswer};
use super::offer::{ForeignRequest, OfferKind};
use super::state::UpstreamHealth;
use super::upstream_source::UpstreamSource;
use crate::model::schema::without_nulls;
use crate::model::{
    Answer, BadCall, BoundFile, Definition, Discovery, Ending, NotStarted, Outcome, Plan, Problem, Rejection,
    Seen, Tool, UpstreamCall,
};
use crate::project::ProjectView;
use crate::sys::watch::WatchedPlaces;
use crate::{CallInput, Freshness, Source, Unbindable, Waiting};

/// The id of these sources, in the place of a plugin's.
const ID: &str = "mcp";

impl Source for UpstreamSource {
    fn instance(&self) -> &str {
        &self.upstream().name
    }

    fn plugin(&self) -> &'static str {
        ID
    }

    fn snapshot(&self) -> Option<Arc<Discovery>> {
        Some(discovery(self))
    }

    fn refresh<'a>(&'a self, how: Freshness, _: &'a ProjectView) -> Waiting<'a, Arc<Discovery>> {
        Box::pin(async move {
            // A list is of what is known: only those who name a server wait for it.
            if how == Freshness::Afresh {
                drop(self.listed_afresh().await);
            }
            discovery(self)
        })
    }

    fn recalled(&self, _: &ProjectView) -> Arc<Discovery> {
        discovery(self)
    }

    fn watched(&self) -> WatchedPlaces {
        WatchedPlaces::default()
    }

    fn plan(&self, tool: &Tool, input: &CallInput<'_>) -> Result<Plan, BadCall> {
        // A person's call is for the definition that the server has now.
        let definition = tool.role.definition().filter(|_| input.governance.is_governed());
        let arguments = Value::Object(input.arguments.clone());
        let arguments = match tool.input.schema() {
            Some(schema) => without_nulls(schema, arguments),
            None => arguments,
        };
        Ok(Plan::Upstream(UpstreamCall {
            server: self.upstream().name.clone(),
            tool: tool.original.clone(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            timeout: self.upstream().config.default_timeout(),
            definition: definition.map(|definition| Arc::clone(definition.digest())),
            trace: None,
        }))
    }

    fn definitions(&self) -> Option<Vec<Definition>> {
        let listing = self.listing().filter(|_| self.is_live())?;
        Some(listing.tools.iter().map(|tool| tool.definition.clone()).collect())
    }

    fn call<'a>(
        &'a self,
        call: &'a UpstreamCall,
        conversation: &'a dyn Conversation,
        cancel: &'a CancellationToken,
    ) -> Waiting<'a, Outcome> {
        Box::pin(async move {
            let begun = Instant::now();
            let answered = self.call_with(call, conversation, cancel).await;
            outcome(call, answered, begun.elapsed())
        })
    }

    fn offers(&self, kind: OfferKind) -> Waiting<'_, Result<Vec<Value>, String>> {
        Box::pin(self.list(kind))
    }

    fn request<'a>(
        &'a self,
        request: ForeignRequest<'a>,
        conversation: &'a dyn Conversation,
        cancel: &'a CancellationToken,
    ) -> Waiting<'a, ServerAnswer> {
        self.pass_on(request, conversation, cancel)
    }

    fn instructions(&self) -> Option<String> {
        self.life.instructions.known(&self.life.cached)
    }

    fn bind<'a>(&'a self, tool: &'a Tool) -> Waiting<'a, Result<Vec<(BoundFile, Seen)>, Unbindable>> {
        let is_offered = discovery(self).tools.contains(tool);
        let bound = if is_offered { Ok(Vec::new()) } else { Err(Unbindable::Gone) };
        Box::pin(std::future::ready(bound))
    }

    fn absence<'a>(&'a self, name: &'a str, _: &'a ProjectView) -> Waiting<'a, Option<Problem>> {
        let listing = self.listing().unwrap_or_default();
        let withholds = |problem: &&Problem| problem.withheld.iter().any(|withheld| withheld == name);
        let withheld = listing.problems.iter().find(withholds).cloned();
        let is_listed = listing.tools.iter().any(|tool| tool.name == name);
        let server = &self.upstream().name;
        let absence = is_listed.then(|| {
            let message = format!(
                "the server {server} offers {name}, and include_tools or exclude_tools leaves it out"
            );
            Problem::note(message).withholding(name)
        });
        let known = withheld.or(absence);
        Box::pin(std::future::ready(known.or_else(|| self.problems().into_iter().next())))
    }
}

/// The tools and problems of a server; the very same value while both are.
fn discovery(source: &UpstreamSource) -> Arc<Discovery> {
    let (mut problems, listing) = (source.problems(), source.listing());
    if listing.is_none() && problems.is_empty() {
        let name = &source.upstream().name;
        let why = match source.health() {
            UpstreamHealth::Connecting => "it has not answered yet; they join the list once it has",
            _ => "cuff has not connected to it; the first call or `cuff serve` does",
        };
        problems
            .push(Problem::warning(format!("the tools of the MCP server {name} are not known yet: {why}")));
    }
    source.made.of((listing, source.is_live()), problems, source.upstream())
}

/// The end of the run that the call was.
fn outcome(call: &UpstreamCall, answered: ServerAnswer, duration: Duration) -> Outcome {
    let (mut answer, mut rejection) = (None, None);
    let ending = match answered {
        ServerAnswer::Result(result) => {
            let given = answer.insert(Answer::new(result));
            Ending::Answered { is_error: given.is_error() }
        }
        ServerAnswer::Rejected { code, message, data } => {
            let why = format!("{message} ({code})");
            rejection = Some(Rejection { code, message, data });
            Ending::Rejected(why)
        }
        ServerAnswer::TimedOut(time) => Ending::TimedOut(time),
        ServerAnswer::Cancelled => Ending::Cancelled,
        ServerAnswer::Lost(reason) => Ending::Disconnected(reason),
        ServerAnswer::Changed => {
            let UpstreamCall { server, tool, .. } = call.clone();
            Ending::NotStarted(NotStarted::DefinitionChanged { server, tool })
        }
        ServerAnswer::Unreachable(reason) => Ending::NotStarted(NotStarted::Other(reason)),
    };
    Outcome { answer, rejection, ..Outcome::new(ending, duration) }
}
