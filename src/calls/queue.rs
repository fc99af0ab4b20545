//! The queue for a slot, and the second look at what was permitted.

use tokio_util::sync::CancellationToken;

use super::request::Request;
use super::tape::Tape;
use crate::execution;
use crate::model::{Ending, Outcome};
use crate::policy::{self, Permit};
use crate::project::Project;

/// Carries out what was permitted, once it has a slot.
pub(crate) async fn queued(
    project: &Project,
    permit: Permit,
    request: &Request,
    tape: &mut Tape<'_>,
    cancel: &CancellationToken,
) -> Outcome {
    let aside = &request.aside.token;
    let queue = execution::queue(&project.host, cancel, aside);
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
            slot.run(cleared, tape, cancel, aside).await
        }
        Err(reason) => execution::without_process(Ending::NotStarted(reason)),
    }
}
