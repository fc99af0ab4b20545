//! A pseudo-terminal for a run of a person at a terminal: its two ends, and its size.
//!
//! The run's end is the controlling terminal of its session. All that the run prints is read from cuff's end,
//! and keys that are written to it are the run's input, as if they were typed there.

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::libc::{TIOCGWINSZ, TIOCSWINSZ};
use nix::pty::{OpenptyResult, Winsize, openpty};
use nix::sys::termios::tcgetattr;

nix::ioctl_read_bad!(read_size, TIOCGWINSZ, Winsize);
nix::ioctl_write_ptr_bad!(write_size, TIOCSWINSZ, Winsize);

/// The two ends of a pseudo-terminal.
#[derive(Debug)]
pub(super) struct TerminalEnds {
    /// cuff's end.
    pub(super) ours: OwnedFd,
    /// The end of the run.
    pub(super) its: OwnedFd,
}

/// Opens a pseudo-terminal with the size and the modes of the person's terminal.
///
/// # Errors
/// The operating system's; also where no standard stream is a terminal.
pub(super) fn open() -> io::Result<TerminalEnds> {
    let persons = persons_terminal().ok_or(Errno::ENOTTY)?;
    let OpenptyResult { master, slave } = openpty(&size_of(&persons)?, &tcgetattr(&persons)?)?;
    for end in [&master, &slave] {
        fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    }
    // Of this end alone: the two ends have descriptions of their own.
    let flags = OFlag::from_bits_retain(fcntl(&master, FcntlArg::F_GETFL)?);
    fcntl(&master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(TerminalEnds { ours: master, its: slave })
}

/// The first standard stream that is a terminal.
fn persons_terminal() -> Option<OwnedFd> {
    let (input, out, err) = (io::stdin(), io::stdout(), io::stderr());
    let streams = [input.as_fd(), out.as_fd(), err.as_fd()];
    streams.into_iter().find(IsTerminal::is_terminal)?.try_clone_to_owned().ok()
}

/// Gives a pseudo-terminal the size of the person's terminal. Its programs get a signal if that is another.
pub(super) fn resize(ours: impl AsFd) {
    let Some(Ok(size)) = persons_terminal().map(size_of) else { return };
    // SAFETY: the descriptor is open while it is borrowed, and the kernel reads the size and nothing else.
    #[expect(unsafe_code, reason = "the size of a terminal is set by an ioctl alone")]
    let _ = unsafe { write_size(std::os::fd::AsRawFd::as_raw_fd(&ours.as_fd()), &raw const size) };
}

fn size_of(terminal: impl AsFd) -> io::Result<Winsize> {
    let mut size = Winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the descriptor is open while it is borrowed, and the kernel writes a size and nothing else.
    #[expect(unsafe_code, reason = "the size of a terminal is read by an ioctl alone")]
    unsafe { read_size(std::os::fd::AsRawFd::as_raw_fd(&terminal.as_fd()), &raw mut size) }?;
    Ok(size)
}
