//! Prompts and resources of other MCP servers at cuff's own face: lists, requests and completions.
#![expect(deprecated, reason = "clients of the protocols with sessions use log messages")]

use rmcp::ErrorData;
use rmcp::model::{ErrorCode, ServerCapabilities, SetLevelRequestParams};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use super::desk::Desk;
use super::raw::{Raw, RawAnswer};
use crate::calls::{self, NoOffer, OfferAnswer, OfferKind, OfferRequest};
use crate::project::Project;

/// Answers a list with the entries of all servers.
pub(super) async fn list(
    desk: &Desk,
    project: &Project,
    kind: OfferKind,
    context: &RequestContext<RoleServer>,
) {
    let entries = calls::offers(project, kind, desk.spelling).await;
    RawAnswer::set(context, Raw::Result(json!({kind.key(): entries})));
}

/// Answers a request with the result of the server that has what it names.
///
/// # Errors
/// With the server's own error, or the reason why there is no answer.
pub(super) async fn ask_for(
    desk: &Desk,
    project: &Project,
    request: OfferRequest,
    context: &RequestContext<RoleServer>,
) -> Result<OfferAnswer, ErrorData> {
    let origin = (desk.origin_of)(&context.extensions);
    let caller = (desk.caller(origin.caller), desk.spelling);
    let answer = calls::ask_for(project, caller, request, &context.ct).await.map_err(error)?;
    RawAnswer::set(context, Raw::Result(answer.result.clone()));
    Ok(answer)
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
        NoOffer::Unknown(message) => ErrorData::invalid_params(message, None),
        NoOffer::Rejected { code, message, data } => {
            let code = i32::try_from(code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
            ErrorData::new(code, message, data)
        }
        NoOffer::Failed(message) => ErrorData::internal_error(message, None),
    }
}
