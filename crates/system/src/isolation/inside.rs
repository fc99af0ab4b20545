//! The process itself: its two pipes, its clock, and randomness.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::{Clock, descriptors, local_time};

/// The end of the two pipes in the process.
#[derive(Debug)]
pub struct PipeLine {
    begun: Instant,
}

/// The result of waiting for bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PipeRead {
    /// So many bytes came.
    Bytes(usize),
    /// None, for as long as was waited.
    Nothing,
    /// None will come any more.
    End,
}

impl PipeLine {
    /// Takes standard input and output for the line, and closes everything else that was inherited. Facts
    /// that must be read from files are read now.
    pub fn take() -> Self {
        descriptors::close_all_but(&[]);
        let clock = Clock::of_system();
        // The C library reads the time zone once, and never again.
        local_time(clock.milliseconds());
        Self { begun: clock.instant() }
    }

    /// The time since the line was taken.
    pub fn elapsed(&self) -> Duration {
        Clock::of_system().instant().saturating_duration_since(self.begun)
    }

    /// Waits for bytes; without patience, for ever.
    pub fn read(&self, buffer: &mut [u8], patience: Option<Duration>) -> PipeRead {
        let stdin = io::stdin();
        match is_ready(stdin.as_fd(), patience) {
            Ok(false) => return PipeRead::Nothing,
            Ok(true) => {}
            Err(_) => return PipeRead::End,
        }
        match nix::unistd::read(stdin.as_fd(), buffer) {
            Ok(0) | Err(_) => PipeRead::End,
            Ok(length) => PipeRead::Bytes(length),
        }
    }

    /// Writes all of it. Where nobody reads any more, nothing happens.
    pub fn write(&self, bytes: &[u8]) {
        let stdout = io::stdout();
        let mut rest = bytes;
        while !rest.is_empty() {
            match nix::unistd::write(stdout.as_fd(), rest) {
                Ok(length) => rest = &rest[length..],
                Err(Errno::EINTR) => {}
                Err(_) => return,
            }
        }
    }

    /// Whether nobody is at the other end any more.
    pub fn is_gone(&self) -> bool {
        let stdin = io::stdin();
        let mut ready = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
        let asked = poll(&mut ready, PollTimeout::ZERO);
        asked.is_ok() && ready[0].any().unwrap_or_default()
    }

    /// Fills a buffer with bytes that nobody can foresee.
    pub fn fill_random(&self, buffer: &mut [u8]) {
        // A kernel without randomness to give has refused to start long ago.
        let _ = getrandom::fill(buffer);
    }
}

/// Waits until there is something to read, or the end.
fn is_ready(descriptor: BorrowedFd<'_>, patience: Option<Duration>) -> nix::Result<bool> {
    // One more, so that it is not woken too early.
    let milliseconds = patience.map(|time| time.as_millis().saturating_add(u128::from(!time.is_zero())));
    let timeout = milliseconds
        .map_or(PollTimeout::NONE, |time| PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX));
    let mut ready = [PollFd::new(descriptor, PollFlags::POLLIN)];
    loop {
        match poll(&mut ready, timeout) {
            Err(Errno::EINTR) => {}
            asked => return Ok(asked? > 0),
        }
    }
}
