//! A look at a project's files, as a source of tasks takes it: what it names is wanted, and it is asked again with the answers.

use std::borrow::Cow;

use super::config::WORKING_DIRECTORY;
use super::manifest::TaskManifest;
use super::task::{SourceTask, TaskProgram, words};
use crate::model::{
    ErrorCode, Field, File, Files, Glob, Location, Problem, Seen, Values, Want, Word, path, shown,
};

/// The largest file that is read, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// One look of a source, with the files that were seen up to now.
#[derive(Debug)]
pub(in crate::plugins) struct SourceLook<'a> {
    /// The id of the source.
    pub(in crate::plugins) id: &'static str,
    /// The key with the program that runs tasks.
    program: &'static Field,
    pub(in crate::plugins) config: &'a Values,
    pub(in crate::plugins) files: &'a Files,
    /// The folder of the settings.
    folder: String,
    /// The file that names the source, from the project's root.
    pub(super) source: String,
    /// Everything that it has named.
    pub(super) wants: Vec<Want>,
    /// The files whose text it has asked for, from the project's root.
    pub(super) read: Vec<String>,
    pub(super) problems: Vec<Problem>,
    /// Further words of the heading above the tasks.
    pub(super) details: Vec<String>,
    /// Facts about every tool of the source.
    pub(super) facts: Vec<(&'static str, String)>,
    /// Values of keys that `cuff init` writes, where they are not the usual ones.
    pub(super) settings: Vec<(&'static Field, String)>,
    /// Whether nothing can be offered.
    pub(super) has_failed: bool,
}

impl<'a> SourceLook<'a> {
    pub(super) fn new(
        (id, program): (&'static str, &'static Field),
        config: &'a Values,
        files: &'a Files,
    ) -> Self {
        Self {
            id,
            program,
            config,
            files,
            folder: path::join(".", config.text(&WORKING_DIRECTORY)),
            source: String::new(),
            wants: Vec::new(),
            read: Vec::new(),
            problems: Vec::new(),
            details: Vec::new(),
            facts: Vec::new(),
            settings: Vec::new(),
            has_failed: false,
        }
    }

    /// The folder of the settings, from the project's root.
    pub(in crate::plugins) fn folder(&self) -> &str {
        &self.folder
    }

    /// The file that names the source, from the project's root.
    pub(in crate::plugins) fn source_file(&self) -> &str {
        &self.source
    }

    /// The file that names the source, as it is called in its folder.
    pub(in crate::plugins) fn source(&self) -> String {
        path::within(&self.folder, &self.source)
    }

    /// The file that defines a task, from the project's root.
    pub(super) fn file_of<'t>(&'t self, task: &'t SourceTask) -> &'t str {
        let own = &task.tool.source.file;
        if own.is_empty() { &self.source } else { own }
    }

    /// Whether all that was named up to now was seen.
    pub(in crate::plugins) fn is_complete(&self) -> bool {
        self.wants.iter().all(|want| self.files.answers(want))
    }

    /// All that was named and not seen yet.
    pub(super) fn fresh(&self) -> Vec<Want> {
        self.wants.iter().filter(|want| !self.files.answers(want)).cloned().collect()
    }

    /// The path of a file, from the project's root.
    pub(in crate::plugins) fn place(&self, name: &str) -> String {
        path::join(&self.folder, name)
    }

    /// Whether a file is there; its text decides about the tasks.
    pub(in crate::plugins) fn has_file(&mut self, name: &str) -> bool {
        let file = self.place(name);
        self.want(Want::File(file.clone()));
        self.files.exists(&file)
    }

    /// The files of this name or of this pattern that are there.
    pub(in crate::plugins) fn there(&mut self, name: &str) -> Vec<String> {
        match name.contains('*') {
            true => self.find(&[name]),
            false if self.has_file(name) => vec![name.to_owned()],
            false => Vec::new(),
        }
    }

    /// The text of a file whose encoding is its own matter, as XML says in its first line: letters beyond ASCII may be lost.
    pub(in crate::plugins) fn text_of_any_encoding(&mut self, name: &str) -> Option<Cow<'a, str>> {
        let file = self.place(name);
        self.want(Want::File(file.clone()));
        match self.files.file(&file).filter(|there| there.bytes.len() <= LARGEST) {
            Some(there) => Some(String::from_utf8_lossy(&there.bytes)),
            None => self.text(name).map(Cow::from),
        }
    }

    /// The text of a file. One that is there and cannot be read is a problem.
    pub(in crate::plugins) fn text(&mut self, name: &str) -> Option<&'a str> {
        let file = self.place(name);
        self.want(Want::File(file.clone()));
        let is_new = !self.read.contains(&file);
        if is_new {
            self.read.push(file.clone());
        }
        let why = match self.files.files.get(&file)? {
            Seen::Missing => return None,
            Seen::Unreadable(why) => why.clone(),
            Seen::File(there) if there.bytes.len() > LARGEST => {
                format!("it has {} MB, and cuff reads up to 4", there.bytes.len() / 1_000_000)
            }
            Seen::File(there) => {
                let bytes = &there.bytes[..];
                match std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
                    Ok(text) => return Some(text),
                    Err(error) => {
                        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
                        format!("line {line} is not UTF-8")
                    }
                }
            }
        };
        if is_new {
            let what = format!("{} cannot be read: {why}", shown(&file));
            let problem = Problem::error(ErrorCode::SourceInvalid, what).at(Location::file(&file));
            self.problems.push(problem.help("correct the file; tools of other sources still work"));
        }
        None
    }

    /// A file of structured data. One that is there and cannot be parsed is a problem with its line.
    pub(in crate::plugins) fn manifest(&mut self, name: &str) -> Option<TaskManifest> {
        let file = self.place(name);
        let is_new = !self.read.contains(&file);
        let text = self.text(name)?;
        match TaskManifest::read(self.files.file(&file)?, text, file.clone()) {
            Ok(manifest) => Some(manifest),
            Err(error) => {
                if is_new {
                    self.unparsed(name, error.line, &error.message);
                }
                None
            }
        }
    }

    /// Reports that a file cannot be parsed, with the line of the error.
    pub(in crate::plugins) fn unparsed(&mut self, name: &str, line: Option<usize>, why: &str) {
        let file = self.place(name);
        let what = format!("{} cannot be parsed: {why}", shown(&file));
        let problem = Problem::error(ErrorCode::SourceInvalid, what).at(Location::line(&file, line));
        self.problem(problem.help("correct it; tools of other sources still work"));
    }

    /// The first of these names that is there. Nothing of the files is read.
    pub(in crate::plugins) fn first<'n>(&mut self, names: &[&'n str]) -> Option<&'n str> {
        let found = self.find(names);
        names.iter().copied().find(|name| found.iter().any(|there| there == name))
    }

    /// The files that match patterns, as they are called in the folder. Nothing of them is read.
    pub(in crate::plugins) fn find(&mut self, patterns: &[impl AsRef<str>]) -> Vec<String> {
        let glob = Glob::new(&*self.folder, patterns.iter().map(AsRef::as_ref)).without([
            "**/node_modules/**",
            "**/target/**",
            "**/.venv/**",
        ]);
        self.found(&glob)
    }

    /// The nearest file of these names in the folder or above it, from the project's root. Nothing of the files is read.
    pub(in crate::plugins) fn nearest(&mut self, names: &[&str]) -> Option<String> {
        let folder = self.folder.clone();
        let mut nearest = None;
        for above in path::upwards(&folder) {
            let found = self.found(&Glob::new(above, names.iter().copied()));
            let first = names.iter().find(|name| found.iter().any(|there| there == *name));
            nearest = nearest.or_else(|| Some(path::join(above, first?)));
        }
        nearest
    }

    /// The files that a search finds, as they are called in its folder. Nothing of them is read.
    pub(in crate::plugins) fn found(&mut self, glob: &Glob) -> Vec<String> {
        self.want(Want::Glob(glob.clone()));
        let matches = self.files.globs.get(glob);
        let found = matches.into_iter().flat_map(|matches| &matches.found);
        found.filter(|(_, seen)| **seen != Seen::Missing).map(|(name, _)| name.clone()).collect()
    }

    /// Whether a program is on the search path.
    pub(in crate::plugins) fn has_program(&mut self, name: &str) -> bool {
        self.want(Want::Program(name.to_owned()));
        self.files.programs.get(name).is_some_and(Option::is_some)
    }

    /// Whether a program was looked for and is not there. One by its path is not looked for, and none where settings set the
    /// search path.
    pub(in crate::plugins) fn lacks(&mut self, name: &str) -> bool {
        let inherits_path = self.config.environment().iter().all(|change| change.name != "PATH");
        if !inherits_path || name.is_empty() || name.contains('/') {
            return false;
        }
        self.want(Want::Program(name.to_owned()));
        self.files.programs.get(name).is_some_and(Option::is_none)
    }

    /// The program and the first words that run the tasks: those of the settings, or else these. With settings that name no
    /// program nothing is offered.
    pub(in crate::plugins) fn command(&mut self, usual: &[&str]) -> Vec<Word> {
        if !self.has_own_command() {
            return words(usual.iter().copied());
        }
        match self.config.program(self.program) {
            Ok((program, rest)) => std::iter::once(program).chain(rest).collect(),
            Err(problem) => {
                self.fail(*problem);
                words(usual.iter().copied())
            }
        }
    }

    /// The same, as the program whose further words are tasks.
    pub(in crate::plugins) fn program(&mut self, usual: &[&str]) -> TaskProgram {
        TaskProgram(self.command(usual))
    }

    /// The same for a program that the packages of package.json may bring: theirs, else the one on the search path.
    pub(in crate::plugins) fn packaged(&mut self, program: &str) -> TaskProgram {
        let own = format!("./node_modules/.bin/{program}");
        let is_there = self.has_file(&own);
        self.program(&[if is_there { &own } else { program }])
    }

    /// Whether the settings name the program.
    pub(in crate::plugins) fn has_own_command(&self) -> bool {
        self.config.has(self.program)
    }

    /// Has nothing be offered, for this reason.
    pub(in crate::plugins) fn fail(&mut self, problem: Problem) {
        self.has_failed = true;
        self.problem(problem);
    }

    /// Adds a problem of the source's files.
    pub(in crate::plugins) fn problem(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Adds a word to the heading above the tasks.
    pub(in crate::plugins) fn detail(&mut self, word: &str) {
        self.details.push(word.to_owned());
    }

    /// Adds a fact about every tool of the source.
    pub(in crate::plugins) fn fact(&mut self, name: &'static str, value: impl Into<Option<String>>) {
        self.facts.extend(value.into().map(|value| (name, value)));
    }

    /// Has `cuff init` write this value of a key.
    pub(in crate::plugins) fn setting(&mut self, field: &'static Field, value: impl Into<String>) {
        self.settings.push((field, value.into()));
    }

    /// Names the file that the tasks come from, from the project's root.
    pub(in crate::plugins) fn name_source(&mut self, file: impl Into<String>) {
        self.source = file.into();
    }

    /// Names something to look at; whether it was seen.
    pub(in crate::plugins) fn want(&mut self, want: Want) -> bool {
        let is_seen = self.files.answers(&want);
        if !self.wants.contains(&want) {
            self.wants.push(want);
        }
        is_seen
    }
}

/// The file that a source is made of; `missing` is the help where it is not there.
///
/// # Errors
/// A problem when it is missing or cannot be read.
pub(in crate::plugins) fn source_file<'f>(
    noun: &str,
    file: &str,
    seen: &'f Files,
    missing: &str,
) -> Result<&'f File, Box<Problem>> {
    let (what, help) = match seen.files.get(file) {
        Some(Seen::File(found)) => return Ok(found),
        Some(Seen::Unreadable(why)) => {
            (format!("{} cannot be read: {why}", shown(file)), "make it a readable file")
        }
        Some(Seen::Missing) | None => (format!("{noun} not found: {}", shown(file)), missing),
    };
    Err(Problem::error(ErrorCode::SourceNotFound, what).help(help).into())
}
