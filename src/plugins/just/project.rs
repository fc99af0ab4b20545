//! The place of the justfile, and the words that just is called with for it.

use super::config::{JUST_COMMAND, JUSTFILE_PATH, WORKING_DIRECTORY};
use crate::model::{Fault, Files, Problem, Seen, Values, Want, Word, path, shown};

/// The names that just looks for, in the order of preference.
pub(super) const USUAL: [&str; 3] = ["justfile", "Justfile", ".justfile"];

/// One justfile, and the folder that just is started in.
#[derive(Debug)]
pub(super) struct Project {
    /// The justfile: relative to the project's root, or absolute.
    pub(super) file: String,
    /// The folder that just is started in.
    pub(super) folder: String,
    /// The program.
    pub(super) program: Word,
    /// Its first words: those of the settings, and the justfile as it is called in the folder.
    pub(super) words: Vec<Word>,
}

impl Project {
    /// The justfile under these settings, as far as `seen` decides which one it is.
    ///
    /// # Errors
    /// A problem when `just_command` is no command.
    pub(super) fn new(config: &Values, seen: &Files) -> Result<Self, Box<Problem>> {
        let (program, mut words) = config.program(&JUST_COMMAND)?;
        let folder = folder(config);
        let candidates = candidates(config);
        let existing = candidates.iter().find(|candidate| seen.exists(candidate));
        let file = existing.unwrap_or(&candidates[0]).clone();
        let own = path::within(&folder, &file);
        // just would take `-` for its standard input.
        let own = if own.starts_with('-') { format!("./{own}") } else { own };
        words.push(Word::fixed("--justfile"));
        words.push(if is_default(config) { Word::fixed(own) } else { Word::settings(own) });
        Ok(Self { file, folder, program, words })
    }

    /// The files that may be the justfile.
    pub(super) fn wants(config: &Values) -> Vec<Want> {
        candidates(config).into_iter().map(Want::File).collect()
    }

    /// The program, where the inherited search path decides which one it is.
    pub(super) fn sought(&self, config: &Values) -> Option<String> {
        let inherits = config.environment().iter().all(|change| change.name != "PATH");
        (inherits && !self.program.text.contains('/')).then(|| self.program.text.clone())
    }

    /// Checks that the justfile can be read.
    ///
    /// # Errors
    /// A problem when it is missing or unreadable.
    pub(super) fn check(&self, seen: &Files) -> Result<(), Box<Problem>> {
        let file = shown(&self.file);
        let (what, help) = match seen.files.get(&self.file) {
            Some(Seen::File(_)) => return Ok(()),
            Some(Seen::Unreadable(why)) => {
                (format!("{file} cannot be read: {why}"), "make it a readable file")
            }
            Some(Seen::Missing) | None => (
                format!("justfile not found: {file}"),
                "create it, or set justfile_path and working_directory",
            ),
        };
        Err(Problem::error(Fault::SourceNotFound, what).help(help).into())
    }
}

/// The files that may be the justfile, the preferred one first.
pub(super) fn candidates(config: &Values) -> Vec<String> {
    let folder = folder(config);
    if is_default(config) {
        return USUAL.map(|name| path::join(&folder, name)).into();
    }
    vec![path::join(&folder, config.text(&JUSTFILE_PATH))]
}

fn folder(config: &Values) -> String {
    path::join(".", config.text(&WORKING_DIRECTORY))
}

/// Whether `justfile_path` names the file that just itself prefers.
fn is_default(config: &Values) -> bool {
    path::join(".", config.text(&JUSTFILE_PATH)) == USUAL[0]
}
