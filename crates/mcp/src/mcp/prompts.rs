//! Prompts and resources of other MCP servers at cuff's own face: lists, requests and completions.
#![expect(deprecated, reason = "clients of the protocols with sessions use log messages")]

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{InputResponses, ServerCapabilities, SetLevelRequestParams};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use super::call_service::CallService;
use super::pending_elicitations::{HeldQuestions, HeldRequest};
use super::progress::CallProgress;
use super::raw::{Raw, RawAnswer};
use super::results::rejected;
use super::{pending_elicitations, sanitize, server_words};
use crate::calls::{
    self, NoOffer, OfferAnswer, OfferCall, OfferCame, OfferKind, OfferRequest, ServersClient,
};
use crate::project::Project;

/// Answers a list with the entries of all servers.
pub(super) async fn list(
    service: &CallService,
    project: &Project,
    kind: OfferKind,
    context: &RequestContext<RoleServer>,
) {
    let entries = calls::offers(project, kind, service.spelling).await;
    RawAnswer::set(context, Raw::Result(json!({kind.key(): entries})));
}

/// The answers that a request brought to a server's questions: the `requestState` and the `inputResponses`.
pub(super) type Answers = (Option<String>, Option<InputResponses>);

/// No answers: the request is none that anybody is asked about.
pub(super) const NO_ANSWERS: Answers = (None, None);

/// Answers a request with the result of the server that has what it names; `None` where that result asks for input.
///
/// # Errors
/// With the server's own error, or the reason why there is no answer.
pub(super) async fn ask_for(
    service: &CallService,
    project: &Arc<Project>,
    request: OfferRequest,
    (state, responses): Answers,
    context: &RequestContext<RoleServer>,
) -> Result<Option<OfferAnswer>, ErrorData> {
    let of = format!("{} {}", request.method, request.name);
    let mut client_answers = json!(responses).as_object().cloned();
    let call = match state {
        Some(state) => {
            let held =
                service.held_offers.take(&state, &of).ok_or_else(pending_elicitations::unknown_state)?;
            held.questions.answer(client_answers.take().as_ref(), false);
            held.work
        }
        None => begin(service, project, request, context),
    };
    tokio::select! {
        biased;
        () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        answer = attend(service, of, call, client_answers, context) => answer,
    }
}

fn begin(
    service: &CallService,
    project: &Arc<Project>,
    request: OfferRequest,
    context: &RequestContext<RoleServer>,
) -> OfferCall {
    let origin = (service.origin_of)(&context.extensions);
    let caller = (service.caller(origin.caller), service.spelling);
    OfferCall::begin(Arc::clone(project), caller, request, server_words::client(service, context))
}

/// Waits for what comes of a request, and passes on what is said and asked meanwhile.
async fn attend(
    service: &CallService,
    of: String,
    mut call: OfferCall,
    mut client_answers: Option<Map<String, Value>>,
    context: &RequestContext<RoleServer>,
) -> Result<Option<OfferAnswer>, ErrorData> {
    let progress = CallProgress::of(context);
    loop {
        match call.next().await {
            OfferCame::Ended(ended) => {
                let answer = ended.map_err(error)?;
                RawAnswer::set(context, Raw::Result(answer.result.clone()));
                return Ok(Some(answer));
            }
            OfferCame::Server(says) => {
                if let Some(questions) =
                    server_words::pass_on(says, Some(&progress), &mut client_answers, context).await
                {
                    let held = HeldRequest { of, work: call, questions: HeldQuestions::Server(questions) };
                    let held = service.held_offers.hold(held, context);
                    return match held {
                        Ok(()) => Ok(None),
                        Err(why) => Err(ErrorData::internal_error(why.to_string(), None)),
                    };
                }
            }
        }
    }
}

/// The server, and the name there, of a resource that a listener begins or ends to watch. `None` if no server
/// has it. Nobody is asked anything.
pub(super) async fn watch(
    service: &CallService,
    project: &Arc<Project>,
    method: &'static str,
    uri: String,
    context: &RequestContext<RoleServer>,
) -> Option<(String, String)> {
    let origin = (service.origin_of)(&context.extensions);
    let caller = (service.caller(origin.caller), service.spelling);
    let request = of_one(method, OfferKind::Resources, uri, Map::new());
    let mut call = OfferCall::begin(Arc::clone(project), caller, request, ServersClient::default());
    loop {
        if let OfferCame::Ended(ended) = call.next().await {
            return ended.ok().map(|answer| (answer.server, answer.original));
        }
    }
}

/// The request for a completion: the prompt or the resource that it is about, and the rest.
///
/// # Errors
/// When the reference names neither.
pub(super) fn completion(params: Value) -> Result<OfferRequest, ErrorData> {
    let wrong = || ErrorData::invalid_params("`ref` names a prompt by `name` or a resource by `uri`", None);
    let Value::Object(params) = params else { return Err(wrong()) };
    let reference = params.get("ref").ok_or_else(wrong)?;
    let field = |name: &str| reference.get(name).and_then(Value::as_str).map(str::to_owned);
    let (kind, name) = match (field("name"), field("uri")) {
        (Some(name), _) => (OfferKind::Prompts, name),
        (None, Some(uri)) => (OfferKind::Templates, uri),
        (None, None) => return Err(wrong()),
    };
    Ok(OfferRequest { method: "completion/complete", kind, name, params })
}

/// Passes the wish for log messages on to all servers.
pub(super) async fn set_level(project: &Project, request: &SetLevelRequestParams) {
    calls::tell_all(project, "logging/setLevel", &json!({"level": request.level})).await;
}

/// The parameters of a request that names one thing.
pub(super) fn of_one(
    method: &'static str,
    kind: OfferKind,
    name: String,
    params: Map<String, Value>,
) -> OfferRequest {
    OfferRequest { method, kind, name, params }
}

/// Adds the capabilities that cuff has through other servers.
pub(super) fn add_capabilities(capabilities: &mut ServerCapabilities) {
    let of_servers = ServerCapabilities::builder()
        .enable_logging()
        .enable_completions()
        .enable_prompts()
        .enable_prompts_list_changed()
        .enable_resources()
        .enable_resources_list_changed()
        .enable_resources_subscribe()
        .build();
    capabilities.logging = of_servers.logging;
    capabilities.completions = of_servers.completions;
    capabilities.prompts = of_servers.prompts;
    capabilities.resources = of_servers.resources;
}

fn error(why: NoOffer) -> ErrorData {
    match why {
        NoOffer::Unknown(message, uri) => {
            ErrorData::invalid_params(message, uri.map(|uri| json!({"uri": uri})))
        }
        NoOffer::Rejected(rejection) => sanitize::error(rejected(rejection)),
        NoOffer::Failed(message) => ErrorData::internal_error(message, None),
    }
}
