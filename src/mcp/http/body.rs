//! A request's body that must come in time.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

/// How long a whole body may take to arrive.
const LONGEST: Duration = Duration::from_secs(20);

/// A body, for as long as it may take.
pub(super) struct Timely {
    body: Incoming,
    deadline: Pin<Box<Sleep>>,
}

impl Timely {
    pub(super) fn new(body: Incoming) -> Self {
        Self { body, deadline: Box::pin(sleep(LONGEST)) }
    }
}

impl Body for Timely {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(frame) => Poll::Ready(frame.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => {
                let late = self.deadline.as_mut().poll(context);
                late.map(|()| Some(Err("the body did not come in time".into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
