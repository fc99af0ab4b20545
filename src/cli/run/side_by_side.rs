//! Several tools side by side: each line with its tool in front, and one summary at the end.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::afterwards::{answer, say_error, unwritable};
use super::execute::{self, RunEnd, RunFailure};
use super::prefixed::Prefixed;
use crate::calls::{self, Addressed, CallRequest, SeveralRuns};
use crate::cli::arguments::{CallArguments, RunArguments, RunOptions};
use crate::cli::call;
use crate::execution::{KeySignals, Sink as _};
use crate::model::{
    Ending, LOCAL, NotStarted, Report, RunId, Spelling, Stream, TraceContext, counted, visible,
};
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::sys::process::ExpectedRuns;
use crate::sys::raise_limit;
use crate::terminal::{Failed, StopReason, Ui, exit, on_signals, runtime, widest};

/// How often it is looked whether another process asked for the end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// The time between the two tries of a tool whose runner lost it.
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// How many runs at once the usual limit of descriptors is enough for.
const FEW: usize = 32;

/// A tool, and the others that must have succeeded before it starts.
pub(super) struct RowMember {
    /// The qualified name.
    pub(super) name: String,
    /// The words in front of each of its lines.
    pub(super) label: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) needs: BTreeSet<usize>,
    /// How it ended; `None`: it was not run.
    pub(super) came: Option<RunEnd>,
}

impl RowMember {
    /// One without arguments that needs no other, and was not run yet.
    pub(super) fn new(name: String, label: String) -> Self {
        Self { name, label, arguments: Map::new(), needs: BTreeSet::new(), came: None }
    }
}

/// The arguments of a member with these words.
///
/// # Errors
/// When the tool takes no such words.
pub(super) fn arguments(
    found: Option<&Registered>,
    shown: &str,
    how: &RunOptions,
    words: &[OsString],
) -> Result<Map<String, Value>, Failed> {
    let call = CallArguments { words: words.to_vec(), ..how.call.clone() };
    let mut arguments = call::arguments(found, shown, &call, how.dry_run)?;
    if how.dry_run && found.is_none_or(|found| found.tool.input.schema().is_none()) {
        arguments.insert(call::DRY_RUN.into(), Value::Bool(true));
    }
    Ok(arguments)
}

/// Runs all of them, so many at once, and says how they ended. The exit code is that of the first that failed.
pub(super) fn run(
    ui: &Ui,
    project: &Project,
    registry: &Registry,
    (typed, jobs): (&RunArguments, usize),
    mut members: Vec<RowMember>,
) -> Result<u8, Failed> {
    let how = typed.how.of_one();
    let reason = StopReason::default();
    let clock = &project.context.clock;
    let begun = clock.instant();
    let runner = how.call.on.as_deref();
    if let Some(Err(error)) = runner.map(|name| calls::check_runner(project, name)) {
        return say_error(ui, &error, how.json);
    }
    project.prepare_runs(ExpectedRuns::OneRun);
    if jobs > FEW {
        raise_limit();
    }
    let words = words(typed);
    let several = if how.dry_run {
        SeveralRuns::unrecorded()
    } else {
        SeveralRuns::begin(project, &words[1..].join(" "), &words, runner.filter(|name| *name != LOCAL))
    };
    let width = if how.json { 0 } else { widest(members.iter().map(|member| member.label.as_str())) };
    let row = RunRow {
        ui,
        project,
        registry,
        how: &how,
        parent: several.id(),
        trace: several.span(),
        several: RefCell::new(several),
        cancel: CancellationToken::new(),
        keys: KeySignals::default(),
        width,
        second_tries: Cell::new(0),
    };
    let runtime = runtime().map_err(|error| Failed::from(error).before_a_run())?;
    let is_whole = runtime.block_on(async {
        tokio::select! {
            biased;
            () = on_signals(row.cancel.clone(), reason.clone(), Some(row.keys.clone())) => false,
            () = row.heed_stop() => false,
            () = schedule(&row, &mut members, (jobs, typed.keep_going)) => true,
        }
    });
    runtime.block_on(project.catalog.close());
    let failed = members.iter().find_map(|member| Some(member.came.as_ref()?.code).filter(|code| *code != 0));
    let interrupted = (!is_whole).then_some(exit::INTERRUPTED);
    let code = reason.code().or(failed).or(interrupted).unwrap_or(exit::SUCCESS);
    let took = clock.instant().duration_since(begun);
    let summary = summary(&members, row.second_tries.get(), took.as_secs_f64());
    let several = row.several.into_inner();
    let is_cancelled = row.cancel.is_cancelled() || several.was_stopped();
    let ending = if is_cancelled { Ending::Cancelled } else { Ending::Exited(code.into()) };
    let error = summary.lines().next().filter(|_| code != exit::SUCCESS).map(str::to_owned);
    let has_errors = several.has_errors();
    let unrecorded = several.end(project, ending, error, took);
    if how.json {
        ui.json(&as_json(members, code, (row.parent, unrecorded))).map_err(unwritable)?;
        return Ok(code);
    }
    if let Some(why) = unrecorded {
        ui.say(format!("warning: not all of these runs is recorded as one: {why}"));
    }
    let found =
        row.parent.filter(|_| has_errors).map(|id| format!("; `cuff runs diagnostics {}`", id.short()));
    ui.note(summary.replacen('\n', &format!("{}\n", found.unwrap_or_default()), 1));
    Ok(code)
}

