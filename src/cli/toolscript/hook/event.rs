//! An event of a session, as the agent's program tells it.

use serde::Deserialize;

use crate::gateway::SessionId;

/// An event as the agent sends it. Unknown fields are none of our business.
#[derive(Debug, Clone, Deserialize)]
struct SentEvent {
    session_id: String,
    cwd: Option<String>,
    source: Option<String>,
    reason: Option<String>,
}

/// An event of a session.
#[derive(Debug, Clone)]
pub(super) struct SessionEvent {
    pub(super) session: SessionId,
    /// The working directory.
    pub(super) directory: Option<String>,
    pub(super) source: SessionStart,
    /// Why it ended.
    pub(super) reason: Option<String>,
}

/// How a session came to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionStart {
    /// It is new, or has a new id.
    New,
    /// It goes on: in the same process, or in another one.
    GoesOn,
}

impl SessionEvent {
    /// Reads the JSON of an event.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let said: SentEvent = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if said.session_id.is_empty() {
            return Err("`session_id` is empty".to_owned());
        }
        let source = match said.source.as_deref() {
            Some("resume" | "compact") => SessionStart::GoesOn,
            // `startup`, `clear`, `fork`, and any other.
            _ => SessionStart::New,
        };
        Ok(Self {
            session: SessionId::new(said.session_id),
            directory: said.cwd,
            source,
            reason: said.reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_whatever_else_is_in_it() {
        let event = SessionEvent::read(
            r#"{"session_id":"a","transcript_path":"/t","cwd":"/w","hook_event_name":"SessionStart","source":"compact","new":[1]}"#,
        );
        let event = event.unwrap();
        assert_eq!((event.session.text(), event.source), ("a", SessionStart::GoesOn));
        assert_eq!(event.directory.as_deref(), Some("/w"));
        for source in ["startup", "clear", "fork", "later"] {
            let event = SessionEvent::read(&format!(r#"{{"session_id":"a","source":"{source}"}}"#)).unwrap();
            assert_eq!(event.source, SessionStart::New, "{source}");
        }
        for bad in ["", "[]", "{}", r#"{"session_id":""}"#, r#"{"session_id":1}"#] {
            assert!(SessionEvent::read(bad).is_err(), "{bad}");
        }
    }
}
