//! A mount namespace of a run's own: shared memory and pseudo-terminals that no other program has, and covers over hidden paths in
//! folders that the run writes, or everybody.
//!
//! Landlock opens `/dev/shm` as a whole or not at all, and hides a path only by granting what stands beside it: nothing new could
//! be made in the folder above, and a full `/tmp` would have hundreds of rules. Where the system gives no namespace, it does both nevertheless, and the report says so.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::libc;
use nix::sched::{CloneFlags, clone};
use nix::sys::prctl::{get_dumpable, set_dumpable};
use nix::sys::signal::{SigSet, SigmaskHow};
use nix::sys::stat::{Mode, SFlag, mknod, stat};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{getegid, geteuid, write};

use super::looks::Looks;
use crate::files::{self, FileKind};
use crate::model::Fences;

/// Memory that processes share by names.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";
/// Pseudo-terminals.
const TERMINALS: &str = "/dev/pts";
/// Everybody may write it.
const EVERYBODY: u32 = 0o002;
/// How many bytes of stack the trial has.
const STACK: usize = 64 * 1024;
/// The file that covers hidden files: nobody may read it.
const COVER: &str = "containment-cover";

/// The mounts of a run, prepared: a child can allocate nothing.
#[derive(Debug)]
pub(super) struct Namespace {
    mounts: Vec<BindMount>,
    /// The texts with which an ordinary user stays itself in a namespace of users, which lets it mount.
    maps: Vec<(&'static CStr, String)>,
}

#[derive(Debug)]
struct BindMount {
    from: CString,
    onto: CString,
    kind: Option<&'static CStr>,
    flags: libc::c_ulong,
    data: Option<&'static CStr>,
}

/// Whether a run has shared memory of its own: not where settings let it write everybody's.
pub(super) fn has_own_memory(fences: &Fences) -> bool {
    !fences.writable.iter().any(|one| one == Path::new(SHARED_MEMORY))
}

impl Namespace {
    /// Prepares it, with the folder that no run reads.
    ///
    /// # Errors
    /// When the file that covers others cannot be made, or a path has a zero in it.
    pub(super) fn prepare(
        fences: &Fences,
        hidden: &HiddenPaths,
        closed: &Path,
        looks: &mut Looks,
    ) -> io::Result<Self> {
        let mut mounts = vec![BindMount::alone(Path::new("/"))?];
        if has_own_memory(fences) {
            mounts.extend(BindMount::new(c"tmpfs", Path::new(SHARED_MEMORY), Some(c"mode=1777"))?);
        }
        mounts.extend(BindMount::new(c"devpts", Path::new(TERMINALS), Some(c"newinstance,ptmxmode=0666"))?);
        looks.at(&closed.join(COVER));
        for path in hidden.to_cover() {
            mounts.extend(BindMount::cover(path, fences, closed)?);
        }
        let user = geteuid();
        let maps = if user.is_root() {
            Vec::new()
        } else {
            vec![
                (c"/proc/self/setgroups", "deny".to_owned()),
                (c"/proc/self/uid_map", format!("{user} {user} 1")),
                (c"/proc/self/gid_map", format!("{0} {0} 1", getegid())),
            ]
        };
        Ok(Self { mounts, maps })
    }

    /// The namespaces that the child starts in.
    pub(super) fn flags(&self) -> CloneFlags {
        let users = if self.maps.is_empty() { CloneFlags::empty() } else { CloneFlags::CLONE_NEWUSER };
        CloneFlags::CLONE_NEWNS | users
    }

    /// Whether this system gives a run a namespace: tries it with a process that ends at once.
    pub(super) fn is_possible() -> bool {
        let (fences, mut looks) = (Fences::default(), Looks::default());
        let hidden = HiddenPaths::of(&fences, true, &mut looks);
        let Ok(namespace) = Self::prepare(&fences, &hidden, Path::new("/"), &mut looks) else {
            return false;
        };
        let mut stack = vec![0; STACK];
        let enter = Box::new(|| isize::from(namespace.enter().is_err()));
        let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK | namespace.flags();
        let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK);
        // SAFETY: this thread stands still until the child has ended, which only makes system calls and allocates nothing.
        #[expect(unsafe_code, reason = "the namespace must be the child's alone")]
        let child = unsafe { clone(enter, &mut stack, flags, Some(libc::SIGCHLD)) };
        let _ = before.map(|before| before.thread_set_mask());
        child.and_then(|child| waitpid(child, None)).is_ok_and(|end| matches!(end, WaitStatus::Exited(_, 0)))
    }

    /// In the child: becomes its user again, and mounts.
    ///
    /// # Errors
    /// The kernel's, where it allows namespaces and not what they are for.
    pub(super) fn enter(&self) -> nix::Result<()> {
        if !self.maps.is_empty() {
            // The child has the memory of its supervisor, which nobody may trace, and the files below belong to the owner of a process
            // only where it may be traced.
            let is_traceable = get_dumpable()?;
            set_dumpable(true)?;
            let become_user = self.maps.iter().try_for_each(|(file, text)| {
                let file = open(*file, OFlag::O_WRONLY | OFlag::O_CLOEXEC, Mode::empty())?;
                write(&file, text.as_bytes()).map(drop)
            });
            set_dumpable(is_traceable)?;
            become_user?;
        }
        self.mounts.iter().try_for_each(BindMount::make)
    }
}

