//! Reads Makefiles as text and runs nothing.
//!
//! The reader is no interpreter of make. Lines are joined, and it knows rules, `.PHONY`, comments, includes of files in the project, and
//! variables with literal values. A rule under a condition counts, and its targets know the condition: none is weighed.
//! A part of a text that only make knows (`$(shell …)`, nearly every other function, a variable of make's own) is a hole. If a
//! hole decides which targets there are, that is a doubt, which is reported once for a file.

mod comments;
mod conditions;
mod globs;
mod lines;
mod reader;
mod targets;
mod variables;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) use self::comments::CommentNearness;
use self::reader::MakefileReader;
pub(super) use self::words::HOLE;
use super::project::MakefileProject;
use super::targets::Makefile;
use super::written::MakefileScript;
use crate::model::{File, Files, Want};

/// How many bytes of lines and of expanded text one reading may come to.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// The result of reading the text alone.
#[derive(Debug, Default)]
pub(super) struct MakefileReading {
    /// The targets.
    pub(super) makefile: Makefile,
    /// The wants to read on: included files, folders with them.
    pub(super) wants: Vec<Want>,
    /// Every file that an include names, existing or not, by the name that make gets.
    pub(super) includes: BTreeSet<String>,
    /// Every rule that it has.
    pub(super) written: MakefileScript,
    /// Whether make may read more than was read.
    pub(super) unread: bool,
}

/// Reads the project's Makefile and its includes, as far as they were seen; `prefix` begins descriptions
/// (`##`).
pub(super) fn read(project: &MakefileProject, prefix: &str, files: &Files) -> MakefileReading {
    read_within(MOST_BYTES, project, prefix, files)
}

fn read_within(most: usize, project: &MakefileProject, prefix: &str, files: &Files) -> MakefileReading {
    let Some(file) = files.file(&project.file) else { return MakefileReading::default() };
    let mut reader = MakefileReader::new(project, prefix, files, most);
    reader.root = root(project, file);
    reader.read(&project.file, &file.bytes);
    reader.conclude_includes();
    let MakefileReader {
        mut script,
        mut doubts,
        facts,
        conditions,
        problems,
        includes,
        unread,
        variables,
        ..
    } = reader;
    for doubt in &mut doubts {
        doubt.others.sort_unstable();
    }
    script.unsure |= unread;
    let (targets, patterns) = targets::of(&mut script.rules, &facts, &conditions.certain);
    let makefile = Makefile { targets, patterns, doubts, problems };
    let wants = variables.globs.wants.into_inner().into_iter().collect();
    MakefileReading { makefile, wants, includes, written: script, unread }
}

/// The project's root, links resolved, where the Makefile lies below it as its path says.
fn root(project: &MakefileProject, file: &File) -> Option<PathBuf> {
    let path = Path::new(&project.file);
    let is_plain = path.is_relative() && file.canonical.ends_with(path);
    let root = file.canonical.ancestors().nth(path.components().count()).filter(|_| is_plain)?;
    Some(root.to_owned())
}

#[cfg(test)]
mod tests;
