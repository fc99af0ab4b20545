//! A program among the runs: its source, its calls and its result. A run of several tools has calls as well.

use serde_json::{Value, json};

use super::resolve::unreadable;
use crate::calls::{RecordedRuns, state_summary};
use crate::model::{Recorded, RunId, visible, visible_lines};
use crate::terminal::Failed;

/// How many calls are listed, and how many lines of the source.
const CALLS: usize = 50;
const LINES: usize = 60;
/// The longest result that is shown, in characters.
const LONGEST: usize = 4000;

/// The lines about it.
pub(super) fn about(runs: &RecordedRuns, run: &Recorded) -> Result<Vec<String>, Failed> {
    let mut lines = vec![format!("  in       {}", visible(&run.beginning.project))];
    lines.extend(calls(runs, run)?);
    let source = runs.script(run.id).unwrap_or_default();
    let source: Vec<&str> = source.lines().collect();
    lines.extend(source.iter().take(LINES).map(|line| format!("  | {}", visible(line))));
    if source.len() > LINES {
        lines.push(format!("  | … {} more lines", source.len() - LINES));
    }
    Ok(lines)
}

/// A line for each of its calls.
pub(super) fn calls(runs: &RecordedRuns, run: &Recorded) -> Result<Vec<String>, Failed> {
    let calls = runs.calls_of(run.id).map_err(|error| unreadable(&error))?;
    let shown = &calls[..calls.len().min(CALLS)];
    let ids: Vec<RunId> = shown.iter().map(|call| call.id).collect();
    let line = |(call, short): (&Recorded, String)| {
        format!("  call     {short} {}: {}", visible(call.beginning.name()), state_summary(&call.state))
    };
    let more = (calls.len() > CALLS)
        .then(|| format!("  and      {} more calls; `--json` names all", calls.len() - CALLS));
    Ok(shown.iter().zip(runs.shortened(&ids)).map(line).chain(more).collect())
}

/// Its result, if it has one.
pub(super) fn result(runs: &RecordedRuns, id: RunId) -> Option<String> {
    let text = format!("{:#}", runs.result(id)?);
    let text = match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}\n[… `cuff runs show {id} --json` has all of it …]", &text[..at]),
        None => text,
    };
    Some(format!("\nwhat it returned:\n{}", visible_lines(&text)))
}

/// The same for a program, or a run of several tools.
pub(super) fn add_to(shape: &mut Value, runs: &RecordedRuns, run: &Recorded) {
    let id = run.id;
    match runs.script(id) {
        Some(source) => shape["script"] = json!(source),
        None if run.beginning.is_several => {}
        None => return,
    }
    let calls = runs.calls_of(id).unwrap_or_default();
    shape["calls"] = calls.iter().map(|call| call.id.to_string()).collect();
    if let Some(result) = runs.result(id) {
        shape["result"] = result;
    }
}
