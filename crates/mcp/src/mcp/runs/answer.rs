//! Answers of the tools that read the run store.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::offer::{
    CONTAINING, EARLIER, FILTER, FROM_LINE, LENGTH, NUMBER, Own, RUN, RUNNERS, SHARED, START, STREAM, TAIL,
    TO_LINE, WAIT,
};
use super::reply::{RunsReply, line, trouble};
#[cfg(feature = "team")]
use super::shared;
use crate::calls;
use crate::calls::{LogQuery, RecordedRuns, RunError, RunnerStatus};
use crate::diagnostics::{Difference, difference};
use crate::execution::Reachability;
use crate::mcp::call_service::CallService;
use crate::model::{
    ErrorCode, Field, Findings, RecordState, Recorded, Stream, Values, occurrences, visible, visible_lines,
};
use crate::project::Project;
use crate::store::{NoSuchRun, StoreError};
use crate::wire;

/// How often a run that is waited for is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// How long a stopped run may take to end, before the answer says that it goes on all the same.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest command line in the answer about a run, in bytes.
const LONGEST_COMMAND: usize = 1024;

/// Answers. Files are read where that keeps nobody else waiting.
pub(super) async fn answer(
    own: &'static Own,
    service: &CallService,
    project: &Arc<Project>,
    values: Values,
) -> Result<RunsReply, RunError> {
    #[cfg(feature = "team")]
    let values = shared::settled(own, project, values).await?;
    match own.local {
        #[cfg(feature = "team")]
        "list" if values.flag(&SHARED) => shared::list(project, &values).await,
        #[cfg(not(feature = "team"))]
        "list" if values.flag(&SHARED) => {
            let what = "this build of cuff has no records of a team".to_owned();
            Err(trouble(ErrorCode::NotFound, what, "leave out `shared`".into()))
        }
        "status" => status(project, values).await,
        "stop" => stop(service, project, values).await,
        RUNNERS => Ok(runners(project).await),
        _ => {
            run_blocking(project, move |runs| match own.local {
                "list" => list(runs, &values),
                "log" => log(runs, &values),
                "raw" => raw(runs, &values),
                "diagnostics" => diagnostics(runs, &values),
                _ => diff(runs, &values),
            })
            .await
        }
    }
}

/// The runners that are open to agents. The others are not asked.
async fn runners(project: &Project) -> RunsReply {
    let all = calls::runners(project, |runner| runner.is_open_to_agents).await;
    let line = |RunnerStatus { runner, reachability }: &RunnerStatus| {
        let state = match reachability {
            Reachability::Reachable => "reachable".to_owned(),
            Reachability::Unreachable(why) => format!("not reachable: {why}"),
            Reachability::Unknown => "not known: it has no `check`".to_owned(),
        };
        format!("{}: {}", visible(&runner.name), visible(&state))
    };
    let shape = |RunnerStatus { runner, reachability }: &RunnerStatus| {
        let mut shape = json!({ "name": runner.name });
        if *reachability != Reachability::Unknown {
            shape["reachable"] = json!(*reachability == Reachability::Reachable);
        }
        if let Reachability::Unreachable(why) = reachability {
            shape["why"] = json!(visible(why));
        }
        shape
    };
    let lines: Vec<String> = all.iter().map(line).collect();
    let text = if lines.is_empty() { "no runner is open to agents".to_owned() } else { lines.join("\n") };
    RunsReply { text, shape: json!({ "runners": all.iter().map(shape).collect::<Vec<Value>>() }) }
}

/// Asks the runs of this project where waiting for a disk stops nothing else.
async fn run_blocking<T: Send + 'static>(
    project: &Project,
    ask: impl FnOnce(&RecordedRuns) -> Result<T, RunError> + Send + 'static,
) -> Result<T, RunError> {
    let Some(runs) = calls::own_runs(project) else {
        let nowhere = "neither XDG_DATA_HOME nor HOME says where runs are kept".to_owned();
        return Err(trouble(ErrorCode::NotReady, nowhere, "tell the user".into()));
    };
    let broken = |error: tokio::task::JoinError| {
        trouble(ErrorCode::NotStarted, error.to_string(), "try it again".into())
    };
    tokio::task::spawn_blocking(move || ask(&runs)).await.map_err(broken)?
}

