//! The files of approvals and of used states, and what all files of the ledger have in common: a number for their format.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::approval::{Approval, ApprovalQuestion, ApprovalState};

/// The number of this format; a reader of a lower one leaves the file alone.
const FORMAT: u32 = 1;

/// Why a file of the ledger cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadFile {
    /// A newer cuff wrote it.
    Newer(u32),
    /// It is no such file.
    Corrupt,
}

/// Reads a file whose format has at most this number.
pub(super) fn parse<Shape: DeserializeOwned>(bytes: &[u8], newest: u32) -> Result<Shape, BadFile> {
    let LedgerVersion { format } = serde_json::from_slice(bytes).map_err(|_| BadFile::Corrupt)?;
    if format > newest {
        return Err(BadFile::Newer(format));
    }
    serde_json::from_slice(bytes).map_err(|_| BadFile::Corrupt)
}

/// The bytes of a file.
pub(super) fn bytes(shape: &impl Serialize) -> Vec<u8> {
    // Texts and numbers alone cannot fail.
    let mut bytes = serde_json::to_vec_pretty(shape).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[derive(Debug, Deserialize)]
struct LedgerVersion {
    format: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct QuestionFile {
    format: u32,
    approvals: Vec<QuestionEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct QuestionEntry {
    id: String,
    digest: String,
    tool: String,
    #[serde(default)]
    original: String,
    #[serde(default)]
    reason: String,
    command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    facts: Vec<String>,
    project: String,
    caller: String,
    asked: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    granted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<u64>,
}

/// Reads the file; none at all has no approvals.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Approval>, BadFile> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let file: QuestionFile = parse(bytes, FORMAT)?;
    let approval = |entry: QuestionEntry| Approval {
        id: entry.id,
        question: ApprovalQuestion {
            digest: entry.digest,
            tool: entry.tool,
            original: entry.original,
            reason: entry.reason,
            command: entry.command,
            text: entry.text,
            facts: entry.facts,
            project: entry.project,
            caller: entry.caller,
        },
        asked: entry.asked,
        // A no beats a yes.
        state: match (entry.denied, entry.granted) {
            (Some(at), _) => ApprovalState::Denied(at),
            (None, Some(at)) => ApprovalState::Granted(at),
            (None, None) => ApprovalState::Waiting,
        },
    };
    Ok(file.approvals.into_iter().map(approval).collect())
}

/// The bytes of the file.
pub(super) fn write(approvals: &[Approval]) -> Vec<u8> {
    let entry = |Approval { id, question, asked, state }: &Approval| QuestionEntry {
        id: id.clone(),
        digest: question.digest.clone(),
        tool: question.tool.clone(),
        original: question.original.clone(),
        reason: question.reason.clone(),
        command: question.command.clone(),
        text: question.text.clone(),
        facts: question.facts.clone(),
        project: question.project.clone(),
        caller: question.caller.clone(),
        asked: *asked,
        granted: if let ApprovalState::Granted(at) = state { Some(*at) } else { None },
        denied: if let ApprovalState::Denied(at) = state { Some(*at) } else { None },
    };
    bytes(&QuestionFile { format: FORMAT, approvals: approvals.iter().map(entry).collect() })
}

/// The states of questions that were used: the number of each with its project, and when it would have ended.
pub(super) type Used = BTreeMap<String, u64>;

#[derive(Debug, Serialize, Deserialize)]
struct UsedFile {
    format: u32,
    used: Used,
}

/// Reads the file of used states.
pub(super) fn read_used(bytes: &[u8]) -> Result<Used, BadFile> {
    let file: UsedFile = parse(bytes, FORMAT)?;
    Ok(file.used)
}

/// The bytes of that file.
pub(super) fn write_used(used: &Used) -> Vec<u8> {
    bytes(&UsedFile { format: FORMAT, used: used.clone() })
}
