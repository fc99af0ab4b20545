//! The state that all calls of a server share.

use std::sync::Arc;

use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

#[cfg(feature = "code")]
use super::code::ProgramCall;
use super::log_level::SessionLevel;
use super::origin::OriginOf;
#[cfg(feature = "code")]
use super::origin::RequestOrigin;
use super::pending_elicitations::HeldRequests;
#[cfg(feature = "code")]
use crate::calls::random_id;
use crate::calls::{Background, BackgroundCall, OfferCall};
use crate::model::{Caller, Spelling};
use crate::project::Project;

/// The state that all calls of a server share.
#[derive(Clone)]
pub(super) struct CallService {
    pub(super) spelling: Spelling,
    /// The caller of a client that is not known to be inside a run.
    caller: Caller,
    /// How the transport tells where a request is from.
    pub(super) origin_of: OriginOf,
    /// The runs that go on.
    pub(super) background: Arc<Background>,
    /// The calls that wait for a person's answer to another server.
    pub(super) held: HeldRequests<BackgroundCall>,
    /// The same for prompts and resources.
    pub(super) held_offers: HeldRequests<OfferCall>,
    /// The programs that wait for a person's answer.
    #[cfg(feature = "code")]
    pub(super) held_programs: HeldRequests<ProgramCall>,
    /// The log messages that clients with sessions want.
    pub(super) log_level: SessionLevel,
    /// Whether a person was asked about settings that nobody has approved, and did not say yes. Held while the question
    /// is open, so that there is one at a time.
    pub(super) was_asked: Arc<Mutex<bool>>,
    /// A name that no other server has: programs of its clients see results of their own session alone.
    #[cfg(feature = "code")]
    name: Arc<str>,
}

impl CallService {
    /// Runs that go on end when `stop` is cancelled.
    pub(super) fn new(
        spelling: Spelling,
        caller: Caller,
        origin_of: OriginOf,
        stop: CancellationToken,
    ) -> Self {
        let background = Arc::new(Background::until(stop));
        Self {
            spelling,
            caller,
            origin_of,
            background,
            held: HeldRequests::default(),
            held_offers: HeldRequests::default(),
            #[cfg(feature = "code")]
            held_programs: HeldRequests::default(),
            log_level: SessionLevel::default(),
            was_asked: Arc::default(),
            #[cfg(feature = "code")]
            // A process without randomness has its own id at least.
            name: random_id().unwrap_or_else(|_| std::process::id().to_string()).into(),
        }
    }

    /// The session of a request: one for each client where the protocol has sessions, else that of the server.
    #[cfg(feature = "code")]
    pub(super) fn session(&self, origin: &RequestOrigin) -> String {
        format!("mcp:{}:{}", self.name, origin.session.as_deref().unwrap_or_default())
    }

    /// Whether a person's yes may come through the client of a call. A client inside a run is no person's: nothing
    /// that it answers is a yes.
    pub(super) fn may_say_yes(&self, project: &Project, of_client: Option<Caller>) -> bool {
        self.caller(of_client) == Caller::Agent && project.lets_clients_say_yes()
    }

    /// The caller of one call. The connection of its client may say more than the server knows.
    pub(super) fn caller(&self, of_client: Option<Caller>) -> Caller {
        let is_open = self.caller == Caller::Agent;
        of_client.filter(|_| is_open).unwrap_or(self.caller)
    }
}
