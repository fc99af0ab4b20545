//! Requests that wait for a person's answers. These come with the client's next request.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::raw::{Raw, RawAnswer};
use super::{confirmation, server_questions};
use crate::calls::{self, ClientQuestion, ServerQuestions};

/// How long a request waits for its answers.
const PATIENCE: Duration = Duration::from_mins(5);
/// How many requests wait at most. One more, and the questions are cancelled.
const MOST: usize = 64;
/// The beginning of the states of requests that wait.
const PREFIX: &str = "held-";

/// A request that waits.
pub(super) struct HeldRequest<Work> {
    /// The client's name for what it asked for.
    pub(super) of: String,
    pub(super) work: Work,
    pub(super) questions: HeldQuestions,
}

/// The questions that a request waits for the answers to. Dropped, they are cancelled.
pub(super) enum HeldQuestions {
    /// Those of another MCP server.
    Server(ServerQuestions),
    /// Whether one call of a program may be made.
    #[cfg_attr(not(feature = "code"), expect(dead_code, reason = "only a program is held for it"))]
    Confirmation(ClientQuestion),
}

impl HeldQuestions {
    /// The result that asks them, and that a request with this state answers.
    fn result(&self, state: &str) -> Value {
        match self {
            Self::Server(questions) => {
                server_questions::result(&questions.server, questions.asked.clone(), state)
            }
            Self::Confirmation(asked) => confirmation::result(asked, state),
        }
    }

    /// Passes on the answers that the client's request brought; what is not answered is cancelled. Only a client that
    /// may say yes answers what requires it.
    pub(super) fn answer(self, answers: Option<&Map<String, Value>>, may_say_yes: bool) {
        match self {
            Self::Server(questions) => {
                let answers = server_questions::answers(&questions, answers);
                questions.answer(answers);
            }
            Self::Confirmation(asked) => {
                let answer = answers.and_then(|answers| answers.get(confirmation::KEY));
                asked.answer(answer.filter(|_| may_say_yes).unwrap_or(&Value::Null));
            }
        }
    }
}

/// The requests that wait, by the `requestState` that their answers bring. Clones share them.
pub(super) struct HeldRequests<Work>(Arc<Mutex<HashMap<String, HeldRequest<Work>>>>);

impl<Work> Clone for HeldRequests<Work> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Work> Default for HeldRequests<Work> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<Work: Send + 'static> HeldRequests<Work> {
    /// Holds a request, and sets the result that asks for the answers. A request that nobody comes back for is cancelled
    /// after [`PATIENCE`].
    ///
    /// # Errors
    /// When too many requests wait, or the operating system has no randomness to give.
    pub(super) fn hold(
        &self,
        request: HeldRequest<Work>,
        context: &RequestContext<RoleServer>,
    ) -> io::Result<()> {
        let state = format!("{PREFIX}{}", calls::random_id()?);
        let result = request.questions.result(&state);
        self.keep(state, request)?;
        RawAnswer::set(context, Raw::Result(result));
        Ok(())
    }

    fn keep(&self, state: String, request: HeldRequest<Work>) -> io::Result<()> {
        {
            let mut held = self.lock();
            if held.len() >= MOST {
                return Err(io::Error::other("too many requests wait for answers"));
            }
            held.insert(state.clone(), request);
        }
        let (all, of) = (self.clone(), state);
        tokio::spawn(async move {
            sleep(PATIENCE).await;
            let late = all.lock().remove(&of);
            drop(late);
        });
        Ok(())
    }

    /// The request that waits under this state, which is used up; `None` where none does, or it was for something else.
    pub(super) fn take(&self, state: &str, of: &str) -> Option<HeldRequest<Work>> {
        let mut held = self.lock();
        held.get(state).filter(|request| request.of == of)?;
        held.remove(state)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, HeldRequest<Work>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a state looks like that of a request that waits, or waited.
pub(super) fn is_held(state: &str) -> bool {
    state.starts_with(PREFIX)
}

/// The error for a state that no request waits under.
pub(super) fn unknown_state() -> ErrorData {
    let why = "`requestState` is none that cuff gave to this user, or it was changed or used; call again without it";
    ErrorData::invalid_params(why, None)
}