/// The hidden paths by what hides them.
#[derive(Debug)]
pub(super) struct HiddenPaths {
    /// Those that a cover hides, with all that is below: in a folder that the run writes, where they are there, and in one that everybody
    /// writes. Nothing can be mounted over a path that is not there, and a run must not make it either: the rules of files close that one.
    covered: Vec<PathBuf>,
    /// The others, which the rules of files leave out.
    pub(super) closed: Vec<PathBuf>,
}

impl HiddenPaths {
    /// Divides them for a run that has mounts of its own, or has none.
    pub(super) fn of(fences: &Fences, has_namespace: bool, looks: &mut Looks) -> Self {
        let mut everybodys: HashMap<PathBuf, bool> = HashMap::new();
        let mut is_everybodys = |folder: &Path, looks: &mut Looks| {
            if let Some(known) = everybodys.get(folder) {
                return *known;
            }
            looks.at(folder);
            let is_theirs = stat(folder).is_ok_and(|folder| folder.st_mode & EVERYBODY != 0);
            everybodys.insert(folder.to_owned(), is_theirs);
            is_theirs
        };
        let all = fences.hidden.iter().chain(&fences.own).cloned();
        let (covered, closed): (Vec<PathBuf>, _) = all.partition(|path| {
            let is_written = || outermost(fences, path).is_some();
            let is_there = |looks: &mut Looks| {
                looks.at(path);
                files::kind(path).is_some()
            };
            has_namespace
                && (is_written() && is_there(looks)
                    || path.parent().is_some_and(|folder| is_everybodys(folder, looks)))
                && !fences.shown.iter().any(|shown| shown.starts_with(path))
        });
        for path in &covered {
            looks.at(path);
        }
        Self { covered, closed }
    }

    /// Those that are there and that a cover hides.
    fn to_cover(&self) -> Vec<&Path> {
        let paths = self.covered.iter().map(PathBuf::as_path);
        let mut there: Vec<&Path> = paths
            .filter(|path| matches!(files::kind(path), Some(FileKind::Folder | FileKind::Other)))
            .collect();
        there.sort_unstable();
        there.dedup_by(|path, before| path.starts_with(*before));
        // The file that covers files lies in a folder that is covered itself.
        there.sort_by_key(|path| files::kind(path) == Some(FileKind::Folder));
        there
    }
}

/// The outermost folder that a run writes around a path, but for the root of all.
fn outermost<'a>(fences: &'a Fences, path: &Path) -> Option<&'a Path> {
    let around = fences.writable.iter().map(PathBuf::as_path);
    around
        .filter(|root| root.parent().is_some() && path.starts_with(root) && *root != path)
        .min_by_key(|root| root.as_os_str().len())
}

impl BindMount {
    /// The mount points that there are, apart from those outside.
    fn alone(root: &Path) -> io::Result<Self> {
        Self::of(root, root, None, libc::MS_SLAVE | libc::MS_REC, None)
    }

    /// A file system of its own; none where the folder is not there.
    fn new(kind: &'static CStr, onto: &Path, data: Option<&'static CStr>) -> io::Result<Option<Self>> {
        if files::kind(onto) != Some(FileKind::Folder) {
            return Ok(None);
        }
        Self::of(onto, onto, Some(kind), libc::MS_NOSUID | libc::MS_NOEXEC, data).map(Some)
    }

    /// A cover over a hidden path. The folders between it and the one that the run writes become mounts as well: nobody can rename a
    /// mount point, and a renamed folder would take what it has with it, to where a later run does not look.
    fn cover(hidden: &Path, fences: &Fences, closed: &Path) -> io::Result<Vec<Self>> {
        let between = |root: &Path| -> Vec<&Path> {
            hidden.ancestors().skip(1).take_while(|folder| *folder != root).collect()
        };
        let mut between = outermost(fences, hidden).map_or_else(Vec::new, between);
        between.reverse();
        let mut mounts: Vec<Self> = between
            .into_iter()
            .map(|folder| Self::of(folder, folder, None, libc::MS_BIND | libc::MS_REC, None))
            .collect::<Result<_, _>>()?;
        let data = Some(c"mode=0000,size=4k");
        mounts.push(if files::kind(hidden) == Some(FileKind::Folder) {
            Self::of(hidden, hidden, Some(c"tmpfs"), libc::MS_RDONLY | libc::MS_NOSUID, data)?
        } else {
            Self::of(&unreadable(closed)?, hidden, None, libc::MS_BIND, None)?
        });
        Ok(mounts)
    }

    fn of(
        from: &Path,
        onto: &Path,
        kind: Option<&'static CStr>,
        flags: libc::c_ulong,
        data: Option<&'static CStr>,
    ) -> io::Result<Self> {
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes());
        Ok(Self { from: text(from)?, onto: text(onto)?, kind, flags, data })
    }

    /// In the child.
    fn make(&self) -> nix::Result<()> {
        let text = |text: Option<&'static CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
        // SAFETY: all texts end with a zero and outlive the call.
        #[expect(unsafe_code, reason = "the library's own call copies its words")]
        let result = unsafe {
            libc::mount(
                self.from.as_ptr(),
                self.onto.as_ptr(),
                text(self.kind),
                self.flags,
                text(self.data).cast(),
            )
        };
        Errno::result(result).map(drop)
    }
}

/// A file that nobody may read, in the folder that no run reads. Root may read all files, and opens no socket.
fn unreadable(closed: &Path) -> io::Result<PathBuf> {
    let path = closed.join(COVER);
    let kind = if geteuid().is_root() { SFlag::S_IFSOCK } else { SFlag::S_IFREG };
    match mknod(&path, kind, Mode::empty(), 0) {
        Ok(()) | Err(Errno::EEXIST) => Ok(path),
        Err(error) => Err(error.into()),
    }
}
