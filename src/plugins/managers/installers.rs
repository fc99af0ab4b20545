//! The tools that install packages, as those of every manager are called.

/// Installs what package.json says, or adds packages to it.
pub(in crate::plugins) const INSTALL: &str = "install";
/// Installs exactly what the lock file says.
pub(in crate::plugins) const CI: &str = "ci";

/// Both, the one that goes by a lock file first.
pub(in crate::plugins) const INSTALLERS: [&str; 2] = [CI, INSTALL];
