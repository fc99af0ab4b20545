//! The tools of MCP servers that wait for a person, and those of a server that was just approved.

use std::path::Path;

use super::parts::bounded;
use super::unusable;
use crate::model::{counted, listed, visible};
use crate::project::{self, Context, FirstList, PendingTool};
use crate::sys::terminal::TypedConsent;
use crate::terminal::{Failed, Ui, difference, wait_for};

/// How many names a line lists.
const MOST_NAMES: usize = 20;

/// The tools that wait, in a line for each kind, and a line for each that may steer a model.
pub(super) fn in_short(tools: &[PendingTool]) -> Vec<String> {
    let (new, changed): (Vec<&PendingTool>, Vec<&PendingTool>) =
        tools.iter().partition(|tool| tool.before.as_deref() == Some(""));
    let line = |(label, tools): (&str, Vec<&PendingTool>)| {
        let names: Vec<String> = tools.iter().map(|tool| visible(&tool.tool).into_owned()).collect();
        (!names.is_empty()).then(|| format!("  {label:13} {}", listed(&names, MOST_NAMES)))
    };
    let lines = [("new tools", new), ("changed tools", changed)].into_iter().filter_map(line);
    let warnings = tools.iter().filter_map(|tool| {
        let steering = tool.steering.as_ref()?;
        Some(
            visible(&format!("  warning: {} has text that may steer a model: {steering}", tool.tool))
                .into_owned(),
        )
    });
    lines.chain(warnings).collect()
}

/// The definition of a tool, as approved and as it is now.
pub(super) fn difference_of(tool: &PendingTool) -> Vec<String> {
    let PendingTool { server, tool, before, after, .. } = tool;
    let mut lines =
        vec![String::new(), visible(&format!("{tool}, a tool of the MCP server {server}")).into_owned()];
    if before.is_none() {
        lines.push("  what was approved was too long to be kept; all of it is now:".to_owned());
    }
    lines.extend(difference(before.as_deref().unwrap_or_default(), after));
    lines
}

/// Connects to the servers that a person has just approved and pins the tools that they list. The person is
/// asked once more if something speaks against it: text that may steer a model, or tools that differ from the
/// approved ones.
pub(super) fn pin_first_lists(
    ui: &Ui,
    context: &Context,
    explicit: Option<&Path>,
    (servers, said): (&[&str], &TypedConsent),
) -> Result<(), Failed> {
    if servers.is_empty() {
        return Ok(());
    }
    let servers: Vec<String> = servers.iter().map(|server| (*server).to_owned()).collect();
    ui.note(format!("connecting to {} for the tools that agents will have", listed(&servers, MOST_NAMES)));
    for list in wait_for(ui, project::first_lists(context, explicit, &servers))?? {
        let FirstList { server, tools, pending, is_first, unreachable, .. } = &list;
        if let Some(why) = unreachable {
            ui.note(visible(&format!(
                "note: {server} could not be asked for its tools: {why}; they are pinned as they are when cuff first connects"
            )));
            continue;
        }
        let is_odd = pending.iter().any(|tool| tool.steering.is_some()) || !is_first && !pending.is_empty();
        if is_odd {
            project::hold_list(context, &list).map_err(|error| unusable(&error))?;
            let Some(yes) = asked(ui, &list)? else { continue };
            project::approve_list(context, &yes, &list).map_err(|error| unusable(&error))?;
        } else if *is_first && !list.is_empty() {
            project::approve_list(context, said, &list).map_err(|error| unusable(&error))?;
        }
        let names = listed(tools, MOST_NAMES);
        let count = counted(tools.len() as u64, "tool");
        ui.result(visible(&match names.as_str() {
            "" if list.is_empty() => {
                format!("{server} lists no tools yet; the first that it lists are pinned")
            }
            "" => format!("{server}: agents have {count}"),
            names => format!("{server}: agents have {count}: {names}"),
        }))?;
    }
    Ok(())
}

/// Shows the tools of a list that wait, and asks; `None` is no.
fn asked(ui: &Ui, list: &FirstList) -> Result<Option<TypedConsent>, Failed> {
    let mut lines = vec![format!("tools of {}, as approved and as they are now", visible(&list.server))];
    lines.extend(in_short(&list.pending));
    let parts: Vec<Vec<String>> = list.pending.iter().map(difference_of).collect();
    lines.extend(bounded(&parts, 0));
    ui.result(lines.join("\n"))?;
    let said = super::asked(ui, "Let agents have these tools?")?;
    if said.is_none() {
        ui.note("agents do not get them; `cuff approve settings` asks again");
    }
    Ok(said)
}
