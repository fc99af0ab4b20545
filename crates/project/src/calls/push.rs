//! The way of a run to the records of the team: it is noted when it begins, and once it has ended a process of cuff's own pushes it.

use crate::model::{RunId, TeamRecords};
use crate::project::Project;
use crate::project::build_server::is_build_server;
use crate::store::{Unpushed, WaitingRun};
use crate::sys::daemon::Daemon;
use crate::sys::revision;

/// The first word of the process that pushes what waits; the next one is the name of the project's folder.
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
    if let Some(unpushed) = Unpushed::of(&project.context.environment, &project.settings.root) {
        let _ = unpushed.note(id, &run);
    }
}

/// Starts the process that pushes what waits, unless there is one. Nobody waits for it.
pub fn start_push(project: &Project) {
    let context = &project.context;
    if records(project).is_none() {
        return;
    }
    let Some(unpushed) = Unpushed::of(&context.environment, &project.settings.root) else { return };
    // A process that pushes holds the lock, and looks again before it ends.
    let is_free = unpushed.lock().is_some();
    let waits = unpushed.waiting().is_ok_and(|waiting| !waiting.is_empty());
    if !is_free || !waits {
        return;
    }
    let words = [PUSH_ARGUMENT, &unpushed.name()];
    // Where it cannot be started, the next one pushes these as well.
    if let Ok(daemon) = Daemon::start_unheard(&context.supervisor, &context.environment, words) {
        // A server lives longer than it, and must take note of its end.
        std::thread::spawn(move || daemon.wait());
    }
}
