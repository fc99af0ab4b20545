//! The output of a run, for clients that have no other way to see it: a bounded part of its log.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use rmcp::model::CallToolResult;
use serde_json::json;

use super::answers::{answer, bad};
use crate::calls;
use crate::calls::{ErrorReason, RunError};
use crate::model::{ErrorCode, agent_text};
use crate::project::Project;
use crate::store::Log;

/// How many lines are shown when nobody says where to begin.
const TAIL: u64 = 100;
/// The most bytes of one answer.
const MOST: usize = 16 * 1024;

/// Lines of a log from one on, or its last; the answer says where the next ones begin.
pub(super) async fn log(
    project: &Arc<Project>,
    wanted: String,
    from: Option<u64>,
) -> Result<CallToolResult, RunError> {
    let asked = Arc::clone(project);
    // A log may lie on a slow disk, and other calls go on meanwhile.
    let read = tokio::task::spawn_blocking(move || part(&asked, &wanted, from)).await;
    read.unwrap_or_else(|error| Err(unreadable(&error)))
}

fn part(project: &Project, wanted: &str, from: Option<u64>) -> Result<CallToolResult, RunError> {
    let nowhere = || unreadable(&"neither XDG_DATA_HOME nor HOME says where runs are kept");
    let runs = calls::runs(&project.context).ok_or_else(nowhere)?;
    let none = |why: &dyn ToString| bad(why.to_string(), "give the `run_id` of a result".into());
    let newest = || calls::own_runs(project)?.newest_of(wanted, false);
    let id = runs.find(wanted).or_else(|error| newest().ok_or(error)).map_err(|error| none(&error))?;
    let run = runs.run(id).map_err(|error| unreadable(&error))?;
    if !calls::ran(project, &run) {
        return Err(none(&"this run is another project's"));
    }
    let log = runs.log(id).map_err(|error| unreadable(&error))?;
    let lines = log.lines().map_err(|error| unreadable(&error))?;
    let from = from.unwrap_or_else(|| lines.saturating_sub(TAIL - 1).max(1));
    let start = log.line(from).map_err(|error| unreadable(&error))?;
    let bytes = whole_lines(&log, start).map_err(|error| unreadable(&error))?;
    let next = from.saturating_add(memchr::memchr_iter(b'\n', &bytes).count() as u64);
    let text = agent_text(&String::from_utf8_lossy(&bytes)).into_owned();
    let mut data = json!({"run_id": id.short(), "from_line": from, "lines": lines, "text": text});
    if text.is_empty() {
        return Ok(answer(&format!("its log has {lines} lines"), &data));
    }
    if start + bytes.len() as u64 >= log.bytes() {
        return Ok(answer(&text, &data));
    }
    data["next_line"] = json!(next);
    Ok(answer(&format!("{text}[it has {lines} lines; go on with from_line {next}]"), &data))
}

/// As many lines as an answer has room for; of one that is longer, its beginning.
fn whole_lines(log: &Log, start: u64) -> io::Result<Vec<u8>> {
    let mut part = Vec::new();
    log.each(start..log.bytes(), &mut |chunk| {
        part.extend_from_slice(&chunk[..chunk.len().min(MOST - part.len())]);
        if part.len() < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    if start + (part.len() as u64) < log.bytes() {
        let end = memchr::memrchr(b'\n', &part).map(|end| end + 1);
        match end {
            Some(end) => part.truncate(end),
            // The rest of such a line is not for an agent; the next one is.
            None => part.extend_from_slice(b" [\xe2\x80\xa6]\n"),
        }
    }
    Ok(part)
}

fn unreadable(why: &dyn ToString) -> RunError {
    let code = ErrorCode::NotReady.code("CUFF");
    let message = format!("The log cannot be read: {}", why.to_string());
    RunError::new(ErrorReason::Unusable, code, message, Some("tell the user".into()))
}
