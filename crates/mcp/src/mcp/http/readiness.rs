//! Whether the registry was listed, so that the first call does not wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::project::Live;

/// Ready once, ready ever after: a list that breaks later leaves the last good one.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    ready: AtomicBool,
    looking: AtomicBool,
}

impl Readiness {
    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Lists in the background, where nobody does and nobody did. Within a tokio runtime.
    pub(super) fn look(self: &Arc<Self>, source: &Arc<Live>) {
        if self.is_ready() || self.looking.swap(true, Ordering::Relaxed) {
            return;
        }
        let (readiness, source) = (Arc::clone(self), Arc::clone(source));
        tokio::spawn(async move {
            // Without settings there is no project; the next request looks again.
            if let Ok(project) = source.project() {
                project.list().await;
                readiness.ready.store(true, Ordering::Relaxed);
            }
            readiness.looking.store(false, Ordering::Relaxed);
        });
    }
}
