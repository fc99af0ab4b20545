//! `cuff approve settings`: shows what is another than a person has seen, asks, and lets agents have it.

use std::path::Path;

use super::parts::bounded;
use super::tools;
use crate::cli::arguments::Approve;
use crate::model::{Caller, counted, listed, visible};
use crate::project;
use crate::project::{Context, FileDifference, PendingText, Summary, Unapproved};
use crate::settings;
use crate::sys::terminal::{self, TypedConsent};
use crate::terminal::{Failed, Ui, difference, exit};

/// How many names a line of the summary lists.
const MOST_NAMES: usize = 20;

/// The word that is typed in place of an id.
pub(in crate::cli) const SETTINGS: &str = "settings";

/// Shows the difference and pins what was shown, once a person has said yes.
pub(in crate::cli) fn approve(
    ui: &Ui,
    context: &Context,
    explicit: Option<&Path>,
    typed: &Approve,
) -> Result<u8, Failed> {
    super::approvals(context)?;
    let is_attended = terminal::is_there() && !typed.yes && context.at_terminal() == Caller::Human;
    let mut found = project::unapproved(context, explicit)?;
    while let Some(waiting) = found.as_ref().filter(|waiting| !waiting.held_probes.is_empty()) {
        show_held(ui, waiting, typed.full)?;
        if is_attended {
            let question = "Run that, to see what the tools run?";
            if super::asked(ui, question)?.is_none() {
                return Ok(exit::FAILURE);
            }
        } else {
            context.said_yes().ok_or_else(|| super::nobody(context))?;
        }
        found = project::unapproved_as_agreed(context, explicit, &waiting.held_probes)?;
    }
    let Some(unapproved) = found else {
        let is_there =
            settings::find(&context.environment, explicit).is_ok_and(|found| found.place.is_some());
        ui.note(if is_there || !settings::server_files(&context.environment).is_empty() {
            "nothing to approve: agents use the current settings"
        } else {
            "nothing to approve: there are no settings here; `cuff init` writes them"
        });
        return Ok(exit::SUCCESS);
    };
    // A server's descriptions of its tools must steer no agent that reads this in its shell.
    if !unapproved.tools.is_empty() && context.at_terminal() != Caller::Human {
        return Err(super::nobody(context));
    }
    let parts = parts(&unapproved, typed.full);
    let files = 1 + usize::from(unapproved.servers_file.is_some());
    let mut lines = headline(&unapproved);
    lines.extend(in_short(&project::summary(context, &unapproved)));
    lines.extend(tools::in_short(&unapproved.tools));
    lines.extend(if typed.full { parts.concat() } else { bounded(&parts, files) });
    ui.result(lines.join("\n"))?;
    let said = if is_attended {
        // The numbers say how much there was to read.
        let many = |mark| parts.iter().flatten().map(|line| u64::from(line.starts_with(mark))).sum();
        let (went, came) = (counted(many("- "), "line"), many("+ "));
        let question = format!("{went} went, {came} came. Let agents have this?");
        let Some(said) = super::asked(ui, &question)? else { return Ok(exit::FAILURE) };
        said
    } else {
        context.said_yes().ok_or_else(|| super::nobody(context))?
    };
    project::approve(context, &said, &unapproved).map_err(|error| super::unusable(&error))?;
    ui.result("approved: agents have it from now on")?;
    if is_attended {
        tools::pin_first_lists(ui, context, explicit, (&unapproved.new_servers(), &said))?;
    }
    Ok(exit::SUCCESS)
}

/// Lets agents have the settings of the working directory, which the person at the terminal has said yes to.
pub(in crate::cli) fn let_have(
    ui: &Ui,
    context: &Context,
    unapproved: &Unapproved,
    said: &TypedConsent,
) -> Result<(), Failed> {
    project::approve(context, said, unapproved).map_err(|error| super::unusable(&error))?;
    tools::pin_first_lists(ui, context, None, (&unapproved.new_servers(), said))
}

