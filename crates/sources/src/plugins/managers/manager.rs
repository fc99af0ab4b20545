//! One package manager: its program, its files, its tools, and how to get it.

use crate::model::Tool;

// The tools that install packages, as those of every manager are called.

/// Installs the dependencies of package.json, or adds packages to it.
pub(in crate::plugins) const INSTALL: &str = "install";
/// Installs exactly the packages of the lock file.
pub(in crate::plugins) const CI: &str = "ci";

/// Both, the one that goes by a lock file first.
pub(in crate::plugins) const INSTALLERS: [&str; 2] = [CI, INSTALL];

/// The fact of a tool that names its manager.
pub(in crate::plugins) const FACT: &str = "package_manager";

/// A package manager: it installs the packages of a package.json and runs its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::plugins) enum PackageManager {
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
    pub(in crate::plugins) const ALL: [Self; 4] = [Self::Pnpm, Self::Npm, Self::Yarn, Self::Bun];

    /// Its program.
    pub(in crate::plugins) const fn program(self) -> &'static str {
        match self {
            Self::Pnpm => "pnpm",
            Self::Npm => "npm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }

    /// The one that is called so.
    pub(in crate::plugins) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|manager| manager.program() == name)
    }

    /// The one whose packages the source of this id installs.
    pub(in crate::plugins) fn of_source(id: &str) -> Self {
        Self::named(id).unwrap_or(Self::Npm)
    }

    /// The lock files that it writes next to a package.json, the current one first.
    pub(in crate::plugins) const fn lock_files(self) -> &'static [&'static str] {
        match self {
            Self::Pnpm => &["pnpm-lock.yaml"],
            Self::Npm => &["package-lock.json", "npm-shrinkwrap.json"],
            Self::Yarn => &["yarn.lock"],
            Self::Bun => &["bun.lock", "bun.lockb"],
        }
    }

    /// The files that only this manager reads: a sign of it if there is no lock file yet.
    pub(in crate::plugins) const fn own_files(self) -> &'static [&'static str] {
        match self {
            Self::Pnpm => &["pnpm-workspace.yaml"],
            Self::Npm => &[],
            Self::Yarn => &[".yarnrc.yml", ".pnp.cjs"],
            Self::Bun => &["bunfig.toml"],
        }
    }

    /// The files in the folder of a package.json from which it sets variables for scripts.
    pub(in crate::plugins) const fn variable_files(self) -> &'static [&'static str] {
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
    pub(in crate::plugins) const fn advice(self) -> &'static str {
        match self {
            Self::Npm => "install Node.js, which brings npm: https://nodejs.org",
            Self::Pnpm => "install pnpm: npm install --global pnpm, or corepack enable pnpm",
            Self::Yarn => "install yarn: npm install --global yarn, or corepack enable yarn",
            Self::Bun => "install bun: npm install --global bun, or see https://bun.sh",
        }
    }
}

/// The manager that runs a tool, where one does.
pub(in crate::plugins) fn runner(tool: &Tool) -> Option<PackageManager> {
    let (_, manager) = tool.metadata.iter().find(|(name, _)| *name == FACT)?;
    PackageManager::named(manager)
}
