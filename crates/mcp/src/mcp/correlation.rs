//! The span by which a caller knows its call, so that its traces and logs can be laid beside ours.

use rmcp::service::{RequestContext, RoleServer};

use super::origin::RequestOrigin;
use crate::model::TraceContext;

/// The span that a call belongs to, of its `_meta` or of the headers that came with it. One that is none is as good as absent.
pub(super) fn of(context: &RequestContext<RoleServer>, origin: &RequestOrigin) -> Option<TraceContext> {
    let of_meta = context.meta.get_traceparent().map(|parent| (parent, context.meta.get_tracestate()));
    let of_headers = || Some((origin.trace_parent.as_deref()?, origin.trace_state.as_deref()));
    let (parent, state) = of_meta.or_else(of_headers)?;
    TraceContext::parse(parent, state)
}
