//! Clients that listen for changes: each keeps a connection for as long as it likes, so there are only so many.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame};
use hyper::{StatusCode, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::front::{Answer, say, with};

/// How many listen at once: half of the connections are left for questions.
const MOST: usize = super::MOST_CONNECTIONS / 2;

/// Those who listen.
pub(super) struct Listeners(Arc<Semaphore>);

impl Listeners {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }

    /// The answer to one who wants to listen, where there is a place for it until it has enough.
    pub(super) async fn admit(&self, answer: impl Future<Output = Answer>) -> Answer {
        let Ok(place) = Arc::clone(&self.0).try_acquire_owned() else {
            let why = format!("{MOST} clients listen already; list again now and then instead\n");
            return with(say(StatusCode::SERVICE_UNAVAILABLE, why), header::RETRY_AFTER, "60");
        };
        answer.await.map(|body| Placed { body, _place: place }.boxed())
    }
}

/// A body that takes a place until it is dropped.
struct Placed {
    body: BoxBody<Bytes, Infallible>,
    _place: OwnedSemaphorePermit,
}

impl Body for Placed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
