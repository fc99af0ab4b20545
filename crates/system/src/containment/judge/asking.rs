//! A thread of the run that asks: its numbers, and its memory, folders and descriptors.

use std::ffi::CString;
use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::sync::Arc;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::libc::{self, c_long, seccomp_notif, seccomp_notif_resp};
use nix::sys::stat::Mode;
use nix::sys::uio::{RemoteIoVec, process_vm_readv, process_vm_writev};
use nix::unistd::{Pid, geteuid};

use super::court::{CallRuling, Judgement};
use crate::process_handle::{opened, owned};
use crate::process_table::read;

nix::ioctl_readwrite!(receive, b'!', 0, seccomp_notif);
nix::ioctl_readwrite!(send, b'!', 1, seccomp_notif_resp);
nix::ioctl_write_ptr!(is_valid, b'!', 2, u64);
nix::ioctl_write_int_bad!(set_flags, nix::request_code_write!(b'!', 4, size_of::<u64>()));

/// The answer that lets the kernel go on with a call.
const CONTINUE: u32 = 1;
/// The asking and the answering process take turns on one processor (Linux 6.6).
const TAKE_TURNS: i32 = 1;
/// A process descriptor of a single thread (Linux 6.9).
const OF_THREAD: libc::c_uint = libc::O_EXCL.cast_unsigned();
/// The longest path of a call.
const LONGEST_PATH: usize = 4096;
/// Memory is read up to such borders: what lies behind one may not be there.
const PAGE: usize = 4096;

/// The kernel's end of all questions.
#[derive(Debug)]
pub(super) struct CallListener(OwnedFd);

/// A call that waits for its answer.
#[derive(Debug)]
pub(super) struct WaitingCall {
    listener: Arc<CallListener>,
    id: u64,
    thread: Pid,
    number: c_long,
    arguments: [u64; 6],
}

impl AsFd for CallListener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl CallListener {
    pub(super) fn new(listener: OwnedFd) -> Self {
        // SAFETY: the call takes a number. Without it a question and its answer each wake another processor.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        let _ = unsafe { set_flags(listener.as_raw_fd(), TAKE_TURNS) };
        Self(listener)
    }

    /// The next question; `None` where who asked is gone.
    pub(super) fn next(self: &Arc<Self>) -> Option<WaitingCall> {
        // SAFETY: numbers alone, for which zero is a value; the kernel demands it.
        #[expect(unsafe_code, reason = "a plain record of the kernel's")]
        let mut notice: seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the kernel fills in the record, which has the layout that it writes.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        unsafe { receive(self.0.as_raw_fd(), &raw mut notice) }.ok()?;
        Some(WaitingCall {
            listener: Arc::clone(self),
            id: notice.id,
            thread: Pid::from_raw(notice.pid.cast_signed()),
            number: notice.data.nr.into(),
            arguments: notice.data.args,
        })
    }
}

impl WaitingCall {
    /// The number of the system call.
    pub(super) fn number(&self) -> c_long {
        self.number
    }

    /// The thread that asks.
    pub(super) fn thread(&self) -> Pid {
        self.thread
    }

    /// An argument, counted from 0.
    pub(super) fn argument(&self, at: usize) -> u64 {
        self.arguments[at]
    }

    /// An argument that is a number with a sign.
    #[expect(clippy::cast_possible_truncation, reason = "the kernel takes the lower half alone")]
    pub(super) fn signed(&self, at: usize) -> i32 {
        self.arguments[at] as i32
    }

    /// An argument that is a number without a sign.
    pub(super) fn unsigned(&self, at: usize) -> u32 {
        self.signed(at).cast_unsigned()
    }

    /// The same question, to be answered by whoever comes first.
    pub(super) fn again(&self) -> Self {
        let Self { listener, id, thread, number, arguments } = self;
        Self {
            listener: Arc::clone(listener),
            id: *id,
            thread: *thread,
            number: *number,
            arguments: *arguments,
        }
    }

    /// Gives the answer. Who asked may be gone by now.
    pub(super) fn answer(&self, judgement: Judgement) {
        let (val, error, flags) = match judgement {
            Ok(CallRuling::Done(result)) => (result, 0, 0),
            Ok(CallRuling::GoOn) => (0, 0, CONTINUE),
            Err(error) => (0, -(error as i32), 0),
        };
        let mut answer = seccomp_notif_resp { id: self.id, val, error, flags };
        // SAFETY: the record has the layout that the kernel reads, and outlives the call.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        let _ = unsafe { send(self.listener.0.as_raw_fd(), &raw mut answer) };
    }

    /// Fails where the thread is gone: its number may be another's by now.
    fn still_asks(&self) -> nix::Result<()> {
        // SAFETY: the kernel reads the number.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        unsafe { is_valid(self.listener.0.as_raw_fd(), &raw const self.id) }.map(drop)
    }

