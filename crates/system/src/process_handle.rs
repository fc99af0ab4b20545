//! The way of signals to a process: on Linux a descriptor, which never comes to mean another process.

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A process that can be signalled.
#[derive(Debug)]
pub(crate) struct Handle {
    /// `None` where the kernel has none, or there was no such process.
    #[cfg(target_os = "linux")]
    descriptor: Option<std::os::fd::OwnedFd>,
    pid: Pid,
}

impl Handle {
    /// The handle of the process that has this number now. Look afterwards whether it is the one that is meant.
    pub(crate) fn of(pid: Pid) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            descriptor: opened(pid, 0).ok(),
            pid,
        }
    }

    /// Signals the process; one that is gone needs none.
    ///
    /// # Errors
    /// The operating system's, when the process may not be signalled.
    #[cfg(target_os = "linux")]
    pub(crate) fn signal(&self, signal: Signal) -> std::io::Result<()> {
        use std::os::fd::AsRawFd as _;
        let Some(descriptor) = &self.descriptor else { return self.signal_by_number(signal) };
        // SAFETY: the descriptor is open, and no pointer is passed but a null one, which stands for the usual information.
        #[expect(unsafe_code, reason = "no safe function of nix sends a signal through such a descriptor")]
        let sent = unsafe {
            nix::libc::syscall(
                nix::libc::SYS_pidfd_send_signal,
                descriptor.as_raw_fd(),
                signal as nix::libc::c_int,
                std::ptr::null::<nix::libc::siginfo_t>(),
                0,
            )
        };
        match Errno::result(sent) {
            Ok(_) | Err(Errno::ESRCH) => Ok(()),
            Err(Errno::ENOSYS) => self.signal_by_number(signal),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Signals the process; one that is gone needs none.
    ///
    /// # Errors
    /// The operating system's, when the process may not be signalled.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn signal(&self, signal: Signal) -> std::io::Result<()> {
        self.signal_by_number(signal)
    }

    fn signal_by_number(&self, signal: Signal) -> std::io::Result<()> {
        match kill(self.pid, signal) {
            Ok(()) | Err(Errno::ESRCH) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// A descriptor of a process.
///
/// # Errors
/// Where the kernel has none of this kind, or there is no such process.
#[cfg(target_os = "linux")]
pub(crate) fn opened(pid: Pid, flags: nix::libc::c_uint) -> nix::Result<std::os::fd::OwnedFd> {
    // SAFETY: the call takes numbers.
    #[expect(unsafe_code, reason = "no safe function of nix opens such a descriptor")]
    owned(unsafe { nix::libc::syscall(nix::libc::SYS_pidfd_open, pid.as_raw(), flags) })
}

/// The new descriptor that a system call of this process has returned.
#[cfg(target_os = "linux")]
pub(crate) fn owned(result: nix::libc::c_long) -> nix::Result<std::os::fd::OwnedFd> {
    use std::os::fd::FromRawFd as _;
    match i32::try_from(result) {
        // SAFETY: the kernel has just made this descriptor for this process, and no other code knows its number.
        #[expect(unsafe_code, reason = "the kernel hands descriptors over as numbers")]
        Ok(number @ 0..) => Ok(unsafe { std::os::fd::OwnedFd::from_raw_fd(number) }),
        _ => Err(Errno::last()),
    }
}