/// Shows the settings, and the programs in them that say what tools run.
fn show_held(ui: &Ui, waiting: &Unapproved, is_full: bool) -> Result<(), Failed> {
    let parts = vec![settings_part(waiting)];
    let mut lines = headline(waiting);
    lines.extend(if is_full { parts.concat() } else { bounded(&parts, 1) });
    lines.push(String::new());
    lines.push("To see what the tools run, cuff must run what these settings name:".to_owned());
    lines.extend(waiting.held_probes.iter().map(|held| format!("  {}", held.line)));
    ui.result(lines.join("\n"))?;
    Ok(())
}

/// The line that names the files.
fn headline(unapproved: &Unapproved) -> Vec<String> {
    match (&unapproved.file, &unapproved.instead_of) {
        (Some(file), None) => vec![format!("{}, as approved and as it is now", visible(file))],
        (Some(file), Some(other)) => {
            vec![format!("{} now counts instead of {}", visible(file), visible(other))]
        }
        (None, Some(other)) => vec![format!("{} no longer counts", visible(other))],
        (None, None) if unapproved.is_of_tools_alone() => {
            vec!["tools of MCP servers, as approved and as they are now".to_owned()]
        }
        (None, None) => Vec::new(),
    }
}

/// The summary, a line for each thing that came, went or changed.
pub(in crate::cli) fn in_short(summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |label: &str, names: &[String]| {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| visible(name).into_owned()).collect();
            lines.push(format!("  {label:13} {}", listed(&names, MOST_NAMES)));
        }
    };
    let Summary { new, switched_on, changed, switched_off, removed, gained, lost, .. } = summary;
    say("new", new);
    say("switched on", switched_on);
    let changed: Vec<String> =
        changed.iter().map(|(name, keys)| format!("{name} ({})", listed(keys, MOST_NAMES))).collect();
    say("changed", &changed);
    say("switched off", switched_off);
    say("removed", removed);
    say(&format!("{} more", counted(gained.len() as u64, "tool")), gained);
    say(&format!("{} fewer", counted(lost.len() as u64, "tool")), lost);
    let Summary { new_texts, changed_texts, removed_texts, .. } = summary;
    if new_texts + changed_texts + removed_texts > 0 {
        let texts = format!("{new_texts} new, {changed_texts} changed, {removed_texts} removed");
        lines.push(format!("  {:13} {texts}", "texts"));
    }
    lines
}

/// The difference of the settings.
fn settings_part(unapproved: &Unapproved) -> Vec<String> {
    let (before, after) = &unapproved.settings;
    let mut lines = difference(before, after);
    if lines.is_empty() && !unapproved.is_of_tools_alone() {
        lines.push("  the settings are the same".to_owned());
    }
    lines
}

/// The difference in parts: that of the settings, and that of each text.
fn parts(unapproved: &Unapproved, is_full: bool) -> Vec<Vec<String>> {
    let servers = unapproved.servers_file.iter().map(|FileDifference { file, text: (before, after) }| {
        let mut lines = vec![String::new(), format!("{}, as approved and as it is now", visible(file))];
        lines.extend(difference(before, after));
        lines
    });
    std::iter::once(settings_part(unapproved))
        .chain(servers)
        .chain(unapproved.texts.iter().map(|text| of_text(text, is_full)))
        .chain(unapproved.tools.iter().map(tools::difference_of))
        .collect()
}

/// The text that some tools run, as approved and as it is now.
fn of_text(PendingText { tools, before, after }: &PendingText, is_full: bool) -> Vec<String> {
    let tools: Vec<String> = tools.iter().map(|tool| visible(tool).into_owned()).collect();
    let names = listed(&tools, if is_full { usize::MAX } else { MOST_NAMES });
    let mut lines = vec![String::new(), format!("what these run: {names}")];
    match (before, after) {
        (_, None) => lines.push("  too long to be shown: read it before you say yes".to_owned()),
        (None, Some(after)) => {
            lines.push("  it was too long to be kept; all of it is now:".to_owned());
            lines.extend(difference("", after));
        }
        (Some(before), Some(after)) => lines.extend(difference(before, after)),
    }
    lines
}
