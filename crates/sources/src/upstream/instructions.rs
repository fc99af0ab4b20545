//! A server's instructions for agents.

use std::sync::{Mutex, PoisonError};

use super::cached::Cached;

/// The instructions of this process's connection, else those on disk.
#[derive(Debug, Default)]
pub(super) struct Instructions(Mutex<KnownInstructions>);

#[derive(Debug, Default)]
struct KnownInstructions {
    /// Whether they were looked for.
    is_known: bool,
    text: Option<String>,
}

impl Instructions {
    /// The instructions as they are known.
    pub(super) fn known(&self, cached: &Cached) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.is_known {
            *known = KnownInstructions { is_known: true, text: cached.instructions() };
        }
        known.text.clone()
    }

    /// Keeps what the server said, or that it said nothing.
    pub(super) fn keep(&self, cached: &Cached, instructions: Option<&str>) {
        if self.known(cached).as_deref() != instructions {
            cached.keep_instructions(instructions);
            let text = instructions.map(str::to_owned);
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
                KnownInstructions { is_known: true, text };
        }
    }
}
