//! The records of the team, as data for agents: listed, and pulled when a tool is asked for one of them. Where settings do not let
//! agents see them, they are as if they were not there.

use serde_json::{Value, json};

use super::offer::{EARLIER, FILTER, NUMBER, Own, RUN};
use super::reply::{RunsReply, line, trouble};
use crate::calls::{self, RunError};
use crate::model::{ErrorCode, Field, Recorded, Values};
use crate::project::Project;
use crate::store::{NoSuchRun, Store};
use crate::team::{self, SharedRecord, TeamError, TeamStore};
use crate::wire;

/// The shortest text that may be the id of a run.
const SHORTEST_ID: usize = 6;

/// The records that agents may see.
fn store(project: &Project) -> Result<Option<TeamStore>, TeamError> {
    let records = project.settings.records.as_ref().filter(|records| records.is_open_to_agents);
    let open =
        |store: &str| TeamStore::open(store, &calls::shared_name(project), &project.context.environment);
    records.map(|records| open(&records.store)).transpose()
}

fn failed(error: &TeamError) -> RunError {
    trouble(ErrorCode::NotReady, error.to_string(), error.help().into())
}

/// The newest of them.
pub(super) async fn list(project: &Project, values: &Values) -> Result<RunsReply, RunError> {
    let Some(store) = store(project).map_err(|error| failed(&error))? else {
        let what = "the settings name no records of a team that agents may see".to_owned();
        return Err(trouble(
            ErrorCode::NotFound,
            what,
            "leave out `shared` for the runs of this machine".into(),
        ));
    };
    let filter = values.text(&FILTER).to_lowercase();
    let passes = |record: &SharedRecord| record.run.beginning.tool.to_lowercase().contains(&filter);
    let most = usize::try_from(values.integer(&NUMBER)).unwrap_or(usize::MAX);
    let listed = store.list(most, passes).await.map_err(|error| failed(&error))?;
    let now = project.context.clock.milliseconds();
    let shown = |record: &SharedRecord| {
        let branch = record.run.beginning.revision.branch.as_deref();
        let branch =
            branch.map_or_else(String::new, |branch| format!(", on {}", crate::model::visible(branch)));
        format!("{}{branch}", line(&record.run, now))
    };
    let mut lines: Vec<String> = listed.records.iter().map(shown).collect();
    lines.extend(
        listed.bad.iter().map(|(id, bad)| format!("the record of {} is not shown: {bad}", id.short())),
    );
    let text = if lines.is_empty() { "the records have no such run".into() } else { lines.join("\n") };
    let shapes: Vec<Value> = listed.records.iter().map(|record| wire::in_brief(&record.run)).collect();
    Ok(RunsReply { text, shape: json!({ "runs": shapes }) })
}

/// The values with the ids of pulled runs, where they name runs or a branch that this machine does not have.
pub(super) async fn settled(own: &Own, project: &Project, values: Values) -> Result<Values, RunError> {
    let Some(runs) = calls::own_runs(project) else { return Ok(values) };
    let is_unknown = |field: &Field| {
        let word = values.text(field);
        values.has(field)
            && matches!(runs.find(word), Err(NoSuchRun::Unknown(_)))
            && runs.newest_of(word, false).is_none()
    };
    let is_asked =
        |field: &Field| own.parameters.iter().any(|one| one.name == field.name) && is_unknown(field);
    let (run, earlier) = (is_asked(&RUN), is_asked(&EARLIER));
    if own.local == "stop" || (!run && !earlier) {
        return Ok(values);
    }
    let Some(store) = store(project).map_err(|error| failed(&error))? else { return Ok(values) };
    let keep = |record: SharedRecord| {
        let nowhere = || TeamError::Here("there is no place for runs".to_owned());
        let runs = Store::of(&project.context.environment).ok_or_else(nowhere)?;
        team::pull(record, &runs, &project.settings.root)
    };
    let mut settled = values.clone();
    for (field, is_asked) in [(&RUN, run), (&EARLIER, earlier)] {
        let word = values.text(field);
        if !is_asked {
            continue;
        }
        let found = match by_id(&store, word).await.map_err(|error| failed(&error))? {
            None if field.name == EARLIER.name => {
                let later = runs.find(settled.text(&RUN)).ok().and_then(|id| runs.run(id).ok());
                on_branch(&store, word, later.as_ref()).await.map_err(|error| failed(&error))?
            }
            found => found,
        };
        if let Some(record) = found {
            let id = keep(record).map_err(|error| failed(&error))?;
            settled = settled.with(field, json!(id.to_string()));
        }
    }
    Ok(settled)
}

async fn by_id(store: &TeamStore, word: &str) -> Result<Option<SharedRecord>, TeamError> {
    let is_id =
        word.len() >= SHORTEST_ID && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if !is_id {
        return Ok(None);
    }
    match store.find(word).await {
        Ok(record) => Ok(Some(record)),
        Err(TeamError::None(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn on_branch(
    store: &TeamStore,
    branch: &str,
    later: Option<&Recorded>,
) -> Result<Option<SharedRecord>, TeamError> {
    let Some(later) = later else { return Ok(None) };
    store.newest(&later.beginning.tool, branch, later.id).await
}
