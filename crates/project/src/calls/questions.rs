//! Questions in the answers to calls. Their answers come with other calls, to any server of this user.

use std::io;

use crate::calls::error::RunError;
use crate::ledger::{ApprovalQuestion, ClosedState, Ledger, LedgerError, NO_LEDGER};
use crate::project::{Project, ProjectAuthority};
use crate::sys::random;

/// An id that nobody can foresee: 128 random bits.
///
/// # Errors
/// When the operating system has no randomness to give.
pub fn random_id() -> io::Result<String> {
    Ok(format!("{:032x}", u128::from_ne_bytes(random::secret()?)))
}

/// Returns the state by which the answer to a question is recognised.
///
/// # Errors
/// When there is no place to keep the key that signs it.
pub fn open_question(project: &Project, question: &ApprovalQuestion) -> Result<String, RunError> {
    kept(project, |ledger| ledger.state(question, project.context.clock.milliseconds()))
}

/// Whether this state belongs to an open question about this very plan. The state is used up in any case.
///
/// # Errors
/// When that cannot be written down, so that it could be used again.
pub fn close_question(
    project: &Project,
    state: &str,
    question: &ApprovalQuestion,
) -> Result<ClosedState, RunError> {
    kept(project, |ledger| ledger.use_up(state, question, project.context.clock.milliseconds()))
}

/// Whether a state was made by cuff for this user, be it used up or too old.
pub fn is_state(authority: &ProjectAuthority, state: &str) -> bool {
    authority.ledger.as_ref().is_some_and(|ledger| ledger.has_made(state).unwrap_or_default())
}

fn kept<Answer>(
    project: &Project,
    act: impl FnOnce(&Ledger) -> Result<Answer, LedgerError>,
) -> Result<Answer, RunError> {
    let ledger = project.authority.ledger.as_ref().ok_or_else(|| NO_LEDGER.to_owned());
    let done = ledger.and_then(|ledger| act(ledger).map_err(|error| error.to_string()));
    done.map_err(|why| RunError::no_ledger("CUFF", &why))
}
