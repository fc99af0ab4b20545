//! Settings of which nothing was ever approved, as the client of an agent asks its person about them.

use std::path::{Path, PathBuf};

use super::pending_changes::{Unapproved, unapproved};
use super::pins;
use crate::ledger::{Consent, LedgerError, Pin};
use crate::model::Caller;
use crate::project::context::Context;

/// Pins what a person behind the client of an agent said yes to.
///
/// # Errors
/// When the ledger cannot be written.
pub fn approve_over_client(
    context: &Context,
    consent: &Consent,
    unapproved: &Unapproved,
) -> Result<(), LedgerError> {
    let Some(ledger) = context.ledger() else { return Ok(()) };
    unapproved.pin(context, &ledger, consent)?;
    let files: Vec<&str> = unapproved.files().collect();
    let rule = format!("a client says that its person approved {}", files.join(" and "));
    pins::note_pinning(context, &ledger, &unapproved.sides.root, Caller::Agent, rule)
}

/// Returns what waits here where nothing of it was ever approved, so that a client can ask about it in one question; `None`
/// for changes, which a person sees line by line, and where programs would have to say what tools run.
pub(crate) fn first_approval(context: &Context, explicit: Option<&Path>) -> Option<Unapproved> {
    let (waits, ledger) = (unapproved(context, explicit).ok().flatten()?, context.ledger()?);
    let is_new = |(file, _): &(PathBuf, Pin)| matches!(ledger.pin(file), Ok(None));
    let is_first = waits.instead_of.is_none()
        && waits.superseded.is_empty()
        && waits.held_probes.is_empty()
        && !waits.pins.is_empty()
        && waits.pins.iter().all(is_new);
    is_first.then_some(waits)
}