/// The words of the command line, as they are recorded.
fn words(typed: &RunArguments) -> Vec<String> {
    let option = |name: &str, value: &str| [name.to_owned(), value.to_owned()];
    let which = if typed.recursive { "-r" } else { "--each" };
    let front = ["cuff", "run", which].into_iter().map(str::to_owned).chain(typed.tool.clone());
    let filters = typed.filter.iter().flat_map(|pattern| option("--filter", pattern));
    let changed = typed.changed.iter().flat_map(|commit| option("--changed", commit));
    let dashes = typed.recursive && !typed.how.call.words.is_empty();
    let dashes = dashes.then(|| "--".to_owned());
    let rest = typed.how.call.words.iter().map(|word| word.to_string_lossy().into_owned());
    front.chain(filters).chain(changed).chain(dashes).chain(rest).collect()
}

/// All that the runs of a row share.
struct RunRow<'a> {
    ui: &'a Ui,
    project: &'a Project,
    registry: &'a Registry,
    how: &'a RunOptions,
    /// The run of all of them.
    parent: Option<RunId>,
    trace: Option<TraceContext>,
    several: RefCell<SeveralRuns>,
    cancel: CancellationToken,
    keys: KeySignals,
    /// The width of the widest label.
    width: usize,
    /// How many calls were made once more.
    second_tries: Cell<usize>,
}

impl RunRow<'_> {
    /// Cancels all calls once another process asked for the end of them. Never returns.
    async fn heed_stop(&self) {
        loop {
            tokio::time::sleep(BETWEEN_LOOKS).await;
            if self.several.borrow().was_stopped() {
                self.cancel.cancel();
            }
        }
    }

    /// Carries out one call, and says how it ended where it failed. One that its runner lost is made once more.
    async fn call(&self, at: usize, tool: &str, label: &str, arguments: Map<String, Value>) -> RunEnd {
        let mut lost = None;
        let mut came = loop {
            match self.attempt((at, label), tool, arguments.clone(), lost.is_none()).await {
                CallAttempt::Ended(came) => break came,
                CallAttempt::Lost(run, why) => {
                    self.second_tries.set(self.second_tries.get() + 1);
                    self.ui.note(format!("note: {} is run once more: {why}", visible(label)));
                    lost = Some((run, why));
                    tokio::select! {
                        () = tokio::time::sleep(BETWEEN_TRIES) => {}
                        () = self.cancel.cancelled() => {}
                    }
                }
            }
        };
        if let (Some(result), Some((run, why))) = (&mut came.result, lost) {
            result["first_try"] = json!({ "error": why });
            if let Some(run) = run {
                result["first_try"]["run_id"] = json!(run.to_string());
            }
        }
        came
    }

    /// Carries out one call. A first one may be lost: then nothing is said of it yet.
    async fn attempt(
        &self,
        (at, label): (usize, &str),
        tool: &str,
        arguments: Map<String, Value>,
        is_first: bool,
    ) -> CallAttempt {
        let Self { ui, project, how, cancel, .. } = self;
        let reason = StopReason::default();
        let mut sink = Prefixed::new(ui, (at, label, self.width), how.json, self.keys.clone());
        let tool = Addressed::Exactly(tool.to_owned(), Spelling::Dotted);
        let request = execute::request(ui, project, (tool, arguments), how, &reason);
        let request = CallRequest { parent: self.parent, trace: self.trace.clone(), ..request };
        let done = calls::run_listed(project, self.registry, request, &mut sink, cancel).await;
        let ended = |code| RunEnd { code, is_stopped: false, took: None, result: None };
        if let Some(report) = done.as_ref().ok().filter(|report| report.ending.is_none() && !how.json) {
            // Nothing was run: its line says which tool it is about.
            let _ = sink.write(Stream::Out, format!("{}\n", answer(report)).as_bytes());
            return CallAttempt::Ended(ended(exit::of_report(report)));
        }
        sink.end();
        if sink.failure.is_some() {
            cancel.cancel();
        }
        if let Ok(report) = &done {
            let is_tried_again = is_first && !cancel.is_cancelled();
            let why = is_tried_again.then(|| second_try(project, self.registry, report)).flatten();
            let mut several = self.several.borrow_mut();
            if let Some(why) = why {
                several.lost(project, label, report);
                return CallAttempt::Lost(report.run_id, why);
            }
            several.ended(project, label, report);
        }
        let done = done.map_err(RunFailure::Call);
        let came = execute::conclude_call(ui, project, done, (&reason, how));
        // Where standard error cannot be written either, the exit code is left to tell.
        CallAttempt::Ended(came.unwrap_or_else(|failed| RunEnd { is_stopped: true, ..ended(failed.code) }))
    }
}

