//! Package managers of JavaScript, as far as several plugins know the same of them.

mod checks;
mod configuration;
mod lock_files;
mod manager;
mod package_json;
mod package_manifest;
#[cfg(test)]
pub(in crate::plugins) mod trial;

pub(in crate::plugins) use checks::{checks, installed_version};
pub(in crate::plugins) use configuration::{configuration_of_managers, settings_of_scripts};
pub(in crate::plugins) use lock_files::{lock_file, lock_files, nearest_lock_file};
pub(in crate::plugins) use manager::{CI, FACT, INSTALL, INSTALLERS, PackageManager, runner};
pub(in crate::plugins) use package_json::{needs, package_json};
pub(in crate::plugins) use package_manifest::{HOOKS, PackageManifest, PackageScript, what_runs};
