//! Finds eslint's configuration, and chooses the eslint to call.

use super::arguments::PROGRAM;
use crate::model::{Binding, ErrorCode, Problem, StatePart, Want, Word, path};
use crate::plugins::managers::PackageManifest;
use crate::plugins::tasks::SourceLook;

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

/// The program to call with its first words, once eslint is known to be configured for the folder: that of the settings, else the
/// nearest installed one, else that of yarn, else that of the search path. Never npx: it downloads.
pub(super) fn find(look: &mut SourceLook<'_>) -> Option<Vec<Word>> {
    let folder = look.folder().to_owned();
    let written = look.nearest(&CONFIGURATIONS);
    let is_named = look.has_own_command();
    let local = if is_named { None } else { installed(look, &folder) };
    let is_of_yarn = !is_named && look.nearest(&[".pnp.cjs"]).is_some();
    let source = written.or_else(|| in_manifest(look, &folder));
    if !look.is_complete() {
        return None;
    }
    if source.is_none() && !is_named {
        let what = format!("No eslint configuration found in {folder}");
        let help = "create eslint.config.js with npm init @eslint/config, or set working_directory";
        look.fail(Problem::error(ErrorCode::SourceNotFound, what).help(help));
        return None;
    }
    look.name_source(source.as_deref().unwrap_or(&folder));
    look.fact("config", source);
    let Some((called, canonical)) = local else {
        // A script of package.json may have the same name.
        let of_yarn = ["yarn", "run", "--binaries-only", "eslint"];
        return Some(look.command(if is_of_yarn { &of_yarn } else { &["eslint"] }));
    };
    look.fact(PROGRAM, canonical);
    Some(look.command(&[&called]))
}

/// The nearest installed eslint: as it is called from the folder, and its canonical path.
fn installed(look: &mut SourceLook<'_>, folder: &str) -> Option<(String, String)> {
    let places = path::upwards(folder).into_iter().map(|above| path::join(above, "node_modules/.bin/eslint"));
    let places: Vec<String> = places.filter(|file| look.want(Want::File(file.clone()))).collect();
    places.into_iter().find_map(|file| {
        let found = look.files.file(&file).filter(|found| found.executable)?;
        Some((path::within(folder, &file), found.canonical.to_str()?.to_owned()))
    })
}

/// The nearest package.json with a configuration in it, where nothing else is one.
fn in_manifest(look: &mut SourceLook<'_>, folder: &str) -> Option<String> {
    if !look.is_complete() {
        return None;
    }
    let files = path::upwards(folder).into_iter().map(|above| path::join(above, "package.json"));
    let files: Vec<String> = files.filter(|file| look.want(Want::File(file.clone()))).collect();
    files.into_iter().find(|file| {
        let manifest = look.files.file(file).map(|found| PackageManifest::of(found, file));
        manifest.is_some_and(|manifest| manifest.is_ok_and(|manifest| manifest.configures_eslint))
    })
}

/// Every file that configures eslint in the folder and above it; `fixes`: eslint may write those that are code.
pub(super) fn binding(look: &SourceLook<'_>, fixes: bool) -> Binding {
    let mut binding = Binding::default();
    for folder in path::upwards(look.folder()) {
        let is_code = |name: &str| !name.starts_with('.');
        for name in CONFIGURATIONS.iter().chain(&["package.json", ".eslintignore"]) {
            let after = if fixes && is_code(name) { StatePart::Written } else { StatePart::Same };
            binding.add(after, [path::join(folder, name)]);
        }
    }
    binding
}
