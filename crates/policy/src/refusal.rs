//! Why a plan may not be carried out.

use crate::ledger::Unreviewed;
use crate::model::{BadCall, ErrorCode, Registered};

/// Why a plan may not be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of fault, from which the error code follows.
    pub fault: ErrorCode,
    /// The refused thing, by its name.
    pub message: String,
    /// The way to do it instead.
    pub help: String,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { fault: ErrorCode::BadArgument, message: message.into(), help: help.into() }
    }

    /// The text of a tool is not the one that a person approved, or cannot be.
    pub(super) fn unapproved(tool: &Registered) -> Self {
        if tool.tool.content.is_none() {
            let message =
                format!("The text of {} cannot be read completely, so it cannot be approved", tool.name);
            let help = "it is larger than 1 MiB, or it includes other files that only its own program can find; the user may \
                        set `trust: names` for it";
            return Self { fault: ErrorCode::Unapproved, message, help: help.into() };
        }
        let message = format!("Nobody has approved what {} runs as it is now", tool.name);
        let help = "ask the user to run `cuff approve settings` in a terminal, then make the same call again";
        Self { fault: ErrorCode::Unapproved, message, help: help.into() }
    }

    /// The definition of a server's tool is none that was pinned.
    pub(super) fn unreviewed(tool: &Registered, why: Unreviewed) -> Self {
        // cuff's own name of the tool: a server's name of a new tool may be any text.
        let (name, server) = (&tool.name, &tool.name.instance);
        let asks = "ask the user to run `cuff approve settings` in a terminal, which shows the difference, then make the \
                    same call again";
        let (message, help) = match why {
            Unreviewed::Changed => {
                (format!("The MCP server {server} changed {name} since a person approved it"), asks)
            }
            Unreviewed::New => {
                (format!("The MCP server {server} added {name}, and no person has approved it"), asks)
            }
            Unreviewed::Unpinned => (
                format!("It is not known what a person approved of {name} of the MCP server {server}"),
                "cuff pins the tools when it connects to the server; `cuff list` says what is in the way",
            ),
        };
        Self { fault: ErrorCode::Unapproved, message, help: help.into() }
    }
}

impl From<BadCall> for Refusal {
    fn from(bad: BadCall) -> Self {
        Self::new(bad.message, bad.help.unwrap_or_default())
    }
}
