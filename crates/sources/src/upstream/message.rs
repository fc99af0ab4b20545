//! JSON-RPC messages as raw JSON: read, sorted by kind, and written.

use serde_json::{Value, json};

/// The number of the error "method not found".
pub(super) const METHOD_NOT_FOUND: i64 = -32601;

/// A message of the server.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// The answer to a request of cuff's.
    Response {
        /// The id of the request.
        id: u64,
        /// The result or the error.
        reply: Reply,
    },
    /// A request of the server's.
    Request {
        /// Its id, which the answer carries.
        id: Value,
        /// Its method.
        method: String,
        /// Its parameters; `null` where it has none.
        params: Value,
    },
    /// A notification.
    Notification {
        /// Its method.
        method: String,
        /// Its parameters; `null` where it has none.
        params: Value,
    },
    /// An answer to an id that cuff never gives.
    Stray,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// The result, as it came.
    Result(Value),
    /// The error.
    Error {
        /// Its number.
        code: i64,
        /// Its text.
        message: String,
        /// Its further data.
        data: Option<Value>,
    },
    /// The server did not take the request, for this reason. Nothing was carried out.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "HTTP alone has logins"))]
    Refused(String),
}

impl Message {
    /// Tells what a message is; `None`: it is no message of JSON-RPC.
    pub(super) fn of(mut raw: Value) -> Option<Self> {
        let fields = raw.as_object_mut()?;
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return None;
        }
        let id = fields.get_mut("id").map(Value::take).filter(|id| !id.is_null());
        if let Some(method) = fields.get("method").and_then(Value::as_str).map(str::to_owned) {
            let params = fields.get_mut("params").map(Value::take).unwrap_or_default();
            return Some(match id {
                Some(id) => Self::Request { id, method, params },
                None => Self::Notification { method, params },
            });
        }
        let reply = match (fields.get_mut("result").map(Value::take), fields.get("error")) {
            (Some(result), _) => Reply::Result(result),
            (None, Some(error)) => Reply::Error {
                code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
                message: error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
                data: error.get("data").cloned(),
            },
            (None, None) => return None,
        };
        // Some servers answer with the number as a text.
        let number = id.and_then(|id| id.as_u64().or_else(|| id.as_str()?.parse().ok()));
        Some(number.map_or(Self::Stray, |id| Self::Response { id, reply }))
    }
}

/// The text of a request.
pub(super) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The text of a notification.
pub(super) fn notification(method: &str, params: &Value) -> Value {
    if params.is_null() {
        return json!({"jsonrpc": "2.0", "method": method});
    }
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// The answer to a request of the server's.
pub(super) fn answer(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// The answer to a request of the server's that cuff declines.
pub(super) fn decline(id: &Value, method: &str) -> Value {
    let message = format!("cuff does not offer {method}");
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": METHOD_NOT_FOUND, "message": message}})
}
