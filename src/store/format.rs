//! `meta.json`: the store's data of a run, and the rules for data of other versions.
//!
//! A change that older readers would misread gets a new number; an additional field does not. A reader that
//! meets a higher number reports it, shows the log as bytes, and neither changes nor removes that run.
//!
//! The file of a process is one JSON document, written anew when its state changes. That of a call is a document for the
//! beginning; the end is added behind it as another one.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cut::{cut, cut_words, fits};
use crate::model::{
    Beginning, Called, End, Ending, Group, Leftovers, NotStarted, Printed, Recorded, RunId, Scripted, State,
};

/// The newest format: of all that is no process.
pub(super) const FORMAT: u32 = 2;
/// The format of a process, which older versions read as well.
const PROCESS_FORMAT: u32 = 1;

/// Why a `meta.json` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMeta {
    /// A newer cuff wrote it.
    #[error("a newer cuff wrote this run (format {0}; this one knows up to {FORMAT})")]
    Newer(u32),
    /// It is no such file.
    #[error("meta.json cannot be read: {0}")]
    Corrupt(String),
}

#[derive(Debug, Deserialize)]
struct Version {
    format: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Meta {
    format: u32,
    id: String,
    tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    called: Option<String>,
    project: String,
    caller: String,
    command: Vec<String>,
    directory: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    absolute_directory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<Map<String, Value>>,
    /// The kind of the run: left out for a process.
    #[serde(default, skip_serializing_if = "KindName::is_process")]
    kind: KindName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<CallMeta>,
    /// The session of a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// The run of the script that made the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    state: StateName,
    /// The time that is in the id as well, for readers of the file.
    #[serde(default)]
    started_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<GroupMeta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndMeta>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindName {
    #[default]
    Process,
    Call,
    Script,
}

impl KindName {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_process(&self) -> bool {
        *self == Self::Process
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct CallMeta {
    server: String,
    tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StateName {
    Running,
    Interrupted,
    Ended,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct GroupMeta {
    id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
}

/// The end of a call, a document of its own behind the beginning.
#[derive(Debug, Serialize, Deserialize)]
struct CallEnd<Answer> {
    end: EndMeta,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
}

#[derive(Debug, Serialize, Deserialize)]
struct EndMeta {
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

/// The bytes of a run's `meta.json`. Texts that are too long are cut and marked, since the file must be
/// readable.
pub(super) fn write(run: &Recorded) -> Vec<u8> {
    let Recorded { id, beginning, state } = run;
    let kind = match (&beginning.call, &beginning.script) {
        (Some(_), _) => KindName::Call,
        (None, Some(_)) => KindName::Script,
        (None, None) => KindName::Process,
    };
    let meta = Meta {
        format: if kind.is_process() { PROCESS_FORMAT } else { FORMAT },
        id: id.to_string(),
        tool: cut(&beginning.tool),
        called: beginning.called.as_deref().map(cut),
        project: cut(&beginning.project),
        caller: cut(&beginning.caller),
        command: cut_words(&beginning.command),
        directory: cut(&beginning.directory),
        absolute_directory: beginning.absolute_directory.as_deref().map(cut),
        arguments: beginning.arguments.clone().filter(fits),
        kind,
        session: beginning.script.as_ref().map(|script| cut(&script.session)),
        parent: beginning.parent.map(|parent| parent.to_string()),
        call: beginning.call.as_ref().map(|call| CallMeta {
            server: cut(&call.server),
            tool: cut(&call.tool),
            arguments: call.arguments.clone().filter(fits),
        }),
        state: match state {
            State::Running(_) => StateName::Running,
            State::Interrupted => StateName::Interrupted,
            State::Ended(_) => StateName::Ended,
        },
        started_ms: id.milliseconds(),
        group: match state {
            State::Running(group) => group.map(|Group { id, started }| GroupMeta { id, started }),
            State::Interrupted | State::Ended(_) => None,
        },
        end: match state {
            State::Ended(end) => Some(end_meta(end)),
            State::Running(_) | State::Interrupted => None,
        },
    };
    document(&meta)
}

/// The bytes that the end of a call adds to its `meta.json`, with an answer that is short.
pub(super) fn write_call_end(end: &End, answer: Option<&Value>) -> Vec<u8> {
    document(&CallEnd { end: end_meta(end), answer })
}

fn document(of: &impl Serialize) -> Vec<u8> {
    // Texts and numbers alone cannot fail.
    let mut bytes = serde_json::to_vec_pretty(of).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn end_meta(end: &End) -> EndMeta {
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
        NotStarted::DefinitionChanged { server, tool } => {
            format!("the MCP server {server} changed {tool} before it was called")
        }
        NotStarted::Other(reason) => reason.clone(),
    }
}

/// Reads a `meta.json`.
///
/// # Errors
/// When it is none, or a newer cuff's.
pub(super) fn read(bytes: &[u8]) -> Result<Recorded, BadMeta> {
    let corrupt = |error: serde_json::Error| BadMeta::Corrupt(error.to_string());
    let (first, second) = documents(bytes);
    let Version { format } = serde_json::from_slice(first).map_err(corrupt)?;
    if format > FORMAT {
        return Err(BadMeta::Newer(format));
    }
    let meta: Meta = serde_json::from_slice(if format == FORMAT { first } else { bytes }).map_err(corrupt)?;
    let id: RunId = meta.id.parse().map_err(|_| BadMeta::Corrupt("it has no run id".to_owned()))?;
    // A crash may have left a part of it.
    let added: Option<CallEnd<IgnoredAny>> = serde_json::from_slice(second).ok().filter(|_| format == FORMAT);
    let state = match (meta.state, meta.end) {
        (StateName::Running, _) => added.map_or_else(
            || State::Running(meta.group.map(|GroupMeta { id, started }| Group { id, started })),
            |added| State::Ended(end_of(added.end)),
        ),
        (StateName::Interrupted, _) => State::Interrupted,
        (StateName::Ended, Some(end)) => State::Ended(end_of(end)),
        (StateName::Ended, None) => return Err(BadMeta::Corrupt("it has no end".to_owned())),
    };
    let beginning = Beginning {
        tool: meta.tool,
        called: meta.called,
        project: meta.project,
        caller: meta.caller,
        command: meta.command,
        directory: meta.directory,
        absolute_directory: meta.absolute_directory,
        arguments: meta.arguments,
        call: meta.call.map(|CallMeta { server, tool, arguments }| Called { server, tool, arguments }),
        script: meta.session.map(|session| Scripted { session }),
        parent: meta.parent.and_then(|parent| parent.parse().ok()),
    };
    Ok(Recorded { id, beginning, state })
}

/// The answer of a call that its `meta.json` has itself.
pub(super) fn inline_answer(bytes: &[u8]) -> Option<Value> {
    let (_, second) = documents(bytes);
    serde_json::from_slice::<CallEnd<Value>>(second).ok()?.answer
}

/// The first JSON document of a file, and all that is behind it.
fn documents(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut documents = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match documents.next() {
        Some(Ok(_)) => bytes.split_at(documents.byte_offset()),
        Some(Err(_)) | None => (bytes, &[]),
    }
}

fn end_of(end: EndMeta) -> End {
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
        printed: Printed { out: end.stdout_bytes, err: end.stderr_bytes, lines: end.lines, lost: end.lost },
    }
}
