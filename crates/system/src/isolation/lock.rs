//! The moment after which the process has nothing.

use std::io;

use super::resources::{Bounds, Resources};
#[cfg(target_os = "linux")]
use super::{files, privileges, system_calls};

/// The layers that hold. A test leaves some out, to show that each holds alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layers {
    /// All system calls but a few are refused.
    pub system_calls: bool,
    /// Files, sockets and signals are refused by name.
    pub files: bool,
    /// Memory, processor time and descriptors have an end.
    pub resources: bool,
}

impl Layers {
    /// All that there are.
    pub const ALL: Self = Self { system_calls: true, files: true, resources: true };
}

/// Gives up everything but the two pipes, for good. Returns the layers that hold.
///
/// # Errors
/// When what this system has could not be given up: nothing of a stranger may be touched then. A kernel without
/// Landlock is none: what the first layer refuses is more.
pub fn lock_down(bounds: Bounds, wanted: Layers) -> io::Result<Layers> {
    // First of all: root can raise its limits again.
    privileges::give_up()?;
    refuse(bounds, wanted)
}

/// The layers alone.
pub(super) fn refuse(bounds: Bounds, wanted: Layers) -> io::Result<Layers> {
    let resources = wanted.resources.then(|| Resources::beyond(bounds));
    // Files first: that takes a descriptor. System calls last: all of this takes some.
    let files = wanted.files && files::refuse()?;
    resources.map_or(Ok(()), Resources::limit)?;
    let system_calls = wanted.system_calls && system_calls::refuse()?;
    Ok(Layers { system_calls, files, resources: wanted.resources })
}

/// The attempts that only Linux knows.
#[cfg(not(target_os = "linux"))]
mod files {
    #[expect(clippy::unnecessary_wraps, reason = "the same as where it can fail")]
    pub(super) fn refuse() -> std::io::Result<bool> {
        Ok(false)
    }
}

#[cfg(not(target_os = "linux"))]
use files as system_calls;

#[cfg(not(target_os = "linux"))]
mod privileges {
    #[expect(clippy::unnecessary_wraps, reason = "the same as where it can fail")]
    pub(super) fn give_up() -> std::io::Result<()> {
        Ok(())
    }
}
