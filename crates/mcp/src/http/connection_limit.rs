//! The places of connections. If none is left, a client that has shown the token keeps its place, and others
//! lose theirs to new clients.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use tokio_util::sync::CancellationToken;

/// A connection's place.
#[derive(Debug, Default)]
pub(super) struct ConnectionSlot {
    known: AtomicBool,
    given: CancellationToken,
}

impl ConnectionSlot {
    /// Its client has shown the token: the place is kept.
    pub(super) fn keep(&self) {
        self.known.store(true, Ordering::Relaxed);
    }

    /// Waits until the place was given to another client.
    pub(super) async fn is_given(&self) {
        self.given.cancelled().await;
        // The token came at the last moment.
        if self.known.load(Ordering::Relaxed) {
            pending::<()>().await;
        }
    }
}

/// The places of clients that have not shown the token yet, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Strangers(VecDeque<Weak<ConnectionSlot>>);

impl Strangers {
    /// Adds a place for a new client.
    pub(super) fn enter(&mut self) -> Arc<ConnectionSlot> {
        self.0.retain(|place| place.upgrade().is_some_and(|place| !place.known.load(Ordering::Relaxed)));
        let place = Arc::default();
        self.0.push_back(Arc::downgrade(&place));
        place
    }

    /// Gives away the oldest place without a token. Returns whether there was one.
    pub(super) fn give_way(&mut self) -> bool {
        while let Some(place) = self.0.pop_front() {
            if let Some(place) = place.upgrade().filter(|place| !place.known.load(Ordering::Relaxed)) {
                place.given.cancel();
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_stranger_gives_way_and_who_is_known_never_does() {
        let mut strangers = Strangers::default();
        let (known, gone, oldest, newest) =
            (strangers.enter(), strangers.enter(), strangers.enter(), strangers.enter());
        known.keep();
        drop(gone);
        assert!(strangers.give_way());
        oldest.is_given().await;
        assert!(!newest.given.is_cancelled() && !known.given.is_cancelled());
        assert!(strangers.give_way() && !strangers.give_way());
        newest.keep();
        let late = tokio::select! {
            biased;
            () = newest.is_given() => false,
            () = tokio::task::yield_now() => true,
        };
        assert!(late, "it showed the token before it had gone");
    }
}
