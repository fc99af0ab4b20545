//! Finds the solution or project by its place and its ending, without reading it.

use std::collections::BTreeSet;

use super::config::{PROJECT, WORKING_DIRECTORY};
use crate::model::{ErrorCode, Files, Glob, Problem, Seen, Values, Want, Word, path, shown};

/// The endings of solutions.
const SOLUTIONS: &[&str] = &[".sln", ".slnx"];

/// Files that dotnet takes for a project if it is given none: `.proj`, `.wixproj`, with any content.
const ANY_PROJECT: &str = ".*proj";

/// The endings of projects that are looked for: C#, F# and Visual Basic.
const PROJECTS: &[&str] = &[".csproj", ".fsproj", ".vbproj"];

/// The place to look for the project, from the settings.
#[derive(Debug)]
pub(super) struct DotnetProject {
    folder: String,
    /// The file that they name.
    named: Option<String>,
}

/// The solution or project that is built.
#[derive(Debug, PartialEq)]
pub(super) struct ChosenProject {
    /// Relative to the project's root, or absolute.
    pub(super) file: String,
    /// Whether dotnet, called in its folder, could take another.
    ambiguous: bool,
    /// The other candidates.
    pub(super) others: Vec<String>,
}

impl ChosenProject {
    /// The file's name, if dotnet needs it. Newer test runners take no file there, so it is left out if
    /// possible.
    pub(super) fn word(&self) -> Option<Word> {
        self.ambiguous.then(|| Word::fixed(path::split(&self.file).1))
    }
}

impl DotnetProject {
    /// The place under these settings.
    pub(super) fn new(config: &Values) -> Self {
        let folder = path::join(config.text(&WORKING_DIRECTORY), "");
        let named = Some(config.text(&PROJECT)).filter(|name| !name.is_empty());
        Self { named: named.map(|name| path::join(&folder, name)), folder }
    }

    /// The files in the folder, or if there are none, those below it.
    pub(super) fn wants(&self, seen: &Files) -> Vec<Want> {
        let globs = match &self.named {
            Some(file) => vec![beside(path::split(file).0)],
            None if self.in_folder(seen).is_empty() => vec![beside(&self.folder), below(&self.folder)],
            None => vec![beside(&self.folder)],
        };
        let mut wants = vec![Want::Glob(globs[0].clone())];
        if seen.answers(&wants[0]) {
            wants.extend(globs.into_iter().skip(1).map(Want::Glob));
        }
        wants
    }

    /// The one that the settings name; else a solution in the folder, a project in it, a solution below it, a project
    /// below it.
    ///
    /// # Errors
    /// A problem when there is none.
    pub(super) fn chosen(&self, seen: &Files) -> Result<ChosenProject, Box<Problem>> {
        let (file, others) = match &self.named {
            Some(file) => (named_file(file, seen)?, Vec::new()),
            None => self.first(seen)?,
        };
        let folder = path::split(&file).0;
        let all: BTreeSet<String> = [beside(folder), beside(&self.folder), below(&self.folder)]
            .iter()
            .flat_map(|glob| there(glob, seen))
            .filter(|other| path::split(other).0 == folder)
            .collect();
        Ok(ChosenProject { ambiguous: all.len() > 1, file, others })
    }

    fn first(&self, seen: &Files) -> Result<(String, Vec<String>), Box<Problem>> {
        let near = self.in_folder(seen);
        let far = found(&below(&self.folder), seen);
        for files in [near, far] {
            for endings in [SOLUTIONS, PROJECTS] {
                let mut fitting = files.iter().filter(|file| ends(file, endings)).cloned();
                if let Some(first) = fitting.next() {
                    return Ok((first, fitting.collect()));
                }
            }
        }
        let what = format!("no .sln, .slnx, .csproj, .fsproj or .vbproj in {}", shown(&self.folder));
        let help = "create one with dotnet new, or set working_directory";
        Err(Box::new(Problem::error(ErrorCode::SourceNotFound, what).help(help)))
    }

    fn in_folder(&self, seen: &Files) -> Vec<String> {
        found(&beside(&self.folder), seen)
    }
}

/// The file that the settings name, when it is there.
fn named_file(file: &str, seen: &Files) -> Result<String, Box<Problem>> {
    if !ends(file, SOLUTIONS) && !ends(file, PROJECTS) {
        let what = format!("project must be a solution or a project, not {}", shown(file));
        let problem = Problem::error(ErrorCode::InvalidConfig, what);
        return Err(Box::new(problem.help("it ends in .sln, .slnx, .csproj, .fsproj or .vbproj")));
    }
    if found(&beside(path::split(file).0), seen).iter().any(|there| there == file) {
        return Ok(file.to_owned());
    }
    let what = format!("project not found: {}", shown(file));
    Err(Box::new(Problem::error(ErrorCode::SourceNotFound, what).help("correct `project`, or leave it out")))
}

/// The solutions and projects that a search found, in the order of their names.
fn found(glob: &Glob, seen: &Files) -> Vec<String> {
    there(glob, seen).filter(|file| ends(file, SOLUTIONS) || ends(file, PROJECTS)).collect()
}

/// All that a search found and that can be read.
fn there(glob: &Glob, seen: &Files) -> impl Iterator<Item = String> {
    let matches = seen.globs.get(glob).into_iter().flat_map(|matches| &matches.found);
    let files = matches.filter(|(_, there)| matches!(there, Seen::File(_)));
    files.map(|(name, _)| path::join(&glob.base, name))
}

/// Whether a word names a solution or a project.
pub(super) fn is_project(word: &str) -> bool {
    ends(word, SOLUTIONS) || ends(word, PROJECTS)
}

/// Whether a file has one of these endings. Names that dotnet would read as an option or a file of options do
/// not count.
fn ends(file: &str, endings: &[&str]) -> bool {
    let name = path::split(file).1;
    endings
        .iter()
        .any(|ending| name.len() > ending.len() && name.ends_with(ending) && !name.starts_with(['-', '@']))
}

fn beside(folder: &str) -> Glob {
    search(folder, &[""])
}

fn below(folder: &str) -> Glob {
    search(folder, &["*/", "*/*/"])
}

/// Nothing of the files is read: their names say enough.
fn search(folder: &str, depths: &[&str]) -> Glob {
    let endings = || SOLUTIONS.iter().chain([&ANY_PROJECT]);
    let patterns = depths.iter().flat_map(|depth| endings().map(move |ending| format!("{depth}*{ending}")));
    Glob::new(folder, patterns).without(["node_modules/**", "**/bin/**", "**/obj/**"])
}
