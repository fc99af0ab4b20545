//! Files, signals and abstract sockets, held by Landlock. It grants and never refuses: hidden paths are hidden by granting what
//! stands beside them.

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, Scope,
};
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::libc;
use nix::sys::stat::Mode;

use super::kept_rules::{FileRules, RulesOrigin};
use super::looks::{Looks, opened};
use super::namespace::{HiddenPaths, SHARED_MEMORY};
use super::siblings::beside;
use crate::files::canonical;
use crate::model::Fences;

/// The rights over files that are known here. A newer kernel's are not asked for: a right without rules would refuse everything.
const FILES: ABI = ABI::V5;
/// The version with rights over TCP ports, and that with scopes for signals and abstract sockets.
const PORTS: ABI = ABI::V4;
const SCOPES: ABI = ABI::V6;

/// Devices that a run reads and writes. The others, terminals among them, stay closed.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts/ptmx",
];

/// Folders that nobody writes: doors of the kernel, not files.
const UNWRITTEN: [&str; 2] = ["/proc", "/sys"];

/// The reason where files cannot be held.
pub(super) const NO_LANDLOCK: &str = "files: this kernel has no Landlock, or a container forbids it";

/// Folders that are never read as others are: devices, and what the kernel shows to its debuggers.
const CLOSED: [&str; 4] = ["/dev", "/sys/kernel/debug", "/sys/kernel/tracing", "/sys/kernel/security"];

/// The rules as the kernel keeps them, and the rules that this kernel does not know. With a namespace of its own a run gets some of them
/// there.
pub(super) fn ruleset(
    of: &RulesOrigin<'_>,
    hidden: &HiddenPaths,
    looks: &mut Looks,
) -> io::Result<FileRules> {
    let version = version();
    if version < 1 {
        return Ok((None, vec![NO_LANDLOCK]));
    }
    let closed: Vec<PathBuf> = hidden.closed.iter().cloned().chain(CLOSED.map(PathBuf::from)).collect();
    let made = grant(of, &closed, looks).map_err(|error| io::Error::other(error.to_string()))?;
    let made = Option::<OwnedFd>::from(made).map(Rc::new);
    if let Some(made) = &made {
        // Some hundred paths, files among them: each has these rights.
        for path in beside(Path::new("/"), &closed, looks).iter().filter_map(|path| opened(path)) {
            add_rule(made, &path, read())?;
        }
    }
    Ok((made, missing(version)))
}

/// The rights over folders that a run writes.
fn write() -> BitFlags<AccessFs> {
    AccessFs::from_all(FILES) & !(AccessFs::IoctlDev | AccessFs::MakeBlock | AccessFs::MakeChar)
}

/// The rights over what a run reads.
fn read() -> BitFlags<AccessFs> {
    AccessFs::Execute | AccessFs::ReadFile
}

/// The rights over devices that a run uses.
fn device() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev
}

/// In the child, once its own mounts are there: opens them to it.
///
/// # Errors
/// The kernel's.
pub(super) fn grant_own_mounts(ruleset: &OwnedFd) -> nix::Result<()> {
    for (path, rights) in [(c"/dev/shm", write()), (c"/dev/pts", device())] {
        // A link leads to memory that is no mount of the run's.
        let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let Ok(folder) = open(path, flags, Mode::empty()) else { continue };
        let known = AccessFs::from_all(ABI::from(i32::try_from(version()).unwrap_or_default()));
        add_rule(ruleset, &folder, rights & known)?;
    }
    Ok(())
}

/// The kind of a rule over what lies in a folder.
const BENEATH_FOLDER: libc::c_int = 1;

/// A rule over what lies in a folder, as the kernel reads it.
#[repr(C, packed)]
struct BeneathFolder {
    rights: u64,
    folder: RawFd,
}

/// Adds a rule with rights that this kernel knows, and that a file has too where the path is one. It allocates nothing.
fn add_rule(ruleset: &OwnedFd, path: &OwnedFd, rights: BitFlags<AccessFs>) -> nix::Result<()> {
    let rule = BeneathFolder { rights: rights.bits(), folder: path.as_raw_fd() };
    // SAFETY: the kernel reads the rule, which is laid out as it wants it.
    #[expect(unsafe_code, reason = "the crate's own call allocates, and looks at the path once more")]
    let result = unsafe {
        libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), BENEATH_FOLDER, &raw const rule, 0)
    };
    Errno::result(result).map(drop)
}

/// The rules but those over what is only read; no path in a closed one gets any.
fn grant(
    of: &RulesOrigin<'_>,
    closed: &[PathBuf],
    looks: &mut Looks,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let RulesOrigin { confinement, terminal, has_namespace } = of;
    let fences = &confinement.fences;
    let all = AccessFs::from_all(FILES);
    let mut made = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .handle_access(AccessNet::from_all(PORTS))?
        .scope(Scope::from_all(SCOPES))?
        .create()?;
    // Names are seen everywhere, as `ls` wants it.
    made = add(made, looks.open(Path::new("/")), AccessFs::ReadDir.into())?;
    let Fences { writable, kept, shown, .. } = fences;
    for root in writable {
        let kept =
            kept.iter().cloned().chain(UNWRITTEN.map(PathBuf::from)).filter(|one| one.starts_with(root));
        let kept: Vec<PathBuf> = closed.iter().cloned().chain(kept).collect();
        for path in beside(root, &kept, looks) {
            made = add(made, looks.open(&path), write())?;
        }
    }
    for path in shown.iter().filter(|path| !fences.keeps(path)) {
        let rights = if fences.opens(path) { write() } else { read() | AccessFs::ReadDir };
        made = add(made, looks.open(path), rights)?;
    }
    if !has_namespace {
        made = add(made, looks.open(&canonical(Path::new(SHARED_MEMORY))), write())?;
    }
    for path in DEVICES.iter().map(Path::new).chain(terminal.as_deref()) {
        made = add(made, looks.open(path), device())?;
    }
    Ok(made)
}

/// Grants a right; the crate leaves out over a file those that only folders have.
fn add(
    made: RulesetCreated,
    opened: Option<OwnedFd>,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    match opened {
        Some(opened) => made.add_rule(PathBeneath::new(opened, rights)),
        None => Ok(made),
    }
}

/// The version of Landlock in this kernel; 0 without it.
pub(super) fn version() -> i64 {
    const VERSION: libc::c_uint = 1;
    // SAFETY: without attributes and with this flag the call only returns a number.
    #[expect(unsafe_code, reason = "no crate of ours has this call")]
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) };
    version.max(0)
}

/// The rules that an older version does not know. The judge holds ports, sockets and metadata in any case.
pub(super) fn missing(version: i64) -> Vec<&'static str> {
    [
        (3, "cutting files outside short (Landlock 3, Linux 6.2)"),
        (5, "commands to devices outside (Landlock 5, Linux 6.10)"),
        (6, "signals to processes outside (Landlock 6, Linux 6.12)"),
    ]
    .into_iter()
    .filter(|(since, _)| version < *since)
    .map(|(_, what)| what)
    .collect()
}
