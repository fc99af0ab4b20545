//! The parts of containment that this kernel has.

use std::sync::OnceLock;

use nix::libc;

use super::files;

/// The parts of containment that this kernel has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainmentSupport {
    /// The version of Landlock; 0 without it.
    pub landlock: i64,
    /// Whether system calls can be judged.
    pub judges: bool,
    /// What is not held.
    pub missing: Vec<&'static str>,
}

/// Whether this kernel holds files and judges system calls. It is asked once.
pub fn is_supported() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let support = support();
        support.landlock > 0 && support.judges
    })
}

/// Asks the kernel. A container may still refuse what the kernel has: each run tries, and says so.
pub fn support() -> ContainmentSupport {
    let landlock = files::version();
    let action: u32 = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the kernel reads one number.
    #[expect(unsafe_code, reason = "no crate of ours has this call")]
    let judges =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) }
            == 0;
    let mut missing = if landlock < 1 { vec![files::NO_LANDLOCK] } else { files::missing(landlock) };
    if !judges {
        missing.push("system calls: this kernel has no filter that asks, or a container forbids it");
    }
    ContainmentSupport { landlock, judges, missing }
}
