//! Answers that hold something until they were sent, and can end early.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::answer::HttpAnswer;

/// The same answer, which holds this value until it was sent or the client is gone. It ends early when
/// `cancel` is cancelled. The SDK ends a call whose answer is dropped.
pub fn holding(
    answer: HttpAnswer,
    held: impl Send + Sync + Unpin + 'static,
    cancel: CancellationToken,
) -> HttpAnswer {
    let cancelled = Box::pin(cancel.cancelled_owned());
    answer.map(|body| HeldBody { body: Some(body), cancelled, _held: held }.boxed())
}

struct HeldBody<Held> {
    body: Option<BoxBody<Bytes, Infallible>>,
    cancelled: Pin<Box<WaitForCancellationFutureOwned>>,
    _held: Held,
}

impl<Held: Unpin> Body for HeldBody<Held> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.cancelled.as_mut().poll(context).is_ready() {
            self.body = None;
        }
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
