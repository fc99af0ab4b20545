//! A permit for a call of another MCP server in, its outcome out.

use tokio_util::sync::CancellationToken;

use super::without_process;
use crate::model::{Ending, NotStarted, Outcome, Plan, TraceContext, UpstreamCall};
use crate::policy::StartPermit;
use crate::sources::{Conversation, Source};
use crate::sys::Clock;

/// Makes the call that policy allowed, over the connection of its source. The source keeps its timeout: the wait for a
/// connection and the time that a person takes to answer do not count.
pub async fn relay(
    cleared: StartPermit,
    (source, conversation): (&dyn Source, &dyn Conversation),
    trace: Option<TraceContext>,
    clock: &Clock,
    cancel: &CancellationToken,
) -> Outcome {
    let (Plan::Upstream(call), ..) = cleared.redeem() else {
        let reason = NotStarted::Other("its plan calls no MCP server".into());
        return without_process(Ending::NotStarted(reason));
    };
    let call = UpstreamCall { trace, ..call };
    let begun = clock.instant();
    let ended = tokio::select! {
        biased;
        () = cancel.cancelled() => without_process(Ending::Cancelled),
        ended = source.call(&call, conversation, cancel) => ended,
    };
    Outcome { duration: clock.instant() - begun, ..ended }
}
