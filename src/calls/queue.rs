//! The queue for a slot, and the second look at what was permitted.

use tokio_util::sync::CancellationToken;

use super::output_pipeline::OutputPipeline;
use super::request::Request;
use crate::execution;
use crate::model::{Ending, Outcome};
use crate::policy::{self, Permit};
use crate::project::Project;

/// Carries out what was permitted, once it has a slot.
pub(crate) async fn queued(
    project: &Project,
    permit: Permit,
    request: &Request,
    pipeline: &mut OutputPipeline<'_>,
    cancel: &CancellationToken,
) -> Outcome {
    let detach = &request.detach.token;
    let queue = execution::queue(&project.host, cancel, detach);
    tokio::pin!(queue);
    // Another may take the last slot meanwhile: who got none at once has waited.
    let (slot, waited) = tokio::select! {
        biased;
        slot = &mut queue => (slot, false),
        () = std::future::ready(()) => (queue.await, true),
    };
    let slot = match slot {
        Ok(slot) => slot,
        Err(outcome) => return outcome,
    };
    let cleared = tokio::select! {
        biased;
        () = cancel.cancelled() => return execution::without_process(Ending::Cancelled),
        cleared = policy::clear(permit, waited, project) => cleared,
    };
    match cleared {
        Ok(cleared) => {
            let slot = slot.ending_detached(request.caller.is_governed());
            slot.run(cleared, pipeline, cancel, detach).await
        }
        Err(reason) => execution::without_process(Ending::NotStarted(reason)),
    }
}
