//! Capabilities of root (Linux). Nothing here allocates: a child between fork and exec may call it.

use nix::errno::Errno;
use nix::libc;

/// The version of what the calls below hand over: two sets of 32.
const VERSION: u32 = 0x2008_0522;

/// The owner of capabilities, as the kernel reads it: this process itself.
#[repr(C)]
struct Head {
    version: u32,
    process: libc::c_int,
}

/// 32 capabilities, as the kernel reads them.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Set {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// The first 32 capabilities that this process can use, as bits.
///
/// # Errors
/// The kernel's.
#[cfg(feature = "code")]
pub(super) fn effective() -> nix::Result<u32> {
    held().map(|held| held.effective)
}

/// Gives up all capabilities but these, for good. This process hands none on by itself.
///
/// # Errors
/// The kernel's.
pub(super) fn keep(bits: u32) -> nix::Result<()> {
    let held = held()?;
    let kept = Set { effective: held.effective & bits, permitted: held.permitted & bits, inheritable: 0 };
    let (owner, sets) = (Head { version: VERSION, process: 0 }, [kept, Set::default()]);
    // SAFETY: both are laid out as the kernel wants them for this version, and live until it returns.
    #[expect(unsafe_code, reason = "no crate of ours has this call")]
    let result = unsafe { libc::syscall(libc::SYS_capset, &raw const owner, sets.as_ptr()) };
    Errno::result(result).map(drop)
}

fn held() -> nix::Result<Set> {
    let head = Head { version: VERSION, process: 0 };
    let mut sets = [Set::default(); 2];
    // SAFETY: as above.
    #[expect(unsafe_code, reason = "no crate of ours has this call")]
    let result = unsafe { libc::syscall(libc::SYS_capget, &raw const head, sets.as_mut_ptr()) };
    Errno::result(result).map(|_| sets[0])
}
