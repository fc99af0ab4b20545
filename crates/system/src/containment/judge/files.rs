//! Owner, permissions, times and attributes of files: changed where the run may write, by the judge.

use std::ffi::CString;
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};

use std::path::PathBuf;

use nix::errno::Errno;
use nix::fcntl::{OFlag, OpenHow, ResolveFlag, openat2, readlink};
use nix::libc;
use nix::sys::stat::fstat;

use super::asking::WaitingCall;
use super::court::{CallRuling, Court, Judgement};
use crate::containment::namespace::SHARED_MEMORY;
use crate::model::DeniedAct;

/// The largest value of an attribute.
const LARGEST: usize = 65536;
/// Attributes that a run sets. The others are the kernel's own, and privileges among them.
const NAMES: [&[u8]; 2] = [b"user.", b"system.posix_acl_"];
/// A program with one of these permissions runs as its owner, or its group. A folder with the second hands its group on.
const AS_OWNER: u32 = libc::S_ISUID;
const AS_GROUP: u32 = libc::S_ISGID;

/// A file that was found by its path, and its place.
#[derive(Debug)]
pub(super) struct FileSpot {
    /// The file itself: no path leads elsewhere meanwhile.
    pub(super) file: OwnedFd,
    /// Its path without links.
    pub(super) path: PathBuf,
    /// Whether it has a place at all: pipes, sockets and deleted files have none.
    has_place: bool,
}

impl FileSpot {
    fn of(file: OwnedFd) -> nix::Result<Self> {
        let path = PathBuf::from(readlink(own_name(&file).as_c_str())?);
        let has_place = path.is_absolute() && fstat(&file)?.st_nlink > 0;
        Ok(Self { file, path, has_place })
    }

    /// Whether it lies where the run may write. A link may have led to shared memory that is not the run's own.
    pub(super) fn is_writable(&self, court: &Court, asking: &WaitingCall) -> nix::Result<bool> {
        if !self.path.starts_with(SHARED_MEMORY) {
            return Ok(court.rules.fences.opens(&self.path));
        }
        let own = find(asking, libc::AT_FDCWD, SHARED_MEMORY.as_bytes(), true)?;
        Ok(fstat(&own.file)?.st_dev == fstat(&self.file)?.st_dev)
    }
}

/// The file that a path of the run leads to.
pub(super) fn find(asking: &WaitingCall, folder: RawFd, path: &[u8], follows: bool) -> nix::Result<FileSpot> {
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    if let Some(number) = own_descriptor(path, asking) {
        return FileSpot::of(asking.descriptor(number)?);
    }
    let begins = asking.folder(folder, path)?;
    let link = if follows { OFlag::empty() } else { OFlag::O_NOFOLLOW };
    // `/proc/self` would be this process.
    let mut way = ResolveFlag::RESOLVE_NO_MAGICLINKS;
    if path.starts_with(b"/") {
        // The root that the run has, with the run's own mounts.
        way |= ResolveFlag::RESOLVE_IN_ROOT;
    }
    let how = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_CLOEXEC | link).resolve(way);
    FileSpot::of(openat2(begins, path, how)?)
}

/// The number of a descriptor that a path names, as the C library does for links.
fn own_descriptor(path: &[u8], asking: &WaitingCall) -> Option<RawFd> {
    let rest = path.strip_prefix(b"/dev/fd/").or_else(|| {
        let rest = path.strip_prefix(b"/proc/")?;
        let (who, rest) = rest.split_at(rest.iter().position(|byte| *byte == b'/')?);
        let is_own = who == b"self"
            || who == b"thread-self"
            || who == asking.thread().to_string().as_bytes()
            || asking.process().is_ok_and(|process| who == process.to_string().as_bytes());
        rest.strip_prefix(b"/fd/").filter(|_| is_own)
    })?;
    str::from_utf8(rest).ok()?.parse().ok()
}

/// Changes owner, permissions, times or attributes for the run.
pub(super) fn judge(court: &Court, asking: &WaitingCall) -> Judgement {
    asking.is_of_our_user()?;
    let change = MetadataChange::of(asking)?;
    let spot = match &change.target {
        ChangeTarget::Open(number) => FileSpot::of(asking.descriptor(*number)?)?,
        ChangeTarget::Named { folder, path, follows } => find(asking, *folder, path.as_bytes(), *follows)?,
    };
    if spot.has_place && !spot.is_writable(court, asking)? {
        court.denials.add(DeniedAct::ChangeMetadata, &spot.path.display().to_string());
        return Err(Errno::EPERM);
    }
    let result = change.kind.apply(&spot.file, matches!(change.target, ChangeTarget::Open(_)))?;
    Ok(CallRuling::Done(result.into()))
}

