//! The log messages of other MCP servers that a client wants.
#![expect(deprecated, reason = "the protocol keeps log messages for some time yet")]

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::LoggingLevel;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::server_questions::is_newest;

/// The levels of log messages, the least severe first.
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The wish of a client with a session. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct SessionLevel(Arc<Mutex<Option<String>>>);

impl SessionLevel {
    /// Sets the least severe messages that the client wants from now on.
    pub(super) fn set(&self, level: LoggingLevel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name(level);
    }

    fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The least severe messages that the client of a request wants; `None`: it did not say.
pub(super) fn wanted(context: &RequestContext<RoleServer>, of_session: &SessionLevel) -> Option<String> {
    if is_newest(context) { context.meta.log_level().and_then(name) } else { of_session.get() }
}

/// Whether the client of a request wants this message. In a session the server itself knows what is wanted.
pub(super) fn lets_through(context: &RequestContext<RoleServer>, message: &Value) -> bool {
    if !is_newest(context) {
        return true;
    }
    let wanted = context.meta.log_level().and_then(name);
    wanted.is_some_and(|wanted| is_severe(message, &wanted))
}

/// Whether a message is at least as severe as this level. One of a level that nobody knows is.
fn is_severe(message: &Value, least: &str) -> bool {
    let at = |level: &str| LEVELS.iter().position(|known| *known == level);
    let level = message.get("level").and_then(Value::as_str).and_then(at);
    level.is_none_or(|level| Some(level) >= at(least))
}

fn name(level: LoggingLevel) -> Option<String> {
    json!(level).as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_let_through_from_its_level_on() {
        for (level, least, expected) in [
            ("debug", "info", false),
            ("info", "info", true),
            ("emergency", "debug", true),
            ("warning", "error", false),
            ("loud", "emergency", true),
        ] {
            assert_eq!(is_severe(&json!({"level": level, "data": 1}), least), expected, "{level} {least}");
        }
        assert_eq!(name(LoggingLevel::Warning).as_deref(), Some("warning"));
    }
}
