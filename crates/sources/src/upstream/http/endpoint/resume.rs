//! The rest of an answer whose stream broke off (2025-11-25, streamable HTTP, resumability).

use std::time::Duration;

use reqwest::header::ACCEPT;
use serde_json::Value;
use tokio::time::sleep;

use super::Endpoint;
use super::answer::{UnreadAnswer, is_stream};
use super::dispatch::NoResponse;
use crate::upstream::http::events::EventStream;
use crate::upstream::http::headers;

/// The header that says where a stream goes on.
pub(super) const LAST_EVENT: &str = "last-event-id";
/// The wait before a stream is asked for again, where the server names none.
const WAIT: Duration = Duration::from_secs(1);
/// How often in a row a stream may be asked for without anything new on it.
const MOST_IN_VAIN: usize = 10;

impl Endpoint {
    /// Follows the stream of a request's answer over further connections, until the answer came. Nothing is carried out
    /// twice: the stream is asked for, and not the request.
    pub(super) async fn resume(&self, id: u64, events: &mut EventStream) -> Result<(), String> {
        let mut in_vain = 0;
        while let Some(last) = events.last_id().map(str::to_owned).filter(|_| self.peer.is_pending(id)) {
            if in_vain == MOST_IN_VAIN {
                return Err("its stream of events breaks off again and again".to_owned());
            }
            sleep(events.retry().unwrap_or(WAIT)).await;
            let request = || {
                let request = headers::of(self, self.client.get(self.url.clone()), &Value::Null);
                request.header(ACCEPT, "text/event-stream").header(LAST_EVENT, &last)
            };
            match self.dispatch(request).await {
                Ok(response) if response.status().is_success() && is_stream(&response) => {
                    events.begin_again();
                    match self.read_events(response, Some(id), events).await {
                        Ok(()) | Err(UnreadAnswer::Broken(_)) => {}
                        Err(unread) => return Err(unread.reason()),
                    }
                }
                Ok(response) => {
                    let status = response.status();
                    return Err(format!(
                        "the answer broke off, and the server does not go on with it (HTTP {status})"
                    ));
                }
                Err(NoResponse::Login(reason)) => return Err(reason),
                Err(NoResponse::Transport(..)) => {}
            }
            in_vain = if events.last_id() == Some(&*last) { in_vain + 1 } else { 0 };
        }
        Ok(())
    }
}
