//! The plan for a settings file that is already there, and the report about it afterwards.

use super::session::{InitSession, names};
use super::summary::{self, MOST_NAMES};
use crate::cli::arguments::{ExistingArguments, Init};
use crate::model::{CONFIRM, counted, listed, shown};
use crate::project::{InstanceChoice, Offer, Survey};
use crate::setup::{Predecessor, Replace};
use crate::terminal::{Stop, TerminalAnswer};

/// The plan for a settings file.
#[derive(Debug)]
pub(super) enum Plan {
    /// There is none.
    New,
    /// Another takes its place.
    Anew,
    /// It gets what it lacks.
    Added(Predecessor),
}

impl Plan {
    /// The file that may be overwritten.
    pub(super) fn replace(&self) -> Replace<'_> {
        match self {
            Self::New => Replace::Nothing,
            Self::Anew => Replace::Anything,
            Self::Added(there) => Replace::This(there),
        }
    }
}

/// Decides the plan for a settings file, and the offers that are new then. `None`: an existing file stays as
/// it is.
pub(super) fn plan(
    session: &InitSession<'_>,
    surveys: &[Survey],
    found: Vec<Offer>,
) -> TerminalAnswer<Option<(Plan, Vec<Offer>)>> {
    if !session.draft.exists() {
        return Ok(Some((Plan::New, found)));
    }
    let Init { existing: ExistingArguments { force, merge }, dry_run, .. } = session.typed;
    if *force || (*dry_run && !merge) {
        return Ok(Some((Plan::Anew, found)));
    }
    let there = session.draft.predecessor(session.context);
    let lacks = |there: &Predecessor| {
        let all = session.draft.offers(surveys);
        let newcomers = there.newcomers(session.context, &all);
        session.wanted([newcomers, there.lacks(session.context, all)].concat())
    };
    match there {
        Ok(Some(there)) if *merge => {
            let new = lacks(&there);
            Ok(Some((Plan::Added(there), new)))
        }
        Err(why) if *merge => {
            let usual = InstanceChoice::usual(&found, |offer| names(&session.typed.scope.plugins, offer));
            session.not_merged(&why, &usual.entries(&found));
            Ok(None)
        }
        Ok(None) => Ok(Some((Plan::New, found))),
        Ok(Some(there)) => {
            let new = lacks(&there);
            let names = new.iter().map(called).collect::<Vec<_>>().join(", ");
            match (new.is_empty(), existing(session, &names)?) {
                (false, 0) => Ok(Some((Plan::Added(there), new))),
                (_, 1) => Ok(Some((Plan::Anew, found))),
                (_, _) => Err(Stop::Declined),
            }
        }
        Err(why) => {
            session.ui.note(format!("{} cannot be added to: {why}", session.output));
            if existing(session, "")? == 1 { Ok(Some((Plan::Anew, found))) } else { Err(Stop::Declined) }
        }
    }
}

/// Asks what is to become of the file: 0 adds, 1 replaces.
fn existing(session: &InitSession<'_>, new: &str) -> TerminalAnswer<usize> {
    let question = format!("{} exists already", session.output);
    let words = ["replace: write it anew, the old one is kept as a .bak", "cancel: leave it as it is"]
        .map(str::to_owned);
    if new.is_empty() {
        session.ui.note(format!("There is nothing new for {}", session.output));
        return Ok(session.asking.one(&question, &words, 1)? + 1);
    }
    let merge = [format!("merge: add {new}")];
    session.asking.one(&question, &[&merge[..], &words].concat(), 0)
}

/// The name of a new instance; of one that stands, what its lists get.
fn called(offer: &Offer) -> String {
    if !offer.stands {
        return offer.name.clone();
    }
    let confirmed = offer.picks().iter().map(|pick| shown(&pick.name)).collect();
    let lists =
        summary::more(offer).chain([(CONFIRM.name, confirmed)]).filter(|(_, names)| !names.is_empty());
    let parts: Vec<String> =
        lists.map(|(key, names)| format!("`{key}` for {}", listed(&names, MOST_NAMES))).collect();
    format!("{} of {}", parts.join(" and "), offer.name)
}

/// A phrase that names the additions to a file.
pub(super) fn added(offers: &[Offer], choice: &InstanceChoice) -> String {
    offers.iter().filter(|offer| choice.has(offer)).map(called).collect::<Vec<_>>().join(", ")
}

/// The result in one line.
pub(super) fn written(plan: &Plan, output: &str, offers: &[Offer], choice: &InstanceChoice) -> String {
    if let Plan::Added(_) = plan {
        return format!("Added {} to {output}", added(offers, choice));
    }
    let taken = choice.instances.iter().filter_map(|chosen| {
        let offer = offers.iter().find(|offer| offer.name == chosen.name)?;
        Some(chosen.members(offer).count())
    });
    let packages: usize = taken.sum();
    let plugins = counted(choice.instances.len() as u64, "plugin");
    match packages {
        0 => format!("Generated {output} with {plugins}"),
        some => format!("Generated {output} with {plugins} and {}", counted(some as u64, "package")),
    }
}
