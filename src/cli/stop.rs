//! Signals: the first asks a run to stop, the second kills it, the third does not wait for that either.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::exit::{BROKEN_PIPE, INTERRUPTED, REFUSED};
use crate::engine::Keys;

/// Why a run was asked to stop, as an exit code; 0 while it was not.
#[derive(Debug, Clone, Default)]
pub(super) struct Reason(Arc<AtomicU8>);

impl Reason {
    /// Remembers the first reason.
    fn set(&self, code: u8) {
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The person was asked something, and typed Ctrl-C.
    pub(super) fn interrupted(&self) {
        self.set(INTERRUPTED);
    }

    /// The person was asked for a yes, and said no.
    pub(super) fn declined(&self) {
        self.set(REFUSED);
    }

    /// Nobody reads the output any more.
    pub(super) fn broken_pipe(&self) {
        self.set(BROKEN_PIPE);
    }

    /// Whether it was that nobody reads the output, so that there is nothing more to say.
    pub(super) fn nobody_reads(&self) -> bool {
        self.code() == Some(BROKEN_PIPE)
    }

    /// The exit code, once there is a reason.
    pub(super) fn code(&self) -> Option<u8> {
        Some(self.0.load(Ordering::Relaxed)).filter(|code| *code != 0)
    }
}

/// Ends when a second signal comes; the first one only cancels. Where a run hears of the `keys`, the second hastens its end
/// and a third is the last. Within a tokio runtime.
pub(super) async fn on_signals(cancel: CancellationToken, reason: Reason, keys: Option<Keys>) {
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = signals else {
        return std::future::pending().await;
    };
    let first = next(&mut interrupt, &mut terminate, &mut hangup).await;
    reason.set(first);
    if let Some(keys) = keys.as_ref().filter(|_| first == INTERRUPTED) {
        keys.interrupted.cancel();
    }
    cancel.cancel();
    if let Some(keys) = keys {
        next(&mut interrupt, &mut terminate, &mut hangup).await;
        keys.again.cancel();
    }
    next(&mut interrupt, &mut terminate, &mut hangup).await;
}

async fn next(interrupt: &mut Signal, terminate: &mut Signal, hangup: &mut Signal) -> u8 {
    tokio::select! {
        _ = interrupt.recv() => INTERRUPTED,
        _ = terminate.recv() => 143,
        _ = hangup.recv() => 129,
    }
}
