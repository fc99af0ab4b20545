//! How package managers are configured: with which shell they run scripts, where packages come from, or which other program
//! is called instead of them.

use super::{Want, path};

/// The files that say so, in whatever folder.
const FILES: [&str; 6] =
    [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "pnpm-workspace.yaml", ".pnpmfile.cjs"];

/// These in a folder and those above it.
pub fn configuration_of_managers(folder: &str) -> Vec<Want> {
    let folders = path::upwards(folder);
    folders.iter().flat_map(|folder| FILES.map(|name| Want::File(path::join(folder, name)))).collect()
}
