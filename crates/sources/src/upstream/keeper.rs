//! The keeper of a connection: it connects, follows the news of the server, and connects again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::connection_task::UpstreamLife;
use super::last_failure::LastFailure;
use super::offer::ServerNotice;
use super::peer::Peer;
use super::sessionless;
use super::state::ConnectionState;

/// How long the first connection to a server that was seen before waits for somebody who needs it. The first lists do not, and each
/// start of a program takes milliseconds of this process.
const HEAD_START: Duration = Duration::from_millis(50);
/// The wait before the first try after a failure; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two tries.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// How long a connection must have lasted for the wait to begin anew.
const STABLE: Duration = Duration::from_mins(1);
/// How long changes of a list are gathered before it is asked for again: one change often says so several times.
const GATHERED: Duration = Duration::from_millis(50);
/// The shortest time between two such requests. Each change that comes within it doubles it.
const GAP: Duration = Duration::from_millis(500);
/// The longest time between two such requests, in a storm.
const LONGEST_GAP: Duration = Duration::from_secs(30);

/// Keeps the connection for good: connects, follows, and connects again. Ends when `closing` is
/// cancelled, or when it is dropped.
pub(super) async fn keep(life: Arc<UpstreamLife>, closing: CancellationToken) {
    if life.was_seen() {
        tokio::select! {
            () = sleep(HEAD_START) => {}
            () = life.needed.notified() => {}
            () = closing.cancelled() => return,
        }
    }
    let mut failures = 0;
    loop {
        life.state.send_replace(ConnectionState::Connecting);
        let mut begun = None;
        let Some(reason) = live(&life, &mut begun, &closing).await else { return };
        if begun.is_some_and(|begun: Instant| begun.elapsed() >= STABLE) {
            failures = 0;
        }
        let wait = wait_after(failures);
        failures += 1;
        let failure = LastFailure::new(life.clock.milliseconds(), &reason, &life.tail.lines());
        life.cached.keep_failure(Some(&failure));
        life.is_down_for_login.store(life.needs_login(), Ordering::Relaxed);
        let (next_try, at) = (life.clock.now() + wait, Instant::now() + wait);
        life.state.send_replace(ConnectionState::Down { reason, next_try, at });
        tokio::select! {
            () = sleep(wait) => {}
            () = life.retry.notified() => {}
            () = closing.cancelled() => return,
        }
    }
}

/// One connection from its start to its end. Returns why it ended; `None`: it was closed here.
async fn live(
    life: &UpstreamLife,
    begun: &mut Option<Instant>,
    closing: &CancellationToken,
) -> Option<String> {
    let connected = tokio::select! {
        connected = timeout(life.limits.connect, life.connect()) => connected,
        () = closing.cancelled() => return None,
    };
    let (mut connection, greeting, took) = match connected {
        Ok(Ok(connected)) => connected,
        Ok(Err(reason)) => return Some(life.tail.with_noise(reason)),
        Err(_) => return Some(life.tail.with_silence(life.limits.connect)),
    };
    *begun = Some(Instant::now());
    life.cached.keep_failure(None);
    life.instructions.keep(&life.cached, greeting.passed_on());
    #[cfg(feature = "http")]
    if let Some(access) = &life.access {
        access.accepted().await;
    }
    let peer = Arc::clone(&connection.peer);
    let greeting = Arc::new(greeting);
    life.state.send_replace(ConnectionState::Connected {
        peer: Arc::clone(&peer),
        greeting,
        since: life.clock.now(),
        took,
    });
    tell_that_it_joined(life);
    let ended = tokio::select! {
        reason = connection.lost() => Some(reason),
        () = follow(life, &peer) => Some(String::new()),
        () = closing.cancelled() => None,
    };
    if ended.is_none() {
        connection.close().await;
    }
    ended
}

/// Tells of the prompts and resources of a server that came too late for the first lists. A change of the tools shows in
/// their list.
fn tell_that_it_joined(life: &UpstreamLife) {
    if life.first_list().is_none_or(|until| Instant::now() < until) {
        return;
    }
    for method in ["notifications/prompts/list_changed", "notifications/resources/list_changed"] {
        let (server, params) = (life.upstream.name.clone(), Value::Null);
        // Where nobody listens, nobody wants to know.
        let _ = life.notices.send(ServerNotice { server, method: method.to_owned(), params });
    }
}

/// Asks for the list whenever the server says that it changed; in a storm of that, less and less often.
async fn follow(life: &UpstreamLife, peer: &Peer) {
    tokio::select! {
        () = follow_lists(life, peer) => {}
        () = pass_notices_on(life, peer) => {}
        () = listen(life, peer) => {}
    }
}

/// Never ends.
async fn follow_lists(life: &UpstreamLife, peer: &Peer) {
    let (mut gap, mut last) = (GAP, None::<Instant>);
    loop {
        peer.lists.notified().await;
        let early = last.map(|last| last + gap).filter(|due| *due > Instant::now());
        gap = if early.is_some() { (2 * gap).min(LONGEST_GAP) } else { GAP };
        sleep_until(early.unwrap_or_else(|| Instant::now() + GATHERED)).await;
        // A list that fails is as it was; the next change asks again.
        let _ = timeout(life.limits.connect, life.list(peer, true)).await;
        last = Some(Instant::now());
    }
}

/// Never ends.
async fn pass_notices_on(life: &UpstreamLife, peer: &Peer) {
    let mut notices = peer.notices.subscribe();
    loop {
        // Of more than are kept the newer ones say the same.
        if let Ok((method, params)) = notices.recv().await {
            // Where nobody listens, nobody wants to know.
            let _ = life.notices.send(ServerNotice { server: life.upstream.name.clone(), method, params });
        }
    }
}

/// Keeps the request open that brings a server's changes where there is no session. Never ends.
async fn listen(life: &UpstreamLife, peer: &Peer) {
    let (mut watched, mut failures, mut listening) = (life.watched.subscribe(), 0, None);
    while peer.is_modern() {
        let params = sessionless::wanted(&watched.borrow_and_update());
        // The new one is there before the one before it ends.
        let next = peer.request("subscriptions/listen", params, false).await.ok();
        let Some(ticket) = listening.insert(next).as_mut() else { break };
        let begun = Instant::now();
        tokio::select! {
            // The sender lives as long as this.
            _ = watched.changed() => {}
            is_refused = ticket.refused() => {
                if is_refused {
                    let _ = watched.changed().await;
                    continue;
                }
                failures = if begun.elapsed() >= STABLE { 0 } else { failures + 1 };
                sleep(wait_after(failures)).await;
                // Nobody knows what changed meanwhile.
                peer.lists.notify_one();
            }
        }
    }
    std::future::pending::<()>().await;
}

/// The wait after so many failures in a row.
fn wait_after(failures: u32) -> Duration {
    FIRST_WAIT.saturating_mul(1 << failures.min(16)).min(LONGEST_WAIT)
}
