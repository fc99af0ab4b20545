//! Reads Makefiles as text and runs nothing.
//!
//! It does what make does while it reads: joins lines, follows includes within the project, keeps variables, expands
//! them in the names of targets and files, and weighs conditions. What only running could tell (`$(shell …)`, what
//! make itself or the environment sets) leaves a hole in a text, and where a hole decides which targets there are,
//! that is a doubt. The environment is assumed to set none of the variables that conditions ask for; both branches
//! are read, and a target that only the other one has knows its condition.

mod assignment;
mod branches;
mod comments;
mod conditions;
mod drafts;
mod expand;
mod functions;
mod include;
mod lines;
mod names;
mod reader;
mod rules;
mod scan;
mod variables;
mod words;

use std::path::{Path, PathBuf};

use self::reader::Reader;
use super::project::Project;
use super::targets::Makefile;
use crate::model::{File, Files, Location, Want};

/// What the text alone says.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The targets.
    pub(super) makefile: Makefile,
    /// What must be seen to read on: included files, folders that `$(wildcard …)` asks for.
    pub(super) wants: Vec<Want>,
    /// Every rule that a comment describes, in order, also those whose names reading cannot know.
    pub(super) remarks: Vec<Remark>,
}

/// A comment that describes a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    /// Where the rule begins.
    pub(super) at: Location,
    /// What the comment says.
    pub(super) description: String,
}

/// Reads the project's Makefile and what it includes, as far as they were seen; `prefix` begins descriptions (`##`).
pub(super) fn read(project: &Project, prefix: &str, files: &Files) -> Reading {
    let Some(file) = files.file(&project.file) else { return Reading::default() };
    let text = String::from_utf8_lossy(&file.bytes);
    let mut reader = Reader::new(project, prefix, files);
    reader.root = root(project, file);
    reader.reading.push(project.file.clone());
    reader.makefiles.push(called(project).to_owned());
    reader.read(&project.file, text.strip_prefix('\u{feff}').unwrap_or(&text), None);
    reader.conclude_includes();
    let (targets, patterns) = reader.drafts.finish(&reader.conditions);
    let makefile = Makefile { targets, patterns, doubts: reader.doubts, problems: reader.problems };
    Reading { makefile, wants: reader.wants.into_iter().collect(), remarks: reader.remarks }
}

/// The project's root, links resolved, where the Makefile lies below it as its path says.
fn root(project: &Project, file: &File) -> Option<PathBuf> {
    let path = Path::new(&project.file);
    let is_plain = path.is_relative() && file.canonical.ends_with(path);
    let root = file.canonical.ancestors().nth(path.components().count()).filter(|_| is_plain)?;
    Some(root.to_owned())
}

/// The Makefile as make is told its name.
fn called(project: &Project) -> &str {
    let mut words = project.words.iter().skip_while(|word| word.text != "-f").skip(1);
    let named = words.next().map(|word| word.text.as_str());
    named.unwrap_or_else(|| words::file(&project.file))
}

#[cfg(test)]
mod tests;
