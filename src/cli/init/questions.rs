//! The questions of `cuff init`: what was seen in, what a person chose of it out. Enter all the way chooses what is
//! chosen where nobody is asked.

use super::summary;
use crate::model::{Member, counted, shown};
use crate::project::{ChosenOffer, InstanceChoice, Offer};
use crate::terminal::{Asking, TerminalAnswer};

/// Asks for the plugins, the packages of a workspace, what the project leaves open, single tools, and which of them need a
/// yes each time. Enter leaves everything as it was chosen `before`.
pub(super) fn choose(
    asking: &Asking<'_>,
    offers: &[Offer],
    usual: &InstanceChoice,
    before: &InstanceChoice,
) -> TerminalAnswer<InstanceChoice> {
    let (standing, new): (Vec<&Offer>, Vec<&Offer>) = offers.iter().partition(|offer| offer.stands);
    let mut kept = which_plugins(asking, &new, usual, before)?;
    kept.extend(standing.iter().map(|offer| offer.name.as_str()));
    // The order is that of the offers, not that of the questions.
    let chosen = offers.iter().filter(|offer| kept.contains(&offer.name.as_str()));
    let chosen = chosen.map(|offer| before.of(offer).cloned().unwrap_or_else(|| as_usual(offer, usual)));
    let mut choice = InstanceChoice { instances: chosen.collect() };
    for chosen in &mut choice.instances {
        if let Some(offer) = offers.iter().find(|offer| offer.name == chosen.name) {
            if !offer.stands {
                chosen.packages = which_packages(asking, offer, chosen.packages.as_ref())?;
            }
            chosen.answers = decide(asking, offer, &chosen.answers)?;
        }
    }
    single_tools(asking, offers, usual, &mut choice)?;
    which_require_confirmation(asking, offers, usual, &mut choice)?;
    Ok(choice)
}

/// The usual choice from an offer, for a person who wants it and says no more.
fn as_usual(offer: &Offer, usual: &InstanceChoice) -> ChosenOffer {
    usual.of(offer).cloned().unwrap_or_else(|| ChosenOffer::whole(offer))
}

fn which_plugins<'a>(
    asking: &Asking<'_>,
    offers: &[&'a Offer],
    usual: &InstanceChoice,
    before: &InstanceChoice,
) -> TerminalAnswer<Vec<&'a str>> {
    let on: Vec<bool> = offers.iter().map(|offer| before.has(offer)).collect();
    let names = |offers: &[&'a Offer]| offers.iter().map(|offer| offer.name.as_str()).collect();
    // With a single offer the last question is whether to write at all.
    if on.len() <= 1 && on.iter().all(|on| *on) {
        return Ok(names(offers));
    }
    let longest = offers.iter().map(|offer| offer.name.len()).max().unwrap_or_default();
    let item = |offer: &&Offer| {
        let risk = match usual.of(offer).map(|chosen| chosen.left_out(offer).count()) {
            _ if offer.suggestion.risks.is_empty() => String::new(),
            None | Some(0) => "SECURITY, ".to_owned(),
            Some(some) => format!("SECURITY, {some} left out, "),
        };
        format!("{:longest$}  {risk}{}", offer.name, offer.suggestion.description)
    };
    let items: Vec<String> = offers.iter().map(item).collect();
    let chosen = asking.many("Which plugins?", &items, &on)?;
    Ok(chosen.into_iter().filter_map(|at| Some(offers.get(at)?.name.as_str())).collect())
}

/// Asks for the packages of an offer's workspace.
fn which_packages(
    asking: &Asking<'_>,
    offer: &Offer,
    before: Option<&Vec<usize>>,
) -> TerminalAnswer<Option<Vec<usize>>> {
    let members = &offer.suggestion.members;
    if members.is_empty() {
        return Ok(None);
    }
    let question = format!("{} with scripts?", counted(members.len() as u64, "package"));
    let answers = ["all", "choose", "none"].map(str::to_owned);
    let was = match before {
        None => 0,
        Some(chosen) if chosen.is_empty() => 2,
        Some(_) => 1,
    };
    match asking.one(&question, &answers, was)? {
        0 => Ok(None),
        1 => {
            let longest = members.iter().map(|member| member.label().len()).max().unwrap_or_default();
            let item =
                |member: &Member| format!("{:longest$}  {}", shown(member.label()), shown(&member.folder));
            let items: Vec<String> = members.iter().map(item).collect();
            let is_on = |at: usize| before.is_none_or(|chosen| chosen.contains(&at));
            let on: Vec<bool> = (0..members.len()).map(is_on).collect();
            let chosen = asking.many("Which packages?", &items, &on)?;
            Ok(Some(chosen).filter(|chosen| chosen.len() < members.len()))
        }
        _ => Ok(Some(Vec::new())),
    }
}

