//! The handler: what the SDK asks, answered from the registry and the project.
#![expect(deprecated, reason = "clients of the protocols with sessions use log messages")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
    SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Map, json};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::call::call_tool;
use super::call_service::CallService;
use super::declared_result::declared;
use super::dispatch::OpenedCall;
use super::exposure::{Expose, Exposure, LastShown, ShownTools};
use super::first_approval::FirstApprovalOutcome;
use super::introduction::introduction;
use super::origin::OriginOf;
use super::raw::{Raw, RawAnswer};
use super::results::failure;
use super::subscribers::{Subscribers, WatchedResource};
use super::{
    dispatch, first_approval, paging, pending_elicitations, prompts, prompts::NO_ANSWERS, sanitize, tool_list,
};
use crate::calls::{self, OfferKind};
use crate::model::shown;
use crate::project::{Live, Project};

/// How long a handshake waits for the first list: hosts give a server that starts ten seconds, some of them less.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// Clones share everything: a face with many connections has one server.
#[derive(Clone)]
pub(super) struct McpServer {
    source: Arc<Live>,
    last_shown: Arc<LastShown>,
    subscribers: Arc<Subscribers>,
    /// Whether the list that was last shown had the dispatcher alone.
    dispatches: Arc<AtomicBool>,
    service: CallService,
    stop: CancellationToken,
}

impl McpServer {
    pub(super) fn new(
        source: Arc<Live>,
        last_shown: Arc<LastShown>,
        subscribers: Arc<Subscribers>,
        origin_of: OriginOf,
        stop: CancellationToken,
    ) -> Self {
        let Exposure { expose, spelling } = last_shown.exposure;
        let dispatches = Arc::new(AtomicBool::new(expose == Expose::Dispatch));
        let service = CallService::new(spelling, source.caller(), origin_of, stop.clone());
        Self { source, last_shown, subscribers, dispatches, service, stop }
    }

