//! The person's side of a run at a pseudo-terminal: keys, size, and output.

use std::future::pending;
use std::io;
use std::os::fd::OwnedFd;

use tokio::net::unix::pipe::Receiver;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::keyboard::Keyboard;
use crate::screen;

/// The keys on their way to a run, and the size of its terminal.
#[derive(Debug)]
pub(super) struct OwnTerminal {
    /// `None` for a run that reads something else.
    keys: Option<Keyboard>,
    /// cuff's end of the pseudo-terminal.
    ours: OwnedFd,
    resized: Option<Signal>,
}

impl OwnTerminal {
    /// Opens a pseudo-terminal, and passes keys on to it where the run reads them. Returns its output and the run's end as
    /// well. Within a tokio runtime.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn open(reads_keys: bool) -> io::Result<(Self, Receiver, OwnedFd)> {
        let screen::TerminalEnds { ours, its } = screen::open()?;
        // A terminal is read as a pipe is. Once no process has its other end open, there is an error instead of nothing.
        let output = Receiver::from_owned_fd_unchecked(ours.try_clone()?)?;
        let keys = reads_keys.then(|| Keyboard::passing_to(ours.try_clone()?)).transpose()?;
        let resized = signal(SignalKind::window_change()).ok();
        Ok((Self { keys, ours, resized }, output, its))
    }

    /// Does this while the person's terminal is as the shell left it.
    pub(super) fn without_keys(&self, what: fn()) {
        self.give_back();
        what();
        if let Some(keys) = &self.keys {
            keys.resume();
        }
        screen::resize(&self.ours);
    }

    /// Gives the person's terminal back.
    pub(super) fn give_back(&self) {
        if let Some(keys) = &self.keys {
            keys.pause();
        }
    }

    /// Whether Ctrl-C was the last key, a moment ago; see [`Keyboard::has_interrupted`].
    pub(super) fn has_interrupted(&self, is_end_of_interrupt: bool) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.has_interrupted(is_end_of_interrupt))
    }
}

/// Waits for another size of a run's terminal, and takes it over; for ever without a terminal.
pub(super) async fn resized(terminal: &mut Option<OwnTerminal>) {
    let Some(OwnTerminal { resized: Some(signal), ours, .. }) = terminal else { return pending().await };
    match signal.recv().await {
        Some(()) => screen::resize(ours),
        None => pending().await,
    }
}
