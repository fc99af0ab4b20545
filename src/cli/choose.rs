//! `cuff run` without a tool, or by a name that several have: a person chooses one from a list that narrows with each key.

use std::io;

use console::measure_text_width;

use crate::calls;
use crate::model::{ToolName, shown, visible};
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::sys::terminal::KeyMode;
use crate::terminal::{Failed, Item, Ui, item_room, pick, widest};

/// How many of the last runs say which tools come first.
const RECENT: usize = 200;
/// The most columns that names take before the descriptions begin.
const WIDEST_NAME: usize = 36;
/// So much of a description is worth its place behind a name.
const LEAST: usize = 12;

/// The tool that was chosen. Nobody is asked where nobody can choose.
pub(super) fn choose<'r>(
    ui: &Ui,
    project: &Project,
    registry: &'r Registry,
    json: bool,
) -> Result<&'r Registered, Failed> {
    if json || !can_choose(ui, project) {
        let help = "`cuff list` shows every tool; at a terminal `cuff run` alone lets you choose one";
        return Err(Failed::usage("no tool was named").help(help));
    }
    let tools = by_recency(project, registry);
    if tools.is_empty() {
        let failed = Failed::usage("nothing is offered here").unable().before_a_run();
        return Err(failed.help("`cuff list` says why"));
    }
    chosen(ui, project, "Run which tool?", &tools)
}

/// Which of the tools that are called so a person means; nobody is asked where nobody can choose.
pub(super) fn among<'r>(
    ui: &Ui,
    project: &Project,
    registry: &'r Registry,
    (typed, candidates): (&str, &[ToolName]),
) -> Result<Option<&'r Registered>, Failed> {
    if !can_choose(ui, project) {
        return Ok(None);
    }
    let mut tools = by_recency(project, registry);
    tools.retain(|tool| candidates.contains(&tool.name));
    if tools.is_empty() {
        Ok(None)
    } else {
        chosen(ui, project, &format!("Run which {}?", shown(typed)), &tools).map(Some)
    }
}

/// Whether a person is there to choose. An agent's shell may have a terminal, and would wait for ever.
fn can_choose(ui: &Ui, project: &Project) -> bool {
    ui.can_choose() && !project.at_terminal().is_governed()
}

fn chosen<'r>(
    ui: &Ui,
    project: &Project,
    question: &str,
    tools: &[&'r Registered],
) -> Result<&'r Registered, Failed> {
    let lines = lines(project, tools, item_room(Ui::error_width()));
    let _keys = KeyMode::unseen()?;
    let chosen = pick(question, &lines)?.and_then(|at| tools.get(at));
    chosen.copied().ok_or_else(|| {
        ui.note("Nothing was run");
        // As after Ctrl-C, so that `cuff run && next` goes no further.
        Failed::from(io::Error::from(io::ErrorKind::Interrupted))
    })
}

/// Sorts the tools: those that people ran here last come first, then all others in their order.
fn by_recency<'r>(project: &Project, registry: &'r Registry) -> Vec<&'r Registered> {
    let mut last: Vec<String> = Vec::new();
    for run in
        calls::own_runs(project).iter().flat_map(|runs| runs.by_people().take(RECENT).collect::<Vec<_>>())
    {
        if !last.contains(&run.tool) {
            last.push(run.tool);
        }
    }
    let runs_something = |tool: &&Registered| !tool.tool.role.is_list();
    let mut tools: Vec<&Registered> = registry.tools().iter().filter(runs_something).collect();
    tools.sort_by_key(|tool| {
        let name = tool.name.to_string();
        last.iter().position(|ran| *ran == name).unwrap_or(usize::MAX)
    });
    tools
}

/// A line for each tool: its name, and what it is for where there is room for that.
fn lines(project: &Project, tools: &[&Registered], width: usize) -> Vec<Item> {
    let longest = widest(tools.iter().map(|tool| tool.shown.as_str())).min(WIDEST_NAME);
    let line = |tool: &&Registered| {
        let name = visible(&tool.shown).into_owned();
        let padding = longest.saturating_sub(measure_text_width(&name));
        let shown = if longest + LEAST > width {
            name.clone()
        } else {
            format!("{name}{:padding$}  {}", "", super::list::marked(project, tool)).trim_end().to_owned()
        };
        let names = tool.names().map(str::to_owned).chain([name, tool.name.to_string()]).collect();
        Item { shown, names }
    };
    tools.iter().map(line).collect()
}
