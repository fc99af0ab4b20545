//! The two sides of a call: what the server says meanwhile, and what it answers.

use std::fmt::Debug;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::Waiting;

/// The caller's side of a call while it lasts. Faces implement it.
pub trait Conversation: Debug + Send + Sync {
    /// Takes the parameters of a `notifications/progress`, with cuff's own progress token in them.
    fn progress(&self, raw: &Value);

    /// Takes the parameters of a `notifications/message`.
    fn message(&self, raw: &Value);

    /// Asks the person the server's questions, all at once. The parameters of each `elicitation/create` go
    /// in, by the server's key for it, and the results come out by the same keys. No result at all: nobody
    /// can be asked.
    fn ask<'a>(
        &'a self,
        server: &'a str,
        questions: &'a Map<String, Value>,
    ) -> Waiting<'a, Map<String, Value>>;

    /// The client's own capability `elicitation`; `None`: nobody can be asked.
    fn elicitation(&self) -> Option<&Value>;

    /// The least severe log messages that the client wants of this request; `None`: it did not say.
    fn log_level(&self) -> Option<&str>;
}

/// A conversation with nobody: hears nothing and answers nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unattended;

impl Conversation for Unattended {
    fn progress(&self, _raw: &Value) {}

    fn message(&self, _raw: &Value) {}

    fn ask<'a>(
        &'a self,
        _server: &'a str,
        _questions: &'a Map<String, Value>,
    ) -> Waiting<'a, Map<String, Value>> {
        Box::pin(std::future::ready(Map::new()))
    }

    fn elicitation(&self) -> Option<&Value> {
        None
    }

    fn log_level(&self) -> Option<&str> {
        None
    }
}

/// The answer of a server to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum ServerAnswer {
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
    /// No answer came within this time. The server got the signal to stop.
    TimedOut(Duration),
    /// The caller cancelled. The server got the signal to stop.
    Cancelled,
    /// The connection ended before the answer came, for this reason.
    Lost(String),
    /// The server defines the tool otherwise than when the call was judged. It was not called.
    Changed,
    /// There is no connection: the reason, and when the next try is.
    Unreachable(String),
}
