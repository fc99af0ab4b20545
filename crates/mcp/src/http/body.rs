//! Bodies of requests: each must come in time, none may be too large, and neither may all of them together.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use hyper::{StatusCode, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::answer::{HttpAnswer, say, with};

/// The largest request, in bytes: arguments of a call, and room to spare.
pub const LARGEST_BODY: usize = 4 * 1024 * 1024;
/// How many bytes are held together, of requests that still come and of those that are being answered.
const MOST: usize = 16 * LARGEST_BODY;
/// How long a whole body may take to arrive.
const LONGEST: Duration = Duration::from_secs(20);

/// The room for bodies.
#[derive(Debug)]
pub struct Bodies(Arc<Semaphore>);

impl Default for Bodies {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }
}

impl Bodies {
    /// A whole body, and the room that it takes until that is dropped.
    ///
    /// # Errors
    /// When it is too late, too large or one too many.
    pub async fn read(&self, body: Incoming) -> Result<(Bytes, OwnedSemaphorePermit), UnreadBody> {
        timeout(LONGEST, self.collect(body)).await.unwrap_or(Err(UnreadBody::Unfinished))
    }

    async fn collect(&self, mut body: Incoming) -> Result<(Bytes, OwnedSemaphorePermit), UnreadBody> {
        let (mut read, mut held) = (Vec::new(), self.room(0)?);
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|_| UnreadBody::Unfinished)?.into_data() else { continue };
            if read.len() + data.len() > LARGEST_BODY {
                return Err(UnreadBody::TooLarge);
            }
            held.merge(self.room(data.len())?);
            read.extend_from_slice(&data);
        }
        Ok((read.into(), held))
    }

    fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, UnreadBody> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Arc::clone(&self.0).try_acquire_many_owned(bytes).map_err(|_| UnreadBody::OneTooMany)
    }
}

/// Why a body was not read.
#[derive(Debug, Clone, Copy)]
pub enum UnreadBody {
    /// It did not come as a whole, or not in time.
    Unfinished,
    /// It has more bytes than [`LARGEST_BODY`].
    TooLarge,
    /// The bodies that are being read leave no room for it.
    OneTooMany,
}

impl UnreadBody {
    /// The answer that says so.
    pub fn answer(self) -> HttpAnswer {
        match self {
            Self::Unfinished => say(StatusCode::REQUEST_TIMEOUT, "the request did not come as a whole\n"),
            Self::TooLarge => {
                say(StatusCode::PAYLOAD_TOO_LARGE, format!("it takes {LARGEST_BODY} bytes at most\n"))
            }
            Self::OneTooMany => {
                let why = format!("requests of {MOST} bytes are under way already\n");
                with(say(StatusCode::SERVICE_UNAVAILABLE, why), header::RETRY_AFTER, "1")
            }
        }
    }
}
