//! The choice in a few lines: how much each instance offers, and which tools require confirmation.

use serde_json::Value;

use crate::model::{Field, PACKAGES, Pick, counted, listed, shown, visible};
use crate::project::{ChosenOffer, InstanceChoice, Offer};

/// How many tools are named in a line.
pub(super) const MOST_NAMES: usize = 8;

/// The most tools that have a line of their own.
const MOST_LINES: usize = 20;

/// A line for each plugin, one for all packages, one for the tools that need a yes, and one for those that ask anyway.
pub(super) fn lines(offers: &[Offer], choice: &InstanceChoice) -> Vec<String> {
    let pairs = pairs(offers, choice);
    let mut rows: Vec<(String, String)> = pairs
        .iter()
        .filter(|(_, offer)| !offer.stands)
        .map(|(chosen, offer)| (offer.name.clone(), amount(chosen, offer)))
        .collect();
    for (_, offer) in pairs.iter().filter(|(_, offer)| offer.stands) {
        rows.extend(
            more(offer).map(|(key, new)| (format!("{} {key}", offer.name), listed(&new, MOST_NAMES))),
        );
    }
    for (chosen, offer) in pairs.iter().filter(|(_, offer)| !offer.stands) {
        let names: Vec<String> = chosen.members(offer).map(|member| shown(member.label())).collect();
        if !names.is_empty() {
            rows.push((counted(names.len() as u64, "package"), listed(&names, MOST_NAMES)));
        }
    }
    let asking = pairs.iter().flat_map(|(_, offer)| {
        offer.suggestion.asking.iter().map(|tool| (offer.name.as_str(), tool.clone()))
    });
    for (what, tools) in [("confirm", confirmed(offers, choice)), ("always asks", asking.collect())] {
        if !tools.is_empty() {
            rows.push((what.to_owned(), by_instance(&tools)));
        }
    }
    let longest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.into_iter().map(|(name, what)| format!("  {name:longest$}  {what}")).collect()
}

/// The tools that `confirm` names, a line each with the reason, for a person who was not asked.
pub(super) fn confirmation_lines(offers: &[Offer], choice: &InstanceChoice) -> Vec<String> {
    let mut lines = Vec::new();
    for (chosen, offer) in pairs(offers, choice) {
        for pick in chosen.confirmed(offer) {
            lines.push(format!("  {}", item(&offer.name, pick)));
        }
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    lines.extend((more > 0).then(|| format!("  and {more} more")));
    if !lines.is_empty() {
        lines.insert(
            0,
            "These tools look irreversible, so cuff asks you first (`confirm` in the settings):".to_owned(),
        );
    }
    lines
}

/// A tool with its instance, and why `confirm` is suggested for it: `scripts: bin/ship.sh (its name)`.
pub(super) fn item(instance: &str, pick: &Pick) -> String {
    let name = shown(&pick.name);
    pick.irreversible.as_ref().map_or_else(
        || format!("{instance}: {name}"),
        |because| format!("{instance}: {name} ({})", visible(because)),
    )
}

fn pairs<'c, 'o>(offers: &'o [Offer], choice: &'c InstanceChoice) -> Vec<(&'c ChosenOffer, &'o Offer)> {
    let offer = |chosen: &ChosenOffer| offers.iter().find(|offer| offer.name == chosen.name);
    choice.instances.iter().filter_map(|chosen| Some((chosen, offer(chosen)?))).collect()
}

fn amount(chosen: &ChosenOffer, offer: &Offer) -> String {
    let all = offer.picks().len();
    match chosen.picks(offer).count() {
        0 => listed(&offer.suggestion.items, MOST_NAMES),
        some if some < all => format!("{some} of {}", counted(all as u64, offer.about.noun)),
        _ => counted(all as u64, offer.about.noun),
    }
}

/// The additions to the lists of an existing instance: keys of its config, and the new values under each.
pub(super) fn more(offer: &Offer) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let new = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(shown).collect()
    };
    let packages = || offer.suggestion.members.iter().map(|member| shown(member.label())).collect();
    let named = move |(field, value): &(&'static Field, Value)| {
        (field.name, if *field == &PACKAGES { packages() } else { new(value) })
    };
    offer.suggestion.config.iter().map(named)
}

