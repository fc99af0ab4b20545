//! The calls that a program made, and how they ended: what is done is done, however the program ended.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::model::visible;

/// The longest arguments that are kept, in characters.
const LONGEST_ARGUMENTS: usize = 200;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// `server.tool`.
    pub tool: String,
    /// Its arguments as JSON; long ones are cut.
    pub arguments: String,
    /// How it ended.
    pub ended: CallEnd,
    /// How long it took; nothing where it was not over.
    pub took: Option<Duration>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallEnd {
    /// The tool answered.
    Succeeded,
    /// The tool, or the policy, refused.
    Failed(String),
    /// The program was over first, and the call was cancelled. It may have had an effect.
    Unfinished,
}

impl CallRecord {
    /// A call that begins.
    pub(super) fn begun(tool: String, arguments: &Map<String, Value>) -> Self {
        let text = Value::Object(arguments.clone()).to_string();
        let mut cut: String = text.chars().take(LONGEST_ARGUMENTS).collect();
        if cut.len() < text.len() {
            cut.push('…');
        }
        Self { tool, arguments: visible(&cut).into_owned(), ended: CallEnd::Unfinished, took: None }
    }
}

/// The journal as a few lines: `2 calls succeeded, 1 failed, 1 was cancelled`, then those that did not succeed.
pub fn summary(calls: &[CallRecord]) -> String {
    let count = |is: fn(&CallEnd) -> bool| calls.iter().filter(|call| is(&call.ended)).count();
    let done = count(|end| matches!(end, CallEnd::Succeeded));
    let failed = count(|end| matches!(end, CallEnd::Failed(_)));
    let cut = count(|end| matches!(end, CallEnd::Unfinished));
    let mut parts = vec![format!("{done} succeeded")];
    if failed > 0 {
        parts.push(format!("{failed} failed"));
    }
    if cut > 0 {
        parts.push(format!("{cut} cancelled (may have had an effect)"));
    }
    let mut text = format!("calls: {}", parts.join(", "));
    for call in calls.iter().rev().take(LISTED).rev() {
        let end = match &call.ended {
            CallEnd::Succeeded => "ok".to_owned(),
            CallEnd::Failed(reason) => {
                format!("failed: {}", visible(reason.lines().next().unwrap_or_default()))
            }
            CallEnd::Unfinished => "cancelled".to_owned(),
        };
        // Writing to a string does not fail.
        let _ = write!(text, "\n  {} {} {end}", call.tool, call.arguments);
    }
    if calls.len() > LISTED {
        let _ = write!(text, "\n  (the last {LISTED} of {})", calls.len());
    }
    text
}

/// How many calls a summary lists.
const LISTED: usize = 10;
