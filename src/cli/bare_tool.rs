//! A tool that is typed without `run`: `cuff test`. A word that is neither a command nor a tool has its nearest named.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::arguments::{Sorted, TypedLine, built_tree, first_word, is_toolscript, parse, sorted};
use super::flags;
use super::run::launched::tool;
use super::usage::did_you_mean;
use crate::calls;
use crate::model::{shown, slip};
use crate::project::{Context, Project};
use crate::registry::{NoSuchTool, Registry};
use crate::terminal::{Failed, exit};

/// A first word that is no command.
pub(super) enum FirstWord {
    /// It stands for a tool: the line with `run` before it.
    Tool(Box<Result<TypedLine, clap::Error>>),
    /// It stands for nothing.
    Unknown(Failed),
}

/// Reads a line once more whose first word is no command; `None` for an error of another kind.
pub(super) fn reread(error: &clap::Error, context: &Context, words: &[OsString]) -> Option<FirstWord> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let abouts = context.abouts();
    let tree = built_tree(&abouts);
    let at = first_word(&tree, words).filter(|at| words.get(*at).is_some_and(|word| **word == **typed))?;
    let line = with_run(words, at);
    // Where the tools are is said before the word, whatever is wrong behind it.
    let Ok(front) = parse(&abouts, line.get(..at + 2)?) else { return None };
    let project = flags::opened(context, &front.globals);
    let registry = project.as_ref().map(Project::recalled);
    let words_behind = words.get(at + 1..).unwrap_or_default();
    if let (Some(project), Some(registry)) = (&project, &registry)
        && may_mean_a_tool(project, registry, typed, words_behind)
    {
        let read = parse(&abouts, &line).or_else(|error| flags::reread(error, context, &line));
        return Some(FirstWord::Tool(Box::new(read)));
    }
    if let Some(command) = near_command(&tree, registry.as_ref(), typed) {
        let failed = Failed::usage(format!("`{}` is neither a command nor a tool", shown(typed))).unable();
        let help = did_you_mean(words, at, &command);
        return Some(FirstWord::Unknown(Failed { code: exit::NO_SUCH_TOOL, help, ..failed }));
    }
    // `cuff run` says what is wrong with the name of a tool, or with all tools here.
    let named = parse(&abouts, line.get(..at + 2)?);
    Some(FirstWord::Tool(Box::new(parse(&abouts, &line).or(named))))
}

/// The line to type for words that start a tool without cuff, where the first of them is the command of a plugin: `cuff npm
/// test`.
pub(super) fn of_plugin(error: &clap::Error, context: &Context, words: &[OsString]) -> Option<String> {
    error.get(ContextKind::InvalidSubcommand)?;
    let abouts = context.abouts();
    let tree = built_tree(&abouts);
    let at = first_word(&tree, words)?;
    let (program, behind) = (words.get(at)?.to_str()?, words.get(at + 1..)?);
    abouts.iter().find(|about| about.id == program)?;
    let Ok(front) = parse(&abouts, &with_run(words.get(..=at)?, at)) else { return None };
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
            .settings
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

/// The words of the command that was probably meant: the nearest, where no tool is nearer. Those about past runs are typed
/// without `runs` as well.
fn near_command<'t>(tree: &'t Command, registry: Option<&Registry>, typed: &str) -> Option<Vec<&'t str>> {
    let shown = |of: &'t Command| of.get_subcommands().filter(|command| !command.is_hide_set());
    let own = shown(tree).map(|command| vec![command.get_name()]);
    let runs = tree.find_subcommand("runs").into_iter();
    let of_runs = runs.flat_map(|runs| shown(runs).map(|inner| vec![runs.get_name(), inner.get_name()]));
    let near = own.chain(of_runs).filter_map(|words| Some((slip(typed, words.last()?)?, words)));
    let (slips, command) = near.min_by_key(|(slips, _)| *slips)?;
    let tools = registry.map_or(&[][..], Registry::tools).iter();
    let names = tools.flat_map(|tool| [&*tool.shown, &*tool.tool.original, &*tool.name.local]);
    let is_nearest = names.filter_map(|name| slip(typed, name)).all(|of_tool| of_tool >= slips);
    is_nearest.then_some(command)
}

/// The line to type for the words of a tool that `cuff run` takes for its own: `cuff test -- --coverage`.
pub(super) fn behind_dashes(error: &clap::Error, context: &Context, words: &[OsString]) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument || is_toolscript(words) {
        return None;
    }
    let tree = built_tree(&context.abouts());
    let at = first_word(&tree, words)?;
    let is_bare = tree.find_subcommand(words.get(at)?).is_none();
    let line = if is_bare { with_run(words, at) } else { words.to_vec() };
    let Sorted { mut own, words, .. } = sorted(&tree, &line)?;
    if is_bare {
        own.remove(at);
    }
    let [own, words] = [own.get(1..)?, &words].map(|part| part.iter().map(|word| word.to_str()));
    let line = std::iter::once(Some("cuff")).chain(own).chain([Some("--")]).chain(words);
    let line: Vec<&str> = line.collect::<Option<_>>()?;
    Some(format!("words of the tool's own go after `--`: `{}`", shlex::try_join(line).ok()?))
}

/// The line that runs the tool which has the name of a command, where that command was misused: `cuff install --save x`.
pub(super) fn tool_of_command(context: &Context, words: &[OsString]) -> Option<String> {
    let abouts = context.abouts();
    let tree = built_tree(&abouts);
    let at = first_word(&tree, words)?;
    let typed = words.get(at)?.to_str()?;
    tree.find_subcommand(typed)?;
    let Ok(front) = parse(&abouts, &[&words[..at], &["run".into(), typed.into()]].concat()) else {
        return None;
    };
    run_of(&flags::opened(context, &front.globals)?, typed, words.get(at + 1..).unwrap_or_default())
}

/// The line that runs the tool which has the name of this command, for the person who typed that alone.
pub(super) fn own_tool(context: &Context, command: &str) -> Option<String> {
    run_of(&Project::open_readonly(context.clone(), None, None)?, command, &[])
}

/// The sentence that says how to run the tool of this name, if there is one.
fn run_of(project: &Project, typed: &str, behind: &[OsString]) -> Option<String> {
    let registry = project.recalled();
    if matches!(calls::resolve(project, &registry, typed), Err(NoSuchTool::Unknown { .. })) {
        return None;
    }
    let dashes = if behind.is_empty() { None } else { Some("--") };
    let behind = behind.iter().map(|word| word.to_str()).collect::<Option<Vec<&str>>>()?;
    let line = ["cuff", "run", typed].into_iter().chain(dashes).chain(behind);
    Some(format!("the tool `{typed}` of this project runs with `{}`", shlex::try_join(line).ok()?))
}
