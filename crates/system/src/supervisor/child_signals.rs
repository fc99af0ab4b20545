//! SIGCHLD as something to wait for beside a socket: its handler writes into a pipe.

use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// The pipe's end that the handler writes to; none below zero.
static WRITTEN: AtomicI32 = AtomicI32::new(-1);

/// A pipe with something in it whenever a child has ended or stopped.
pub(super) struct ChildSignals {
    read: PipeReader,
    /// Held open for the handler.
    _written: PipeWriter,
}

impl ChildSignals {
    /// Hears the signal from now on. A process has one of them at a time.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn hear() -> io::Result<Self> {
        let (read, written) = io::pipe()?;
        for end in [read.as_fd(), written.as_fd()] {
            fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        WRITTEN.store(written.as_raw_fd(), Ordering::Relaxed);
        let action = SigAction::new(SigHandler::Handler(note), SaFlags::SA_RESTART, SigSet::empty());
        // SAFETY: the handler makes one system call, which is async-signal-safe, and keeps the error number.
        #[expect(
            unsafe_code,
            reason = "a handler runs between any two instructions; this one writes a byte"
        )]
        unsafe { sigaction(Signal::SIGCHLD, &action) }?;
        Ok(Self { read, _written: written })
    }

    /// Empties the pipe.
    pub(super) fn clear(&mut self) {
        let mut bytes = [0; 64];
        while self.read.read(&mut bytes).is_ok_and(|count| count == bytes.len()) {}
    }
}

impl Drop for ChildSignals {
    /// The number of the pipe's end may be another descriptor's from now on.
    fn drop(&mut self) {
        let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
        // SAFETY: the action is the default one.
        #[expect(unsafe_code, reason = "the library cannot know that the action is none")]
        let _ = unsafe { sigaction(Signal::SIGCHLD, &default) };
        WRITTEN.store(-1, Ordering::Relaxed);
    }
}

impl AsFd for ChildSignals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.read.as_fd()
    }
}

extern "C" fn note(_: libc::c_int) {
    let before = nix::errno::Errno::last();
    // SAFETY: one byte of this process's own memory goes to a descriptor that is open as long as there is a handler. A full
    // pipe has something in it already.
    #[expect(unsafe_code, reason = "the library's own call takes a handle, which a handler cannot have")]
    unsafe {
        libc::write(WRITTEN.load(Ordering::Relaxed), [0_u8].as_ptr().cast(), 1);
    }
    before.set();
}