    /// Ends the runs that still go on, and records that.
    pub(super) async fn end_runs(&self) {
        self.service.background.end().await;
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
        let Ok(project) = self.source.project() else { return };
        // A task goes on when nobody waits any more: the next list waits for the same probe.
        let asked = Arc::clone(&project);
        let listing = tokio::spawn(async move { asked.list_known().await });
        tokio::select! {
            listed = listing => drop(listed.map(|registry| self.note(&self.last_shown.of(&project, registry)))),
            () = sleep(LONGEST_LOOK) => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// The project, where it has MCP servers that prompts and resources can come from.
    fn with_servers(&self, method: &str) -> Result<Arc<Project>, ErrorData> {
        let project =
            self.source.project().ok().filter(|project| project.settings.servers().next().is_some());
        project.ok_or_else(|| no_method(method))
    }

    async fn answer_call(
        &self,
        project: Arc<Project>,
        mut request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asking = first_approval::ask_at_call(&self.service, &self.source, project, &mut request, context);
        let project = match asking.await {
            Ok(FirstApprovalOutcome::Project(project)) => project,
            Ok(FirstApprovalOutcome::Question(question)) => return Ok(question.into()),
            Err(error) => return Ok(failure(&error).into()),
        };
        let (name, spelling) = (request.name.clone(), self.last_shown.exposure.spelling);
        let response = match dispatch::open(&project, request, spelling).await {
            OpenedCall::Call(request) => {
                call_tool(&self.service, Arc::clone(&project), request, context).await?
            }
            OpenedCall::Answer(answer) => return Ok(answer.into()),
        };
        let Some(registry) = project.catalog.last_list() else { return Ok(response) };
        Ok(declared(response, (&registry, &name, spelling), context))
    }

    /// Subscribes to the resources that a listener wants to hear of.
    async fn watch(&self, context: &SubscriptionContext) -> Vec<WatchedResource> {
        let mut all = Vec::new();
        let Ok(project) = self.with_servers("") else { return all };
        for given in context.accepted().resource_subscriptions.clone().unwrap_or_default() {
            let (method, request) = ("resources/subscribe", context.request_context());
            let found = prompts::watch(&self.service, &project, method, given.clone(), request).await;
            if let Some((server, original)) = found {
                let watched = WatchedResource { server, original, given };
                self.subscribers.add_watched(&watched);
                all.push(watched);
            }
        }
        all
    }

    async fn unwatch(&self, all: Vec<WatchedResource>, context: &SubscriptionContext) {
        let Ok(project) = self.with_servers("") else { return };
        for watched in all.into_iter().filter(|watched| self.subscribers.remove_watched(watched)) {
            let (method, request) = ("resources/unsubscribe", context.request_context());
            prompts::watch(&self.service, &project, method, watched.given, request).await;
        }
    }

    /// Notes which list was shown last, since the instructions speak of that.
    fn note(&self, shown: &ShownTools) {
        self.dispatches.store(shown.dispatches, Ordering::Relaxed);
    }
}

impl ServerHandler for McpServer {
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
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), self.get_info()))
    }

    /// The SDK asks for this whenever it likes, and cannot wait: what it says is as it was last listed.
    fn get_info(&self) -> ServerConfig {
        let offered = self.last_shown.exposure.offered(self.dispatches.load(Ordering::Relaxed));
        introduction(&self.source, offered)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let shown = self.last_shown.now(&self.source).await;
        self.note(&shown);
        self.subscribers.listed(&shown);
        if let Ok(project) = self.source.project() {
            first_approval::ask_at_list(&self.service, &self.source, &project, &context);
        }
        let page = paging::page(&shown.entries, page.and_then(|page| page.cursor).as_deref());
        let page = page.map_err(sanitize::error)?;
        if !RawAnswer::set(&context, Raw::Tools(page.begun)) {
            return Err(ErrorData::internal_error("the list has no place in the answer", None));
        }
        Ok(ListToolsResult { next_cursor: page.next_cursor, ..ListToolsResult::default() })
    }

    /// The SDK holds the headers of a call against this. Only the tools of other servers have arguments that are headers.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let (registry, spelling) =
            (self.source.project().ok()?.catalog.last_list()?, self.last_shown.exposure.spelling);
        tool_list::of_server(registry.resolve(name, spelling).ok()?, spelling)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let project = match self.source.project() {
            Ok(project) => project,
            Err(why) => return Ok(sanitize::answer(failure(&why.into()).into())),
        };
        let is_known = |state: &String| {
            pending_elicitations::is_held(state) || calls::is_state(&project.authority, state)
        };
        if request.request_state.as_ref().is_some_and(|state| !is_known(state)) {
            return Err(pending_elicitations::unknown_state());
        }
        tokio::select! {
            biased;
            // The client's cancellation counts before its other messages. When the whole server stops, the
            // call is answered.
            () = self.cancelled(&context) => Err(ErrorData::internal_error("cancelled", None)),
            answer = self.answer_call(project, request, &context) => {
                answer.map(sanitize::answer).map_err(sanitize::error)
            }
        }
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.subscribers.join(context.peer);
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(Subscribers::filter(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let watched = self.watch(&context).await;
        self.subscribers.listen(&context, &watched).await;
        self.unwatch(watched, &context).await;
        Ok(())
    }

    // Without other servers cuff has none of these, and the SDK would answer with empty lists, as if there could be some.

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        prompts::list(&self.service, &*self.with_servers("prompts/list")?, OfferKind::Prompts, &context)
            .await;
        Ok(ListPromptsResult::default())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        prompts::list(&self.service, &*self.with_servers("resources/list")?, OfferKind::Resources, &context)
            .await;
        Ok(ListResourcesResult::default())
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let project = self.with_servers("resources/templates/list")?;
        prompts::list(&self.service, &project, OfferKind::Templates, &context).await;
        Ok(ListResourceTemplatesResult::default())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let project = self.with_servers("prompts/get")?;
        let arguments = request.arguments.map(|arguments| ("arguments".to_owned(), json!(arguments)));
        let params = arguments.into_iter().collect();
        let answers = (request.request_state, request.input_responses);
        let request = prompts::of_one("prompts/get", OfferKind::Prompts, request.name, params);
        prompts::ask_for(&self.service, &project, request, answers, &context).await?;
        Ok(GetPromptResult::new(Vec::new()).into())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let project = self.with_servers("resources/read")?;
        let answers = (request.request_state, request.input_responses);
        let request = prompts::of_one("resources/read", OfferKind::Resources, request.uri, Map::new());
        prompts::ask_for(&self.service, &project, request, answers, &context).await?;
        Ok(ReadResourceResult::new(Vec::new()).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let project = self.with_servers("resources/subscribe")?;
        let given = request.uri.clone();
        let request = prompts::of_one("resources/subscribe", OfferKind::Resources, request.uri, Map::new());
        if let Some(answer) = prompts::ask_for(&self.service, &project, request, NO_ANSWERS, &context).await?
        {
            self.subscribers.subscribe(answer.server, answer.original, given);
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let project = self.with_servers("resources/unsubscribe")?;
        let request = prompts::of_one("resources/unsubscribe", OfferKind::Resources, request.uri, Map::new());
        if let Some(answer) = prompts::ask_for(&self.service, &project, request, NO_ANSWERS, &context).await?
        {
            self.subscribers.unsubscribe(&answer.server, &answer.original);
        }
        Ok(())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let project = self.with_servers("logging/setLevel")?;
        self.service.log_level.set(request.level);
        prompts::set_level(&project, &request).await;
        Ok(())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let project = self.with_servers("completion/complete")?;
        let request = prompts::completion(json!(request))?;
        prompts::ask_for(&self.service, &project, request, NO_ANSWERS, &context).await?;
        Ok(CompleteResult::default())
    }

    /// The SDK takes a known method with parameters it cannot read for an unknown one.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unreadable(&request.method))
    }
}

/// The answer to a request with a method that cuff does not have.
fn no_method(unknown: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("cuff has no method {}", shown(unknown)), None)
}

/// The answer to a request that the SDK took for one of an unknown method: it does so with parameters that it cannot read.
fn unreadable(method: &str) -> ErrorData {
    if method == "tools/call" {
        let why = "tools/call takes `name`, a string, and `arguments`, an object";
        return ErrorData::invalid_params(why, None);
    }
    no_method(method)
}