/// Asks the questions of one offer that the project leaves open.
fn decide(asking: &Asking<'_>, offer: &Offer, before: &[usize]) -> TerminalAnswer<Vec<usize>> {
    let ask = |(at, undecided): (usize, &crate::model::Undecided)| {
        asking.explain(&format!("{}: {}", offer.name, undecided.because.join("; ")));
        let answers: Vec<String> = undecided.answers.iter().map(|(words, _)| words.clone()).collect();
        asking.one(undecided.question, &answers, before.get(at).copied().unwrap_or(0))
    };
    offer.suggestion.undecided.iter().enumerate().map(ask).collect()
}

/// Asks for single tools, if a person wants to choose them. An offer that is chosen whole includes tools that
/// come later.
fn single_tools(
    asking: &Asking<'_>,
    offers: &[Offer],
    usual: &InstanceChoice,
    choice: &mut InstanceChoice,
) -> TerminalAnswer<()> {
    let narrowable: Vec<(usize, &Offer)> = choice
        .instances
        .iter()
        .enumerate()
        .filter_map(|(at, chosen)| Some((at, offers.iter().find(|offer| offer.name == chosen.name)?)))
        .filter(|(_, offer)| !offer.stands && offer.picks().len() > 1)
        .collect();
    // As the question is answered now; what a person said before is ticked.
    let narrowed: Vec<bool> = narrowable
        .iter()
        .map(|(at, offer)| choice.instances[*at].tools != as_usual(offer, usual).tools)
        .collect();
    if narrowable.is_empty() {
        return Ok(());
    }
    let wants = asking.confirm("Choose single tools?", narrowed.contains(&true))?;
    let of_which = match (wants, narrowable.as_slice()) {
        (false, _) => Vec::new(),
        (true, [_]) => vec![0],
        (true, several) => {
            let item =
                |(_, offer): &(usize, &Offer)| format!("{} ({} tools)", offer.name, offer.picks().len());
            let items: Vec<String> = several.iter().map(item).collect();
            asking.many("Single tools of which plugins?", &items, &narrowed)?
        }
    };
    let mut nothing = Vec::new();
    for (place, (at, offer)) in narrowable.into_iter().enumerate() {
        let chosen = &mut choice.instances[at];
        if !of_which.contains(&place) {
            chosen.tools = as_usual(offer, usual).tools;
            continue;
        }
        let names: Vec<String> = offer.picks().iter().map(|pick| pick.name.clone()).collect();
        let has = |at| chosen.tools.as_ref().is_none_or(|tools| tools.contains(&at));
        let on: Vec<bool> = (0..names.len()).map(has).collect();
        let tools = asking.many(&format!("Tools of {}", chosen.name), &names, &on)?;
        if tools.is_empty() {
            nothing.push(chosen.name.clone());
        }
        chosen.tools = Some(tools).filter(|tools| tools.len() < names.len());
    }
    choice.instances.retain(|chosen| !nothing.contains(&chosen.name));
    Ok(())
}

/// Which tools require confirmation, where one looks irreversible. Those come first, each with its reason.
fn which_require_confirmation(
    asking: &Asking<'_>,
    offers: &[Offer],
    usual: &InstanceChoice,
    choice: &mut InstanceChoice,
) -> TerminalAnswer<()> {
    let mut tools: Vec<(usize, usize, String, bool)> = Vec::new();
    for (place, chosen) in choice.instances.iter().enumerate() {
        let Some(offer) = offers.iter().find(|offer| offer.name == chosen.name) else { continue };
        let suggested = as_usual(offer, usual).confirmed;
        for (at, pick) in chosen.picks(offer) {
            tools.push((place, at, summary::item(&chosen.name, pick), suggested.contains(&at)));
        }
    }
    if !tools.iter().any(|(.., suggested)| *suggested) {
        return Ok(());
    }
    tools.sort_by_key(|(.., suggested)| !suggested);
    let names: Vec<String> = tools.iter().map(|(_, _, name, _)| name.clone()).collect();
    let is_on =
        |(place, at, ..): &(usize, usize, String, bool)| choice.instances[*place].confirmed.contains(at);
    let on: Vec<bool> = tools.iter().map(is_on).collect();
    let asked = asking.many("Which ask you first, each time they run?", &names, &on)?;
    // Of a tool that was left out nobody was asked; it may be chosen after all.
    for (place, at, ..) in &tools {
        choice.instances[*place].confirmed.retain(|confirmed| confirmed != at);
    }
    for (place, at, ..) in asked.into_iter().filter_map(|at| tools.get(at)) {
        choice.instances[*place].confirmed.push(*at);
    }
    Ok(())
}
