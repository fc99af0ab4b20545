//! Reads Makefiles as text and runs nothing.
//!
//! It does the same as make while reading: joins lines, follows includes within the project, keeps variables,
//! expands them in the names of targets and files, and weighs conditions. Values that only exist at run time
//! leave a hole in a text: `$(shell …)`, and variables of make itself or of the environment. If a hole
//! decides which targets there are, that is a doubt. Only the output of `uname` is known all the same.
//!
//! It assumes that the environment sets none of the variables that conditions ask for. It reads both
//! branches, and a target that only the other one has knows its condition.

mod assignment;
mod comments;
mod conditions;
mod drafts;
mod forks;
mod lines;
mod names;
mod reader;
mod scan;
mod text;
mod tokens;
mod trace;
mod uname;
mod variables;
mod words;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

pub(super) use self::comments::Remark;
use self::reader::Reader;
pub(super) use self::variables::HOLE;
use super::project::Project;
use super::targets::{FALLBACK, Makefile};
use super::written::Script;
use crate::model::{File, Files, Want};

/// How many bytes of lines and of expanded text one reading may come to.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// The result of reading the text alone.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The targets.
    pub(super) makefile: Makefile,
    /// The wants to read on: included files, folders of `$(wildcard …)`.
    pub(super) wants: Vec<Want>,
    /// Every file that an include names, existing or not, by the name that make gets.
    pub(super) includes: BTreeSet<String>,
    /// Every rule that a comment describes, in order, also those whose names reading cannot know.
    pub(super) remarks: Vec<Remark>,
    /// Every rule that it has.
    pub(super) written: Script,
    /// Whether make may read more than was read.
    pub(super) unread: bool,
}

/// Reads the project's Makefile and its includes, as far as they were seen; `prefix` begins descriptions
/// (`##`).
pub(super) fn read(project: &Project, prefix: &str, files: &Files) -> Reading {
    read_within(MOST_BYTES, project, prefix, files)
}

fn read_within(most: usize, project: &Project, prefix: &str, files: &Files) -> Reading {
    let Some(file) = files.file(&project.file) else { return Reading::default() };
    let text = String::from_utf8_lossy(&file.bytes);
    let mut reader = Reader::new(project, prefix, files, most);
    reader.root = root(project, file);
    reader.here = reader.root.as_ref().and_then(|root| here(project, root));
    reader.reading.push(project.file.clone());
    reader.makefiles.push(called(project).to_owned());
    reader.variables.set_goal(project.goal.as_deref());
    reader.read(&project.file, text.strip_prefix('\u{feff}').unwrap_or(&text), None);
    reader.conclude_includes();
    let mut written = reader.drafts.take_written();
    written.unsure |= reader.unread;
    let (targets, mut patterns) =
        std::mem::take(&mut reader.drafts).finish(&reader.conditions, &written.rules);
    // Without a recipe it makes nothing, and its prerequisites have no effect.
    let falls_back = written
        .rules
        .iter()
        .any(|rule| rule.recipe_at.is_some() && rule.names.iter().any(|name| name == FALLBACK));
    patterns.retain(|pattern| falls_back || pattern.name != FALLBACK);
    let (doubts, problems) = (std::mem::take(&mut reader.doubts), std::mem::take(&mut reader.problems));
    let makefile = Makefile { targets, patterns, doubts, problems };
    let wants = std::mem::take(&mut reader.wants).into_iter().collect();
    let includes = std::mem::take(&mut reader.includes);
    let remarks = std::mem::take(&mut reader.remarks);
    let unread = reader.unread;
    Reading { makefile, wants, includes, remarks, written, unread }
}

/// The project's root, links resolved, where the Makefile lies below it as its path says.
fn root(project: &Project, file: &File) -> Option<PathBuf> {
    let path = Path::new(&project.file);
    let is_plain = path.is_relative() && file.canonical.ends_with(path);
    let root = file.canonical.ancestors().nth(path.components().count()).filter(|_| is_plain)?;
    Some(root.to_owned())
}

/// The folder that make runs in, links resolved, where its path is a plain one.
fn here(project: &Project, root: &Path) -> Option<String> {
    let folder = Path::new(&project.folder);
    let is_top = folder.components().all(|part| part == Component::CurDir);
    // Further down a link could lie on the way, unless the Makefile's own path went the same way.
    let is_beside = Path::new(&project.file).parent() == Some(folder);
    let here = if is_top { root.to_owned() } else { root.join(folder) };
    (is_top || is_beside).then(|| here.to_str().map(str::to_owned))?
}

/// The Makefile, by the name that make gets.
fn called(project: &Project) -> &str {
    let mut words = project.words.iter().skip_while(|word| word.text != "-f").skip(1);
    let named = words.next().map(|word| word.text.as_str());
    named.unwrap_or_else(|| words::file(&project.file))
}

#[cfg(test)]
mod tests;
