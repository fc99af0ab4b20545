//! The package managers that have a plugin, and their facts for it.

use super::config;
use crate::model::Field;
use crate::plugins::managers::PackageManager;

/// A program that installs the packages of a package.json.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    Npm,
    Pnpm,
    Bun,
}

impl Manager {
    /// Each of them.
    pub(super) const ALL: [Self; 3] = [Self::Npm, Self::Pnpm, Self::Bun];

    /// The manager as all plugins of packages know it.
    pub(super) const fn known(self) -> PackageManager {
        match self {
            Self::Npm => PackageManager::Npm,
            Self::Pnpm => PackageManager::Pnpm,
            Self::Bun => PackageManager::Bun,
        }
    }

    /// Its program, which is also its plugin's id.
    pub(super) const fn program(self) -> &'static str {
        self.known().program()
    }

    /// Its plugin in one line.
    pub(super) const fn summary(self) -> &'static str {
        match self {
            Self::Npm => "Packages of package.json, installed by npm",
            Self::Pnpm => "Packages of package.json, installed by pnpm",
            Self::Bun => "Packages of package.json, installed by bun",
        }
    }

    /// The front of its plugin's error codes.
    pub(super) const fn code_prefix(self) -> &'static str {
        match self {
            Self::Npm => "NPM",
            Self::Pnpm => "PNPM",
            Self::Bun => "BUN",
        }
    }

    /// The keys of its plugin's config.
    pub(super) const fn config(self) -> &'static [Field] {
        match self {
            Self::Npm => &config::NPM,
            Self::Pnpm => &config::PNPM,
            Self::Bun => &config::BUN,
        }
    }

    /// The lock files that it writes next to a package.json, the current one first.
    pub(super) const fn lock_files(self) -> &'static [&'static str] {
        self.known().lock_files()
    }

    /// The words for an install that changes no lock file, as every version of it understands them.
    pub(super) const fn locked_install(self) -> &'static [&'static str] {
        match self {
            Self::Npm => &["ci"],
            Self::Pnpm | Self::Bun => &["install", "--frozen-lockfile"],
        }
    }

    /// How to get it.
    pub(super) const fn advice(self) -> &'static str {
        self.known().advice()
    }
}
