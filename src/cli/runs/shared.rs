//! The records of the team: `cuff runs --shared`, `pull` and `push`.

use std::path::Path;

use serde_json::{Value, json};

use super::revision::revision;
use crate::calls::{self, RecordedRuns, age, state_summary};
use crate::cli::arguments::{RunsList, RunsPush, SharedRun};
use crate::cli::problems::complain;
use crate::model::{Recorded, RunId, TeamRecords, counted, visible};
use crate::project::{Context, Project};
use crate::store::{Outbox, Store, WaitingRun, WaitingTrace};
use crate::team::{self, Pushed, SentTraces, SharedRecord, TeamError, TeamStore, Unpushable};
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, runtime, widest, widths};
use crate::wire;

/// How many runs are listed when nobody says.
const LISTED: usize = 20;

/// The project and its records, as its caller may have them.
fn opened(ui: &Ui, (context, config): (&Context, Option<&Path>)) -> Result<(Project, TeamRecords), Failed> {
    let project = Project::open_typed(context.clone(), config)?;
    complain(ui, &project);
    let Some(records) = project.settings.records.clone() else {
        let failed = Failed::usage("the settings name no records of a team").unable();
        return Err(failed
            .help("write `records: {store: \"s3://bucket/prefix\"}` into settings.yml; docs/records.md"));
    };
    if context.at_terminal().is_governed() && !records.is_open_to_agents {
        let failed = Failed::usage("agents do not see the records of others").unable();
        return Err(failed.help("a person can write `agents: true` below `records` in settings.yml"));
    }
    Ok((project, records))
}

fn store(project: &Project, records: &TeamRecords) -> Result<TeamStore, Failed> {
    let name = calls::shared_name(project);
    TeamStore::open(&records.store, &name, &project.context.environment).map_err(|error| failed(&error))
}

fn failed(error: &TeamError) -> Failed {
    Failed::usage(error.to_string()).unable().help(error.help())
}

/// Lists the newest runs of the records.
pub(super) fn list(
    ui: &Ui,
    from: (&Context, Option<&Path>),
    runs: &RecordedRuns,
    typed: &RunsList,
) -> Result<u8, Failed> {
    let (project, records) = opened(ui, from)?;
    let filter = typed.filter.as_deref().map(str::to_lowercase);
    let passes = |record: &SharedRecord| {
        let beginning = &record.run.beginning;
        let tool = format!("{} {}", beginning.tool, beginning.name()).to_lowercase();
        filter.as_ref().is_none_or(|filter| tool.contains(filter))
    };
    let most = typed.number.unwrap_or(LISTED);
    let store = store(&project, &records)?;
    let listed = runtime()?.block_on(store.list(most, passes)).map_err(|error| failed(&error))?;
    if typed.json {
        let shapes: Vec<Value> = listed.records.iter().map(|record| wire::recorded(&record.run)).collect();
        let bad =
            listed.bad.iter().map(|(id, bad)| json!({"run_id": id.to_string(), "error": bad.to_string()}));
        ui.json(&json!({ "runs": shapes, "unusable": bad.collect::<Vec<_>>() }))?;
    } else if listed.records.is_empty() {
        ui.note("the records of the team have no such run of this project yet");
    } else {
        let row = |SharedRecord { run, .. }: &SharedRecord| {
            let cells = [
                run.id.short(),
                age(run.id, runs.now()),
                state_summary(&run.state),
                revision(&run.beginning.revision).unwrap_or_default(),
                run.beginning.name().to_owned(),
            ];
            cells.map(|cell| visible(&cell).into_owned()).to_vec()
        };
        let rows: Vec<Vec<String>> = listed.records.iter().map(row).collect();
        let tools = listed.records.iter().map(|record| record.run.beginning.name());
        ui.result(columns(&rows, &widths(&rows, 4), widest(tools).max(NARROWEST), ui.width()))?;
    }
    for (id, bad) in listed.bad.iter().take(most) {
        ui.note(format!("the record of {id} is not shown: {bad}"));
    }
    if let Some(more) = listed.bad.len().checked_sub(most).filter(|more| *more > 0) {
        ui.note(format!("{} not shown either: --json names them", counted(more as u64, "other record")));
    }
    say_waiting(ui, &project);
    Ok(exit::SUCCESS)
}

/// Says how many runs wait to be pushed, and why.
fn say_waiting(ui: &Ui, project: &Project) {
    let Some(unpushed) = Outbox::<WaitingRun>::of(&project.context.environment, &project.settings.root)
    else {
        return;
    };
    let waiting = unpushed.waiting().unwrap_or_default().len() as u64;
    if waiting > 0 {
        let why = unpushed.problem().map_or_else(String::new, |problem| format!(": {problem}"));
        ui.note(format!("{} of this machine not pushed yet{why}", counted(waiting, "run")));
    }
    if unpushed.given_up() > 0 {
        ui.note(format!("{} never pushed, since too many waited", counted(unpushed.given_up(), "run")));
    }
}

/// Copies a run to this machine.
pub(super) fn pull(
    ui: &Ui,
    from: (&Context, Option<&Path>),
    runs: &RecordedRuns,
    typed: &SharedRun,
) -> Result<u8, Failed> {
    let (project, records) = opened(ui, from)?;
    let store = store(&project, &records)?;
    let record = runtime()?.block_on(store.find(&typed.run)).map_err(|error| failed(&error))?;
    let run = record.run.clone();
    let id = keep(&project, record).map_err(|error| failed(&error))?;
    if typed.json {
        ui.json(&wire::recorded(&run))?;
    } else {
        let about = format!("{}, {}", state_summary(&run.state), age(id, runs.now()));
        let at = revision(&run.beginning.revision).map_or_else(String::new, |at| format!(", {at}"));
        ui.result(format!("pulled {}: {about}{at}", visible(run.beginning.name())))?;
        ui.note(format!("`cuff runs show {}` shows it", runs.short(id)));
    }
    Ok(exit::SUCCESS)
}

