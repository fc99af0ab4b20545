//! Sends what waits of a project, in a process of its own: runs to the records of its team, spans to a collector.

use std::ops::ControlFlow;

use super::record::{LONGEST_LOG, LogParts, SharedRecord};
use super::team_store::{TeamError, TeamStore};
use super::traces::send_traces;
use crate::calls::PUSH_ARGUMENT;
use crate::model::{RecordState, RunId, Stream, size};
use crate::store::{Log, Outbox, Store, StoreError, WaitingRun, WaitingTrace};
use crate::sys::{Environment, daemon};

/// How an attempt to push went.
#[derive(Debug, Default)]
pub struct Pushed {
    /// The runs that are in the store now, the oldest first.
    pub pushed: Vec<RunId>,
    /// How many still wait: they go on, or the store could not take them.
    pub waiting: usize,
    /// How many of them were given up instead, as was asked for.
    pub dropped: usize,
    /// The runs that cannot be pushed and wait no longer, and what kept the others waiting.
    pub problems: Vec<TeamError>,
    /// Whether another process pushes meanwhile.
    pub is_busy: bool,
}

/// Sends what waits where these words start a process for that; `None` where they do not.
pub fn push_waiting(words: &[std::ffi::OsString], environment: &Environment) -> Option<()> {
    let [_, argument, name] = words else { return None };
    if argument != PUSH_ARGUMENT {
        return None;
    }
    daemon::close_inherited();
    let unpushed = Outbox::<WaitingRun>::named(environment, name.to_str()?)?;
    let traces = Outbox::<WaitingTrace>::named(environment, name.to_str()?)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    loop {
        let pushed = runtime.block_on(push_waiting_of(&unpushed, environment, Unpushable::Wait));
        // A run that ended meanwhile found the lock held, and started no other process.
        let has_sent = runtime.block_on(send_traces(&traces, environment)).sent > 0;
        if (pushed.is_busy || pushed.pushed.is_empty()) && !has_sent {
            return Some(());
        }
    }
}

/// The future of runs that their store does not take now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpushable {
    /// They wait for the next attempt.
    Wait,
    /// They are given up.
    Drop,
}

/// Pushes the runs that wait and have ended. A store that fails is not asked again in this attempt; runs of other stores are pushed.
pub async fn push_waiting_of(
    unpushed: &Outbox<WaitingRun>,
    environment: &Environment,
    unpushable: Unpushable,
) -> Pushed {
    let waiting = || unpushed.waiting().unwrap_or_default();
    let (Some(runs), Some(_lock)) = (Store::of(environment), unpushed.lock()) else {
        let waiting = waiting().len();
        return Pushed { waiting, is_busy: waiting > 0, ..Pushed::default() };
    };
    let mut done = Pushed::default();
    let mut stores: Vec<(WaitingRun, Option<TeamStore>)> = Vec::new();
    for id in waiting() {
        let Some(run) = unpushed.read(id) else {
            unpushed.forget(id);
            continue;
        };
        let record = match record(&runs, id, &run.project) {
            Ok(Some(record)) => record,
            Ok(None) if runs.is_recorded(id) => continue,
            Ok(None) => {
                unpushed.forget(id);
                continue;
            }
            Err(error) => {
                unpushed.forget(id);
                done.problems.push(TeamError::Here(error.to_string()));
                continue;
            }
        };
        let at = stores.iter().position(|(of, _)| *of == run).unwrap_or_else(|| {
            let opened = TeamStore::open(&run.store, &run.project, environment);
            let opened = opened.map_err(|error| done.problems.push(error.of_store(&run.store)));
            stores.push((run.clone(), opened.ok()));
            stores.len() - 1
        });
        let pushed = match &stores[at].1 {
            Some(store) => store.push(&record).await,
            None => Err(TeamError::Store(String::new())),
        };
        match pushed {
            Ok(_) => done.pushed.push(id),
            Err(error @ TeamError::Other(_)) => done.problems.push(error),
            Err(error) => {
                // The first failure of a store is told, and stands for those behind it.
                if stores[at].1.take().is_some() {
                    done.problems.push(error.of_store(&run.store));
                }
                if unpushable == Unpushable::Wait {
                    continue;
                }
                done.dropped += 1;
            }
        }
        unpushed.forget(id);
    }
    unpushed.keep_problem(done.problems.last().map(ToString::to_string).as_deref());
    Pushed { waiting: waiting().len(), ..done }
}

/// The record of a run; `None` while it goes on, and for a program of an agent, whose calls have records of their own.
fn record(runs: &Store, id: RunId, project: &str) -> Result<Option<SharedRecord>, StoreError> {
    let mut run = runs.run(id)?;
    if matches!(run.state, RecordState::Running(_)) || run.beginning.script.is_some() {
        return Ok(None);
    }
    let log = runs.log(id)?;
    let (log, left_out) = parts(&log).map_err(|error| StoreError::Io(runs.path().to_owned(), error))?;
    // The paths of this machine, and the words of the call, which only a repetition here needs.
    run.beginning.command = run.beginning.words_from_root().into_iter().take(1).map(str::to_owned).collect();
    if let Some(call) = &mut run.beginning.call {
        call.arguments = None;
    }
    project.clone_into(&mut run.beginning.project);
    run.beginning.absolute_directory = None;
    run.beginning.arguments = None;
    if let (true, RecordState::Ended(end)) = (left_out > 0, &mut run.state) {
        let cut = format!("the shared log leaves {} out of its middle", size(left_out));
        end.printed.lost = Some(end.printed.lost.take().map_or(cut.clone(), |lost| format!("{lost}; {cut}")));
    }
    let findings = runs.findings(id).unwrap_or_default();
    Ok(Some(SharedRecord { project: project.to_owned(), run, findings, log }))
}

/// The parts of a log, and how many bytes of a long one are left out.
fn parts(log: &Log) -> std::io::Result<(LogParts, u64)> {
    let mut parts = LogParts::new();
    let mut take = |stream: Stream, bytes: &[u8]| {
        match parts.last_mut() {
            Some((last, kept)) if *last == stream => kept.extend_from_slice(bytes),
            _ => parts.push((stream, bytes.to_vec())),
        }
        ControlFlow::Continue(())
    };
    let left_out = log.bytes().saturating_sub(LONGEST_LOG);
    if left_out == 0 {
        log.each_with_stream(0..log.bytes(), &mut take)?;
        return Ok((parts, 0));
    }
    let half = LONGEST_LOG / 2;
    log.each_with_stream(0..half, &mut take)?;
    let _ = take(Stream::Out, format!("\n[… {} left out …]\n", size(left_out)).as_bytes());
    log.each_with_stream(log.bytes() - half..log.bytes(), &mut take)?;
    Ok((parts, left_out))
}