fn find(runs: &RecordedRuns, wanted: &str) -> Result<Recorded, RunError> {
    resolve(runs, wanted, false)
}

/// The run that an id or a tool's name means; to be stopped is the newest that goes on.
fn resolve(runs: &RecordedRuns, wanted: &str, is_to_stop: bool) -> Result<Recorded, RunError> {
    let found = runs.find(wanted).or_else(|error| match &error {
        NoSuchRun::Unknown(_) => {
            let going = if is_to_stop { runs.newest_of(wanted, true) } else { None };
            going.or_else(|| runs.newest_of(wanted, false)).ok_or(error)
        }
        _ => Err(error),
    });
    let id = found.map_err(|error| {
        let help = match &error {
            NoSuchRun::None => "a call of one of the project's tools leaves one".to_owned(),
            NoSuchRun::Unknown(_) => "`runs.list` lists those of this project".to_owned(),
            NoSuchRun::Ambiguous(_, ids) => {
                let ids: Vec<String> = ids.iter().take(5).map(ToString::to_string).collect();
                format!("they are {}", ids.join(", "))
            }
            NoSuchRun::Unreadable(_) => "tell the user; tools can be called without it".to_owned(),
        };
        trouble(ErrorCode::NotFound, error.to_string(), help)
    })?;
    runs.run(id).map_err(|error| unreadable(&error))
}

fn unreadable(error: &StoreError) -> RunError {
    trouble(ErrorCode::NotFound, error.to_string(), "`runs.list` lists those that can be read".into())
}

fn unread(error: &std::io::Error) -> RunError {
    trouble(ErrorCode::NotFound, format!("its log cannot be read: {error}"), "tell the user".into())
}

fn list(runs: &RecordedRuns, values: &Values) -> Result<RunsReply, RunError> {
    let filter = values.text(&FILTER).to_lowercase();
    let wanted = runs
        .readable()
        .map_err(|error| unreadable(&error))?
        .filter(|run| run.beginning.tool.to_lowercase().contains(&filter));
    let found: Vec<Recorded> = wanted.take(count(values)).collect();
    let lines: Vec<String> = found.iter().map(|run| line(run, runs.now())).collect();
    let text = if lines.is_empty() { "no run of this project was recorded".into() } else { lines.join("\n") };
    Ok(RunsReply { text, shape: json!({ "runs": found.iter().map(wire::in_brief).collect::<Vec<Value>>() }) })
}

/// A run as JSON with its command, which may have been of any length.
fn shape(run: &Recorded) -> Value {
    let mut shape = wire::in_brief(run);
    let mut room = LONGEST_COMMAND;
    let fits = |word: &&String| {
        let fits = word.len() <= room;
        room = room.saturating_sub(word.len() + 1);
        fits
    };
    let kept: Vec<&String> = run.beginning.command.iter().take_while(fits).collect();
    let more = run.beginning.command.len() - kept.len();
    let left_out = (more > 0).then(|| format!("[… {more} more words]"));
    shape["command"] = kept.into_iter().cloned().chain(left_out).collect();
    if let RecordState::Ended(end) = &run.state {
        shape["lines"] = json!(end.printed.lines);
    }
    shape
}

fn goes_on(run: &Recorded) -> bool {
    matches!(run.state, RecordState::Running(_))
}

