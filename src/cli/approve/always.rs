//! `cuff approvals --always` and `--revoke`: what a person allows always.

use serde_json::{Value, json};

use super::{approvals, unusable, warn_of};
use crate::calls::ago;
use crate::cli::arguments::ApprovalsTyped;
use crate::ledger::AlwaysAllowed;
use crate::model::visible;
use crate::project::Context;
use crate::terminal::{Failed, Ui, exit};

/// The word for everything.
const ALL: &str = "all";

/// Shows what is always allowed, or takes some of it back.
pub(in crate::cli) fn always(ui: &Ui, context: &Context, typed: &ApprovalsTyped) -> Result<u8, Failed> {
    let approvals = approvals(context)?;
    let Some(name) = &typed.revoke else {
        let mut all = approvals.always().map_err(|error| unusable(&error))?;
        all.sort_by_key(|one| !approvals.is_near(&one.project));
        if typed.json {
            ui.json(&json!({ "always": all.iter().map(shape).collect::<Vec<_>>() }))?;
        } else if all.is_empty() {
            ui.note("nothing is always allowed; `a` at a confirmation allows a tool until it changes");
        } else {
            let lines: Vec<String> = all.iter().map(|one| entry(one, approvals.now())).collect();
            ui.result(lines.join("\n"))?;
        }
        return Ok(exit::SUCCESS);
    };
    let name = (name != ALL).then_some(name.as_str());
    let done = approvals.revoke(context.at_terminal(), name).map_err(|error| unusable(&error))?;
    if typed.json {
        ui.json(&json!({ "revoked": done.revoked.iter().map(shape).collect::<Vec<_>>() }))?;
    }
    if let (Some(name), true) = (name, done.revoked.is_empty()) {
        let failed = Failed::usage(format!("`{}` is not always allowed", visible(name)));
        return Err(failed.help("`cuff approvals --always` shows what is"));
    }
    if !typed.json {
        for one in &done.revoked {
            ui.result(format!("asks again: {}", line(one)))?;
        }
        if done.revoked.is_empty() {
            ui.note("nothing was always allowed");
        }
    }
    warn_of(ui, done.unwritten);
    Ok(exit::SUCCESS)
}

/// A line for the entry, and one for its project.
fn entry(one: &AlwaysAllowed, now: u64) -> String {
    format!("{}\n  always since {}, in {}", line(one), ago(one.since, now), visible(&one.project))
}

fn line(AlwaysAllowed { tool, command, .. }: &AlwaysAllowed) -> String {
    format!("{}: {}", visible(tool), visible(command))
}

fn shape(one: &AlwaysAllowed) -> Value {
    json!({
        "tool": one.tool, "original": one.original, "command": one.command, "project": one.project,
        "since_ms": one.since,
    })
}
