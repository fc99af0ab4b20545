//! `cuff list --graph`: which tools start which others.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::paged::paged;
use crate::calls::{ToolsByCommand, called_tools};
use crate::cli::arguments::ListOptions;
use crate::model::visible;
use crate::project::Project;
use crate::registry::{Registered, Registry};
use crate::terminal::{Failed, Ui, exit};

/// The deepest level that is shown.
const DEEPEST: usize = 20;

/// Prints which of the tools start which others.
pub(super) fn print(
    ui: &Ui,
    project: &Project,
    (registry, tools): (&Registry, &[&Registered]),
    typed: &ListOptions,
) -> Result<u8, Failed> {
    let graph = CallGraph::of(registry, tools);
    if typed.json {
        ui.json(&graph.json())?;
        return Ok(exit::SUCCESS);
    }
    let text = graph.text();
    if text.is_empty() {
        ui.note("no tool here starts another by its own text");
    } else {
        paged(ui, project, text, typed.no_pager)?;
    }
    Ok(exit::SUCCESS)
}

/// The tools that start others, and those that these start.
struct CallGraph<'r> {
    tools: Vec<&'r Registered>,
    /// The tools that each starts, by its qualified name.
    calls: BTreeMap<String, Vec<&'r Registered>>,
}

impl<'r> CallGraph<'r> {
    /// The graph below these tools.
    fn of(registry: &'r Registry, tools: &[&'r Registered]) -> Self {
        let by_command = ToolsByCommand::of(registry);
        let mut calls = BTreeMap::new();
        let mut waiting: Vec<&Registered> = tools.to_vec();
        while let Some(tool) = waiting.pop() {
            if let Entry::Vacant(unknown) = calls.entry(tool.name.to_string()) {
                let called = called_tools(&by_command, tool);
                waiting.extend(&called);
                unknown.insert(called);
            }
        }
        Self { tools: tools.to_vec(), calls }
    }

    fn calls_of(&self, tool: &Registered) -> &[&'r Registered] {
        self.calls.get(&tool.name.to_string()).map_or(&[], Vec::as_slice)
    }

    /// A tree for each tool that starts others and that no other starts. Of tools that start each other the first has one.
    /// A tool that has been shown with all that it starts is only named again.
    fn text(&self) -> String {
        let called: BTreeSet<String> = self
            .tools
            .iter()
            .flat_map(|tool| self.calls_of(tool))
            .map(|tool| tool.name.to_string())
            .collect();
        let (inner, first): (Vec<_>, Vec<_>) =
            self.tools.iter().copied().partition(|tool| called.contains(&tool.name.to_string()));
        let mut shown = BTreeSet::new();
        let mut lines = Vec::new();
        for tool in first.into_iter().chain(inner) {
            if !self.calls_of(tool).is_empty() && !shown.contains(&tool.name.to_string()) {
                self.add(tool, ("", ""), &mut shown, &mut lines);
            }
        }
        lines.join("\n")
    }

    /// The line of a tool, and those of the tools that it starts. The marks are for its own line and those below.
    fn add(
        &self,
        tool: &Registered,
        (mark, margin): (&str, &str),
        shown: &mut BTreeSet<String>,
        lines: &mut Vec<String>,
    ) {
        let calls = self.calls_of(tool);
        let is_new = shown.insert(tool.name.to_string());
        let is_deep = margin.chars().count() > DEEPEST * 3;
        let more = if calls.is_empty() || is_new && !is_deep { "" } else { " …" };
        lines.push(format!("{mark}{}{more}", visible(&tool.shown)));
        if !more.is_empty() {
            return;
        }
        for (at, called) in calls.iter().enumerate() {
            let (mark, below) = if at + 1 == calls.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let marks = (format!("{margin}{mark}"), format!("{margin}{below}"));
            self.add(called, (&marks.0, &marks.1), shown, lines);
        }
    }

    /// The qualified names of the tools that start others, each with theirs.
    fn json(&self) -> Value {
        let entry = |tool: &&Registered| {
            let calls: Vec<String> =
                self.calls_of(tool).iter().map(|called| called.name.to_string()).collect();
            (!calls.is_empty()).then(|| json!({"name": tool.name.to_string(), "calls": calls}))
        };
        json!({ "tools": self.tools.iter().filter_map(entry).collect::<Vec<_>>() })
    }
}
