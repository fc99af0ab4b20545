//! Finds eslint's configuration, and chooses the eslint to call.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::config::{COMMAND, WORKING_DIRECTORY};
use crate::model::{Binding, ErrorCode, Files, Glob, Problem, Seen, StatePart, Values, Want, Word, path};
use crate::plugins::tasks::words;

/// The names of configuration files: those of eslint 9 and later first, as eslint itself prefers them.
const CONFIGURATIONS: [&str; 12] = [
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    "eslint.config.mts",
    "eslint.config.cts",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.yaml",
    ".eslintrc.yml",
    ".eslintrc.json",
    ".eslintrc",
];

/// One folder to lint, and the eslint for it.
#[derive(Debug)]
pub(super) struct EslintProject {
    /// The folder that eslint runs in.
    pub(super) folder: String,
    /// The configuration that is nearest; `None` where none was found and the operator's command may name one.
    pub(super) source: Option<String>,
    /// The program to call.
    pub(super) program: EslintProgram,
}

/// Which eslint is called.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EslintProgram {
    /// The project's own.
    Local {
        /// As it is called from the folder: `node_modules/.bin/eslint`.
        called: String,
        /// Its canonical path.
        canonical: String,
    },
    /// The project's own, which yarn keeps without a folder of modules and starts itself.
    OfYarn,
    /// The eslint of the search path.
    OnPath,
    /// The command that the operator wrote.
    Settings(Vec<Word>),
}

impl EslintProgram {
    /// The program and its first words.
    pub(super) fn words(&self) -> Vec<Word> {
        match self {
            Self::Local { called, .. } => words([called.as_str()]),
            // A script of package.json may have the same name.
            Self::OfYarn => words(["yarn", "run", "--binaries-only", "eslint"]),
            Self::OnPath => words(["eslint"]),
            Self::Settings(words) => words.clone(),
        }
    }

    /// The canonical path of the project's own.
    pub(super) fn canonical(&self) -> Option<String> {
        if let Self::Local { canonical, .. } = self { Some(canonical.clone()) } else { None }
    }
}

impl EslintProject {
    /// The files that may be a configuration, nearest first; package.json only if nothing else is one.
    pub(super) fn wants(config: &Values, seen: &Files) -> Vec<Want> {
        let folder = folder(config);
        let folders = path::upwards(&folder);
        let mut wants: Vec<Want> = folders.iter().map(|folder| Want::Glob(configurations(folder))).collect();
        if !config.has(&COMMAND) {
            wants.extend(folders.iter().map(|folder| Want::File(installed(folder))));
            wants.extend(folders.iter().map(|folder| Want::Glob(plug_n_play(folder))));
        }
        if !wants.iter().all(|want| seen.answers(want)) {
            return wants;
        }
        if written(&folders, seen).is_none() {
            wants.extend(folders.iter().map(|folder| Want::File(path::join(folder, "package.json"))));
        }
        wants
    }

    /// Every file that configures eslint in the folder and above it; `fixes`: eslint may write those that are code.
    pub(super) fn binding(config: &Values, fixes: bool) -> Binding {
        let mut binding = Binding::default();
        for folder in path::upwards(&folder(config)) {
            let is_code = |name: &str| !name.starts_with('.');
            for name in CONFIGURATIONS.iter().chain(&["package.json", ".eslintignore"]) {
                let after = if fixes && is_code(name) { StatePart::Written } else { StatePart::Same };
                binding.add(after, [path::join(folder, name)]);
            }
        }
        binding
    }

    /// The folder under these settings, when eslint is configured for it.
    ///
    /// # Errors
    /// A problem when it is not, or when `command` is no command.
    pub(super) fn new(config: &Values, seen: &Files) -> Result<Self, Box<Problem>> {
        let folder = folder(config);
        let program = program(config, &folder, seen)?;
        let folders = path::upwards(&folder);
        let source = written(&folders, seen).or_else(|| in_manifest(&folders, seen));
        if source.is_none() && !config.has(&COMMAND) {
            let what = format!("No eslint configuration found in {folder}");
            let help = "create eslint.config.js with npm init @eslint/config, or set working_directory";
            return Err(Problem::error(ErrorCode::SourceNotFound, what).help(help).into());
        }
        Ok(Self { folder, source, program })
    }
}

fn folder(config: &Values) -> String {
    path::join(".", config.text(&WORKING_DIRECTORY))
}

/// Asks for configuration files by a glob that reads none of their content: only that one is there counts.
fn configurations(folder: &str) -> Glob {
    Glob::new(folder, CONFIGURATIONS)
}

/// The configuration file that is nearest.
fn written(folders: &[&str], seen: &Files) -> Option<String> {
    folders.iter().find_map(|folder| {
        let found = &seen.globs.get(&configurations(folder))?.found;
        let has = |name: &&str| found.get(*name).is_some_and(|seen| *seen != Seen::Missing);
        Some(path::join(folder, CONFIGURATIONS.iter().find(|name| has(name))?))
    })
}

/// The nearest package.json with a configuration in it.
fn in_manifest(folders: &[&str], seen: &Files) -> Option<String> {
    #[derive(Deserialize)]
    struct EslintManifest {
        #[serde(rename = "eslintConfig")]
        configuration: Option<IgnoredAny>,
    }
    folders.iter().map(|folder| path::join(folder, "package.json")).find(|file| {
        let manifest =
            seen.file(file).and_then(|found| serde_json::from_slice::<EslintManifest>(&found.bytes).ok());
        manifest.is_some_and(|manifest| manifest.configuration.is_some())
    })
}

fn installed(folder: &str) -> String {
    path::join(folder, "node_modules/.bin/eslint")
}

/// The file that yarn writes instead of `node_modules`.
fn plug_n_play(folder: &str) -> Glob {
    Glob::new(folder, [".pnp.cjs"])
}

/// The program of the settings, else the nearest installed one, else that of yarn, else that of the search path. Never npx:
/// it downloads.
fn program(config: &Values, folder: &str, seen: &Files) -> Result<EslintProgram, Box<Problem>> {
    if config.has(&COMMAND) {
        let (program, words) = config.program(&COMMAND)?;
        return Ok(EslintProgram::Settings(std::iter::once(program).chain(words).collect()));
    }
    let local = path::upwards(folder).into_iter().find_map(|above| {
        let file = installed(above);
        let found = seen.file(&file).filter(|found| found.executable)?;
        let canonical = found.canonical.to_str()?.to_owned();
        Some(EslintProgram::Local { called: path::within(folder, &file), canonical })
    });
    let has_pnp = |folder: &str| {
        let matches = seen.globs.get(&plug_n_play(folder));
        matches.is_some_and(|matches| matches.found.values().any(|seen| *seen != Seen::Missing))
    };
    let is_of_yarn = || path::upwards(folder).into_iter().any(has_pnp);
    Ok(local.unwrap_or_else(|| if is_of_yarn() { EslintProgram::OfYarn } else { EslintProgram::OnPath }))
}
