//! The parts of containment that this kernel has.

use std::sync::OnceLock;

use nix::libc;

use super::namespace::Namespace;
use super::{enter, files};

/// The parts of containment that this kernel has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainmentSupport {
    /// The version of Landlock; 0 without it.
    pub landlock: i64,
    /// Whether system calls can be judged.
    pub judges: bool,
    /// Whether a run can have mounts of its own.
    pub namespaces: bool,
    /// What is not held.
    pub missing: Vec<&'static str>,
}

/// Whether this kernel holds files and judges system calls. It is asked once.
pub fn is_supported() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| files::version() > 0 && judges())
}

/// Asks the kernel. A container may still refuse what the kernel has: each run tries, and says so.
pub fn support() -> ContainmentSupport {
    let (landlock, judges) = (files::version(), judges());
    let mut missing = if landlock < 1 { vec![files::NO_LANDLOCK] } else { files::missing(landlock) };
    if !judges {
        missing.push("system calls: this kernel has no filter that asks, or a container forbids it");
    }
    let namespaces = Namespace::is_possible();
    if !namespaces {
        missing.push(enter::SHARED);
    }
    ContainmentSupport { landlock, judges, namespaces, missing }
}

/// Whether the kernel lets a program judge another's calls.
fn judges() -> bool {
    let action: u32 = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the kernel reads one number.
    #[expect(unsafe_code, reason = "no crate of ours has this call")]
    let result =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    result == 0
}
