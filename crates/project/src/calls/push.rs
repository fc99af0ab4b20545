//! The way of a run to the records of the team, and of its spans to a collector: a process of cuff's own sends what was noted.

use super::trace_variables::collector;
use crate::model::{RunId, TeamRecords};
use crate::project::Project;
use crate::project::build_server::is_build_server;
use crate::store::{Outbox, OutboxEntry, WaitingRun, WaitingTrace};
use crate::sys::daemon::Daemon;
use crate::sys::revision;

/// The first word of the process that sends what waits; the next one is the name of the project's folder.
pub const PUSH_ARGUMENT: &str = "__push";

/// The name of a project in the records of its team: that of its repository, or else of its folder.
pub fn shared_name(project: &Project) -> String {
    let root = &project.settings.root;
    let of_folder = || root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    revision::origin(root).unwrap_or_else(of_folder)
}

/// The records that runs of this project are pushed to.
fn records(project: &Project) -> Option<&TeamRecords> {
    let records = project.settings.records.as_ref()?;
    // A contained run reaches neither the store nor what waits; the run around it has a record of all of it.
    let pushes = records.push.pushes(is_build_server(&project.context.environment));
    (pushes && !project.context.is_contained()).then_some(records)
}

/// Notes that a run waits. Where that cannot be written, the run is recorded on this machine alone.
pub(crate) fn note(project: &Project, id: RunId) {
    let Some(records) = records(project) else { return };
    let run = WaitingRun { store: records.store.clone(), project: shared_name(project) };
    if let Some(unpushed) = Outbox::<WaitingRun>::of(&project.context.environment, &project.settings.root) {
        let _ = unpushed.note(id, &run);
    }
}

/// Starts the process that sends what waits, unless there is one. Nobody waits for it.
pub fn start_push(project: &Project) {
    let context = &project.context;
    let (environment, root) = (&context.environment, &project.settings.root);
    let runs = records(project).and_then(|_| Outbox::<WaitingRun>::of(environment, root));
    let traces = (!context.is_contained()).then(|| collector(environment)).flatten();
    let traces = traces.and_then(|_| Outbox::<WaitingTrace>::of(environment, root));
    let waits = runs.as_ref().is_some_and(can_send) || traces.as_ref().is_some_and(can_send);
    let name = runs.map(|runs| runs.name()).or_else(|| traces.map(|traces| traces.name()));
    let Some(name) = name.filter(|_| waits) else { return };
    // Where it cannot be started, the next one sends these as well.
    if let Ok(daemon) = Daemon::start_unheard(&context.supervisor, environment, [PUSH_ARGUMENT, &name]) {
        // A server lives longer than it, and must take note of its end.
        std::thread::spawn(move || daemon.wait());
    }
}

/// Whether anything waits that no other process sends: that one holds the lock, and looks again before it ends.
fn can_send<Entry: OutboxEntry>(outbox: &Outbox<Entry>) -> bool {
    outbox.lock().is_some() && outbox.waiting().is_ok_and(|waiting| !waiting.is_empty())
}
