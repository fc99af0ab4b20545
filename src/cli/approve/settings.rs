//! `cuff approve settings`: shows what is another than a person has seen, asks, and lets agents have it.

use std::path::Path;

use crate::cli::difference::difference;
use crate::cli::ui::Ui;
use crate::cli::{Failed, exit};
use crate::engine::{Surroundings, Text, Unapproved};
use crate::model::{Caller, counted, visible};
use crate::sys::terminal;

/// What is typed in the place of an id.
pub(in crate::cli) const SETTINGS: &str = "settings";

/// Shows the difference and pins what was shown, once a person has said yes.
pub(in crate::cli) fn approve(
    ui: &Ui,
    surroundings: &Surroundings,
    explicit: Option<&Path>,
    yes: bool,
) -> Result<u8, Failed> {
    super::approvals(surroundings)?;
    let Some(unapproved) = surroundings.unapproved(explicit)? else {
        ui.note("nothing to approve: agents have the settings as they are");
        return Ok(exit::SUCCESS);
    };
    let shown = shown(&unapproved);
    ui.result(&shown)?;
    let said = if terminal::is_there() && !yes && surroundings.at_terminal() == Caller::Human {
        // What is long scrolls away: the numbers say how much there was to read.
        let many = |mark| shown.lines().map(|line| u64::from(line.starts_with(mark))).sum();
        let (went, came) = (counted(many("- "), "line"), many("+ "));
        let question = format!("{went} went, {came} came. Let agents have this?");
        let Some(said) = super::asked(ui, &question)? else { return Ok(exit::FAILURE) };
        said
    } else {
        surroundings.said_yes().ok_or_else(|| super::nobody(surroundings))?
    };
    surroundings.approve(&said, &unapproved).map_err(|error| super::unusable(&error))?;
    ui.result("approved: agents have it from now on")?;
    Ok(exit::SUCCESS)
}

/// All that a person must read.
fn shown(unapproved: &Unapproved) -> String {
    let Unapproved { file, instead_of, settings: (before, after), texts, .. } = unapproved;
    let mut lines = Vec::new();
    match (file, instead_of) {
        (Some(file), None) => lines.push(format!("{}, as approved and as it is now", visible(file))),
        (Some(file), Some(other)) => {
            lines.push(format!("{} now counts instead of {}", visible(file), visible(other)));
        }
        (None, Some(other)) => lines.push(format!("{} no longer counts", visible(other))),
        (None, None) => {}
    }
    let settings = difference(before, after);
    if settings.is_empty() {
        lines.push("  the settings are the same".to_owned());
    }
    lines.extend(settings);
    lines.extend(texts.iter().flat_map(of_text));
    lines.join("\n")
}

/// What some tools run, as approved and as it is now.
fn of_text(Text { tools, before, after }: &Text) -> Vec<String> {
    let tools = tools.iter().map(|tool| visible(tool)).collect::<Vec<_>>().join(", ");
    let mut lines = vec![String::new(), format!("what these run: {tools}")];
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
