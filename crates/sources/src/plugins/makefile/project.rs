//! The place of the Makefile, and the command that calls make for it.

use super::config::{MAKE_COMMAND, MAKEFILE_PATH, WORKING_DIRECTORY};
use crate::model::{Default, ErrorCode, Files, Problem, Values, Want, Word, path};
use crate::plugins::tasks::source_file;

/// The names that make looks for by itself, in its order.
const USUAL: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// One Makefile, and the folder that make runs in.
#[derive(Debug)]
pub(super) struct MakefileProject {
    /// The Makefile: relative to the project's root, or absolute.
    pub(super) file: String,
    /// The folder that make runs in, and that includes are relative to: the same.
    pub(super) folder: String,
    /// The program and its first words: `make`, `make -f other.mk`.
    pub(super) words: Vec<Word>,
    /// The goal of the call, if the Makefile is read for one: the goal may decide what is included.
    pub(super) goal: Option<String>,
}

impl MakefileProject {
    /// The Makefile under these settings, as far as `seen` decides which one make would take.
    ///
    /// # Errors
    /// A problem when `make_command` is no command.
    pub(super) fn new(config: &Values, seen: &Files) -> Result<Self, Box<Problem>> {
        let mut words = make(config)?;
        let folder = folder(config);
        let asked = path::join(".", config.text(&MAKEFILE_PATH));
        let own = usual(&folder).into_iter().find(|candidate| seen.exists(candidate));
        let named = path::join(&folder, &asked);
        let file = match &own {
            Some(own) if is_default(&asked) => own.clone(),
            _ => named,
        };
        if own.as_ref() != Some(&file) && !is_default(&asked) {
            // As make sees it from its folder; it would expand a `~`, and take `-` for its standard input.
            let odd = asked.starts_with(['-', '~']);
            words.push(Word::fixed("-f"));
            words.push(Word::settings(if odd { format!("./{asked}") } else { asked }));
        }
        Ok(Self { file, folder, words, goal: None })
    }

    /// The Makefile itself and those that make would take instead.
    pub(super) fn wants(config: &Values) -> Vec<Want> {
        let folder = folder(config);
        let mut files = usual(&folder).to_vec();
        let named = path::join(&folder, config.text(&MAKEFILE_PATH));
        if !files.contains(&named) {
            files.push(named);
        }
        files.into_iter().map(Want::File).collect()
    }

    /// The program that is called, where the inherited search path decides which one it is.
    pub(super) fn sought(&self, config: &Values) -> Option<String> {
        let inherits = config.environment().iter().all(|change| change.name != "PATH");
        let program = self.words.first().map(|word| word.text.clone());
        program.filter(|program| inherits && !program.contains('/'))
    }

    /// Whether the Makefile can be read.
    ///
    /// # Errors
    /// A problem when it is missing or unreadable.
    pub(super) fn check(&self, seen: &Files) -> Result<(), Box<Problem>> {
        let missing = "create it, or set makefile_path and working_directory";
        source_file("Makefile", &self.file, seen, missing).map(|_| ())
    }
}

fn folder(config: &Values) -> String {
    path::join(".", config.text(&WORKING_DIRECTORY))
}

fn usual(folder: &str) -> [String; 3] {
    USUAL.map(|name| path::join(folder, name))
}

/// Whether a tidy path is the default of `makefile_path`.
fn is_default(asked: &str) -> bool {
    matches!(MAKEFILE_PATH.default, Default::Text(text) if path::join(".", text) == asked)
}

/// The words of `make_command`; they are the operator's once they are written in the settings.
fn make(config: &Values) -> Result<Vec<Word>, Box<Problem>> {
    let word = if config.has(&MAKE_COMMAND) { Word::settings } else { Word::fixed };
    let words = shlex::split(config.text(&MAKE_COMMAND)).filter(|words| !words.is_empty());
    words.map(|words| words.into_iter().map(word).collect()).ok_or_else(|| {
        let what = "make_command cannot be split into words, so no target is offered";
        Problem::error(ErrorCode::InvalidConfig, what).help("write a program and its words: `gmake`").into()
    })
}
