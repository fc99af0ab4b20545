//! The command line of `cuff run`: the tool that it names, and the words for it.

use std::ffi::OsString;

use serde_json::{Map, Value};

use super::launched;
use crate::calls;
use crate::cli::arguments::RunArguments;
use crate::cli::{choose, rerun};
use crate::model::{Spelling, listed};
use crate::project::Project;
use crate::registry::{NoSuchTool, Registered, Registry};
use crate::sys::Cache;
use crate::terminal::{Failed, Ui};

/// How many others are named that are called as a tool is.
const MOST_OTHERS: usize = 3;

/// A command line as it is understood.
#[derive(Debug)]
pub(super) struct RunLine<'r> {
    /// The name of the tool.
    pub(super) tool: String,
    /// The words for it.
    pub(super) words: Vec<OsString>,
    /// The arguments of the last run, if that is repeated.
    pub(super) given: Option<Map<String, Value>>,
    pub(super) found: Option<&'r Registered>,
    /// Whether nobody typed its name, so that the line is printed.
    pub(super) is_told: bool,
}

impl<'r> RunLine<'r> {
    /// A tool that was found by this name, without words.
    pub(super) fn of(tool: &str, found: Option<&'r Registered>) -> Self {
        Self { tool: tool.to_owned(), words: Vec::new(), given: None, found, is_told: false }
    }
}

/// Reads a line with a tool, `-` for the last run, or nothing: then the person chooses.
pub(super) fn read<'r>(
    ui: &Ui,
    project: &Project,
    registry: &'r Registry,
    typed: &RunArguments,
    of: Option<&str>,
) -> Result<RunLine<'r>, Failed> {
    let json = typed.how.json;
    let words = typed.how.call.words.clone();
    match typed.tool.as_deref() {
        Some(rerun::LAST) => {
            let (tool, given) = rerun::last(project, typed, of)?;
            // A record names one tool: another may have the short name by now.
            let found = registry.named(&tool, Spelling::Dotted);
            Ok(RunLine { given: Some(given), is_told: found.is_some(), ..RunLine::of(&tool, found) })
        }
        Some(tool) => {
            let line = RunLine { words, ..named(ui, project, registry, (tool, json))? };
            match line.found {
                Some(_) => Ok(line),
                None => by_launch_words(project, registry, line),
            }
        }
        None => {
            let found = choose::choose(ui, project, registry, json)?;
            Ok(RunLine { words, is_told: true, ..RunLine::of(&found.shown, Some(found)) })
        }
    }
}

/// The tool of this name; a person chooses among several.
pub(super) fn named<'r>(
    ui: &Ui,
    project: &Project,
    registry: &'r Registry,
    (tool, json): (&str, bool),
) -> Result<RunLine<'r>, Failed> {
    let found = match calls::resolve(project, registry, tool) {
        Err(NoSuchTool::Ambiguous { candidates }) if !json => {
            if let Some(chosen) = choose::among(ui, project, registry, (tool, &candidates))? {
                return Ok(RunLine { is_told: true, ..RunLine::of(&chosen.shown, Some(chosen)) });
            }
            None
        }
        found => found.ok(),
    };
    // Elsewhere the same name means another, or none.
    let of_here = found.filter(|_| !tool.contains('/') && registry.find(tool, None).is_err());
    if let Some(found) = of_here {
        let which = match found.shown_at_root() {
            same if same == tool => format!("the one of {}", source_of(registry, found)),
            other => format!("`{other}`"),
        };
        note_once(ui, project, &format!("note: `{tool}` is {which} in this folder"));
    } else if let Some(found) = found.filter(|_| !json && !tool.contains('/')) {
        say_others(ui, project, registry, (tool, found));
    }
    Ok(RunLine::of(tool, found))
}

/// Others are called so, too, and are passed over: said, lest the one be taken for the other.
fn say_others(ui: &Ui, project: &Project, registry: &Registry, (typed, found): (&str, &Registered)) {
    let others: Vec<String> =
        registry.called_so_too(typed, found).into_iter().map(|name| registry.shown(name)).collect();
    if !others.is_empty() {
        let are = if others.len() == 1 { "is" } else { "are" };
        let others = listed(&others, MOST_OTHERS);
        let source = source_of(registry, found);
        note_once(
            ui,
            project,
            &format!("note: `{typed}` is the one of {source}; {others} {are} called so too"),
        );
    }
}

/// Prints a note about a name that it was not printed for in this project yet. A mark in the cache remembers that.
fn note_once(ui: &Ui, project: &Project, note: &str) {
    if ui.quiet() {
        return;
    }
    let printed = Cache::of(&project.context.environment, "notes");
    let mut hasher = blake3::Hasher::new();
    hasher.update(project.settings.root.as_os_str().as_encoded_bytes()).update(b"\0").update(note.as_bytes());
    let mark = hasher.finalize().to_hex();
    if printed.as_ref().is_none_or(|printed| printed.read(&mark, 0).is_none()) {
        ui.note(note);
        // A note that could not be marked comes again.
        let _ = printed.map(|printed| printed.write(&mark, b""));
    }
}

/// The word by which people know the source of a tool.
fn source_of(registry: &Registry, found: &Registered) -> String {
    registry.heading(&found.name.instance).into_iter().next().unwrap_or_default()
}

/// The words by which a tool is started without cuff: `npm test`, `make check`. A person gets that tool; others are
/// told its name, since they can type that.
fn by_launch_words<'r>(
    project: &Project,
    registry: &'r Registry,
    line: RunLine<'r>,
) -> Result<RunLine<'r>, Failed> {
    let Some((found, used)) = launched::tool(registry, &line.tool, &line.words, project.here()) else {
        return launched::near(registry, &line.tool, &line.words).map_or(Ok(line), Err);
    };
    let words = line.words.get(used..).unwrap_or_default().to_vec();
    if !project.at_terminal().is_governed() {
        return Ok(RunLine { words, is_told: true, ..RunLine::of(&found.shown, Some(found)) });
    }
    let name = found.name_for(project.at_terminal());
    Err(launched::named_otherwise((&line.tool, &line.words), &name, &words))
}
