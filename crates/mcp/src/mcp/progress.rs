//! Progress of a call: the last line of its output and how long it has gone on, for clients that want to know.

use std::time::Duration;

use rmcp::model::{CustomNotification, ProgressNotificationParam, ProgressToken, ServerNotification};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::{Value, json};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// How long a client is left alone at least.
const PACE: Duration = Duration::from_millis(400);
/// How long it is left alone at most, so that it does not take a silent run for a dead one.
const SILENCE: Duration = Duration::from_secs(2);

/// Tells a client how a call gets on, where it gave a token for that.
pub(super) struct CallProgress {
    to: Option<(Peer<RoleServer>, ProgressToken)>,
    ticks: Interval,
    reported: Duration,
    line: Option<String>,
    /// Whether another MCP server says how the call gets on.
    is_servers: bool,
}

impl CallProgress {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let mut ticks = interval_at(Instant::now() + PACE, PACE);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let to = context.meta.get_progress_token().map(|token| (context.peer.clone(), token));
        Self { to, ticks, reported: Duration::ZERO, line: None, is_servers: false }
    }

    /// Tells nothing by itself any more: an MCP server says how its call gets on, in its own numbers.
    pub(super) fn leave_to_server(&mut self) {
        self.is_servers = true;
    }

    /// Passes on the progress that another MCP server reports, under the client's token.
    pub(super) async fn pass_on(&self, mut params: Value) {
        let Some((peer, token)) = &self.to else { return };
        if let Some(fields) = params.as_object_mut() {
            fields.insert("progressToken".to_owned(), json!(token));
        }
        let notification = CustomNotification::new("notifications/progress", Some(params));
        // A client that hears nothing any more has gone, and the session ends.
        let _ = peer.send_notification(ServerNotification::CustomNotification(notification)).await;
    }

    /// Ends when progress may be reported; never if nobody listens. Safe to cancel.
    pub(super) async fn is_due(&mut self) {
        if self.to.is_none() || self.is_servers {
            return std::future::pending().await;
        }
        self.ticks.tick().await;
    }

    /// Tells it, and returns when it is written, so that nothing comes after the result. Must not be cancelled.
    pub(super) async fn tell(&mut self, line: Option<String>, gone_on: Duration) {
        let Some((peer, token)) = &self.to else { return };
        if line == self.line && gone_on < self.reported + SILENCE {
            return;
        }
        (self.reported, self.line) = (gone_on, line);
        let last = self.line.as_deref().unwrap_or("nothing printed yet");
        let notification = ProgressNotificationParam::new(token.clone(), gone_on.as_secs_f64())
            .with_message(format!("{} s: {last}", gone_on.as_secs()));
        // A client that hears nothing any more has gone, and the session ends.
        let _ = peer.notify_progress(notification).await;
    }
}

/// Waits for an answer, and tells the client now and then that it is being made.
#[cfg(feature = "code")]
pub(super) async fn with_signs_of_life<A>(
    answering: impl Future<Output = A>,
    mut progress: CallProgress,
) -> A {
    let begun = Instant::now();
    let mut answering = std::pin::pin!(answering);
    loop {
        tokio::select! {
            biased;
            answer = &mut answering => return answer,
            () = progress.is_due() => progress.tell(None, begun.elapsed()).await,
        }
    }
}
