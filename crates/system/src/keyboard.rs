//! The keys of a person at a terminal, passed on to a run that has a pseudo-terminal.
//!
//! While this lasts, the person's terminal hands over each key as it comes, Ctrl-C and Ctrl-Z too: the run's own
//! terminal makes signals of them. In the background, where the terminal is another job's, it is left alone.

use std::io::{self, IsTerminal as _, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{
    LocalFlags, SetArg, SpecialCharacterIndices, Termios, cfmakeraw, tcgetattr, tcsetattr,
};
use nix::unistd::{getpgrp, tcgetpgrp};

use super::process_table::now;
use super::screen;

/// The pause between two looks at whose the terminal is, in the background. In milliseconds.
const PAUSE: u16 = 200;
/// The same in the foreground: a stop that nobody hears of, and the shell after it, may have changed the modes.
const LOOK: u16 = 1000;
/// The longest time from Ctrl-C to the end of a run that Ctrl-C has ended.
const INTERRUPTION: Duration = Duration::from_secs(10);

/// The keys on their way. Dropping this gives the terminal back as it was.
#[derive(Debug)]
pub(super) struct Keyboard {
    state: Arc<Mutex<KeyboardState>>,
    /// The thread ends when this is dropped.
    wake: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct KeyboardState {
    /// The modes of the terminal, as the shell left them.
    before: Termios,
    /// Whether the terminal hands over each key now.
    is_raw: bool,
    is_paused: bool,
    /// Whether another program may print to the terminal meanwhile: behind a redirected output there may be one.
    is_shared: bool,
    /// The moment at which Ctrl-C was typed, if no other key was typed since; and whether the terminal made a signal of it.
    interrupted: Option<(Instant, bool)>,
}

/// Whether this process is the one that the terminal at standard input belongs to.
pub(super) fn is_in_foreground() -> bool {
    owns_terminal().unwrap_or(false)
}

/// The same; an error where there is no terminal any more.
fn owns_terminal() -> io::Result<bool> {
    Ok(tcgetpgrp(io::stdin())? == getpgrp())
}

impl Keyboard {
    /// Begins to pass the keys on to this end of a pseudo-terminal.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn passing_to(terminal: OwnedFd) -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let is_shared = !(io::stdout().is_terminal() && io::stderr().is_terminal());
        let state = KeyboardState { before, is_raw: false, is_paused: false, is_shared, interrupted: None };
        let state = Arc::new(Mutex::new(state));
        let (end, wake) = io::pipe()?;
        let shared = Arc::clone(&state);
        // Dropping it gives the terminal back, whatever fails from here on.
        let mut keyboard = Self { state, wake: Some(wake), thread: None };
        lock(&keyboard.state).take_terminal();
        let thread = thread::Builder::new()
            .name("keys".into())
            .spawn(move || while goes_on(pass(&shared, &terminal, &end)) {})?;
        keyboard.thread = Some(thread);
        Ok(keyboard)
    }

    /// Gives the terminal back until [`resume`](Self::resume).
    pub(super) fn pause(&self) {
        let mut state = lock(&self.state);
        state.is_paused = true;
        state.give_back();
    }

    /// Takes the terminal again, if this is the foreground by now.
    pub(super) fn resume(&self) {
        let mut state = lock(&self.state);
        state.is_paused = false;
        state.take_terminal();
    }

    /// Whether Ctrl-C was the last key, a moment ago. A program that reads the key itself may do something else than end, so
    /// that its end must say the same: `is_end_of_interrupt`.
    pub(super) fn has_interrupted(&self, is_end_of_interrupt: bool) -> bool {
        lock(&self.state).interrupted.is_some_and(|(at, is_signal)| {
            now().saturating_duration_since(at) < INTERRUPTION && (is_signal || is_end_of_interrupt)
        })
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        lock(&self.state).give_back();
    }
}

impl KeyboardState {
    fn take_terminal(&mut self) {
        if self.is_paused || !is_in_foreground() {
            return;
        }
        // The shell may have changed the modes meanwhile.
        let Ok(before) = tcgetattr(io::stdin()) else { return };
        let mut raw = before.clone();
        cfmakeraw(&mut raw);
        if self.is_shared {
            // The library compares the system's own form as well, and does not change it with its own flags.
            let mut modes = libc::termios::from(raw);
            modes.c_oflag = libc::termios::from(before.clone()).c_oflag;
            raw = Termios::from(modes);
        }
        if self.is_raw && before == raw {
            return;
        }
        // Not after the output: a terminal that stands still with Ctrl-S would hold cuff up.
        self.is_raw = tcsetattr(io::stdin(), SetArg::TCSANOW, &raw).is_ok();
        self.before = before;
    }

    fn give_back(&mut self) {
        // In the background the terminal is another job's, and the shell has set its modes.
        if self.is_raw && is_in_foreground() {
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &self.before);
        }
        self.is_raw = false;
    }

    /// Keeps whether these keys are Ctrl-C, which the run's terminal makes a signal of.
    fn note(&mut self, keys: &[u8], terminal: BorrowedFd<'_>) {
        let Ok(modes) = tcgetattr(terminal) else { return };
        let key = modes.control_chars[SpecialCharacterIndices::VINTR as usize];
        let is_signal = modes.local_flags.contains(LocalFlags::ISIG);
        self.interrupted = (keys.last() == Some(&key)).then(|| (now(), is_signal));
    }
}

