//! A line for each tool of `cuff list`, under a heading for each source.

use std::cmp::Reverse;

use console::{Style, truncate_str};

use super::described::{in_a_line, mark};
use crate::model::visible;
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::terminal::{NARROWEST, Ui, broken, widest, width_of};

/// The most columns that names take before the descriptions begin. A longer name moves its own description alone.
const WIDEST_NAME: usize = 30;
/// The columns before a name.
const INDENT: usize = 2;
/// The columns between a name and its description.
const GAP: usize = 2;

/// More packages than these have a line each at a terminal, unless words choose among the tools.
const MOST_PACKAGES: usize = 8;
/// The most packages that have a line.
const MOST_LINES: usize = 100;

/// The tools under the headings of their sources. The source of the folder that one is in comes first. A person who looks at
/// `all` of a large workspace sees its packages in a line each.
pub(super) fn lines(
    ui: &Ui,
    project: &Project,
    registry: &Registry,
    (tools, all): (&[&Registered], bool),
) -> String {
    let listed = without_lists(tools);
    let mut groups: Vec<&[&Registered]> =
        listed.chunk_by(|one, next| one.name.instance == next.name.instance).collect();
    groups.sort_by_cached_key(|group| Reverse(group.first().map_or(0, |tool| depth(project, tool))));
    let width = ui.width();
    let is_aside = |group: &&[&Registered]| {
        let first = group.first().filter(|tool| registry.is_package(&tool.name.instance));
        first.is_some_and(|tool| depth(project, tool) == 0)
    };
    let aside: Vec<&[&Registered]> = groups.iter().copied().filter(|group| is_aside(group)).collect();
    let is_short = all && width.is_some() && aside.len() > MOST_PACKAGES;
    if is_short {
        groups.retain(|group| !is_aside(group));
    }
    let packages = is_short.then(|| packages(&aside, width.unwrap_or(usize::MAX)));
    let text = |group: &&[&Registered]| {
        let names = widest(group.iter().map(|tool| tool.shown.as_str())).min(WIDEST_NAME);
        let layout = ListLayout { project, names, width };
        let heading = group.first().map(|tool| layout.heading(registry, tool));
        let lines = heading.into_iter().chain(group.iter().map(|tool| layout.line(tool)));
        lines.collect::<Vec<_>>().join("\n")
    };
    groups.iter().map(text).chain(packages).collect::<Vec<_>>().join("\n\n")
}

/// The packages of a workspace, each with the names of its scripts.
fn packages(groups: &[&[&Registered]], width: usize) -> String {
    let name = |tool: &Registered| {
        let behind = tool.shown.strip_suffix(&tool.tool.original).and_then(|front| front.strip_suffix(':'));
        visible(behind.unwrap_or(&tool.name.instance)).into_owned()
    };
    let rows = groups.iter().take(MOST_LINES).filter_map(|group| {
        let scripts: Vec<_> = group.iter().map(|tool| visible(&tool.tool.original)).collect();
        Some((name(group.first()?), scripts.join(", ")))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let names = widest(rows.iter().map(|(name, _)| name.as_str())).min(WIDEST_NAME);
    let heading =
        format!("{}{}", Style::new().bold().apply_to("packages"), dim(&format!(" · {}", groups.len())));
    let line = |(name, scripts): &(String, String)| {
        let line = format!("{:INDENT$}{name:names$}{:GAP$}{scripts}", "", "");
        truncate_str(&line, width, "…").into_owned()
    };
    let more = groups.len().saturating_sub(rows.len());
    let more = (more > 0).then(|| format!("{:INDENT$}and {more} more", ""));
    let example = rows.first().map_or("", |(name, _)| name.as_str());
    let help = dim(&format!("`cuff list {example}` shows one, `cuff {example}:SCRIPT` runs one"));
    let lines = std::iter::once(heading).chain(rows.iter().map(line)).chain(more);
    lines.chain([String::new(), truncate_str(&help, width, "…").into_owned()]).collect::<Vec<_>>().join("\n")
}

/// Tools that list the others say nothing that this list does not; they are shown where there is nothing else.
fn without_lists<'r>(tools: &[&'r Registered]) -> Vec<&'r Registered> {
    let running: Vec<&Registered> = tools.iter().filter(|tool| !tool.tool.role.is_list()).copied().collect();
    if running.is_empty() { tools.to_vec() } else { running }
}

