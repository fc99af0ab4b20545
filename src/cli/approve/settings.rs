//! `cuff approve settings`: shows what is another than a person has seen, asks, and lets agents have it.

use std::path::Path;

use crate::cli::arguments::Approve;
use crate::model::{Caller, counted, listed, visible};
use crate::project;
use crate::project::{Context, FileDifference, Summary, Text, Unapproved};
use crate::sys::terminal;
use crate::terminal::{Failed, Ui, difference, exit};

/// How many lines of the difference are shown at once, and of these how many of the settings and of each text.
const MOST_LINES: usize = 200;
const MOST_OF_SETTINGS: usize = 120;
const MOST_OF_TEXT: usize = 20;
/// How many names a line of the summary lists.
const MOST_NAMES: usize = 20;

/// What is typed in the place of an id.
pub(in crate::cli) const SETTINGS: &str = "settings";

/// Shows the difference and pins what was shown, once a person has said yes.
pub(in crate::cli) fn approve(
    ui: &Ui,
    surroundings: &Context,
    explicit: Option<&Path>,
    typed: &Approve,
) -> Result<u8, Failed> {
    super::approvals(surroundings)?;
    let Some(unapproved) = project::unapproved(surroundings, explicit)? else {
        ui.note("nothing to approve: agents have the settings as they are");
        return Ok(exit::SUCCESS);
    };
    let parts = parts(&unapproved, typed.full);
    let files = 1 + usize::from(unapproved.servers_file.is_some());
    let mut lines = headline(&unapproved);
    lines.extend(in_short(&project::summary(surroundings, &unapproved)));
    lines.extend(if typed.full { parts.concat() } else { bounded(&parts, files) });
    ui.result(lines.join("\n"))?;
    let said = if terminal::is_there() && !typed.yes && surroundings.at_terminal() == Caller::Human {
        // The numbers say how much there was to read.
        let many = |mark| parts.iter().flatten().map(|line| u64::from(line.starts_with(mark))).sum();
        let (went, came) = (counted(many("- "), "line"), many("+ "));
        let question = format!("{went} went, {came} came. Let agents have this?");
        let Some(said) = super::asked(ui, &question)? else { return Ok(exit::FAILURE) };
        said
    } else {
        surroundings.said_yes().ok_or_else(|| super::nobody(surroundings))?
    };
    project::approve(surroundings, &said, &unapproved).map_err(|error| super::unusable(&error))?;
    ui.result("approved: agents have it from now on")?;
    Ok(exit::SUCCESS)
}

/// The line that names the files.
fn headline(unapproved: &Unapproved) -> Vec<String> {
    match (&unapproved.file, &unapproved.instead_of) {
        (Some(file), None) => vec![format!("{}, as approved and as it is now", visible(file))],
        (Some(file), Some(other)) => {
            vec![format!("{} now counts instead of {}", visible(file), visible(other))]
        }
        (None, Some(other)) => vec![format!("{} no longer counts", visible(other))],
        (None, None) => Vec::new(),
    }
}

/// The summary, a line for each thing that came, went or changed.
fn in_short(summary: &Summary) -> Vec<String> {
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

/// The difference in parts: that of the settings, and that of each text.
fn parts(unapproved: &Unapproved, is_full: bool) -> Vec<Vec<String>> {
    let (before, after) = &unapproved.settings;
    let mut settings = difference(before, after);
    if settings.is_empty() {
        settings.push("  the settings are the same".to_owned());
    }
    let servers = unapproved.servers_file.iter().map(|FileDifference { file, text: (before, after) }| {
        let mut lines = vec![String::new(), format!("{}, as approved and as it is now", visible(file))];
        lines.extend(difference(before, after));
        lines
    });
    std::iter::once(settings)
        .chain(servers)
        .chain(unapproved.texts.iter().map(|text| of_text(text, is_full)))
        .collect()
}

/// The parts as far as a person reads them at once, with how much is left out. The first ones are those of `files`.
fn bounded(parts: &[Vec<String>], files: usize) -> Vec<String> {
    let (mut room, mut hidden) = (MOST_LINES, 0);
    let mut lines = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let most = if at < files { MOST_OF_SETTINGS } else { MOST_OF_TEXT }.min(room);
        // One line more takes no more room than the line that says so.
        let most = if part.len() == most + 1 { part.len() } else { most };
        lines.extend(part.iter().take(most).cloned());
        room = room.saturating_sub(most.min(part.len()));
        let left_out = part.len().saturating_sub(most);
        hidden += left_out;
        if left_out > 0 && most > 0 {
            lines.push(format!("  … {} more here", counted(left_out as u64, "line")));
        }
    }
    if hidden > 0 {
        let all: usize = parts.iter().map(Vec::len).sum();
        lines.push(format!(
            "  NOT SHOWN: {hidden} of {} of the difference. `cuff approve settings --full` shows all.",
            counted(all as u64, "line")
        ));
    }
    lines
}

/// What some tools run, as approved and as it is now.
fn of_text(Text { tools, before, after }: &Text, is_full: bool) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_difference_is_bounded_and_says_how_much_is_left_out() {
        let part = |lines: usize| (0..lines).map(|line| format!("+ {line}")).collect::<Vec<_>>();
        assert_eq!(bounded(&[part(3), part(5)], 1).len(), 8, "what is short is whole");
        let shown = bounded(&[part(500), part(21), part(60), part(200), part(200), part(200)], 1);
        assert_eq!(bounded(&[part(3), part(100)], 2).len(), 103, "two files");
        assert_eq!(shown.iter().filter(|line| line.starts_with("+ ")).count(), 120 + 21 + 20 + 20 + 19);
        assert_eq!(shown[120], "  … 380 lines more here");
        let all = 500 + 21 + 60 + 600;
        let hidden = all - 200;
        let notice = format!(
            "  NOT SHOWN: {hidden} of {all} lines of the difference. `cuff approve settings --full` shows all."
        );
        assert_eq!(shown.last(), Some(&notice));
    }
}
