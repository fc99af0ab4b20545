//! The package managers: what they are called, what they write, how they are had.

use super::config;
use crate::model::Field;

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

    /// Its program, which is also its plugin's id.
    pub(super) const fn program(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pnpm => "pnpm",
            Self::Bun => "bun",
        }
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

    /// What it writes beside a package.json that it installed; the first is what it writes today.
    pub(super) const fn lock_files(self) -> &'static [&'static str] {
        match self {
            Self::Npm => &["package-lock.json", "npm-shrinkwrap.json"],
            Self::Pnpm => &["pnpm-lock.yaml"],
            Self::Bun => &["bun.lock", "bun.lockb"],
        }
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
        match self {
            Self::Npm => "install Node.js, which brings npm: https://nodejs.org",
            Self::Pnpm => "install pnpm: npm install --global pnpm, or corepack enable pnpm",
            Self::Bun => "install bun: npm install --global bun, or see https://bun.sh",
        }
    }
}
