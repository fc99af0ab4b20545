//! A run's turn: it waits for a place, and is looked at once more when it has one.

use tokio_util::sync::CancellationToken;

use super::bound::Bound;
use super::run::Request;
use super::{Engine, tape::Tape};
use crate::execution;
use crate::model::{Caller, Command, NotStarted, Outcome};
use crate::policy::Permit;
use crate::registry::Registered;

/// What may run, and what it was judged by.
#[derive(Debug)]
pub(super) struct Permitted {
    pub(super) permit: Permit,
    /// What a person's yes is bound to; `None` where none was needed.
    pub(super) bound: Option<Bound>,
    /// Why the decision could not be written down, if it could not.
    pub(super) unwritten: Option<String>,
}

impl Engine {
    /// Runs what was permitted, once it has a place. Who waits for one may wait long, and whoever calls decides how long:
    /// what a person has approved must be what runs then.
    pub(super) async fn in_turn(
        &self,
        found: &Registered,
        permitted: Permitted,
        request: &Request,
        tape: &mut Tape<'_>,
        cancel: &CancellationToken,
    ) -> Outcome {
        let Permitted { permit, bound, .. } = permitted;
        let aside = &request.aside.token;
        let place = match execution::queue(&self.host, cancel, aside).await {
            Ok(place) => place,
            Err(outcome) => return outcome,
        };
        if self.is_as_approved(found, permit.command(), bound.as_ref(), request.caller).await {
            place.run(permit, tape, cancel, aside).await
        } else {
            execution::not_started(NotStarted::SourceChanged)
        }
    }

    async fn is_as_approved(
        &self,
        found: &Registered,
        command: &Command,
        approved: Option<&Bound>,
        caller: Caller,
    ) -> bool {
        let is_pinned = caller == Caller::Agent && self.pins_text_of(found);
        if approved.is_none() && !is_pinned {
            return true;
        }
        // Where the text of a tool is pinned it is part of what the tool is, and another is not the one that was found.
        let now = self.bound(found, command).await;
        now.is_some_and(|now| approved.is_none_or(|approved| *approved == now))
    }
}
