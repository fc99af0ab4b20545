//! What was chosen, in a few lines: how much each instance offers, and what needs a yes.

use crate::engine::{Choice, Chosen, Offer};
use crate::model::{Pick, listed, shown};

/// How many tools are named in a line.
pub(super) const MOST_NAMES: usize = 8;

/// A line for each plugin, one for all packages, one for the tools that need a yes, and one for those that ask anyway.
pub(super) fn lines(offers: &[Offer], choice: &Choice) -> Vec<String> {
    let pairs = pairs(offers, choice);
    let (packages, plugins): (Vec<_>, Vec<_>) = pairs.iter().partition(|(_, offer)| offer.folder.is_some());
    let mut rows: Vec<(String, String)> = plugins
        .iter()
        .filter(|(_, offer)| !offer.stands)
        .map(|(chosen, offer)| (offer.name.clone(), amount(chosen, offer)))
        .collect();
    if !packages.is_empty() {
        let names: Vec<String> = packages.iter().map(|(_, offer)| offer.name.clone()).collect();
        rows.push((count(packages.len(), "package"), listed(&names, MOST_NAMES)));
    }
    let confirmed = confirmed(offers, choice);
    if !confirmed.is_empty() {
        rows.push(("needs a yes".to_owned(), listed(&confirmed, MOST_NAMES)));
    }
    let opened = of_picks(offers, choice, |offer, chosen| chosen.opened(offer).collect());
    if !opened.is_empty() {
        rows.push(("open to agents".to_owned(), listed(&opened, MOST_NAMES)));
    }
    let asking: Vec<String> = pairs
        .iter()
        .flat_map(|(_, offer)| offer.suggestion.asking.iter().map(|tool| format!("{}: {tool}", offer.name)))
        .collect();
    if !asking.is_empty() {
        rows.push(("always asks".to_owned(), listed(&asking, MOST_NAMES)));
    }
    let longest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.into_iter().map(|(name, what)| format!("  {name:longest$}  {what}")).collect()
}

/// What somebody who was not asked is told of the tools that need a yes; `None` where there are none.
pub(super) fn told(offers: &[Offer], choice: &Choice) -> Option<String> {
    let confirmed = confirmed(offers, choice);
    let needs = if confirmed.len() == 1 { "needs" } else { "need" };
    let names = listed(&confirmed, MOST_NAMES);
    (!confirmed.is_empty())
        .then(|| format!("{names} {needs} a person's yes each time: `confirm` in the settings"))
}

/// A number of things.
pub(super) fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn pairs<'c, 'o>(offers: &'o [Offer], choice: &'c Choice) -> Vec<(&'c Chosen, &'o Offer)> {
    let offer = |chosen: &Chosen| offers.iter().find(|offer| offer.name == chosen.name);
    choice.instances.iter().filter_map(|chosen| Some((chosen, offer(chosen)?))).collect()
}

fn amount(chosen: &Chosen, offer: &Offer) -> String {
    let all = offer.picks().len();
    match chosen.picks(offer).count() {
        0 => listed(&offer.suggestion.items, MOST_NAMES),
        some if some < all => format!("{some} of {}", count(all, offer.about.noun)),
        _ => count(all, offer.about.noun),
    }
}

fn confirmed(offers: &[Offer], choice: &Choice) -> Vec<String> {
    of_picks(offers, choice, |offer, chosen| chosen.confirmed(offer).collect())
}

/// As their sources call them, which two instances may do alike.
fn of_picks<'o>(
    offers: &'o [Offer],
    choice: &Choice,
    which: impl Fn(&'o Offer, &Chosen) -> Vec<&'o Pick>,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (chosen, offer) in pairs(offers, choice) {
        names
            .extend(which(offer, chosen).iter().map(|pick| format!("{}: {}", offer.name, shown(&pick.name))));
    }
    names
}
