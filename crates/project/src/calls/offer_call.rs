//! A request for a prompt or a resource that goes on while its server asks something back.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::conversing::{Conversing, ServerSays, ServersClient};
use super::relayed_prompts::{NoOffer, OfferAnswer, OfferRequest, ask_for};
use crate::model::{Caller, Spelling};
use crate::project::Project;

/// A request that goes on. Dropped, it is cancelled.
#[derive(Debug)]
pub struct OfferCall {
    says: mpsc::Receiver<ServerSays>,
    task: JoinHandle<Result<OfferAnswer, NoOffer>>,
    _guard: DropGuard,
}

/// The next thing that comes of a request.
#[derive(Debug)]
pub enum OfferCame {
    /// Its end.
    Ended(Result<OfferAnswer, NoOffer>),
    /// The server says something.
    Server(ServerSays),
}

impl OfferCall {
    /// Sends a request for a client. Within a tokio runtime.
    pub fn begin(
        project: Arc<Project>,
        caller: (Caller, Spelling),
        request: OfferRequest,
        client: ServersClient,
    ) -> Self {
        let (conversing, says) = Conversing::with(client);
        let cancel = CancellationToken::new();
        let guard = cancel.clone().drop_guard();
        let task =
            tokio::spawn(async move { ask_for(&project, caller, request, &conversing, &cancel).await });
        Self { says, task, _guard: guard }
    }

    /// The next thing; nothing more after the end. Safe to cancel.
    pub async fn next(&mut self) -> OfferCame {
        tokio::select! {
            biased;
            // The server said it before it answered.
            Some(says) = self.says.recv() => OfferCame::Server(says),
            ended = &mut self.task => {
                OfferCame::Ended(ended.unwrap_or_else(|error| Err(NoOffer::Failed(error.to_string()))))
            }
        }
    }
}
