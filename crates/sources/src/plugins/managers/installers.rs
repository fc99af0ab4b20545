//! The tools that install packages, as those of every manager are called.

/// Installs the dependencies of package.json, or adds packages to it.
pub(in crate::plugins) const INSTALL: &str = "install";
/// Installs exactly the packages of the lock file.
pub(in crate::plugins) const CI: &str = "ci";

/// Both, the one that goes by a lock file first.
pub(in crate::plugins) const INSTALLERS: [&str; 2] = [CI, INSTALL];
