//! A tool that is typed without `run`: `cuff test`. A word that is neither a command nor a tool has its nearest named.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue};

use super::arguments::{Typed, first_word, parse, tree};
use super::flags;
use super::run::launched::tool;
use super::usage::did_you_mean;
use crate::calls;
use crate::model::{shown, slip};
use crate::project::{Context, Project};
use crate::registry::{NoSuchTool, Registry};
use crate::terminal::{Failed, exit};

/// A first word that is no command.
pub(super) enum Word {
    /// It stands for a tool: the line with `run` before it.
    Tool(Box<Result<Typed, clap::Error>>),
    /// It stands for nothing.
    Unknown(Failed),
}

/// Reads a line once more whose first word is no command; `None` for an error of another kind.
pub(super) fn reread(error: &clap::Error, context: &Context, words: &[OsString]) -> Option<Word> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let abouts = context.abouts();
    let mut tree = tree(&abouts);
    tree.build();
    let at = first_word(&tree, words).filter(|at| words.get(*at).is_some_and(|word| **word == **typed))?;
    let line = with_run(words, at);
    // Where the tools are is said before the word, whatever is wrong behind it.
    let Ok(Typed::Own(front)) = parse(&abouts, line.get(..at + 2)?) else { return None };
    let project = flags::opened(context, &front.globals);
    let registry = project.as_ref().map(Project::recalled);
    let words_behind = words.get(at + 1..).unwrap_or_default();
    if let (Some(project), Some(registry)) = (&project, &registry)
        && may_mean_a_tool(project, registry, typed, words_behind)
    {
        let read = parse(&abouts, &line).or_else(|error| flags::reread(error, context, &line));
        return Some(Word::Tool(Box::new(read)));
    }
    let near = near(&tree, registry.as_ref(), typed);
    let help = match near {
        Some(near) => did_you_mean(words, at, &near.iter().map(String::as_str).collect::<Vec<_>>()),
        None => None,
    };
    let (message, help) = match (&registry, help) {
        (Some(_), help) => (
            format!("`{}` is neither a command nor a tool", shown(typed)),
            help.unwrap_or_else(|| "`cuff list` shows the tools, `cuff --help` the commands".to_owned()),
        ),
        (None, help) => (
            format!("`{}` is no command", shown(typed)),
            help.unwrap_or_else(|| {
                "`cuff --help` shows the commands; `cuff list` says why there are no tools here".to_owned()
            }),
        ),
    };
    let failed = Failed::usage(message).unable().help(help);
    Some(Word::Unknown(Failed { code: exit::NO_SUCH_TOOL, ..failed }))
}

/// The line to type for words that start a tool without cuff, where the first of them is the command of a plugin: `cuff npm
/// test`.
pub(super) fn of_plugin(error: &clap::Error, context: &Context, words: &[OsString]) -> Option<String> {
    error.get(ContextKind::InvalidSubcommand)?;
    let abouts = context.abouts();
    let mut tree = tree(&abouts);
    tree.build();
    let at = first_word(&tree, words)?;
    let (program, behind) = (words.get(at)?.to_str()?, words.get(at + 1..)?);
    abouts.iter().find(|about| about.id == program)?;
    let Ok(Typed::Own(front)) = parse(&abouts, &with_run(words.get(..=at)?, at)) else { return None };
    let project = flags::opened(context, &front.globals)?;
    let (found, used) = tool(&project.recalled(), program, behind, project.here())
        .map(|(found, used)| (found.shown.clone(), used))?;
    let line = ["cuff", "run", &found].map(OsString::from);
    let line: Vec<OsString> = line.into_iter().chain(behind.get(used..)?.iter().cloned()).collect();
    did_you_mean(&line, 2, &[&found])
}

/// The line with `run` before the word at this place.
pub(super) fn with_run(words: &[OsString], at: usize) -> Vec<OsString> {
    let (before, behind) = words.split_at(at.min(words.len()));
    before.iter().cloned().chain([OsString::from("run")]).chain(behind.iter().cloned()).collect()
}

/// Whether a tool is called so, or several are, or a server that has not listed its tools yet may have it; also where
/// the words are those that start a tool without cuff.
fn may_mean_a_tool(project: &Project, registry: &Registry, typed: &str, words: &[OsString]) -> bool {
    let is_of_server = || {
        let server = project
            .servers()
            .find(|server| typed.strip_prefix(server).is_some_and(|rest| rest.starts_with('.')));
        server.is_some()
    };
    match calls::resolve(project, registry, typed) {
        Ok(_) | Err(NoSuchTool::Ambiguous { .. }) => true,
        Err(NoSuchTool::Unknown { .. }) => {
            is_of_server() || tool(registry, typed, words, project.here()).is_some()
        }
    }
}

/// The words of the command or the name of the tool that was probably meant: the nearest, a command before a tool and
/// both before a command within another.
fn near(tree: &Command, registry: Option<&Registry>, typed: &str) -> Option<Vec<String>> {
    let shown = |command: &Command| !command.is_hide_set();
    let name = |command: &Command| command.get_name().to_owned();
    let mut all: Vec<(usize, Vec<String>)> = Vec::new();
    let mut offer = |compared: &str, meant: Vec<String>| {
        if let Some(slips) = slip(typed, compared) {
            all.push((slips, meant));
        }
    };
    for command in tree.get_subcommands().filter(|command| shown(command)) {
        offer(command.get_name(), vec![name(command)]);
    }
    for tool in registry.map_or(&[][..], Registry::tools) {
        for called in [tool.shown.as_str(), tool.tool.original.as_str(), tool.name.local.as_str()] {
            offer(called, vec![tool.shown.clone()]);
        }
    }
    for outer in tree.get_subcommands().filter(|outer| shown(outer)) {
        for inner in outer.get_subcommands().filter(|inner| shown(inner)) {
            offer(inner.get_name(), vec![name(outer), name(inner)]);
        }
    }
    all.into_iter().min_by_key(|(slips, _)| *slips).map(|(_, meant)| meant)
}
