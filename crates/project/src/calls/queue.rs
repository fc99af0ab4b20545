//! The queue for a slot, and the second look at what was permitted.

use tokio_util::sync::CancellationToken;

use super::output_pipeline::OutputPipeline;
use super::request::CallRequest;
use crate::execution;
use crate::model::{Ending, Outcome, RunnerFiles, TraceContext};
use crate::policy::{self, HeldChanges, Permit};
use crate::project::Project;
use crate::store::Recording;
use crate::sys::{FileReader, LaterFiles};

/// Carries out what was permitted, once it has a slot. Where others asked for it than a person, it is contained, or its files
/// come back from a runner, those that other programs run later are looked at before and after. Returns the outcome, and the changes of
/// the files that it is bound to.
pub(crate) async fn queued(
    project: &Project,
    (permit, trace): (Permit, Option<TraceContext>),
    request: &CallRequest,
    pipeline: &mut OutputPipeline<'_>,
    cancel: &CancellationToken,
) -> (Outcome, HeldChanges) {
    let never = |outcome| (outcome, HeldChanges::default());
    let detach = &request.detach.token;
    let runner = permit.plan().command().and_then(|command| command.runner.as_deref());
    let is_returned = runner.is_some_and(|runner| matches!(runner.files, RunnerFiles::Copied { .. }));
    let is_looked_at = request.caller.is_governed() || permit.containment().is_some() || is_returned;
    let folder = permit.plan().command().map(|command| project.settings.root.join(&command.directory));
    let folder = folder.unwrap_or_else(|| project.settings.root.clone());
    let is_on_runner = runner.is_some();
    let queue = execution::queue(&project.runs.host, is_on_runner, cancel, detach);
    tokio::pin!(queue);
    // Another may take the last slot meanwhile: who got none at once has waited.
    let (slot, waited) = tokio::select! {
        biased;
        slot = &mut queue => (slot, false),
        () = std::future::ready(()) => (queue.await, true),
    };
    let slot = match slot {
        Ok(slot) => slot,
        Err(outcome) => return never(outcome),
    };
    let cleared = tokio::select! {
        biased;
        () = cancel.cancelled() => return never(execution::without_process(Ending::Cancelled)),
        cleared = policy::clear(permit, waited, project) => cleared,
    };
    let (cleared, held) = match cleared {
        Ok(cleared) => cleared,
        Err(reason) => return never(execution::without_process(Ending::NotStarted(reason))),
    };
    let id = pipeline.recording.as_ref().map(Recording::id);
    let slot = slot.ending_detached(request.caller.is_governed()).recorded_as(id).traced_as(trace);
    let look = |is_afresh| {
        let reader = FileReader { known: &project.context.files, is_afresh };
        LaterFiles::look(reader, &[&project.settings.root, &folder])
    };
    let before = is_looked_at.then(|| look(false));
    let outcome = slot.run(cleared, pipeline, cancel, detach).await;
    if matches!(outcome.ending, Ending::NotStarted(_)) {
        return never(outcome);
    }
    let changed_later =
        before.map_or_else(Vec::new, |before| before.changes(&look(true), &project.settings.root));
    (Outcome { changed_later, ..outcome }, held.map(|held| held.changes()).unwrap_or_default())
}