fn goes_on(passed: io::Result<bool>) -> bool {
    passed.unwrap_or_else(|error| error.kind() == io::ErrorKind::Interrupted)
}

/// Waits for keys and passes them on. Returns false at the end of the terminal or of the run.
fn pass(state: &Mutex<KeyboardState>, terminal: &OwnedFd, end: &PipeReader) -> io::Result<bool> {
    let is_ours = {
        let mut state = lock(state);
        if !owns_terminal()? {
            state.is_raw = false;
        }
        state.take_terminal();
        state.is_raw
    };
    let input = io::stdin();
    let mut watched = vec![PollFd::new(end.as_fd(), PollFlags::POLLIN)];
    if is_ours {
        // Elsewhere its keys, and its end, are the business of others.
        watched.push(PollFd::new(input.as_fd(), PollFlags::POLLIN));
    }
    poll(&mut watched, PollTimeout::from(if is_ours { LOOK } else { PAUSE }))?;
    let events: Vec<PollFlags> = watched.iter().filter_map(PollFd::revents).collect();
    if events.first().is_some_and(|events| !events.is_empty()) {
        return Ok(false);
    }
    let of_keys = events.get(1).copied().unwrap_or(PollFlags::empty());
    if !of_keys.contains(PollFlags::POLLIN) {
        return Ok(of_keys.is_empty());
    }
    let mut keys = [0; 4096];
    let count = {
        // Nobody gives the terminal back between the look and the reading.
        let mut state = lock(state);
        let mut again = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        if !state.is_raw || !owns_terminal()? || poll(&mut again, PollTimeout::ZERO)? == 0 {
            return Ok(true);
        }
        // The library's own buffer would keep keys from whoever reads after cuff.
        let count = nix::unistd::read(&input, &mut keys)?;
        state.note(&keys[..count], terminal.as_fd());
        count
    };
    // The news of another size may be on its way still, and the keys were typed after it.
    screen::resize(terminal);
    write_all(terminal, &keys[..count], end)?;
    Ok(count > 0)
}

/// Writes to a terminal whose reader may be slow, until the run ends.
fn write_all(terminal: &OwnedFd, mut keys: &[u8], end: &PipeReader) -> io::Result<()> {
    while !keys.is_empty() {
        match nix::unistd::write(terminal, keys) {
            Ok(count) => keys = &keys[count..],
            Err(nix::errno::Errno::EAGAIN) => {
                let mut watched = [
                    PollFd::new(terminal.as_fd(), PollFlags::POLLOUT),
                    PollFd::new(end.as_fd(), PollFlags::POLLIN),
                ];
                poll(&mut watched, PollTimeout::NONE)?;
                if watched[1].revents().is_some_and(|events| !events.is_empty()) {
                    return Ok(());
                }
            }
            Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn lock(state: &Mutex<KeyboardState>) -> MutexGuard<'_, KeyboardState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
