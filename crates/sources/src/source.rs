//! The contract of all that offers tools now.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use tokio_util::sync::CancellationToken;

use crate::Waiting;
use crate::model::{
    BadCall, BoundFile, Definition, Discovery, Ending, Governance, NotStarted, Outcome, Plan, Problem, Seen,
    Tool, UpstreamCall, Values,
};
use crate::project::ProjectView;
use crate::sys::watch::WatchedPlaces;
use crate::upstream::{Conversation, ForeignRequest, OfferKind, ServerAnswer};

/// How new an answer must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// As old as the stamps of what it was made of: contents are read where stamps moved.
    Current,
    /// Made just now, of everything.
    Afresh,
}

/// The input of a call, checked against the tool's parameters.
#[derive(Debug)]
pub struct CallInput<'a> {
    /// The arguments as they came.
    pub arguments: &'a Map<String, Value>,
    /// The same, by the tool's parameters.
    pub values: &'a Values,
    /// Whether the rules for words hold.
    pub governance: Governance,
}

/// Why the files that a tool reads cannot be read.
#[derive(Debug)]
pub enum Unbindable {
    /// The tool is no longer offered as it was.
    Gone,
    /// They are too many, or too large.
    TooMuch(Box<Problem>),
}

/// A provider of the tools of one instance of the settings.
pub trait Source: Debug + Send + Sync {
    /// The instance, which is the namespace of its tools.
    fn instance(&self) -> &str;

    /// The plugin, by id.
    fn plugin(&self) -> &'static str;

    /// The tools and problems when it was asked last. Never waits and looks at nothing; the very same value while
    /// nothing changed.
    fn snapshot(&self) -> Option<Arc<Discovery>>;

    /// The tools and problems now. Sources that are listed together share the view of the project's files.
    fn refresh<'a>(&'a self, how: Freshness, view: &'a ProjectView) -> Waiting<'a, Arc<Discovery>>;

    /// The tools and problems for somebody who cannot wait: what only a program can say is as it was said last.
    fn recalled(&self, view: &ProjectView) -> Arc<Discovery>;

    /// The paths that were looked at last. A change of one may change the tools.
    fn watched(&self) -> WatchedPlaces;

    /// The plan of a call.
    ///
    /// # Errors
    /// When an argument cannot be understood, cannot be passed on, or is not allowed; the message names it.
    fn plan(&self, tool: &Tool, input: &CallInput<'_>) -> Result<Plan, BadCall>;

    /// The definitions of all tools of another MCP server, as the server itself gave them to this process.
    /// Tools that the settings leave out are among them. `None` before it has, and for a source that is no
    /// such server.
    fn definitions(&self) -> Option<Vec<Definition>> {
        None
    }

    /// Makes a call over the connection to another MCP server, within the call's timeout. A future that is dropped
    /// cancels it. A source whose plans are processes has no connection.
    fn call<'a>(
        &'a self,
        _call: &'a UpstreamCall,
        _conversation: &'a dyn Conversation,
        _cancel: &'a CancellationToken,
    ) -> Waiting<'a, Outcome> {
        let reason = NotStarted::Other("its source has no connection to an MCP server".to_owned());
        let ending = Ending::NotStarted(reason);
        let duration = Duration::ZERO;
        Box::pin(std::future::ready(Outcome::new(ending, duration)))
    }

    /// The prompts, the resources or the templates of an MCP server, as it lists them now. Other sources have none.
    ///
    /// # Errors
    /// In words, when the server does not answer.
    fn offers(&self, _kind: OfferKind) -> Waiting<'_, Result<Vec<Value>, String>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Passes a request on to an MCP server, within the time of its calls. Other sources answer none.
    fn request<'a>(
        &'a self,
        _request: ForeignRequest<'a>,
        _conversation: &'a dyn Conversation,
        _cancel: &'a CancellationToken,
    ) -> Waiting<'a, ServerAnswer> {
        let reason = "its source has no connection to an MCP server".to_owned();
        Box::pin(std::future::ready(ServerAnswer::Unreachable(reason)))
    }

    /// The text by which an MCP server tells agents how to use it, as it is known. Other sources have none.
    fn instructions(&self) -> Option<String> {
        None
    }

    /// The files that a tool reads to know what to run, read now.
    fn bind<'a>(&'a self, tool: &'a Tool) -> Waiting<'a, Result<Vec<(BoundFile, Seen)>, Unbindable>>;

    /// The reason why nothing of this name is offered, where it is known.
    fn absence<'a>(&'a self, name: &'a str, view: &'a ProjectView) -> Waiting<'a, Option<Problem>>;

    /// The tool for a person who names something that is not listed. Agents, code and runs never get it.
    fn by_name<'a>(&'a self, _name: &'a str, _view: &'a ProjectView) -> Waiting<'a, Option<Tool>> {
        Box::pin(std::future::ready(None))
    }
}