async fn status(project: &Project, values: Values) -> Result<RunsReply, RunError> {
    let until = Instant::now() + Duration::from_secs(values.integer(&WAIT));
    let mut wanted = values.text(&RUN).to_owned();
    loop {
        let (run, now) = run_blocking(project, move |runs| Ok((find(runs, &wanted)?, runs.now()))).await?;
        if !goes_on(&run) || Instant::now() >= until {
            let shape = json!({"run": shape(&run), "running": goes_on(&run)});
            return Ok(RunsReply { text: line(&run, now), shape });
        }
        // Which one is the latest may change meanwhile.
        wanted = run.id.to_string();
        sleep(BETWEEN_LOOKS).await;
    }
}

async fn stop(service: &CallService, project: &Project, values: Values) -> Result<RunsReply, RunError> {
    let id = run_blocking(project, move |runs| resolve(runs, values.text(&RUN), true)).await?.id;
    let until = Instant::now() + PATIENCE;
    let mut stopped = false;
    loop {
        let (run, now) =
            run_blocking(project, move |runs| Ok((find(runs, &id.to_string())?, runs.now()))).await?;
        if !goes_on(&run) || Instant::now() >= until {
            let what = match (stopped, goes_on(&run)) {
                (true, false) => "stopped",
                (true, true) => "told to end, and goes on still",
                (false, false) => "not stopped, it did not run",
                (false, true) => "could not be stopped",
            };
            let shape = json!({"stopped": stopped, "run": wire::in_brief(&run)});
            return Ok(RunsReply { text: format!("{what}\n{}", line(&run, now)), shape });
        }
        // A run of this server is cancelled. A run of another cuff is ended by its process group, which is
        // not known before it has started.
        if !stopped {
            stopped = service.background.stop(id)
                || run_blocking(project, move |runs| Ok(matches!(runs.stop(&run), Ok(true)))).await?;
        }
        sleep(BETWEEN_LOOKS).await;
    }
}

fn log(runs: &RecordedRuns, values: &Values) -> Result<RunsReply, RunError> {
    let run = find(runs, values.text(&RUN))?;
    let log = runs.log(run.id).map_err(|error| unreadable(&error))?;
    let number = |field: &Field| values.has(field).then(|| values.integer(field));
    let stream = match values.text(&STREAM) {
        "stdout" => Some(Stream::Out),
        "stderr" => Some(Stream::Err),
        _ => None,
    };
    let wanted = LogQuery {
        from: number(&FROM_LINE),
        to: number(&TO_LINE),
        tail: number(&TAIL),
        stream,
        containing: Some(values.text(&CONTAINING).to_owned()).filter(|text| !text.is_empty()),
        for_agents: true,
    };
    let excerpt = calls::log_excerpt(&log, &wanted).map_err(|error| unread(&error))?;
    let (shown, lines) = (excerpt.shown, excerpt.lines);
    let mut shape = json!({
        "run_id": run.id.short(), "running": goes_on(&run), "text": excerpt.text, "shown": shown, "lines": lines,
    });
    let mut more = String::new();
    if let Some(next) = excerpt.next {
        shape["next_line"] = json!(next);
        more = format!("\n[… there is more: from_line {next}]");
    }
    let text = format!("{}\n{shown} of {lines} lines:\n\n{}{more}", line(&run, runs.now()), excerpt.text);
    Ok(RunsReply { text, shape })
}

fn raw(runs: &RecordedRuns, values: &Values) -> Result<RunsReply, RunError> {
    let run = find(runs, values.text(&RUN))?;
    let log = runs.log(run.id).map_err(|error| unreadable(&error))?;
    let length = values.integer(&LENGTH);
    let start = values.integer(&START).min(log.bytes());
    let end = start.saturating_add(length).min(log.bytes());
    let most = usize::try_from(length).unwrap_or(usize::MAX);
    let bytes = log.some(start..end, most).map_err(|error| unread(&error))?;
    let decoded = String::from_utf8_lossy(&bytes);
    let text = visible_lines(&decoded);
    let replaced = text.as_bytes() != bytes;
    let mut shape = json!({
        "run_id": run.id.short(), "running": goes_on(&run), "text": text, "start": start, "end": end,
        "bytes": log.bytes(), "replaced": replaced,
    });
    if replaced {
        shape["base64"] = json!(STANDARD.encode(&bytes));
    }
    let head = format!("{}\nbytes {start}..{end} of {}:\n\n", line(&run, runs.now()), log.bytes());
    Ok(RunsReply { text: head + &text, shape })
}

