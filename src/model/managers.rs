//! Package managers of JavaScript: what they are called, what they write, and how they are configured: with which shell they
//! run scripts, where packages come from, or which other program is called instead of them.

use super::{Pathname, path};

/// What installs the packages of a package.json and runs its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageManager {
    /// pnpm.
    Pnpm,
    /// npm.
    Npm,
    /// yarn.
    Yarn,
    /// bun.
    Bun,
}

impl PackageManager {
    /// In the order in which their lock files count when several lie side by side, as during a migration.
    pub const ALL: [Self; 4] = [Self::Pnpm, Self::Npm, Self::Yarn, Self::Bun];

    /// Its program.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Pnpm => "pnpm",
            Self::Npm => "npm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }

    /// The one that is called so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|manager| manager.program() == name)
    }

    /// What it writes beside a package.json that it installed; the first is what it writes today.
    pub const fn lock_files(self) -> &'static [&'static str] {
        match self {
            Self::Pnpm => &["pnpm-lock.yaml"],
            Self::Npm => &["package-lock.json", "npm-shrinkwrap.json"],
            Self::Yarn => &["yarn.lock"],
            Self::Bun => &["bun.lock", "bun.lockb"],
        }
    }

    /// The files in the folder of a package.json from which it sets variables of what it runs.
    pub const fn variable_files(self) -> &'static [&'static str] {
        match self {
            Self::Bun => &[
                ".env",
                ".env.local",
                ".env.development",
                ".env.development.local",
                ".env.production",
                ".env.production.local",
                ".env.test",
                ".env.test.local",
            ],
            Self::Npm | Self::Pnpm | Self::Yarn => &[],
        }
    }

    /// How to get it.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Npm => "install Node.js, which brings npm: https://nodejs.org",
            Self::Pnpm => "install pnpm: npm install --global pnpm, or corepack enable pnpm",
            Self::Yarn => "install yarn: npm install --global yarn, or corepack enable yarn",
            Self::Bun => "install bun: npm install --global bun, or see https://bun.sh",
        }
    }
}

/// The files that say how they are configured, in whatever folder.
const FILES: [&str; 7] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
];

/// These in a folder and those above it.
pub fn configuration_of_managers(folder: &str) -> Vec<Pathname> {
    let folders = path::upwards(folder);
    folders.iter().flat_map(|folder| FILES.map(|name| path::join(folder, name))).collect()
}
