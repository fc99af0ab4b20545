//! A line for each tool of `cuff list`, within the terminal.

use console::{Style, truncate_str};

use super::described::marked;
use crate::project::Project;
use crate::registry::Registered;
use crate::terminal::{NARROWEST, Ui, columns, room, widest};

/// A line for each tool. A person at a terminal sees them by instance; what a program reads has a line for each.
pub(super) fn lines(ui: &Ui, engine: &Project, tools: &[&Registered]) -> String {
    let names: Vec<String> = tools.iter().map(|tool| tool.name.to_string()).collect();
    let first = widest(names.iter().map(String::as_str));
    let groups: Vec<&[&Registered]> =
        tools.chunk_by(|one, next| one.name.instance == next.name.instance).collect();
    let is_grouped = ui.watched() && groups.len() > 1;
    let inner = ui.width().map(|width| if is_grouped { width.saturating_sub(2) } else { width });
    let most = inner.map(|inner| room(&[first], NARROWEST, inner));
    let row = |(name, tool): (&String, &&Registered)| vec![name.clone(), brief(engine, tool, most)];
    let rows: Vec<Vec<String>> = names.iter().zip(tools).map(row).collect();
    if !is_grouped {
        return columns(&rows, &[first], NARROWEST, inner);
    }
    let (mut text, mut rest) = (Vec::new(), rows.as_slice());
    for group in groups {
        let Some((tool, (here, others))) = group.first().zip(rest.split_at_checked(group.len())) else {
            break;
        };
        rest = others;
        let lines = columns(here, &[first], NARROWEST, inner);
        text.push(format!("{}\n  {}", heading(engine, tool, ui.width()), lines.replace('\n', "\n  ")));
    }
    text.join("\n\n")
}

/// What a tool is; within so many columns where nobody has described it: what it runs was not written to be read in a list.
fn brief(engine: &Project, found: &Registered, most: Option<usize>) -> String {
    let text = marked(engine, found);
    match most.filter(|_| !found.tool.is_described) {
        Some(most) => truncate_str(&text, most, "…").into_owned(),
        None => text,
    }
}

/// What stands above the tools of an instance.
fn heading(engine: &Project, tool: &Registered, width: Option<usize>) -> String {
    let instance = Style::new().bold().apply_to(&tool.name.instance);
    let summary = engine.about_of(tool.plugin).map_or("", |about| about.summary);
    let of = if tool.name.instance == tool.plugin { String::new() } else { format!("{}: ", tool.plugin) };
    let heading = format!("{instance}  {}", Style::new().dim().apply_to(format!("{of}{summary}")));
    width.map_or(heading.clone(), |width| truncate_str(&heading, width, "…").into_owned())
}