fn findings(runs: &RecordedRuns, run: &Recorded) -> Result<Findings, RunError> {
    runs.findings(run).map_err(|error| unreadable(&error))
}

fn count(values: &Values) -> usize {
    usize::try_from(values.integer(&NUMBER)).unwrap_or(usize::MAX)
}

fn diagnostics(runs: &RecordedRuns, values: &Values) -> Result<RunsReply, RunError> {
    let run = find(runs, values.text(&RUN))?;
    let found = findings(runs, &run)?;
    let shown = &found.diagnostics[..found.diagnostics.len().min(count(values))];
    let mut text = vec![line(&run, runs.now())];
    text.extend(found.tests.iter().map(|tests| format!("tests: {}", wire::text_of_tests(tests))));
    text.push(wire::count_of_findings(&found).unwrap_or_else(|| "nothing was found in its log".into()));
    let more = found.total().saturating_sub(occurrences(shown));
    text.extend(Some(wire::listing(shown)).filter(|listed| !listed.is_empty()));
    text.extend((more > 0).then(|| format!("… {more} more")));
    let around = runs.around_unexplained(&run, &found);
    text.extend(around.map(|around| format!("nothing says why; in the log:\n{around}")));
    Ok(RunsReply { text: text.join("\n"), shape: wire::found_by_file(run.id, &found, count(values)) })
}

fn diff(runs: &RecordedRuns, values: &Values) -> Result<RunsReply, RunError> {
    let run = find(runs, values.text(&RUN))?;
    let other = if values.has(&EARLIER) {
        let earlier = values.text(&EARLIER);
        let is_run = !matches!(runs.find(earlier), Err(NoSuchRun::Unknown(_)));
        match Some(earlier).filter(|_| !is_run).and_then(|branch| runs.last_on(branch, &run)) {
            Some(id) => runs.run(id).map_err(|error| unreadable(&error))?,
            None => find(runs, earlier)?,
        }
    } else {
        runs.previous(&run).ok_or_else(|| {
            let what = format!("{} has no earlier run to compare with", run.beginning.tool);
            trouble(ErrorCode::NotFound, what, "name one as `earlier`; `runs.list` lists them".into())
        })?
    };
    let (earlier, later) = run.in_order(other);
    let found = |run: &Recorded| runs.comparable(run).map_err(|error| unreadable(&error));
    let (before, after) = (found(&earlier)?, found(&later)?);
    let Difference { new, fixed, still } = difference(&before.diagnostics, &after.diagnostics);
    let most = count(values);
    let ids = (later.id, earlier.id);
    let mut shape =
        wire::compared_by_file(ids, [&new, &fixed, &still], before.not_kept() + after.not_kept(), most);
    let mut text = vec![format!("{} compared with {}", later.id.short(), earlier.id.short())];
    text.extend(wire::unlike(&later, &earlier).map(|unlike| format!("note: {unlike}")));
    for (name, found) in [("new", &new), ("fixed", &fixed), ("still", &still)] {
        let total = occurrences(found);
        shape[format!("{name}_total")] = json!(total);
        let or_not = if name == "fixed" { " (or not looked at)" } else { "" };
        text.push(format!("{name}: {total}{or_not}"));
        let (shown, rest) = found.split_at(found.len().min(most));
        text.extend(Some(wire::listing(shown)).filter(|listed| !listed.is_empty()));
        text.extend((!rest.is_empty()).then(|| format!("… {} more", occurrences(rest))));
    }
    Ok(RunsReply { text: text.join("\n"), shape })
}
