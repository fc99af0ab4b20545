//! The handler: lists the registry, carries out calls, turns reports into results.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::Source;
use super::offer;
use crate::engine::{Addressed, Engine, Request, RunError, Sink};
use crate::model::{Caller, Spelling, Stream, visible_lines};
use crate::wire::{ToolResult, text_of_report};

const INSTRUCTIONS: &str = "cuff offers what this repository can do: its scripts and targets, one tool each.\n\
    A failed run is a result with `success: false`, its exit code and its output; `timeout` is in seconds.\n\
    `dry_run: true` shows the command instead of running it; the list tools take `refresh: true`.";

/// How many things that are wrong the instructions name.
const MOST_LOSSES: usize = 5;

/// How long a handshake waits for the first list: hosts give a server that starts ten seconds, some of them less.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

pub(super) struct Server {
    source: Arc<dyn Source>,
    spelling: Spelling,
    stop: CancellationToken,
}

impl Server {
    pub(super) fn new(source: Arc<dyn Source>, spelling: Spelling, stop: CancellationToken) -> Self {
        Self { source, spelling, stop }
    }

    /// Lists once, so that the instructions can say what could not be offered; a handshake waits for that only a while.
    async fn look_around(&self) {
        let Ok(engine) = self.source.engine() else { return };
        // A task goes on when nobody waits any more: who lists next waits for the same probe.
        let listing = tokio::spawn(async move { drop(engine.list().await) });
        tokio::select! {
            _ = listing => {}
            () = sleep(LONGEST_LOOK) => {}
            () = self.stop.cancelled() => {}
        }
    }

    async fn call(
        &self,
        engine: &Engine,
        request: CallToolRequestParams,
        cancel: &CancellationToken,
    ) -> CallToolResult {
        let tool = Addressed::Exactly(request.name.into_owned(), self.spelling);
        let arguments = request.arguments.unwrap_or_default();
        let request = Request { tool, arguments, caller: Caller::Agent, colours: false, asker: None };
        match engine.run(request, &mut Unheard, cancel).await {
            Ok(report) => {
                let content = vec![ContentBlock::text(text_of_report(&report))];
                let mut result = if report.success {
                    CallToolResult::success(content)
                } else {
                    CallToolResult::error(content)
                };
                result.structured_content = Some(ToolResult::of_report(&report).brief(&report).to_json());
                result
            }
            Err(error) => failure(&error),
        }
    }
}

fn failure(error: &RunError) -> CallToolResult {
    let text = visible_lines(&explain(error)).into_owned();
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    let shape =
        ToolResult::of_failure(error.tool.as_deref(), &error.code, &error.message, error.help.as_deref());
    result.structured_content = Some(shape.to_json());
    result
}

fn explain(error: &RunError) -> String {
    let help = error.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
    format!("{} [{}]{help}", error.message, error.code)
}

/// What an agent should know, and tell its user: hosts hide standard error.
fn instructions(losses: &[String]) -> String {
    if losses.is_empty() {
        return INSTRUCTIONS.to_owned();
    }
    let shown = losses.iter().take(MOST_LOSSES).map(|loss| format!("\n- {loss}"));
    let more = losses.len().saturating_sub(MOST_LOSSES);
    let more = (more > 0).then(|| format!("\n- and {more} more (`cuff list`)"));
    let lines: String = shown.chain(more).collect();
    format!("{INSTRUCTIONS}\nNot everything could be offered; tell the user:{lines}")
}

/// Nobody watches while a tool runs: the report keeps what is needed.
struct Unheard;

impl Sink for Unheard {
    fn write(&mut self, _stream: Stream, _bytes: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl ServerHandler for Server {
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        self.look_around().await;
        self.negotiate_initialize(&request)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.look_around().await;
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info()))
    }

    /// The SDK asks for this whenever it likes, and cannot wait: what it says is as it was last listed.
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let instructions = match self.source.engine() {
            Ok(engine) => visible_lines(&instructions(&engine.losses())).into_owned(),
            Err(why) => visible_lines(&explain(&why)).into_owned(),
        };
        let mut config = ServerConfig::new(capabilities).with_instructions(instructions);
        config.server_info = Implementation::new("cuff", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params("tools/list has one page, so no cursor leads on", None));
        }
        let tools = match self.source.engine() {
            Ok(engine) => offer::tools(&engine.list().await, self.spelling),
            Err(_) => Vec::new(),
        };
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let engine = match self.source.engine() {
            Ok(engine) => engine,
            Err(why) => return Ok(failure(&why).into()),
        };
        // Either the client cancels this call, or the whole server stops.
        let cancel = self.stop.child_token();
        let _guard = cancel.clone().drop_guard();
        let watched = async {
            context.ct.cancelled().await;
            cancel.cancel();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            result = self.call(&engine, request, &cancel) => Ok(result.into()),
            () = watched => Err(ErrorData::internal_error("cancelled", None)),
        }
    }

    /// The SDK takes a known method with parameters it cannot read for an unknown one.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params(
                "tools/call takes `name`, a string, and `arguments`, an object",
                None,
            ),
            unknown => {
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("cuff has no method {unknown}"), None)
            }
        })
    }
}
