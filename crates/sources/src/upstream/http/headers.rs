//! The headers of a request that depend on its message and on the session.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::RequestBuilder;
use serde_json::Value;

use super::endpoint::Endpoint;

/// The header with the id of the session.
pub(super) const SESSION: &str = "mcp-session-id";
const PROTOCOL: &str = "mcp-protocol-version";

/// Adds the headers of this message.
pub(super) fn of(endpoint: &Endpoint, mut request: RequestBuilder, raw: &Value) -> RequestBuilder {
    let params = raw.get("params");
    let modern = params
        .and_then(|params| params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion")?.as_str());
    if let Some(modern) = modern {
        let method = raw.get("method").and_then(Value::as_str).unwrap_or_default();
        request = request.header(PROTOCOL, modern).header("mcp-method", method);
        let name = params.and_then(|params| params.get("name").or_else(|| params.get("uri"))?.as_str());
        if let Some(name) = name {
            request = request.header("mcp-name", encoded(name));
        }
        let arguments = params.and_then(|params| params.get("arguments"));
        if let (Some(name), Some(arguments)) = (name, arguments.filter(|_| method == "tools/call")) {
            for (header, value) in endpoint.peer.parameters.of(name, arguments) {
                request = request.header(format!("mcp-param-{header}"), encoded(&value));
            }
        }
        return request;
    }
    if endpoint.is_stream() {
        return request;
    }
    let (session, protocol) = endpoint.session().clone();
    if let Some(session) = session {
        request = request.header(SESSION, session);
    }
    match protocol {
        Some(protocol) => request.header(PROTOCOL, protocol),
        None => request,
    }
}

/// A text as the value of a header: as it is where a header can have it, else in base64 (2026-07-28, streamable HTTP).
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let is_marked = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && !is_marked && text.trim() == text {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_no_header_can_have_are_encoded() {
        for (text, header) in [
            ("eu-west 1", "eu-west 1"),
            ("", ""),
            (" x", "=?base64?IHg=?="),
            ("ü", "=?base64?w7w=?="),
            ("a\r\nb: c", "=?base64?YQ0KYjogYw==?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ] {
            assert_eq!(encoded(text), header, "{text:?}");
        }
    }
}