fn keep(project: &Project, record: SharedRecord) -> Result<RunId, TeamError> {
    let nowhere = || TeamError::Here("neither XDG_DATA_HOME nor HOME says where runs are kept".to_owned());
    let runs = Store::of(&project.context.environment).ok_or_else(nowhere)?;
    team::pull(record, &runs, &project.settings.root)
}

/// The last run of the same tool on a branch in the records, pulled; `None` where there are no records, or none of it.
pub(super) fn last_on(
    ui: &Ui,
    (context, config): (&Context, Option<&Path>),
    branch: &str,
    run: &Recorded,
) -> Option<RunId> {
    let (project, records) = opened(ui, (context, config)).ok()?;
    let look = || {
        let name = calls::shared_name(&project);
        let store = TeamStore::open(&records.store, &name, &context.environment)?;
        let runtime = runtime().map_err(|error| TeamError::Here(error.to_string()))?;
        let found = runtime.block_on(store.newest(&run.beginning.tool, branch, run.id))?;
        found.map(|record| keep(&project, record)).transpose()
    };
    match look() {
        Ok(found) => found,
        Err(error) => {
            ui.note(format!("the records of the team are left out: {error}"));
            None
        }
    }
}

/// Pushes what waits, and waits for that.
pub(super) fn push(
    ui: &Ui,
    (context, config): (&Context, Option<&Path>),
    typed: &RunsPush,
) -> Result<u8, Failed> {
    let project = Project::open_typed(context.clone(), config)?;
    let Some(unpushed) = Outbox::<WaitingRun>::of(&context.environment, &project.settings.root) else {
        return Err(Failed::usage("neither XDG_STATE_HOME nor HOME says where runs wait")
            .unable()
            .help("set one of them"));
    };
    let runtime = runtime()?;
    let unpushable = if typed.drop { Unpushable::Drop } else { Unpushable::Wait };
    let pushed = runtime.block_on(wait_and_push(&unpushed, context, unpushable));
    let traces = Outbox::<WaitingTrace>::of(&context.environment, &project.settings.root);
    let traces = traces.map(|traces| runtime.block_on(wait_and_send(&traces, context))).unwrap_or_default();
    let Pushed { pushed, waiting, dropped, problems, .. } = pushed;
    if typed.json {
        let ids: Vec<String> = pushed.iter().map(ToString::to_string).collect();
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let traces = json!({"sent": traces.sent, "waiting": traces.waiting, "problem": traces.problem});
        ui.json(&json!({
            "pushed": ids, "waiting": waiting, "dropped": dropped, "problems": problems, "traces": traces,
        }))?;
    } else {
        let waits = if waiting > 0 { format!(", {waiting} still waiting") } else { String::new() };
        let given_up = if dropped > 0 { format!(", {dropped} given up") } else { String::new() };
        ui.result(format!("pushed {}{waits}{given_up}", counted(pushed.len() as u64, "run")))?;
        for problem in &problems {
            ui.error(problem, None, Some(problem.help()));
        }
        say_traces(ui, &traces)?;
    }
    // Whoever drops them knows that the store fails.
    let is_pushed = problems.is_empty() || (typed.drop && waiting == 0);
    Ok(if is_pushed && traces.problem.is_none() { exit::SUCCESS } else { exit::FAILURE })
}

/// Says how many calls had their spans sent, where any had some.
fn say_traces(ui: &Ui, traces: &SentTraces) -> Result<(), Failed> {
    let SentTraces { sent, waiting, problem, .. } = traces;
    if *sent > 0 {
        ui.result(format!("sent the spans of {}", counted(*sent as u64, "call")))?;
    }
    match problem {
        Some(problem) if *waiting > 0 => {
            let waiting = counted(*waiting as u64, "call");
            ui.error(format!("the spans of {waiting} still waiting: {problem}"), None, None);
        }
        Some(problem) => ui.error(format!("spans were given up: {problem}"), None, None),
        None => {}
    }
    Ok(())
}

/// Sends spans once no other process does, or says that it still does.
async fn wait_and_send(traces: &Outbox<WaitingTrace>, context: &Context) -> SentTraces {
    let mut sent = team::send_traces(traces, &context.environment).await;
    for _ in 0..LOOKS {
        if !sent.is_busy {
            break;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
        sent = team::send_traces(traces, &context.environment).await;
    }
    sent
}

/// How often cuff looks whether another process has sent what waits.
const LOOKS: u32 = 600;
/// How long it waits between two looks.
const BETWEEN_LOOKS: std::time::Duration = std::time::Duration::from_millis(100);

/// Pushes once no other process does.
async fn wait_and_push(unpushed: &Outbox<WaitingRun>, context: &Context, unpushable: Unpushable) -> Pushed {
    for _ in 0..LOOKS {
        let pushed = team::push_waiting_of(unpushed, &context.environment, unpushable).await;
        if !pushed.is_busy {
            return pushed;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    let waiting = unpushed.waiting().unwrap_or_default().len();
    let busy = TeamError::Here("another process pushes them still".to_owned());
    Pushed { waiting, problems: vec![busy], ..Pushed::default() }
}
