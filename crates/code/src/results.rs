//! The results of earlier programs of the same session.

use serde_json::Value;

use crate::model::RunId;
use crate::project::Project;
use crate::sandbox::CallFailure;
use crate::store::{NoSuchRun, Store};

/// The result of an earlier program: of the last one that returned something, or of a run by its id or an end of it. Runs
/// of other sessions and projects are not there.
pub(super) fn recall(project: &Project, session: &str, run: Option<&str>) -> Result<Value, CallFailure> {
    let failed = |message: String| CallFailure { message, data: None };
    let store = project.runs.store.as_ref();
    let store = store.ok_or_else(|| failed("no results are kept: there is no folder for them".to_owned()))?;
    let Some(run) = run else {
        let ids = store.ids().map_err(|error| failed(error.to_string()))?;
        let mut ours = ids.into_iter().filter(|id| is_of_session(store, project, session, *id));
        let latest = ours.find_map(|id| store.result(id));
        return latest
            .ok_or_else(|| failed("no earlier program of this session has returned anything".to_owned()));
    };
    let found = store.find(run, &|id| is_of_session(store, project, session, id));
    let id = found.map_err(|none| {
        failed(match none {
            NoSuchRun::Ambiguous(..) => {
                format!("`{run}` is the beginning or end of several runs; give more of it")
            }
            _ => format!("there is no program `{run}` in this session"),
        })
    })?;
    store.result(id).ok_or_else(|| failed(format!("the program `{run}` has returned nothing")))
}

fn is_of_session(store: &Store, project: &Project, session: &str, id: RunId) -> bool {
    store.beginning(id).is_some_and(|run| {
        run.project == project.settings.root.display().to_string()
            && run.script.is_some_and(|script| script.session == session)
    })
}
