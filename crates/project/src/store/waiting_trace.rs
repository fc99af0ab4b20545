//! The spans of a call that wait to be sent to a collector.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::outbox::OutboxEntry;

/// The spans of a call, with the place that they go to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitingTrace {
    /// The address that takes spans, as the environment of the call named it.
    pub collector: String,
    /// The `tracestate` of its caller.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub state: String,
    /// The spans. Texts in them have no secrets.
    pub spans: Vec<RecordedSpan>,
}

impl OutboxEntry for WaitingTrace {
    const FOLDER: &'static str = "unsent";
}

/// A span that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedSpan {
    /// The id of its trace: 32 hexadecimal digits.
    pub trace: String,
    /// The id of this span: 16 hexadecimal digits.
    pub span: String,
    /// The id of the span around it; `None` for the first one of a trace.
    pub parent: Option<String>,
    /// The name, one of few.
    pub name: String,
    /// The side of the call.
    pub role: SpanRole,
    /// When it began, in nanoseconds since 1970.
    pub start: u64,
    /// When it ended.
    pub end: u64,
    /// Texts, numbers, flags and lists of texts.
    pub attributes: Map<String, Value>,
    /// The error, where it failed; empty where only the fact is known.
    pub error: Option<String>,
}

/// The side of a span between two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanRole {
    /// Another program asked for it.
    Server,
    /// Waits for another program.
    Client,
    /// Neither.
    Internal,
}
