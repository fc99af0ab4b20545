//! The handler: what the SDK asks, answered from the registry and the engine.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, DiscoverResult, ErrorCode,
    Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::Source;
use super::call::{self, Desk};
use super::instructions::{explain, instructions};
use super::{offer, runs};
use crate::model::{Spelling, visible_lines};

/// How long a handshake waits for the first list: hosts give a server that starts ten seconds, some of them less.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// Clones share everything: a face with many connections has one server.
#[derive(Clone)]
pub(super) struct Server {
    source: Arc<dyn Source>,
    desk: Desk,
    stop: CancellationToken,
}

impl Server {
    pub(super) fn new(source: Arc<dyn Source>, spelling: Spelling, stop: CancellationToken) -> Self {
        Self { source, desk: Desk::new(spelling, stop.clone()), stop }
    }

    /// Ends the runs that still go on, and records that.
    pub(super) async fn end_runs(&self) {
        self.desk.background.end().await;
    }

    /// Ends when the client takes a request back.
    async fn cancelled(&self, context: &RequestContext<RoleServer>) {
        context.ct.cancelled().await;
        if self.stop.is_cancelled() {
            std::future::pending::<()>().await;
        }
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
            Err(why) => explain(&why),
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
            Ok(engine) => {
                let mut tools = offer::tools(&engine.list().await, self.desk.spelling);
                tools.extend(runs::tools(self.desk.spelling));
                tools
            }
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
            Err(why) => return Ok(call::failure(&why).into()),
        };
        tokio::select! {
            biased;
            // The client cancels this call: whatever else it said at the same time. When the whole server stops, the
            // call is answered.
            () = self.cancelled(&context) => Err(ErrorData::internal_error("cancelled", None)),
            answer = self.desk.carry_out(engine, request, &context) => Ok(answer),
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
