//! Streams of events that the server is asked for by GET.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::ACCEPT;
use serde_json::Value;
use tokio::time::sleep;

use super::Endpoint;
use super::answer::is_stream;
use super::post::PostOutcome;
use super::resume::LAST_EVENT;
use crate::upstream::http::events::EventStream;
use crate::upstream::http::{failure, headers};

/// The wait before a stream that ended is asked for again; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest such wait.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

impl Endpoint {
    /// Follows the messages that belong to no request, for as long as the server offers that in this session.
    pub(in crate::upstream::http) async fn listen(self: Arc<Self>) -> PostOutcome {
        let session = self.session().0.clone();
        let (mut events, mut wait) = (EventStream::default(), FIRST_WAIT);
        while self.session().0 == session {
            let request = || {
                let request = headers::of(&self, self.client.get(self.url.clone()), &Value::Null);
                let request = request.header(ACCEPT, "text/event-stream");
                match events.last_id() {
                    Some(last) => request.header(LAST_EVENT, last),
                    None => request,
                }
            };
            match self.dispatch(request).await {
                Ok(response) if response.status().is_success() && is_stream(&response) => {
                    events.begin_again();
                    // A stream that fails is asked for again.
                    let _ = self.read_events(response, None, &mut events).await;
                }
                _ => break,
            }
            sleep(events.retry().unwrap_or(wait)).await;
            wait = (2 * wait).min(LONGEST_WAIT);
        }
        PostOutcome::Done
    }

    /// Follows the stream of the transport of 2024-11-05: the first event names the address for messages, and all
    /// answers come on it. The end of the stream is the end of the connection. `failed`: the failure that led here.
    pub(in crate::upstream::http) async fn follow(self: Arc<Self>, failed: Option<String>) -> PostOutcome {
        let request = || self.client.get(self.url.clone()).header(ACCEPT, "text/event-stream");
        let mut response = match self.dispatch(request).await {
            Ok(response) if response.status().is_success() && is_stream(&response) => response,
            Ok(response) => {
                let reason = failure::of_status(response.status(), b"");
                let reason = if response.status().is_success() {
                    "it offers no stream of events".to_owned()
                } else {
                    reason
                };
                return PostOutcome::Ended(failed.unwrap_or(reason));
            }
            Err(error) => return PostOutcome::Ended(failed.unwrap_or_else(|| error.reason())),
        };
        let (mut events, mut foreign) = (EventStream::default(), false);
        loop {
            let bytes = match response.chunk().await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return PostOutcome::Ended("it closed its stream of events".to_owned()),
                Err(error) => return PostOutcome::Ended(failure::of_transport(&error)),
            };
            let pushed = events.push(&bytes, |name, data| match name {
                b"endpoint" => foreign |= !self.point(data),
                _ => self.take(data, None),
            });
            if let Err(reason) = pushed {
                return PostOutcome::Ended(reason);
            }
            if foreign {
                let reason = "its stream of events names no address of the same origin for messages";
                return PostOutcome::Ended(reason.to_owned());
            }
        }
    }

    /// Takes the address for messages; `false`: it is none, or of another origin.
    fn point(&self, data: &[u8]) -> bool {
        let named = std::str::from_utf8(data).ok().and_then(|named| self.url.join(named.trim()).ok());
        let own = named.filter(|named| named.origin() == self.url.origin());
        own.map(|named| self.name_address(named)).is_some()
    }
}
