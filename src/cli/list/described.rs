//! A tool in one line, and the flags of a tool that has some.

use serde_json::Value;

use crate::cli::{declared, flags};
use crate::ledger::Unreviewed;
use crate::model::{Tool, one_line, visible};
use crate::project::Project;
use crate::registry::Registered;

/// The description of a tool, with a mark if a person is asked first.
pub(in crate::cli) fn marked(project: &Project, found: &Registered) -> String {
    let mark = mark(project, found).map_or_else(String::new, |mark| format!("{mark} "));
    format!("{mark}{}", in_a_line(&found.tool))
}

/// The mark of a tool that asks a person first, or that agents do not get.
pub(super) fn mark(project: &Project, found: &Registered) -> Option<&'static str> {
    match withheld(project, found) {
        Some(_) => Some("[withheld]"),
        None => project.asks_first(found).then_some("[asks]"),
    }
}

/// Why agents do not get a tool of an MCP server, in a word for JSON and in words; `None`: they do.
pub(super) fn withheld(project: &Project, found: &Registered) -> Option<(&'static str, &'static str)> {
    Some(match project.unreviewed(found)? {
        Unreviewed::Changed => ("changed", "do not get it: the server changed it since it was approved"),
        Unreviewed::New => ("new", "do not get it: the server added it since it was approved"),
        Unreviewed::Unpinned => ("unpinned", "do not get it: nothing is pinned of the server"),
    })
}

/// The description of a tool for a list: in one line, with nothing hidden in it.
pub(super) fn in_a_line(tool: &Tool) -> String {
    visible(&one_line(&tool.told()).unwrap_or_default()).into_owned()
}

/// The flags of another MCP server's tool, a line each, under a label.
pub(super) fn flags_of(schema: &Value) -> Vec<String> {
    let flags = flags::flags(schema);
    let label = (!flags.is_empty()).then(|| "  takes".to_owned());
    let lines = declared::in_columns(flags.iter().map(|flag| (flag.usage(), flag.details())));
    label.into_iter().chain(lines.into_iter().map(|line| format!("    {line}"))).collect()
}
