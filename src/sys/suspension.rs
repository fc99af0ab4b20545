//! Notice of Ctrl-Z before this process stops, so that its runs can be stopped as well.

use std::future::pending;

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, raise, sigaction};
use tokio::signal::unix::{self, SignalKind, signal};

/// Each Ctrl-Z of a person, from when this is made: none of them stops this process by itself any more.
#[derive(Debug)]
pub struct Suspensions(unix::Signal);

impl Suspensions {
    /// Returns `None` if the parent process had Ctrl-Z ignored. Within a tokio runtime.
    pub fn heard() -> Option<Self> {
        let found = set(&default())?;
        set(&found)?;
        if matches!(found.handler(), SigHandler::SigIgn) {
            return None;
        }
        signal(SignalKind::from_raw(Signal::SIGTSTP as i32)).ok().map(Self)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            pending::<()>().await;
        }
    }
}

/// Stops this process as Ctrl-Z would have, and returns when it goes on. If no shell could let it go on, the
/// kernel does not stop it, as always.
pub fn stop() {
    if let Some(before) = set(&default()) {
        let _ = raise(Signal::SIGTSTP);
        set(&before);
    }
}

fn default() -> SigAction {
    SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty())
}

/// Sets the action for Ctrl-Z, and returns the one before.
fn set(action: &SigAction) -> Option<SigAction> {
    // SAFETY: the action is the default one, or one that was in force a moment ago. So any handler in it is
    // still there and may still be called at any time.
    #[expect(unsafe_code, reason = "a signal that is caught can be raised anew by no other way")]
    unsafe { sigaction(Signal::SIGTSTP, action) }.ok()
}
