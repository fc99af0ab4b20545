//! Facts about a request that a transport knows beside its message.

use rmcp::model::Extensions;

use crate::model::Caller;

/// Where a request is from.
#[derive(Debug, Default)]
pub(super) struct RequestOrigin {
    /// The caller, where the connection tells.
    pub(super) caller: Option<Caller>,
    /// A `traceparent` that came with the request.
    pub(super) trace_parent: Option<String>,
    /// The `tracestate` beside it.
    pub(super) trace_state: Option<String>,
    /// The session of the client, in protocols that have sessions.
    #[cfg(feature = "code")]
    pub(super) session: Option<String>,
}

/// How a transport tells where a request is from.
pub(super) type OriginOf = fn(&Extensions) -> RequestOrigin;

/// The origin over a transport that tells nothing.
pub(super) fn unknown(_: &Extensions) -> RequestOrigin {
    RequestOrigin::default()
}
