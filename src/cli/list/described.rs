//! What a tool is, in one line.

use crate::model::{Tool, one_line, visible};
use crate::project::Project;
use crate::registry::Registered;

/// What a tool is, and whether a person is asked first.
pub(in crate::cli) fn marked(engine: &Project, found: &Registered) -> String {
    let mark = if engine.asks_first(found) { "[asks] " } else { "" };
    format!("{mark}{}", in_a_line(&found.tool))
}

/// What a tool is, for a list: in one line, with nothing hidden in it.
fn in_a_line(tool: &Tool) -> String {
    visible(&one_line(&tool.told()).unwrap_or_default()).into_owned()
}