/// How deep the folder of a tool is, if one is in it: 0 for a tool of the root or of another folder.
fn depth(project: &Project, tool: &Registered) -> usize {
    let folder = tool.folder();
    let folder = folder.strip_prefix(".").unwrap_or(folder);
    let is_in = project.here().is_some_and(|here| here.starts_with(folder));
    if is_in { folder.components().count() } else { 0 }
}

/// The place of names and descriptions.
struct ListLayout<'a> {
    project: &'a Project,
    /// The columns of names.
    names: usize,
    /// The columns of the terminal; `None` where no person looks.
    width: Option<usize>,
}

impl ListLayout<'_> {
    /// The words above the tools of a source.
    fn heading(&self, registry: &Registry, tool: &Registered) -> String {
        let words = registry.heading(&tool.name.instance);
        let (first, rest) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let rest: Vec<_> = std::iter::once("".into()).chain(rest.iter().map(|word| visible(word))).collect();
        let heading = format!("{}{}", Style::new().bold().apply_to(visible(first)), dim(&rest.join(" · ")));
        self.width.map_or(heading.clone(), |width| truncate_str(&heading, width, "…").into_owned())
    }

    /// A tool: its name, whether a person is asked, and its description or else the beginning of what it runs.
    fn line(&self, found: &Registered) -> String {
        let name = visible(&found.shown);
        let padding = self.names.saturating_sub(width_of(&name));
        let mut front = String::with_capacity(INDENT + name.len() + padding + GAP + NARROWEST);
        front.extend(std::iter::repeat_n(' ', INDENT));
        front.push_str(&name);
        front.extend(std::iter::repeat_n(' ', padding + GAP));
        let Some(width) = self.width else {
            let mark = mark(self.project, found).map_or_else(String::new, |mark| format!("{mark} "));
            front.push_str(&styled(&mark, in_a_line(&found.tool), found.tool.is_described));
            front.truncate(front.trim_end().len());
            return front;
        };
        let beside = width_of(&front);
        let (front, column) = if width < beside + NARROWEST {
            (format!("{:INDENT$}{name}\n{:2$}", "", "", INDENT + GAP), INDENT + GAP)
        } else {
            (front, beside)
        };
        let lines = self.about(found, width.saturating_sub(column));
        format!("{front}{}", lines.join(&format!("\n{:column$}", ""))).trim_end().to_owned()
    }

    /// The text about a tool, in lines of so many columns. A description was written to be read, so it goes on below;
    /// what a tool runs is cut.
    fn about(&self, found: &Registered, room: usize) -> Vec<String> {
        let mark = mark(self.project, found).map_or_else(String::new, |mark| format!("{mark} "));
        let text = format!("{mark}{}", in_a_line(&found.tool));
        let is_described = found.tool.is_described;
        let lines: Vec<String> = if is_described {
            broken(&text, room).iter().map(|line| line.trim_start().to_owned()).collect()
        } else {
            vec![truncate_str(&text, room, "…").into_owned()]
        };
        let styled = |(at, line): (usize, String)| {
            let text = line.strip_prefix(&mark).filter(|_| at == 0).map(str::to_owned);
            let (mark, text) = text.map_or(("", line), |text| (mark.as_str(), text));
            styled(mark, text, is_described)
        };
        lines.into_iter().enumerate().map(styled).collect()
    }
}

/// A text behind a mark; what a tool runs is dim.
fn styled(mark: &str, text: String, is_described: bool) -> String {
    let text = if is_described { text } else { dim(&text) };
    if mark.is_empty() { text } else { format!("{}{text}", Style::new().yellow().apply_to(mark)) }
}

fn dim(text: &str) -> String {
    Style::new().dim().apply_to(text).to_string()
}
