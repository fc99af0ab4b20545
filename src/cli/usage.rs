//! What is said of a command line that clap does not understand, and help.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::calls;
use crate::project::{Context, Project};
use crate::registry::NoSuchTool;
use crate::terminal::{Failed, Ui, exit};

/// What other programs run several of a workspace's scripts by.
const SEVERAL: &[&str] = &["--all", "--recursive", "-r", "--workspaces"];

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

/// What to do instead of having one call run several tools.
pub(super) fn several(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_of_a_run = error.to_string().contains("Usage: cuff run ");
    let means_several = SEVERAL.contains(&typed.as_str());
    (is_of_a_run && means_several).then(|| {
        format!(
            "words of the tool's own go after `--`: `-- {typed}`. Each call runs one tool; what runs several of them is a \
             script of the root (`npm run test --workspaces`)"
        )
    })
}

/// What to type where the first word is no command, nor a slip away from one, but what a tool here is called.
pub(super) fn tool(error: &clap::Error, surroundings: &Context, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_first = words.get(1).is_some_and(|word| **word == **typed);
    if !is_first || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let engine = Project::open_readonly(surroundings.clone(), None, None)?;
    let line = shlex::try_join(["cuff", "run", typed]).ok()?;
    match calls::resolve(&engine, &engine.recalled(), typed) {
        Ok(_) => Some(format!("a tool is called so: `{line}`")),
        Err(NoSuchTool::Ambiguous { candidates }) => {
            Some(format!("{} tools are called so: `{line}` says which", candidates.len()))
        }
        Err(NoSuchTool::Unknown { .. }) => None,
    }
}

/// What clap says of a wrong command line, as the rest of cuff says it: what is wrong, and what to type instead.
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
        help.push(format!("what is understood is `{usage}`"));
    }
    help.push("`--help` says more".to_owned());
    (message, help.join("; "))
}
