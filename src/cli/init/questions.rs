//! The questions of `cuff init`: what was seen in, what a person chose of it out. Enter all the way chooses what is
//! chosen where nobody is asked.

use super::asking::{Answer, Asking};
use crate::engine::{Choice, Chosen, Offer};

/// Asks for the plugins, the packages of a workspace, what the project leaves open, single tools, and which of them need a
/// yes each time.
pub(super) fn choose(asking: &Asking<'_>, offers: &[Offer], usual: &Choice) -> Answer<Choice> {
    let (standing, new): (Vec<&Offer>, Vec<&Offer>) = offers.iter().partition(|offer| offer.stands);
    let (packages, plugins): (Vec<&Offer>, Vec<&Offer>) =
        new.into_iter().partition(|offer| offer.folder.is_some());
    let mut kept = which_plugins(asking, &plugins, usual)?;
    kept.extend(which_packages(asking, &packages, usual)?);
    kept.extend(standing.iter().map(|offer| offer.name.as_str()));
    // In the order in which they are offered, whichever question they came from.
    let chosen = offers.iter().filter(|offer| kept.contains(&offer.name.as_str()));
    let chosen = chosen.map(|offer| usual.of(offer).cloned().unwrap_or_else(|| Chosen::whole(offer)));
    let mut choice = Choice { instances: chosen.collect() };
    for chosen in &mut choice.instances {
        if let Some(offer) = offers.iter().find(|offer| offer.name == chosen.name) {
            chosen.answers = decide(asking, offer)?;
        }
    }
    single_tools(asking, offers, &mut choice)?;
    which_need_yes(asking, offers, &mut choice)?;
    Ok(choice)
}

fn which_plugins<'a>(asking: &Asking<'_>, offers: &[&'a Offer], usual: &Choice) -> Answer<Vec<&'a str>> {
    let on: Vec<bool> = offers.iter().map(|offer| usual.has(offer)).collect();
    let names = |offers: &[&'a Offer]| offers.iter().map(|offer| offer.name.as_str()).collect();
    // Where there is nothing to choose among, the last question is whether to write at all.
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

fn which_packages<'a>(asking: &Asking<'_>, offers: &[&'a Offer], usual: &Choice) -> Answer<Vec<&'a str>> {
    let all: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    if all.is_empty() {
        return Ok(all);
    }
    let plural = if all.len() == 1 { "package" } else { "packages" };
    let question = format!("{} {plural} with scripts?", all.len());
    let answers = ["all", "choose", "none"].map(str::to_owned);
    match asking.one(&question, &answers, 0)? {
        0 => Ok(all),
        1 => {
            let longest = all.iter().map(|name| name.len()).max().unwrap_or_default();
            let item = |offer: &&Offer| {
                let folder = offer.folder.as_deref().unwrap_or_default();
                format!("{:longest$}  {folder}: {}", offer.name, offer.suggestion.items.join(", "))
            };
            let items: Vec<String> = offers.iter().map(item).collect();
            let on: Vec<bool> = offers.iter().map(|offer| usual.has(offer)).collect();
            let chosen = asking.many("Which packages?", &items, &on)?;
            Ok(chosen.into_iter().filter_map(|at| all.get(at).copied()).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// What the project leaves open of one offer.
fn decide(asking: &Asking<'_>, offer: &Offer) -> Answer<Vec<usize>> {
    let ask = |undecided: &crate::model::Undecided| {
        asking.explain(&format!("{}: {}", offer.name, undecided.because.join("; ")));
        let answers: Vec<String> = undecided.answers.iter().map(|(words, _)| words.clone()).collect();
        asking.one(undecided.question, &answers, 0)
    };
    offer.suggestion.undecided.iter().map(ask).collect()
}

/// Which single tools, where a person wants to say. Of whatever is chosen whole the settings offer what comes later too.
fn single_tools(asking: &Asking<'_>, offers: &[Offer], choice: &mut Choice) -> Answer<()> {
    let offer = |chosen: &Chosen| offers.iter().find(|offer| offer.name == chosen.name);
    let names = |chosen: &Chosen| {
        let picks = offer(chosen).filter(|offer| !offer.stands)?.picks().iter();
        Some(picks.map(|pick| pick.name.clone()).collect::<Vec<_>>()).filter(|names| names.len() > 1)
    };
    let narrowable: Vec<(usize, Vec<String>)> =
        choice.instances.iter().enumerate().filter_map(|(at, chosen)| Some((at, names(chosen)?))).collect();
    if narrowable.is_empty() || !asking.confirm("Choose single tools?", false)? {
        return Ok(());
    }
    let of_which = if narrowable.len() == 1 {
        vec![0]
    } else {
        let items: Vec<String> = narrowable
            .iter()
            .map(|(at, names)| format!("{} ({} tools)", choice.instances[*at].name, names.len()))
            .collect();
        asking.many("Of which?", &items, &vec![false; items.len()])?
    };
    let mut nothing = Vec::new();
    for (at, names) in of_which.into_iter().filter_map(|at| narrowable.get(at)) {
        let chosen = &mut choice.instances[*at];
        let has = |at| chosen.tools.as_ref().is_none_or(|tools| tools.contains(&at));
        let usual: Vec<bool> = (0..names.len()).map(has).collect();
        let tools = asking.many(&format!("Tools of {}", chosen.name), names, &usual)?;
        if tools.is_empty() {
            nothing.push(chosen.name.clone());
        }
        chosen.tools = Some(tools).filter(|tools| tools.len() < names.len());
    }
    choice.instances.retain(|chosen| !nothing.contains(&chosen.name));
    Ok(())
}

/// Which tools need a yes from a person each time, where one looks as if nothing took back what it does. Those come first.
fn which_need_yes(asking: &Asking<'_>, offers: &[Offer], choice: &mut Choice) -> Answer<()> {
    let mut tools: Vec<(usize, usize, String, bool)> = Vec::new();
    for (place, chosen) in choice.instances.iter().enumerate() {
        let offer = offers.iter().find(|offer| offer.name == chosen.name);
        for (at, pick) in offer.into_iter().flat_map(|offer| chosen.picks(offer)) {
            tools.push((
                place,
                at,
                format!("{}: {}", chosen.name, pick.name),
                chosen.confirmed.contains(&at),
            ));
        }
    }
    if !tools.iter().any(|(.., usual)| *usual) {
        return Ok(());
    }
    tools.sort_by_key(|(.., usual)| !usual);
    let names: Vec<String> = tools.iter().map(|(_, _, name, _)| name.clone()).collect();
    let usual: Vec<bool> = tools.iter().map(|(.., usual)| *usual).collect();
    let asked = asking.many("Which need your yes, each time they run?", &names, &usual)?;
    for chosen in &mut choice.instances {
        chosen.confirmed.clear();
    }
    for (place, at, ..) in asked.into_iter().filter_map(|at| tools.get(at)) {
        choice.instances[*place].confirmed.push(*at);
    }
    Ok(())
}
