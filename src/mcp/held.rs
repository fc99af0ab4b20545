//! Calls that wait for the answer to another MCP server's question. The answer comes with the client's next request.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;

use crate::calls::{self, Call, ServerQuestion};

/// How long a call waits for its answer.
const PATIENCE: Duration = Duration::from_mins(5);
/// How many calls wait at most. One more, and the question is cancelled.
const MOST: usize = 64;

/// A call, and the question that it waits for.
pub(super) struct HeldCall {
    /// The name that the client called the tool by.
    pub(super) tool: String,
    pub(super) call: Call,
    pub(super) question: ServerQuestion,
}

/// The calls that wait, by the `requestState` that their answer brings. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Held(Arc<Mutex<HashMap<String, HeldCall>>>);

impl Held {
    /// Holds a call, and returns the state for its answer. A call that nobody comes back for is cancelled after
    /// [`PATIENCE`].
    ///
    /// # Errors
    /// When too many calls wait, or the operating system has no randomness to give.
    pub(super) fn keep(&self, call: HeldCall) -> io::Result<String> {
        let state = format!("held-{}", calls::random_id()?);
        {
            let mut held = self.lock();
            if held.len() >= MOST {
                return Err(io::Error::other("too many calls wait for answers"));
            }
            held.insert(state.clone(), call);
        }
        let (all, of) = (self.clone(), state.clone());
        tokio::spawn(async move {
            sleep(PATIENCE).await;
            let late = all.lock().remove(&of);
            drop(late);
        });
        Ok(state)
    }

    /// The call that waits under this state, which is used up; `None` where none does, or it is another tool's.
    pub(super) fn take(&self, state: &str, tool: &str) -> Option<HeldCall> {
        let mut held = self.lock();
        held.get(state).filter(|call| call.tool == tool)?;
        held.remove(state)
    }

    /// Whether a call waits under this state.
    pub(super) fn has(&self, state: &str) -> bool {
        self.lock().contains_key(state)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, HeldCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
