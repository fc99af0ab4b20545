//! The configuration files of package managers. They choose the shell of scripts, the source of packages, or
//! another program to call instead.

use crate::model::{Pathname, path};

/// Their names, in any folder.
const FILES: [&str; 7] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
];

/// Those of a folder and of the folders above it.
pub(in crate::plugins) fn configuration_of_managers(folder: &str) -> Vec<Pathname> {
    let folders = path::upwards(folder);
    folders.iter().flat_map(|folder| FILES.map(|name| path::join(folder, name))).collect()
}
