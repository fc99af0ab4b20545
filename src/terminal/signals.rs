//! Signals: the first asks a run to stop, the second kills it, the third does not wait for that either.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::exit::{BROKEN_PIPE, INTERRUPTED, REFUSED};
use super::waiting::runtime;
use crate::execution::KeySignals;

/// Why a run was asked to stop, as an exit code; 0 while it was not.
#[derive(Debug, Clone, Default)]
pub struct StopReason(Arc<AtomicU8>);

impl StopReason {
    /// Remembers the first reason.
    fn set(&self, code: u8) {
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The person was asked something, and typed Ctrl-C.
    pub fn interrupted(&self) {
        self.set(INTERRUPTED);
    }

    /// The person was asked for confirmation, and declined.
    pub fn declined(&self) {
        self.set(REFUSED);
    }

    /// The output is closed.
    pub fn broken_pipe(&self) {
        self.set(BROKEN_PIPE);
    }

    /// Whether the output is closed, so that there is nothing more to say.
    pub fn nobody_reads(&self) -> bool {
        self.code() == Some(BROKEN_PIPE)
    }

    /// The exit code, once there is a reason.
    pub fn code(&self) -> Option<u8> {
        Some(self.0.load(Ordering::Relaxed)).filter(|code| *code != 0)
    }
}

/// Ends when a second signal comes; the first one only cancels. If a run receives `keys`, the second
/// hastens its end and a third is the last. Within a tokio runtime.
pub async fn on_signals(cancel: CancellationToken, reason: StopReason, keys: Option<KeySignals>) {
    let Ok(mut signals) = Signals::heard() else { return std::future::pending().await };
    let first = signals.next().await;
    reason.set(first);
    if let Some(keys) = keys.as_ref().filter(|_| first == INTERRUPTED) {
        keys.interrupted.cancel();
    }
    cancel.cancel();
    if let Some(keys) = keys {
        signals.next().await;
        keys.again.cancel();
    }
    signals.next().await;
}

/// Ctrl-C between the runs of a row: once one run has heard of signals, none of them ends this process by itself.
#[derive(Debug)]
pub struct SignalGap {
    runtime: tokio::runtime::Runtime,
    interrupt: Signal,
}

impl SignalGap {
    /// Hears Ctrl-C from now on.
    ///
    /// # Errors
    /// The operating system's, when signals cannot be heard.
    pub fn new() -> io::Result<Self> {
        let runtime = runtime()?;
        let interrupt = {
            let _inside = runtime.enter();
            signal(SignalKind::interrupt())?
        };
        Ok(Self { runtime, interrupt })
    }

    /// Whether Ctrl-C was typed since the last time.
    pub fn was_interrupted(&mut self) -> bool {
        let interrupt = &mut self.interrupt;
        self.runtime.block_on(async { tokio::time::timeout(Duration::ZERO, interrupt.recv()).await.is_ok() })
    }
}

/// The signals that ask this process to end, from when this is made: none of them ends it by itself any more.
#[derive(Debug)]
pub struct Signals([Signal; 4]);

impl Signals {
    /// Hears them from now on. Within a tokio runtime.
    ///
    /// # Errors
    /// The operating system's, when signals cannot be heard.
    pub fn heard() -> io::Result<Self> {
        let kinds =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];
        let [interrupt, terminate, hangup, quit] = kinds.map(signal);
        Ok(Self([interrupt?, terminate?, hangup?, quit?]))
    }

    /// Waits for the next one; it comes as the exit code for it, which is 128 and its number.
    pub async fn next(&mut self) -> u8 {
        let Self([interrupt, terminate, hangup, quit]) = self;
        tokio::select! {
            _ = interrupt.recv() => INTERRUPTED,
            _ = terminate.recv() => 143,
            _ = hangup.recv() => 129,
            _ = quit.recv() => 131,
        }
    }
}