/// The reason to run a tool once more: its runner did not start it, lost it, or did not end it in time. `None`: there is no such
/// reason, or the tool requires confirmation and may have begun what it does.
fn second_try(project: &Project, registry: &Registry, report: &Report) -> Option<String> {
    report.metadata.get("runner")?;
    let is_lost = matches!(
        report.ending,
        Some(Ending::Disconnected(_) | Ending::NotStarted(NotStarted::Other(_)) | Ending::TimedOut(_))
    );
    let found = registry.tools().iter().find(|found| found.name == report.tool)?;
    (is_lost && !project.asks_first(found)).then(|| report.error.clone()).flatten()
}

/// A call that came to its end, or whose runner lost it.
enum CallAttempt {
    Ended(RunEnd),
    /// The lost run, and the reason why it is made once more.
    Lost(Option<RunId>, String),
}

/// Starts each member once those that it needs have succeeded. After a failure nothing new starts, but those that run go on to their
/// ends; with `keep_going` all start that need no failed one.
async fn schedule(row: &RunRow<'_>, members: &mut [RowMember], (jobs, keep_going): (usize, bool)) {
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    let mut missing: Vec<usize> = members.iter().map(|member| member.needs.len()).collect();
    for (at, member) in members.iter().enumerate() {
        for need in &member.needs {
            dependents[*need].push(at);
        }
    }
    let mut ready: BTreeSet<usize> = (0..members.len()).filter(|at| missing[*at] == 0).collect();
    let mut running = FuturesUnordered::new();
    let mut is_over = false;
    loop {
        while !is_over && running.len() < jobs {
            let Some(at) = ready.pop_first() else { break };
            let RowMember { name, label, arguments, .. } = &members[at];
            let (name, label, arguments) = (name.clone(), label.clone(), arguments.clone());
            running.push(async move { (at, row.call(at, &name, &label, arguments).await) });
        }
        let Some((at, came)) = running.next().await else { return };
        is_over |= came.is_stopped || row.cancel.is_cancelled() || came.code != exit::SUCCESS && !keep_going;
        if came.code == exit::SUCCESS {
            for dependent in &dependents[at] {
                missing[*dependent] -= 1;
                if missing[*dependent] == 0 {
                    ready.insert(*dependent);
                }
            }
        }
        members[at].came = Some(came);
    }
}

/// The failed one that a member which was not run needs, directly or through others.
fn failed_need(members: &[RowMember], at: usize) -> Option<&RowMember> {
    let (mut open, mut seen) = (vec![at], BTreeSet::new());
    while let Some(at) = open.pop() {
        for need in members[at].needs.iter().filter(|need| seen.insert(**need)) {
            match &members[*need].came {
                Some(came) if came.code != exit::SUCCESS => return Some(&members[*need]),
                Some(_) => {}
                None => open.push(*need),
            }
        }
    }
    None
}

/// The counts, and a line for each that did not succeed.
fn summary(members: &[RowMember], second_tries: usize, seconds: f64) -> String {
    let ends = |is: fn(u8) -> bool| {
        members.iter().filter(|member| member.came.as_ref().is_some_and(|came| is(came.code))).count()
    };
    let (mut ok, mut not) = (0, Vec::new());
    let width = widest(members.iter().map(|member| member.label.as_str()));
    for (at, member) in members.iter().enumerate() {
        let ended = match &member.came {
            Some(came) if came.code == exit::SUCCESS => {
                ok += 1;
                continue;
            }
            Some(came) => came.in_words(),
            None => {
                let needed =
                    failed_need(members, at).map(|needed| format!(": it needs {}", visible(&needed.label)));
                format!("not run{}", needed.unwrap_or_default())
            }
        };
        not.push(format!("  {:width$}  {ended}", visible(&member.label)));
    }
    let interrupted = ends(|code| code == exit::INTERRUPTED);
    let failures = ends(|code| code != exit::SUCCESS) - interrupted;
    let left = members.len() - ok - failures - interrupted;
    let parts = [(ok, "ok"), (failures, "failed"), (interrupted, "interrupted"), (left, "not run")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let again = if second_tries > 0 { format!("; {second_tries} at a second try") } else { String::new() };
    let first = format!(
        "{}: {}{again} ({seconds:.1} s)",
        counted(members.len() as u64, "run"),
        parts.collect::<Vec<_>>().join(", ")
    );
    std::iter::once(first).chain(not).collect::<Vec<_>>().join("\n")
}

/// One document: the result of each that was run, and the names of the others.
fn as_json(members: Vec<RowMember>, code: u8, (id, unrecorded): (Option<RunId>, Option<String>)) -> Value {
    let (run, left): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.came.is_some());
    let left: Vec<String> = left.into_iter().map(|member| member.name).collect();
    let results: Vec<Value> = run
        .into_iter()
        .filter_map(|member| {
            let mut result = member.came?.result?;
            result["of"] = json!(member.label);
            Some(result)
        })
        .collect();
    let mut shape =
        json!({ "success": code == exit::SUCCESS, "exit_code": code, "results": results, "not_run": left });
    if let Some(id) = id {
        shape["run_id"] = json!(id.to_string());
    }
    if let Some(why) = unrecorded {
        shape["unrecorded"] = json!(why);
    }
    shape
}
