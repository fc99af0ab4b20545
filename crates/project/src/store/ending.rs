//! The end of a run, and the group of its process, as `meta.json` has them.

use serde::{Deserialize, Serialize};

use super::cut::cut;
use crate::model::{End, Ending, Group, Leftovers, NotStarted, Printed};

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct GroupMeta {
    id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EndMeta {
    ending: EndingMeta,
    success: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended_ms: Option<u64>,
    duration_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<String>,
    killed: u32,
    detached: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changed_later: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contained: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    denied: Vec<String>,
    stdout_bytes: u64,
    stderr_bytes: u64,
    lines: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum EndingMeta {
    Exited { code: i32 },
    Signalled { signal: i32 },
    TimedOut { after_ms: u64 },
    Cancelled,
    Answered { is_error: bool },
    Rejected { why: String },
    Disconnected { why: String },
    NotStarted { why: String },
    Lost,
}

pub(super) fn group_meta(Group { id, started }: Group) -> GroupMeta {
    GroupMeta { id, started }
}

pub(super) fn group_of(GroupMeta { id, started }: GroupMeta) -> Group {
    Group { id, started }
}

pub(super) fn end_meta(end: &End) -> EndMeta {
    EndMeta {
        ending: match &end.ending {
            Ending::Exited(code) => EndingMeta::Exited { code: *code },
            Ending::Signalled(signal) => EndingMeta::Signalled { signal: *signal },
            Ending::TimedOut(after) => {
                EndingMeta::TimedOut { after_ms: u64::try_from(after.as_millis()).unwrap_or(u64::MAX) }
            }
            Ending::Cancelled => EndingMeta::Cancelled,
            Ending::Answered { is_error } => EndingMeta::Answered { is_error: *is_error },
            Ending::Rejected(why) => EndingMeta::Rejected { why: cut(why) },
            Ending::Disconnected(why) => EndingMeta::Disconnected { why: cut(why) },
            Ending::NotStarted(why) => EndingMeta::NotStarted { why: cut(&not_started(why)) },
            Ending::Lost => EndingMeta::Lost,
        },
        success: end.success,
        ended_ms: end.at,
        duration_ms: end.duration,
        error: end.error.as_deref().map(cut),
        error_code: end.error_code.as_deref().map(cut),
        killed: end.leftovers.killed,
        detached: end.leftovers.detached,
        changed_later: end.changed_later.iter().map(|path| cut(path)).collect(),
        contained: end.contained.clone(),
        denied: end.denied.iter().map(|what| cut(what)).collect(),
        stdout_bytes: end.printed.out,
        stderr_bytes: end.printed.err,
        lines: end.printed.lines,
        lost: end.printed.lost.as_deref().map(cut),
    }
}

fn not_started(why: &NotStarted) -> String {
    match why {
        NotStarted::ProgramMissing { program, .. } => format!("{program} was not found"),
        NotStarted::DirectoryMissing(directory) => format!("{directory} does not exist"),
        NotStarted::DirectoryChanged(directory) => format!("{directory} is another folder"),
        NotStarted::ScriptChanged(path) => format!("{path} is another file"),
        NotStarted::SourceChanged(files) => format!("approved files were changed before the start: {files}"),
        NotStarted::SourceBusy(files) => format!("another process may be writing approved files: {files}"),
        NotStarted::DefinitionChanged { server, tool } => {
            format!("the MCP server {server} changed {tool} before it was called")
        }
        NotStarted::Uncontained(contained) => {
            format!("this machine cannot hold all of its containment: {}", contained.missing().join("; "))
        }
        NotStarted::Other(reason) => reason.clone(),
    }
}

pub(super) fn end_of(end: EndMeta) -> End {
    End {
        ending: match end.ending {
            EndingMeta::Exited { code } => Ending::Exited(code),
            EndingMeta::Signalled { signal } => Ending::Signalled(signal),
            EndingMeta::TimedOut { after_ms } => Ending::TimedOut(std::time::Duration::from_millis(after_ms)),
            EndingMeta::Cancelled => Ending::Cancelled,
            EndingMeta::Answered { is_error } => Ending::Answered { is_error },
            EndingMeta::Rejected { why } => Ending::Rejected(why),
            EndingMeta::Disconnected { why } => Ending::Disconnected(why),
            EndingMeta::NotStarted { why } => Ending::NotStarted(NotStarted::Other(why)),
            EndingMeta::Lost => Ending::Lost,
        },
        success: end.success,
        duration: end.duration_ms,
        at: end.ended_ms,
        error: end.error,
        error_code: end.error_code,
        leftovers: Leftovers { killed: end.killed, detached: end.detached },
        changed_later: end.changed_later,
        contained: end.contained,
        denied: end.denied,
        printed: Printed { out: end.stdout_bytes, err: end.stderr_bytes, lines: end.lines, lost: end.lost },
    }
}
