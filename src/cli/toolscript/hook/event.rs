//! An event of a session, as the agent's program tells it.

use serde::Deserialize;

use crate::gateway::SessionId;

/// An event as the agent sends it. Unknown fields are none of our business.
#[derive(Debug, Clone, Deserialize)]
struct Said {
    session_id: String,
    cwd: Option<String>,
    source: Option<String>,
    reason: Option<String>,
}

/// An event of a session.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) session: SessionId,
    /// The working directory.
    pub(super) directory: Option<String>,
    pub(super) source: Source,
    /// Why it ended.
    pub(super) reason: Option<String>,
}

/// How a session came to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// It is new, or has a new id.
    New,
    /// It goes on: in the same process, or in another one.
    GoesOn,
}

impl Event {
    /// Reads the JSON of an event.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let said: Said = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if said.session_id.is_empty() {
            return Err("`session_id` is empty".to_owned());
        }
        let source = match said.source.as_deref() {
            Some("resume" | "compact") => Source::GoesOn,
            // `startup`, `clear`, `fork`, and any other.
            _ => Source::New,
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
        let event = Event::read(
            r#"{"session_id":"a","transcript_path":"/t","cwd":"/w","hook_event_name":"SessionStart","source":"compact","new":[1]}"#,
        );
        let event = event.unwrap();
        assert_eq!((event.session.text(), event.source), ("a", Source::GoesOn));
        assert_eq!(event.directory.as_deref(), Some("/w"));
        for source in ["startup", "clear", "fork", "later"] {
            let event = Event::read(&format!(r#"{{"session_id":"a","source":"{source}"}}"#)).unwrap();
            assert_eq!(event.source, Source::New, "{source}");
        }
        for bad in ["", "[]", "{}", r#"{"session_id":""}"#, r#"{"session_id":1}"#] {
            assert!(Event::read(bad).is_err(), "{bad}");
        }
    }
}
