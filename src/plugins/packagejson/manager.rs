//! The package managers, and which of them a package uses.

use crate::model::{Fault, Location, Problem, shown};

/// A program that runs the scripts of a package.json.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    Pnpm,
    Npm,
    Yarn,
    Bun,
}

impl Manager {
    /// In the order in which their lock files count when several lie side by side, as during a migration.
    pub(super) const ALL: [Self; 4] = [Self::Pnpm, Self::Npm, Self::Yarn, Self::Bun];

    /// Its program, which is also the front of its tools' names.
    pub(super) const fn program(self) -> &'static str {
        match self {
            Self::Pnpm => "pnpm",
            Self::Npm => "npm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }

    /// The one that is called so.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|manager| manager.program() == name)
    }

    /// What it writes beside a package.json that it installed.
    pub(super) const fn lock_files(self) -> &'static [&'static str] {
        match self {
            Self::Pnpm => &["pnpm-lock.yaml"],
            Self::Npm => &["package-lock.json", "npm-shrinkwrap.json"],
            Self::Yarn => &["yarn.lock"],
            Self::Bun => &["bun.lock", "bun.lockb"],
        }
    }

    /// What only it reads: a sign of it where no lock file was written yet.
    pub(super) const fn own_files(self) -> &'static [&'static str] {
        match self {
            Self::Pnpm => &[super::workspaces::PNPM],
            Self::Npm => &[],
            Self::Yarn => &[".yarnrc.yml", ".pnp.cjs"],
            Self::Bun => &["bunfig.toml"],
        }
    }

    /// How to get it.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::Npm => "install Node.js, which brings npm: https://nodejs.org",
            Self::Pnpm => "install pnpm: npm install --global pnpm, or corepack enable pnpm",
            Self::Yarn => "install yarn: npm install --global yarn, or corepack enable yarn",
            Self::Bun => "install bun: npm install --global bun, or see https://bun.sh",
        }
    }

    /// The one that a manifest's field asks for: `pnpm@9.1.0` is pnpm.
    ///
    /// # Errors
    /// A warning that names the field, for a manager that is not known here.
    pub(super) fn asked_for(key: &str, value: &str, file: &str) -> Result<Self, Box<Problem>> {
        let name = value.split('@').next().unwrap_or_default().trim();
        Self::named(name).ok_or_else(|| {
            let what = format!("`{key}` asks for \"{}\", which is not known here", shown(value));
            let problem = Problem::warning(what).numbered(Fault::InvalidProgram);
            Box::new(
                problem
                    .at(Location::file(file))
                    .help("set package_manager to npm, pnpm, yarn or bun; lock files decide until then"),
            )
        })
    }
}
