//! Help, and the errors for a command line that clap does not understand.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::doctor::Installation;
use crate::model::nearest;
use crate::project::Context;
use crate::terminal::{Failed, Ui, exit};

/// Options by which other programs run several of a workspace's scripts.
const SEVERAL: &[&str] = &["--all", "--workspaces"];

/// Help and version are results; everything else that clap says is wrong usage. `tip` is asked for that alone.
pub(super) fn explain(error: &clap::Error, json: bool, tip: impl FnOnce() -> Option<String>) -> u8 {
    let ui = Ui::plain();
    if error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let (message, help) = in_our_words(&error.to_string());
        return Failed::usage(message).help(tip().unwrap_or(help)).print(&ui, json);
    }
    match (error.use_stderr(), error.print()) {
        (true, _) => exit::USAGE,
        (false, Ok(())) => exit::SUCCESS,
        (false, Err(error)) => Failed::from(error).print(&ui, false),
    }
}

/// The answer to `--version --verbose`: also how cuff was installed, and the way to a newer one.
pub(super) fn verbose_version(error: &clap::Error, context: &Context, words: &[OsString]) -> Option<String> {
    let is_verbose = |word: &OsString| {
        let word = word.to_string_lossy();
        word == "--verbose" || (word.starts_with('-') && !word.starts_with("--") && word.contains('v'))
    };
    if error.kind() != ErrorKind::DisplayVersion || !words.iter().skip(1).any(is_verbose) {
        return None;
    }
    let Installation { binary, by, upgrade, .. } = Installation::of(context.supervisor.path());
    let features = [("code", cfg!(feature = "code")), ("http", cfg!(feature = "http"))];
    let features: Vec<&str> = features.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    Some(format!(
        "{}\nbinary:       {}\ninstalled by: {by}\nto upgrade:   {upgrade}\nbuilt for:    {} on {}\nfeatures:     {}",
        error.to_string().trim_end(),
        binary.display(),
        std::env::consts::OS,
        std::env::consts::ARCH,
        if features.is_empty() { "none".to_owned() } else { features.join(", ") },
    ))
}

/// The help against having one call run several tools.
pub(super) fn several(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_of_a_run = error.to_string().contains("Usage: cuff run ");
    let means_several = SEVERAL.contains(&typed.as_str());
    (is_of_a_run && means_several).then(|| {
        format!(
            "`cuff run -r TOOL` runs a tool in every package of the workspace; words of the tool's own go after `--`: `-- {typed}`"
        )
    })
}

/// A word that is no command within another: `cuff runs logs`, and the line with the one that was meant.
pub(super) fn inner_command(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let meant = match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::Strings(meant) => meant.first()?,
        ContextValue::String(meant) => meant,
        _ => return None,
    };
    let at = words.iter().position(|word| **word == **typed)?;
    did_you_mean(words, at, &[meant.as_str()])
}

/// A word behind `cuff help` that is no command: it may be a tool.
pub(super) fn help_of_tool(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_help = words.get(1).is_some_and(|word| word == "help");
    is_help.then(|| format!("`cuff run {typed} --help` has the help of a tool, `cuff --help` the commands"))
}

/// A word behind `cuff runs` that is taken for a tool's name, and is a slip away from a command of it.
pub(super) fn inner_of_list(error: &clap::Error, tree: &Command, words: &[OsString]) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::ArgumentConflict) {
        return None;
    }
    let at = words.iter().position(|word| word == "runs")?;
    let meant = near_inner(tree, "runs", words.get(at + 1)?.to_str()?)?;
    did_you_mean(words, at + 1, &[meant.as_str()])
}

/// The command within another that was probably meant.
pub(super) fn near_inner(tree: &Command, outer: &str, typed: &str) -> Option<String> {
    let inner = tree.find_subcommand(outer)?.get_subcommands().filter(|inner| !inner.is_hide_set());
    nearest(typed, inner.map(Command::get_name)).filter(|meant| *meant != typed).map(str::to_owned)
}

/// The line with these words in the place of one.
pub(super) fn did_you_mean(words: &[OsString], at: usize, meant: &[&str]) -> Option<String> {
    let before = words.get(1..at)?.iter().map(|word| word.to_str());
    let behind = words.get(at + 1..)?.iter().map(|word| word.to_str());
    let meant = meant.iter().map(|word| Some(*word));
    let line: Vec<&str> =
        std::iter::once(Some("cuff")).chain(before).chain(meant).chain(behind).collect::<Option<_>>()?;
    Some(format!("did you mean `{}`?", shlex::try_join(line).ok()?))
}

/// Rewords clap's error as the rest of cuff says it: the problem, and what to type instead.
fn in_our_words(text: &str) -> (String, String) {
    let lines = |part: &str| part.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut parts = text.trim_end().split("\n\n").map(lines);
    let first = parts.next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(&first).to_owned();
    let rest: Vec<String> = parts.collect();
    let tips = rest.iter().filter_map(|part| part.strip_prefix("tip: ")).map(str::to_owned);
    let usage = rest.iter().find_map(|part| part.strip_prefix("Usage: "));
    let mut help: Vec<String> = tips.collect();
    if let (Some(usage), true) = (usage, help.is_empty()) {
        help.push(format!("usage: `{usage}`"));
    }
    help.push("`--help` says more".to_owned());
    (message, help.join("; "))
}
