//! The queue for a slot, and the second look at what was permitted.

use tokio_util::sync::CancellationToken;

use super::output_pipeline::OutputPipeline;
use super::request::Request;
use crate::execution;
use crate::model::{Ending, Outcome};
use crate::policy::{self, HeldChanges, Permit};
use crate::project::Project;

/// Carries out what was permitted, once it has a slot. The second value is what became of the files that it is bound to;
/// nothing, where nothing was started.
pub(crate) async fn queued(
    project: &Project,
    permit: Permit,
    request: &Request,
    pipeline: &mut OutputPipeline<'_>,
    cancel: &CancellationToken,
) -> (Outcome, HeldChanges) {
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
        Err(outcome) => return (outcome, HeldChanges::default()),
    };
    let cleared = tokio::select! {
        biased;
        () = cancel.cancelled() => return nothing(Ending::Cancelled),
        cleared = policy::clear(permit, waited, project) => cleared,
    };
    let (cleared, held) = match cleared {
        Ok(cleared) => cleared,
        Err(reason) => return nothing(Ending::NotStarted(reason)),
    };
    let slot = slot.ending_detached(request.caller.is_governed());
    let outcome = slot.run(cleared, pipeline, cancel, detach).await;
    let was_started = !matches!(outcome.ending, Ending::NotStarted(_));
    let changes = held.filter(|_| was_started).map(|held| held.changes());
    (outcome, changes.unwrap_or_default())
}

fn nothing(ending: Ending) -> (Outcome, HeldChanges) {
    (execution::without_process(ending), HeldChanges::default())
}
