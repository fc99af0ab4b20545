//! Notice of Ctrl-Z before this process stops, so that its runs can be stopped as well.

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, kill, raise, sigaction};
use nix::unistd::Pid;
use tokio::signal::unix::{self, SignalKind, signal};

use super::process_table::now;

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

/// Stops this process and all others of its group, as Ctrl-Z at the terminal would have, and returns when this process
/// goes on; after a moment if nobody could let it go on, since then the kernel stops nothing.
pub(super) fn stop_group() {
    /// The time in which a stop takes effect.
    const EFFECT: Duration = Duration::from_millis(200);
    GOES_ON.store(false, Ordering::Relaxed);
    let heard = SigAction::new(SigHandler::Handler(go_on), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handler stores a truth value. The action before was in force a moment ago.
    #[expect(unsafe_code, reason = "the end of a stop is known by a signal alone")]
    let before = unsafe { sigaction(Signal::SIGCONT, &heard) };
    let Some(stops) = set(&default()) else { return };
    let begun = now();
    let _ = kill(Pid::from_raw(0), Signal::SIGTSTP);
    // Another thread may be the one that hears of it, a moment later.
    while !GOES_ON.load(Ordering::Relaxed) && now() < begun + EFFECT {
        std::thread::sleep(Duration::from_millis(1));
    }
    set(&stops);
    if let Ok(before) = before {
        // SAFETY: as above.
        #[expect(unsafe_code, reason = "as above")]
        let _ = unsafe { sigaction(Signal::SIGCONT, &before) };
    }
}

/// Whether this process has gone on since it was asked to stop.
static GOES_ON: AtomicBool = AtomicBool::new(false);

extern "C" fn go_on(_: nix::libc::c_int) {
    GOES_ON.store(true, Ordering::Relaxed);
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
