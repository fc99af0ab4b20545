//! Clients that listen for changes: each keeps a connection for as long as it likes, so there are only so many.

use std::sync::Arc;

use hyper::{StatusCode, header};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::http::{HttpAnswer, holding, say, with};

/// How many listen at once: half of the connections are left for questions.
const MOST: usize = crate::http::MOST_CONNECTIONS / 2;

/// Those who listen.
pub(super) struct Listeners(Arc<Semaphore>);

impl Listeners {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }

    /// The answer to one who wants to listen, where there is a place for it until it has enough.
    pub(super) async fn admit(&self, answer: impl Future<Output = HttpAnswer>) -> HttpAnswer {
        let Ok(place) = Arc::clone(&self.0).try_acquire_owned() else {
            let why = format!("{MOST} clients listen already; list again now and then instead\n");
            return with(say(StatusCode::SERVICE_UNAVAILABLE, why), header::RETRY_AFTER, "60");
        };
        holding(answer.await, place, CancellationToken::new())
    }
}
