//! Where a request over HTTP is from: its client's connection, and its headers.

use hyper::http::request::Parts;
use rmcp::model::Extensions;

use crate::mcp::origin::RequestOrigin;
use crate::model::Caller;

/// The origin by the head of the request, in which the caller was noted.
pub(super) fn of(extensions: &Extensions) -> RequestOrigin {
    let Some(parts) = extensions.get::<Parts>() else { return RequestOrigin::default() };
    let header = |name| parts.headers.get(name).and_then(|header| header.to_str().ok()).map(str::to_owned);
    RequestOrigin {
        caller: parts.extensions.get::<Caller>().copied(),
        trace_parent: header("traceparent"),
        trace_state: header("tracestate"),
        #[cfg(feature = "code")]
        session: header("mcp-session-id"),
    }
}
