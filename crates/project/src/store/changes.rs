//! The documents of a `meta.json` behind the first one: a change of the run's state each.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ending::{EndMeta, GroupMeta, end_meta, group_meta};
use crate::model::{End, Group};

/// A change of a run's state, a document of its own behind the beginning.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StateChange<Answer> {
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<GroupMeta>,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<EndMeta>,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    /// Whether the log has no findings, and so they no file.
    #[serde(default, skip_serializing_if = "is_false")]
    without_findings: bool,
}

/// No `Default` is asked of the answer for it.
fn none<T>() -> Option<T> {
    None
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The bytes that the start of a process adds to its `meta.json`.
pub(super) fn write_start(group: Group) -> Vec<u8> {
    document(&StateChange::<()> {
        group: Some(group_meta(group)),
        end: None,
        answer: None,
        without_findings: false,
    })
}

/// The bytes that the end of a process adds to its `meta.json`.
pub(super) fn write_end(end: &End, without_findings: bool) -> Vec<u8> {
    document(&StateChange::<()> { group: None, end: Some(end_meta(end)), answer: None, without_findings })
}

/// The bytes that the end of a call adds to its `meta.json`, with an answer that is short.
pub(super) fn write_call_end(end: &End, answer: Option<&Value>) -> Vec<u8> {
    document(&StateChange { group: None, end: Some(end_meta(end)), answer, without_findings: true })
}

pub(super) fn document(of: &impl Serialize) -> Vec<u8> {
    // Texts and numbers alone cannot fail.
    let mut bytes = serde_json::to_vec_pretty(of).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The answer of a call that its `meta.json` has itself.
pub(super) fn inline_answer(bytes: &[u8]) -> Option<Value> {
    changes(documents(bytes).1).find_map(|change| change.answer)
}

/// Whether the run has ended without findings.
pub(super) fn is_without_findings(bytes: &[u8]) -> bool {
    changes::<IgnoredAny>(documents(bytes).1).any(|change| change.without_findings)
}

/// The changes behind the first document, up to one that a crash has cut.
pub(super) fn changes<'a, Answer: Deserialize<'a>>(
    rest: &'a [u8],
) -> impl Iterator<Item = StateChange<Answer>> {
    serde_json::Deserializer::from_slice(rest).into_iter().map_while(Result::ok)
}

/// The first JSON document of a file, and all that is behind it.
pub(super) fn documents(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut documents = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match documents.next() {
        Some(Ok(_)) => bytes.split_at(documents.byte_offset()),
        Some(Err(_)) | None => (bytes, &[]),
    }
}
