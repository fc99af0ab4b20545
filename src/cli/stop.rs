//! Signals: the first asks a run to stop, the second does not wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::exit::{BROKEN_PIPE, INTERRUPTED};

/// Why a run was asked to stop, as an exit code; 0 while it was not.
#[derive(Debug, Clone, Default)]
pub(super) struct Reason(Arc<AtomicU8>);

impl Reason {
    /// Remembers the first reason.
    fn set(&self, code: u8) {
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
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

/// Ends when a second signal comes; the first one only cancels. Within a tokio runtime.
pub(super) async fn on_signals(cancel: CancellationToken, reason: Reason) {
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = signals else {
        return std::future::pending().await;
    };
    reason.set(next(&mut interrupt, &mut terminate, &mut hangup).await);
    cancel.cancel();
    next(&mut interrupt, &mut terminate, &mut hangup).await;
}

async fn next(interrupt: &mut Signal, terminate: &mut Signal, hangup: &mut Signal) -> u8 {
    tokio::select! {
        _ = interrupt.recv() => INTERRUPTED,
        _ = terminate.recv() => 143,
        _ = hangup.recv() => 129,
    }
}
