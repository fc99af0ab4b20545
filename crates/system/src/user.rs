//! The user of this process.

use nix::unistd::geteuid;

/// The number of the user.
pub fn own() -> u32 {
    geteuid().as_raw()
}

/// Whether it is the administrator.
pub fn is_root() -> bool {
    geteuid().is_root()
}