/// A change, with all that the call brings.
struct MetadataChange {
    target: ChangeTarget,
    kind: ChangeKind,
}

enum ChangeTarget {
    Open(RawFd),
    Named { folder: RawFd, path: CString, follows: bool },
}

enum ChangeKind {
    Permissions(u32),
    Owner(u32, u32),
    /// Access and change; `None` for now.
    Times(Option<[libc::timespec; 2]>),
    Set {
        name: CString,
        value: Vec<u8>,
        flags: i32,
    },
    Remove {
        name: CString,
    },
}

impl MetadataChange {
    fn of(asking: &WaitingCall) -> nix::Result<Self> {
        let number = asking.number();
        #[cfg(target_arch = "x86_64")]
        if let Some(change) = Self::of_older_call(asking, number)? {
            return Ok(change);
        }
        let at = |folder: usize, flags: i32| Self::named(asking, asking.signed(folder), 1, flags);
        let open = ChangeTarget::Open(asking.signed(0));
        let here = |follows: bool| {
            let flags = if follows { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
            Self::named(asking, libc::AT_FDCWD, 0, flags)
        };
        Ok(match number {
            libc::SYS_fchmod => Self { target: open, kind: ChangeKind::Permissions(asking.unsigned(1)) },
            libc::SYS_fchmodat => {
                Self { target: at(0, 0)?, kind: ChangeKind::Permissions(asking.unsigned(2)) }
            }
            libc::SYS_fchown => {
                Self { target: open, kind: ChangeKind::Owner(asking.unsigned(1), asking.unsigned(2)) }
            }
            libc::SYS_fchownat => Self {
                target: at(0, asking.signed(4))?,
                kind: ChangeKind::Owner(asking.unsigned(2), asking.unsigned(3)),
            },
            libc::SYS_utimensat => {
                let target = if asking.argument(1) == 0 { open } else { at(0, asking.signed(3))? };
                Self { target, kind: ChangeKind::Times(times(asking, asking.argument(2))?) }
            }
            libc::SYS_setxattr => Self { target: here(true)?, kind: attribute(asking)? },
            libc::SYS_lsetxattr => Self { target: here(false)?, kind: attribute(asking)? },
            libc::SYS_fsetxattr => Self { target: open, kind: attribute(asking)? },
            libc::SYS_removexattr => Self { target: here(true)?, kind: removed(asking)? },
            libc::SYS_lremovexattr => Self { target: here(false)?, kind: removed(asking)? },
            libc::SYS_fremovexattr => Self { target: open, kind: removed(asking)? },
            _ => return Err(Errno::ENOSYS),
        })
    }

    /// Calls that only this machine has; newer ones say the same.
    #[cfg(target_arch = "x86_64")]
    fn of_older_call(asking: &WaitingCall, number: libc::c_long) -> nix::Result<Option<Self>> {
        let here = |flags| Self::named(asking, libc::AT_FDCWD, 0, flags);
        let owner = || ChangeKind::Owner(asking.unsigned(1), asking.unsigned(2));
        Ok(Some(match number {
            libc::SYS_chmod => Self { target: here(0)?, kind: ChangeKind::Permissions(asking.unsigned(1)) },
            libc::SYS_chown => Self { target: here(0)?, kind: owner() },
            libc::SYS_lchown => Self { target: here(libc::AT_SYMLINK_NOFOLLOW)?, kind: owner() },
            libc::SYS_utime => {
                Self { target: here(0)?, kind: ChangeKind::Times(seconds(asking, asking.argument(1))?) }
            }
            libc::SYS_utimes => {
                Self { target: here(0)?, kind: ChangeKind::Times(microseconds(asking, asking.argument(1))?) }
            }
            libc::SYS_futimesat => {
                let target = if asking.argument(1) == 0 {
                    ChangeTarget::Open(asking.signed(0))
                } else {
                    Self::named(asking, asking.signed(0), 1, 0)?
                };
                Self { target, kind: ChangeKind::Times(microseconds(asking, asking.argument(2))?) }
            }
            _ => return Ok(None),
        }))
    }

    /// The target of a call by a path; by an empty one it is a descriptor, where the flags say so.
    fn named(asking: &WaitingCall, folder: RawFd, path: usize, flags: i32) -> nix::Result<ChangeTarget> {
        let path = asking.text(asking.argument(path))?;
        if path.is_empty() && flags & libc::AT_EMPTY_PATH != 0 {
            return Ok(ChangeTarget::Open(folder));
        }
        Ok(ChangeTarget::Named { folder, path, follows: flags & libc::AT_SYMLINK_NOFOLLOW == 0 })
    }
}

impl ChangeKind {
    /// Changes a file: by its descriptor where the run has it open, else by the name that this process has for it.
    #[expect(unsafe_code, reason = "the library's own calls take no descriptor that is only a place")]
    fn apply(&self, file: &OwnedFd, is_open: bool) -> nix::Result<i32> {
        let (number, name) = (file.as_raw_fd(), own_name(file));
        // SAFETY: texts, values and times outlive the calls, which take their lengths.
        Errno::result(unsafe {
            match self {
                Self::Permissions(mode)
                    if mode & AS_OWNER != 0
                        || mode & AS_GROUP != 0 && fstat(file)?.st_mode & libc::S_IFMT != libc::S_IFDIR =>
                {
                    return Err(Errno::EPERM);
                }
                Self::Permissions(mode) if is_open => libc::fchmod(number, *mode),
                Self::Permissions(mode) => libc::chmod(name.as_ptr(), *mode),
                Self::Owner(user, group) if is_open => libc::fchown(number, *user, *group),
                Self::Owner(user, group) => {
                    libc::fchownat(number, c"".as_ptr(), *user, *group, libc::AT_EMPTY_PATH)
                }
                Self::Times(times) => {
                    let times = times.as_ref().map_or(std::ptr::null(), |times| times.as_ptr());
                    if is_open {
                        libc::futimens(number, times)
                    } else {
                        libc::utimensat(number, c"".as_ptr(), times, libc::AT_EMPTY_PATH)
                    }
                }
                Self::Set { name: attribute, .. } | Self::Remove { name: attribute }
                    if !NAMES.iter().any(|prefix| attribute.as_bytes().starts_with(prefix)) =>
                {
                    return Err(Errno::EOPNOTSUPP);
                }
                Self::Set { name: attribute, value, flags } => libc::setxattr(
                    name.as_ptr(),
                    attribute.as_ptr(),
                    value.as_ptr().cast(),
                    value.len(),
                    *flags,
                ),
                Self::Remove { name: attribute } => libc::removexattr(name.as_ptr(), attribute.as_ptr()),
            }
        })
    }
}

/// The name that this process has for an open file.
fn own_name(file: &OwnedFd) -> CString {
    CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap_or_default()
}

fn attribute(asking: &WaitingCall) -> nix::Result<ChangeKind> {
    let size = usize::try_from(asking.argument(3)).map_err(|_| Errno::E2BIG)?;
    if size > LARGEST {
        return Err(Errno::E2BIG);
    }
    Ok(ChangeKind::Set {
        name: asking.text(asking.argument(1))?,
        value: asking.bytes(asking.argument(2), size)?,
        flags: asking.signed(4),
    })
}

fn removed(asking: &WaitingCall) -> nix::Result<ChangeKind> {
    Ok(ChangeKind::Remove { name: asking.text(asking.argument(1))? })
}

/// Numbers of 8 bytes at an address.
fn numbers<const COUNT: usize>(asking: &WaitingCall, address: u64) -> nix::Result<[i64; COUNT]> {
    let bytes = asking.bytes(address, 8 * COUNT)?;
    let mut numbers = [0; COUNT];
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
        *number = i64::from_ne_bytes(bytes.try_into().unwrap_or_default());
    }
    Ok(numbers)
}

fn times(asking: &WaitingCall, address: u64) -> nix::Result<Option<[libc::timespec; 2]>> {
    if address == 0 {
        return Ok(None);
    }
    let [first, part, second, rest] = numbers(asking, address)?;
    Ok(Some([time(first, part), time(second, rest)]))
}

#[cfg(target_arch = "x86_64")]
fn microseconds(asking: &WaitingCall, address: u64) -> nix::Result<Option<[libc::timespec; 2]>> {
    if address == 0 {
        return Ok(None);
    }
    let [first, part, second, rest] = numbers(asking, address)?;
    let nano = |micro: i64| micro.checked_mul(1000).ok_or(Errno::EINVAL);
    Ok(Some([time(first, nano(part)?), time(second, nano(rest)?)]))
}

#[cfg(target_arch = "x86_64")]
fn seconds(asking: &WaitingCall, address: u64) -> nix::Result<Option<[libc::timespec; 2]>> {
    if address == 0 {
        return Ok(None);
    }
    let [first, second] = numbers(asking, address)?;
    Ok(Some([time(first, 0), time(second, 0)]))
}

fn time(seconds: i64, nanoseconds: i64) -> libc::timespec {
    libc::timespec { tv_sec: seconds, tv_nsec: nanoseconds }
}
