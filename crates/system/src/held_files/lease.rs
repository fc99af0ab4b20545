//! A read lease: the kernel makes whoever opens the file for writing wait, and signals the thread that releases it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{self, F_GETLEASE, F_RDLCK, F_SETLEASE, F_UNLCK, c_int, pid_t};

/// From `<linux/fcntl.h>`, as on all systems that cuff runs on; libc has it for few.
const F_SETOWN_EX: c_int = 15;
const F_OWNER_TID: c_int = 0;

/// The receiver of a signal, as the kernel reads it.
#[repr(C)]
struct SignalReceiver {
    kind: c_int,
    id: pid_t,
}

/// A lease that lasts until a writer comes, or this is dropped.
#[derive(Debug)]
pub(super) struct FileLease(File);

/// Why there is no lease.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoLease {
    /// There is no regular file.
    NoFile,
    /// A process has the file open or mapped for writing.
    Busy,
    /// The system gives none, for this reason.
    Refused(String),
}

impl FileLease {
    /// A lease of the file at a path. Its end is signalled to one thread by SIGIO.
    #[expect(clippy::disallowed_methods, reason = "a lease is of an open file")]
    #[expect(unsafe_code, reason = "no safe function names the receiver of a lease's signal")]
    pub(super) fn take(path: &Path, thread: pid_t) -> Result<Self, NoLease> {
        if !std::fs::metadata(path).is_ok_and(|found| found.is_file()) {
            return Err(NoLease::NoFile);
        }
        let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
        let opened = OpenOptions::new().read(true).custom_flags(flags).open(path);
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => NoLease::NoFile,
            _ => NoLease::Refused(error.to_string()),
        })?;
        let owner = SignalReceiver { kind: F_OWNER_TID, id: thread };
        // SAFETY: the file is open, and the kernel reads a structure that lives until the call returns.
        let set = unsafe { libc::fcntl(file.as_raw_fd(), F_SETOWN_EX, &raw const owner) };
        // The receiver is set before there is a lease: the signal would end a process that does not expect it.
        Errno::result(set).map_err(|error| NoLease::Refused(error.desc().to_owned()))?;
        match lease(&file, F_SETLEASE, F_RDLCK) {
            Ok(_) => Ok(Self(file)),
            Err(Errno::EAGAIN) => Err(NoLease::Busy),
            Err(Errno::EACCES | Errno::EPERM) => Err(NoLease::Refused("it belongs to another user".into())),
            Err(Errno::EINVAL | Errno::ENOLCK | Errno::EOPNOTSUPP) => {
                Err(NoLease::Refused("its file system has no read leases".into()))
            }
            Err(error) => Err(NoLease::Refused(error.desc().to_owned())),
        }
    }

    /// Whether a writer has come.
    pub(super) fn is_broken(&self) -> bool {
        lease(&self.0, F_GETLEASE, 0) != Ok(F_RDLCK)
    }
}

impl Drop for FileLease {
    fn drop(&mut self) {
        // Closing the file would do the same, unless a process that is being forked has it too.
        let _ = lease(&self.0, F_SETLEASE, F_UNLCK);
    }
}

#[expect(unsafe_code, reason = "no safe function takes a lease")]
fn lease(file: &File, operation: c_int, kind: c_int) -> Result<c_int, Errno> {
    // SAFETY: the file is open, and both operations take a number.
    Errno::result(unsafe { libc::fcntl(file.as_raw_fd(), operation, kind) })
}
