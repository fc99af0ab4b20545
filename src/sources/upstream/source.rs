//! Another MCP server as a source: its list as a discovery, its tools as plans, its answers as outcomes.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::conversation::{Answered, Conversation};
use super::upstream_source::UpstreamSource;
use crate::model::{
    Answer, BadCall, BoundFile, DEFAULT_TIMEOUT, Discovery, Ending, Leftovers, NotStarted, Outcome, Plan,
    Problem, Seen, Tool, UpstreamCall,
};
use crate::sources::{CallInput, Freshness, Source, Unbindable, Waiting};
use crate::sys::watch::Places;

/// The id of these sources, in the place of a plugin's.
const ID: &str = "mcp";
/// The time that an answer may take where settings say nothing.
const PATIENCE: Duration = Duration::from_mins(5);

impl UpstreamSource {
    fn discovery(&self) -> Arc<Discovery> {
        let mut problems = self.problems();
        let listing = self.listing();
        if listing.is_none() && problems.is_empty() {
            let name = &self.upstream().name;
            problems.push(Problem::warning(format!(
                "the tools of the MCP server {name} are not known yet: cuff has not connected to it; the first call or `cuff serve` does"
            )));
        }
        self.made.of(listing, problems, &self.upstream().config)
    }
}

impl Source for UpstreamSource {
    fn instance(&self) -> &str {
        &self.upstream().name
    }

    fn plugin(&self) -> &'static str {
        ID
    }

    fn snapshot(&self) -> Option<Arc<Discovery>> {
        Some(self.discovery())
    }

    fn refresh(&self, _: Freshness) -> Waiting<'_, Arc<Discovery>> {
        Box::pin(async {
            self.listed().await;
            self.discovery()
        })
    }

    fn recalled(&self) -> Arc<Discovery> {
        self.discovery()
    }

    fn watched(&self) -> Places {
        Places::default()
    }

    fn plan(&self, tool: &Tool, input: &CallInput<'_>) -> Result<Plan, BadCall> {
        let config = &self.upstream().config;
        let is_set = config.has(&DEFAULT_TIMEOUT);
        Ok(Plan::Upstream(UpstreamCall {
            server: self.upstream().name.clone(),
            tool: tool.original.clone(),
            arguments: input.arguments.clone(),
            timeout: if is_set { Duration::from_secs(config.integer(&DEFAULT_TIMEOUT)) } else { PATIENCE },
        }))
    }

    fn call<'a>(
        &'a self,
        call: &'a UpstreamCall,
        conversation: &'a dyn Conversation,
        cancel: &'a CancellationToken,
    ) -> Waiting<'a, Outcome> {
        Box::pin(async move {
            let answered = self.request_call(call, conversation, cancel).await;
            let (ending, answer) = ending(answered);
            Outcome { ending, duration: Duration::ZERO, leftovers: Leftovers::default(), answer }
        })
    }

    fn bind<'a>(&'a self, _: &'a Tool) -> Waiting<'a, Result<Vec<(BoundFile, Seen)>, Unbindable>> {
        // The server reads what it reads; the text of its tools is all that cuff knows.
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn absence<'a>(&'a self, _: &'a str) -> Waiting<'a, Option<Problem>> {
        Box::pin(async { self.problems().into_iter().next() })
    }
}

/// The end of a call, and the answer where there is one.
fn ending(answered: Answered) -> (Ending, Option<Answer>) {
    match answered {
        Answered::Result(result) => {
            let answer = Answer::new(result);
            (Ending::Answered { is_error: answer.is_error() }, Some(answer))
        }
        Answered::Rejected { code, message, .. } => (Ending::Rejected(format!("{message} ({code})")), None),
        Answered::TimedOut(after) => (Ending::TimedOut(after), None),
        Answered::Cancelled => (Ending::Cancelled, None),
        Answered::Lost(reason) => (Ending::Disconnected(reason), None),
        Answered::Unreachable(reason) => (Ending::NotStarted(NotStarted::Other(reason)), None),
    }
}
