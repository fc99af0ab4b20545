//! Counts of a server's requests and connections.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::metrics_page::MetricsPage;

/// The counts of a server since it started.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Answers by status.
    answers: Mutex<BTreeMap<u16, u64>>,
    /// Connections that are open now.
    connections: AtomicU64,
}

impl Traffic {
    /// Adds the counts to a page of metrics.
    pub fn render(&self, page: &mut MetricsPage) {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        page.counter("cuff_http_answers_total", "Answers over HTTP", "status", answers);
        page.family("cuff_http_connections", "gauge", "Connections that are open now");
        page.sample("cuff_http_connections", &[], self.connections.load(Ordering::Relaxed));
    }

    /// Counts an answer.
    pub(super) fn count(&self, status: u16) {
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner).entry(status).or_default() += 1;
    }

    /// Counts a connection until the answer is dropped.
    pub(super) fn connected(&self) -> Connected<'_> {
        self.connections.fetch_add(1, Ordering::Relaxed);
        Connected(self)
    }
}

/// A connection that is open until this is dropped.
pub(super) struct Connected<'a>(&'a Traffic);

impl Drop for Connected<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
