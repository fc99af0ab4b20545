//! The two sides of a call: what the server says meanwhile, and what it answers.

use std::fmt::Debug;
use std::time::Duration;

use serde_json::Value;

use crate::sources::Waiting;

/// The caller's side of a call while it lasts. Faces implement it.
pub trait Conversation: Debug + Send + Sync {
    /// Takes the parameters of a `notifications/progress`, with cuff's own progress token in them.
    fn progress(&self, raw: &Value);

    /// Takes the parameters of a `notifications/message`.
    fn message(&self, raw: &Value);

    /// Asks the person what the server asks: the parameters of an `elicitation/create` in, its result out. `None`: nobody
    /// can answer, and the server hears that the question was cancelled.
    fn ask<'a>(&'a self, server: &'a str, raw: &'a Value) -> Waiting<'a, Option<Value>>;
}

/// A conversation with nobody: hears nothing and answers nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unattended;

impl Conversation for Unattended {
    fn progress(&self, _raw: &Value) {}

    fn message(&self, _raw: &Value) {}

    fn ask<'a>(&'a self, _server: &'a str, _raw: &'a Value) -> Waiting<'a, Option<Value>> {
        Box::pin(std::future::ready(None))
    }
}

/// The answer of a server to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// The result, as it came.
    Result(Value),
    /// A JSON-RPC error, as it came.
    Rejected {
        /// Its number.
        code: i64,
        /// Its text.
        message: String,
        /// Its further data.
        data: Option<Value>,
    },
    /// No answer came within this time. The server was told to stop.
    TimedOut(Duration),
    /// The caller cancelled. The server was told to stop.
    Cancelled,
    /// The connection ended before the answer came, for this reason.
    Lost(String),
    /// The server defines the tool otherwise than when the call was judged. It was not called.
    Changed,
    /// There is no connection: the reason, and when the next try is.
    Unreachable(String),
}