    /// Fails where the thread is to do something else first: it is gone, or has a handler for a signal that waits.
    pub(super) fn still_waits(&self) -> nix::Result<()> {
        self.still_asks()?;
        let status = self.whole_status()?;
        let signals = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or_default()
        };
        let [own, shared, blocked, handled] = ["SigPnd:", "ShdPnd:", "SigBlk:", "SigCgt:"].map(signals);
        if (own | shared) & !blocked & handled == 0 { Ok(()) } else { Err(Errno::EINTR) }
    }

    /// The bytes at an address, exactly so many.
    pub(super) fn bytes(&self, address: u64, length: usize) -> nix::Result<Vec<u8>> {
        let bytes = self.some_bytes(address, length)?;
        if bytes.len() == length { Ok(bytes) } else { Err(Errno::EFAULT) }
    }

    /// The bytes at an address, as many as are there, and no more than these.
    fn some_bytes(&self, address: u64, most: usize) -> nix::Result<Vec<u8>> {
        let mut base = usize::try_from(address).map_err(|_| Errno::EFAULT)?;
        let (mut bytes, mut left) = (vec![0; most], most);
        let mut pieces = Vec::new();
        while left > 0 {
            let len = left.min(PAGE - base % PAGE);
            pieces.push(RemoteIoVec { base, len });
            base = base.checked_add(len).ok_or(Errno::EFAULT)?;
            left -= len;
        }
        if most == 0 {
            return Ok(bytes);
        }
        let count = process_vm_readv(self.thread, &mut [IoSliceMut::new(&mut bytes)], &pieces)?;
        bytes.truncate(count);
        self.still_asks()?;
        Ok(bytes)
    }

    /// Writes bytes to an address.
    pub(super) fn put(&self, address: u64, bytes: &[u8]) -> nix::Result<()> {
        let base = usize::try_from(address).map_err(|_| Errno::EFAULT)?;
        let there = [RemoteIoVec { base, len: bytes.len() }];
        self.still_asks()?;
        let count = process_vm_writev(self.thread, &[io::IoSlice::new(bytes)], &there)?;
        if count == bytes.len() { Ok(()) } else { Err(Errno::EFAULT) }
    }

    /// The text at an address, which ends with a zero.
    pub(super) fn text(&self, address: u64) -> nix::Result<CString> {
        let bytes = self.some_bytes(address, LONGEST_PATH)?;
        let end = bytes.iter().position(|byte| *byte == 0);
        let end = end.ok_or(if bytes.len() == LONGEST_PATH { Errno::ENAMETOOLONG } else { Errno::EFAULT })?;
        CString::new(&bytes[..end]).map_err(|_| Errno::EINVAL)
    }

    /// A descriptor of the thread's, as one of this process: both are the same open file.
    pub(super) fn descriptor(&self, number: RawFd) -> nix::Result<OwnedFd> {
        let process = self.open_process()?;
        // SAFETY: the calls take numbers; what they return is a new descriptor of this process.
        #[expect(unsafe_code, reason = "no crate of ours has this call")]
        let taken = unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), number, 0) };
        let taken = owned(taken)?;
        self.still_asks()?;
        Ok(taken)
    }

    /// The file in the kernel's own table that stands for a descriptor of the thread's.
    pub(super) fn place(&self, number: RawFd) -> PathBuf {
        format!("/proc/{}/fd/{number}", self.thread).into()
    }

    fn open_process(&self) -> nix::Result<OwnedFd> {
        match opened(self.thread, OF_THREAD) {
            // An older kernel knows processes alone.
            Err(Errno::EINVAL) => opened(self.process()?, 0),
            other => other,
        }
    }

    /// The process of the thread.
    pub(super) fn process(&self) -> nix::Result<Pid> {
        self.status("Tgid:").map(|number| Pid::from_raw(number.cast_signed()))
    }

    /// Fails where it acts as another user than this process: then this process must not act for it.
    pub(super) fn is_of_our_user(&self) -> nix::Result<()> {
        let own = geteuid();
        // Only root can become somebody else.
        if !own.is_root() || self.status("Uid:")? == own.as_raw() { Ok(()) } else { Err(Errno::EPERM) }
    }

    fn whole_status(&self) -> nix::Result<String> {
        let status = read(self.thread, "status").and_then(|status| String::from_utf8(status).ok());
        status.ok_or(Errno::ESRCH)
    }

    /// A number of the thread's status.
    fn status(&self, name: &str) -> nix::Result<u32> {
        let status = self.whole_status()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or(Errno::ESRCH)?;
        // Of several users the second one acts.
        let mut numbers = line.split_ascii_whitespace();
        let first = numbers.next();
        numbers.next().or(first).and_then(|number| number.parse().ok()).ok_or(Errno::ESRCH)
    }

    /// The folder that a path begins in: the root, a descriptor of one, or the working directory, each as the run sees it.
    pub(super) fn folder(&self, number: RawFd, path: &[u8]) -> nix::Result<OwnedFd> {
        let name = match path.starts_with(b"/") {
            true => "root",
            false if number == libc::AT_FDCWD => "cwd",
            false => return self.descriptor(number),
        };
        let place = format!("/proc/{}/{name}", self.thread);
        let folder = open(&*place, OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?;
        self.still_asks()?;
        Ok(folder)
    }
}
