//! The program that runs the tools of a Python project: its manager, its own environment, or the search path.

use crate::model::Word;
use crate::plugins::tasks::{SourceLook, TaskManifest, TaskProgram, words};

/// The way to get each program.
pub(in crate::plugins) const PROGRAMS: &[(&str, &str)] = &[
    ("uv", "install uv: https://docs.astral.sh/uv"),
    ("poetry", "install poetry: https://python-poetry.org/docs"),
    ("pdm", "install pdm: https://pdm-project.org"),
    ("hatch", "install hatch: https://hatch.pypa.io"),
    ("pipenv", "install pipenv: pip install --user pipenv"),
    ("tox", "install tox: uv tool install tox, or pipx install tox"),
    ("nox", "install nox: uv tool install nox, or pipx install nox"),
    ("invoke", "install invoke: uv tool install invoke, or pipx install invoke"),
    ("prek", "install prek: uv tool install prek, or pipx install prek"),
    ("pre-commit", "install pre-commit: uv tool install pre-commit, or pipx install pre-commit"),
];

/// The program that runs the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PythonRunner {
    Uv,
    Poetry,
    Pdm,
    Pipenv,
    /// The folder `.venv`, or else the search path.
    Environment,
}

impl PythonRunner {
    const MANAGERS: [Self; 4] = [Self::Uv, Self::Poetry, Self::Pdm, Self::Pipenv];

    /// The manager whose lock file is there, else the one that pyproject.toml is written for.
    pub(super) fn of(look: &mut SourceLook<'_>, manifest: Option<&TaskManifest>) -> Self {
        let locks = Self::MANAGERS.map(Self::lock_file);
        let locked = look.first(&locks);
        let has = |keys: &[&str]| manifest.is_some_and(|manifest| manifest.get(keys).is_some());
        let backend = manifest.and_then(|manifest| manifest.str(&["build-system", "build-backend"]));
        match Self::MANAGERS.into_iter().find(|manager| Some(manager.lock_file()) == locked) {
            Some(manager) => manager,
            None if has(&["tool", "poetry"]) && backend.is_some_and(|name| name.starts_with("poetry")) => {
                Self::Poetry
            }
            None if has(&["tool", "uv"]) => Self::Uv,
            None if has(&["tool", "poetry"]) => Self::Poetry,
            None if has(&["tool", "pdm", "dev-dependencies"]) || has(&["tool", "pdm", "scripts"]) => {
                Self::Pdm
            }
            None => Self::Environment,
        }
    }

    const fn lock_file(self) -> &'static str {
        match self {
            Self::Uv => "uv.lock",
            Self::Poetry => "poetry.lock",
            Self::Pdm => "pdm.lock",
            Self::Pipenv | Self::Environment => "Pipfile.lock",
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Uv => "uv",
            Self::Poetry => "poetry",
            Self::Pdm => "pdm",
            Self::Pipenv => "pipenv",
            Self::Environment => "python",
        }
    }

    /// Whether it keeps what it installs in the folder `.venv`.
    pub(super) fn keeps_environment(self) -> bool {
        matches!(self, Self::Uv | Self::Pdm)
    }

    /// The command that installs what the project depends on.
    pub(super) fn installs(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Uv => Some(&["uv", "sync"]),
            Self::Poetry => Some(&["poetry", "install"]),
            Self::Pdm => Some(&["pdm", "install"]),
            Self::Pipenv => Some(&["pipenv", "sync", "--dev"]),
            Self::Environment => None,
        }
    }

    /// The words that run a tool of the project.
    pub(super) fn words(self, look: &mut SourceLook<'_>, own: &[&str]) -> Vec<Word> {
        if self == Self::Environment && !look.has_own_command() {
            let installed = format!(".venv/bin/{}", own[0]);
            let program = if look.has_file(&installed) { installed.as_str() } else { own[0] };
            return words(std::iter::once(program).chain(own[1..].iter().copied()));
        }
        look.program(&[self.name(), "run"]).words(own)
    }
}

/// The words that run a tool which many keep beside their projects: through the manager where pyproject.toml names it.
pub(in crate::plugins) fn tool(look: &mut SourceLook<'_>, name: &str) -> TaskProgram {
    let manifest = look.manifest("pyproject.toml");
    let runner = PythonRunner::of(look, manifest.as_ref());
    let is_named = is_named(look, name);
    let is_of_runner = is_named || runner == PythonRunner::Environment;
    TaskProgram(if is_of_runner { runner.words(look, &[name]) } else { look.command(&[name]) })
}

/// Whether pyproject.toml names a package: in a list of dependencies, or as a key.
pub(in crate::plugins) fn is_named(look: &mut SourceLook<'_>, name: &str) -> bool {
    let text = look.text("pyproject.toml").unwrap_or_default();
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || "-_.".contains(c));
    let fronts = ["\"", "'", "\n"].map(|front| format!("{front}{name}"));
    fronts
        .iter()
        .any(|front| text.match_indices(front.as_str()).any(|(at, _)| !goes_on(&text[at + front.len()..])))
}
