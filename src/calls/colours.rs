//! Whether a tool is to print in colours, and how it is told.

use super::run::Request;
use crate::engine::Engine;
use crate::model::{Caller, Change, Origin};

/// What who hears of a run thinks of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// A person watches on a terminal.
    Welcome,
    /// They were said to be unwanted.
    Unwanted,
    /// Nothing was said: the tool sees for itself what it prints to.
    AsTheToolLikes,
}

impl Engine {
    /// Agents get plain text, and so does who wants it; a person at a terminal gets colours unless `NO_COLOR` says otherwise.
    pub(crate) fn colours(&self, request: &Request) -> Vec<Change> {
        let set = |name| self.surroundings.environment.get(name).is_some();
        match (request.caller, request.colours) {
            // Some tools heed only the one, and some the other before it.
            (Caller::Agent, _) | (_, Colours::Unwanted) => {
                vec![
                    Change::new("NO_COLOR", "1", Origin::Fixed),
                    Change::new("FORCE_COLOR", "0", Origin::Fixed),
                ]
            }
            (Caller::Human, Colours::Welcome) if !set("NO_COLOR") && !set("FORCE_COLOR") => {
                vec![Change::new("FORCE_COLOR", "1", Origin::Fixed)]
            }
            _ => Vec::new(),
        }
    }
}
