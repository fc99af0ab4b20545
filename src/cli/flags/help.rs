//! `cuff run TOOL --help` for the tool of another MCP server: its description and its flags.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::error::ErrorKind;

use super::flag::flags;
use super::reread::{opened, options_of};
use crate::calls;
use crate::cli::arguments::{Sorted, built_tree, parse, sorted};
use crate::cli::declared;
use crate::model::{Registered, visible_lines};
use crate::project::Context;
use crate::terminal::{Ui, hanging};

/// The help of the tool that the line names; `None` where the line asks for none, or names no tool of a server.
pub(in crate::cli) fn help(error: &clap::Error, context: &Context, line: &[OsString]) -> Option<String> {
    if error.kind() != ErrorKind::DisplayHelp {
        return None;
    }
    let abouts = context.abouts();
    let tree = built_tree(&abouts);
    let is_help = |word: &OsString| word == "--help" || word == "-h";
    let line: Vec<OsString> = line.iter().filter(|word| !is_help(word)).cloned().collect();
    let Sorted { own, tool, .. } = sorted(&tree, &line)?;
    let typed = parse(&abouts, &own).ok()?;
    let project = opened(context, options_of(&typed)?)?;
    let registry = project.recalled();
    calls::resolve(&project, &registry, &tool).ok().and_then(text)
}

fn text(found: &Registered) -> Option<String> {
    if found.tool.input.declared().is_some() {
        return declared::help(found);
    }
    let Some(schema) = found.tool.input.schema() else { return Some(declared::plain_help(found)) };
    let flags = flags(schema);
    let mut text = String::new();
    let about = visible_lines(&found.tool.description);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}\n\nUsage: cuff run {} [FLAGS]", about.trim_end(), found.name);
    if !flags.is_empty() {
        text.push_str("\nFlags:\n");
    }
    let width = flags.iter().map(|flag| flag.usage().len()).max().unwrap_or_default().min(32);
    for flag in &flags {
        let line = format!("  {:width$}  {}", flag.usage(), visible_lines(&flag.details()));
        text.push_str(hanging(&line, Ui::error_width(), width + 4).trim_end());
        text.push('\n');
    }
    text.push_str(
        "\n`--json-input FILE|-` takes all arguments as JSON. `cuff run --help` has the options of cuff.\n",
    );
    Some(text)
}
