//! `meta.json`: the store's data of a run, and the rules for data of other versions.
//!
//! A change that older readers would misread gets a new number; an additional field does not. A reader that
//! meets a higher number reports it, shows the log as bytes, and neither changes nor removes that run.
//!
//! The file is a JSON document for the beginning. Behind it stands another one for each change of the state: the group of a
//! process that has started, and the end. A file that is written anew costs a new file each time, which is what a run costs
//! most on some file systems. A crash may leave a part of the last document, which counts for nothing.
//!
//! A process of format 1 has one document, which was written anew.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::changes::{StateChange, changes, document, documents};
use super::cut::{cut, cut_words, fits};
use super::ending::{EndMeta, GroupMeta, end_meta, end_of, group_meta, group_of};
use crate::model::{Beginning, Called, RecordState, Recorded, Revision, RunId, Scripted};

/// The newest format.
pub(super) const FORMAT: u32 = 3;
/// The format of one document alone.
const ONE_DOCUMENT: u32 = 1;

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
struct RecordVersion {
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
    /// Whether it is the run of several tools.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    several: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    runner: Option<String>,
    /// The run of the script, or of several tools, that the call is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    /// Whether it ran on another machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pulled: bool,
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

/// The bytes of a run's `meta.json`. Texts that are too long are cut and marked, since the file must be
/// readable.
pub fn write(run: &Recorded) -> Vec<u8> {
    let Recorded { id, beginning, state } = run;
    let kind = match (&beginning.call, &beginning.script) {
        (Some(_), _) => KindName::Call,
        (None, Some(_)) => KindName::Script,
        (None, None) => KindName::Process,
    };
    let meta = Meta {
        format: FORMAT,
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
        several: beginning.is_several,
        runner: beginning.runner.as_deref().map(cut),
        parent: beginning.parent.map(|parent| parent.to_string()),
        commit: beginning.revision.commit.clone(),
        branch: beginning.revision.branch.as_deref().map(cut),
        pulled: beginning.is_pulled,
        call: beginning.call.as_ref().map(|call| CallMeta {
            server: cut(&call.server),
            tool: cut(&call.tool),
            arguments: call.arguments.clone().filter(fits),
        }),
        state: match state {
            RecordState::Running(_) => StateName::Running,
            RecordState::Interrupted => StateName::Interrupted,
            RecordState::Ended(_) => StateName::Ended,
        },
        started_ms: id.milliseconds(),
        group: match state {
            RecordState::Running(group) => group.map(group_meta),
            RecordState::Interrupted | RecordState::Ended(_) => None,
        },
        end: match state {
            RecordState::Ended(end) => Some(end_meta(end)),
            RecordState::Running(_) | RecordState::Interrupted => None,
        },
    };
    document(&meta)
}

/// Reads a `meta.json`.
///
/// # Errors
/// When it is none, or a newer cuff's.
pub fn read(bytes: &[u8]) -> Result<Recorded, BadMeta> {
    let corrupt = |error: serde_json::Error| BadMeta::Corrupt(error.to_string());
    let (first, rest) = documents(bytes);
    let RecordVersion { format } = serde_json::from_slice(first).map_err(corrupt)?;
    if format > FORMAT {
        return Err(BadMeta::Newer(format));
    }
    let is_alone = format == ONE_DOCUMENT;
    let meta: Meta = serde_json::from_slice(if is_alone { bytes } else { first }).map_err(corrupt)?;
    let id: RunId = meta.id.parse().map_err(|_| BadMeta::Corrupt("it has no run id".to_owned()))?;
    let mut state = match (meta.state, meta.end) {
        (StateName::Running, _) => RecordState::Running(meta.group.map(group_of)),
        (StateName::Interrupted, _) => RecordState::Interrupted,
        (StateName::Ended, Some(end)) => RecordState::Ended(Box::new(end_of(end))),
        (StateName::Ended, None) => return Err(BadMeta::Corrupt("it has no end".to_owned())),
    };
    for change in changes::<IgnoredAny>(rest).take_while(|_| !is_alone) {
        match change {
            StateChange { end: Some(end), .. } => state = RecordState::Ended(Box::new(end_of(end))),
            StateChange { group: Some(new), .. } => state = RecordState::Running(Some(group_of(new))),
            StateChange { .. } => {}
        }
    }
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
        is_several: meta.several,
        runner: meta.runner,
        parent: meta.parent.and_then(|parent| parent.parse().ok()),
        revision: Revision { commit: meta.commit, branch: meta.branch },
        is_pulled: meta.pulled,
    };
    Ok(Recorded { id, beginning, state })
}