/// The tools that ask first, as their sources call them, which two instances may do alike, each with its instance.
fn confirmed<'o>(offers: &'o [Offer], choice: &InstanceChoice) -> Vec<(&'o str, String)> {
    let mut tools = Vec::new();
    for (chosen, offer) in pairs(offers, choice) {
        tools.extend(chosen.confirmed(offer).map(|pick| (offer.name.as_str(), shown(&pick.name))));
    }
    tools
}

/// The first of these tools, and how many more there are; each instance is named once.
fn by_instance(tools: &[(&str, String)]) -> String {
    let (first, rest) = tools.split_at(tools.len().min(MOST_NAMES));
    let of_one = |of_one: &[(&str, String)]| {
        let names: Vec<&str> = of_one.iter().map(|(_, tool)| tool.as_str()).collect();
        of_one.first().map(|(instance, _)| format!("{instance}: {}", names.join(", ")))
    };
    let parts: Vec<String> = first.chunk_by(|(one, _), (next, _)| one == next).filter_map(of_one).collect();
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("{}{more}", parts.join("; "))
}

/// The names that most people run first.
const USUAL: [&str; 4] = ["test", "build", "check", "lint"];

/// Parts of the names of files that others read in.
const LIBRARIES: [&str; 8] = ["lib", "libs", "library", "util", "utils", "common", "helpers", "functions"];

/// The tool to try first, among some that do not ask: one of a usual name, else the first that stands for itself.
pub(super) fn first_to_run<'p>(tools: &[&'p Pick]) -> Option<&'p Pick> {
    let is_alone = |pick: &Pick| tools.iter().filter(|other| other.name == pick.name).count() == 1;
    let fits = |pick: &Pick| stands_for_itself(pick) && is_alone(pick);
    let called = |name: &&str| tools.iter().find(|pick| pick.name == **name && fits(pick));
    USUAL.iter().find_map(called).or_else(|| tools.iter().find(|pick| fits(pick))).copied()
}

/// Whether a tool is neither a placeholder, such as `NAME`, `%` and the `test` that `npm init` writes, nor a library.
fn stands_for_itself(pick: &Pick) -> bool {
    let name = &pick.name;
    let is_placeholder = name.contains(['%', '<', '>', '$', '{', '}'])
        || name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-".contains(c));
    let is_unwritten = pick.text.as_ref().is_some_and(|text| text.contains("Error: no test specified"));
    let file = name.rsplit('/').next().unwrap_or(name);
    let is_file = name.contains('/') || name.contains('.');
    let is_library = file.starts_with('_')
        || is_file
            && file.split(['.', '-', '_']).any(|part| LIBRARIES.contains(&part.to_lowercase().as_str()));
    !(is_placeholder || is_unwritten || is_library)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Location;

    #[test]
    fn the_first_tool_to_run_stands_for_itself() {
        let pick = |line: &&str| {
            let (name, text) = line.split_once(": ").unwrap_or((line, ""));
            Pick {
                name: name.to_owned(),
                pattern: name.to_owned(),
                text: Some(text.to_owned()),
                packages: Vec::new(),
                source: Location::file("x"),
                irreversible: None,
                risky: false,
            }
        };
        for (tools, expected) in [
            (&["a", "lint", "test"][..], Some("test")),
            (&["test: echo \"Error: no test specified\" && exit 1", "start"], Some("start")),
            (
                &[
                    "NAME",
                    "%",
                    "%.o",
                    "$(X)",
                    "_private",
                    "bin/lib-colours.sh",
                    "scripts/common.sh",
                    "bin/go",
                ],
                Some("bin/go"),
            ),
            (&["build", "build", "watch"], Some("watch")),
            (&["common", "X"], Some("common")),
            (&["TARGET"], None),
            (&[], None),
        ] {
            let picks: Vec<Pick> = tools.iter().map(pick).collect();
            let first = first_to_run(&picks.iter().collect::<Vec<_>>()).map(|pick| pick.name.as_str());
            assert_eq!(first, expected, "{tools:?}");
        }
    }
}
