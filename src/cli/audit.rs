//! `cuff audit`: what was decided about calls, a line each, the newest first, as runs are listed.

use serde_json::{Map, Value, json};

use super::approve::{approvals, unusable};
use super::arguments::Audit;
use crate::calls;
use crate::model::{RunId, visible};
use crate::project::{Approvals, Context};
use crate::sys::local_time;
use crate::terminal::{Failed, NARROWEST, Ui, columns, exit, widths};

/// How many columns stand before what may be broken: time, decision, caller and tool.
const WHOLE: usize = 4;
/// How many decisions are shown when nobody says.
const SHOWN: usize = 20;

/// Shows the last decisions of this project, or of all.
pub(super) fn audit(ui: &Ui, context: &Context, typed: &Audit) -> Result<u8, Failed> {
    let approvals = approvals(context)?;
    let filter = typed.filter.as_deref().map(str::to_lowercase);
    let wanted = |entry: &Map<String, Value>| {
        (typed.all || approvals.is_near(text(entry, "project")))
            && filter.as_ref().is_none_or(|filter| text(entry, "tool").to_lowercase().contains(filter))
    };
    let entries =
        approvals.audit(typed.number.unwrap_or(SHOWN), &wanted).map_err(|error| unusable(&error))?;
    if typed.json {
        ui.json(&json!({ "decisions": entries }))?;
        return Ok(exit::SUCCESS);
    }
    if entries.is_empty() {
        ui.note(nothing(&approvals, typed));
        return Ok(exit::SUCCESS);
    }
    let rules = rules(context, &entries);
    let rows = entries.iter().zip(rules).map(|(entry, rule)| row(entry, rule, typed.all));
    let rows: Vec<Vec<String>> = rows.collect();
    ui.result(columns(&rows, &widths(&rows, WHOLE), NARROWEST, ui.width()))?;
    Ok(exit::SUCCESS)
}

fn text<'e>(entry: &'e Map<String, Value>, name: &str) -> &'e str {
    entry.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn row(entry: &Map<String, Value>, rule: String, with_project: bool) -> Vec<String> {
    let number = |name| entry.get(name).and_then(Value::as_u64);
    let first = number("at").unwrap_or_default();
    let at = local_time(number("last").unwrap_or(first));
    let repeats = number("count")
        .map_or_else(String::new, |count| format!(", {count} times since {}", local_time(first)));
    let place = if with_project { format!(", in {}", text(entry, "project")) } else { String::new() };
    let cells = [
        at,
        in_words(text(entry, "decision")).to_owned(),
        text(entry, "caller").to_owned(),
        text(entry, "tool").to_owned(),
        rule + &repeats + &place,
    ];
    cells.iter().map(|cell| visible(cell).into_owned()).collect()
}

/// A decision as people say it; JSON has the name that it was recorded by.
fn in_words(decision: &str) -> &str {
    match decision {
        "confirmation_required" => "waits for a yes",
        "granted" => "yes",
        "denied" => "no",
        other => other,
    }
}

/// The rule of each, and a run in it as `cuff runs` shows it. The runs are looked through once for all of them.
fn rules(context: &Context, entries: &[Map<String, Value>]) -> Vec<String> {
    let runs = calls::all_runs(context);
    let run = |rule: &str| {
        let (id, _) = rule.strip_prefix("run ")?.split_once(": ")?;
        id.parse::<RunId>().ok().filter(|_| runs.is_some())
    };
    let rules: Vec<&str> = entries.iter().map(|entry| text(entry, "rule")).collect();
    let ids: Vec<RunId> = rules.iter().filter_map(|rule| run(rule)).collect();
    let mut short = runs.as_ref().map(|runs| runs.shortened(&ids)).unwrap_or_default().into_iter();
    let in_short = |rule: &&str| {
        let short = run(rule).and_then(|_| short.next());
        let end = rule.split_once(": ").map_or("", |(_, end)| end);
        short.map_or_else(|| (*rule).to_owned(), |short| format!("run {short}: {end}"))
    };
    rules.iter().map(in_short).collect()
}

/// Why there is nothing to show.
fn nothing(approvals: &Approvals, typed: &Audit) -> String {
    let whose = if typed.all { "of all projects" } else { "of this project" };
    let more = if typed.all { "" } else { "; `--all` has those of all projects" };
    match &typed.filter {
        _ if approvals.audit(1, &|_| true).is_ok_and(|all| all.is_empty()) => {
            "nothing was decided yet".to_owned()
        }
        Some(filter) => format!("none of the decisions {whose} is about a tool like `{filter}`{more}"),
        None => format!("none of the decisions is {whose}{more}"),
    }
}
