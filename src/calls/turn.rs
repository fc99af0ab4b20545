//! A run's turn: it waits for a place, and is looked at once more when it has one.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::binding::ContentBinding;
use super::run::Request;
use super::tape::Tape;
use crate::engine::Engine;
use crate::execution;
use crate::model::{Caller, Ending, Identity, NotStarted, Outcome, Spelling, shown};
use crate::policy::Permit;
use crate::registry::Registered;

/// What may run, and what it was judged by.
#[derive(Debug)]
pub(crate) struct Permitted {
    pub(crate) permit: Permit,
    /// The files that a yes or a pinned text is bound to; `None` where there is neither.
    pub(crate) bound: Option<Arc<ContentBinding>>,
    /// The folder that it was judged by, and must start in; `None` where there is none.
    pub(crate) folder: Option<Identity>,
    /// Why the decision could not be written down, if it could not.
    pub(crate) unwritten: Option<String>,
}

impl Engine {
    /// Runs what was permitted, once it has a place. Who waits for one may wait long, and whoever calls decides how long:
    /// what a person has approved must be what runs then.
    pub(crate) async fn in_turn(
        &self,
        found: &Registered,
        permitted: Permitted,
        request: &Request,
        tape: &mut Tape<'_>,
        cancel: &CancellationToken,
    ) -> Outcome {
        let Permitted { permit, bound, folder, .. } = permitted;
        let aside = &request.aside.token;
        let queue = execution::queue(&self.host, cancel, aside);
        tokio::pin!(queue);
        // Another may take the last place meanwhile: who got none at once has waited.
        let (place, waited) = tokio::select! {
            biased;
            place = &mut queue => (place, false),
            () = std::future::ready(()) => (queue.await, true),
        };
        let place = match place {
            Ok(place) => place,
            Err(outcome) => return outcome,
        };
        let may_run = async {
            match &bound {
                Some(bound) => self.still_bound(found, bound).await,
                None if !waited || self.is_still_free(found, request).await => Ok(()),
                None => Err(NotStarted::SourceChanged(shown(&found.tool.source.file))),
            }
        };
        let may_run = tokio::select! {
            biased;
            () = cancel.cancelled() => return execution::without_process(Ending::Cancelled),
            may_run = may_run => may_run,
        };
        let reason = match (may_run, folder) {
            (Err(why), _) => why,
            (Ok(()), None) => NotStarted::DirectoryMissing(
                self.root.join(&permit.command().directory).display().to_string(),
            ),
            (Ok(()), Some(folder)) => {
                let place = place.starting_in(folder).ending_detached(request.caller.is_governed());
                return place.run(permit, tape, cancel, aside).await;
            }
        };
        execution::without_process(Ending::NotStarted(reason))
    }

    /// Whether what was permitted without a yes is what it was, and would be permitted now. Where its text is pinned, that is
    /// part of what a tool is. A person has what there is.
    async fn is_still_free(&self, found: &Registered, request: &Request) -> bool {
        if request.caller == Caller::Human {
            return true;
        }
        let registry = self.list().await;
        match registry.named(&found.name.to_string(), Spelling::Dotted) {
            Some(now) => now.tool == found.tool && !self.wants_yes(now),
            None => false,
        }
    }
}
