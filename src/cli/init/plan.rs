//! What becomes of a settings file that is there, and what is said of it afterwards.

use super::summary::{self, MOST_NAMES, count};
use super::{Session, names};
use crate::cli::arguments::{Existing, Init};
use crate::engine::{Choice, Offer, Predecessor, Replace, Survey};
use crate::model::{CONFIRM, listed, shown};
use crate::terminal::{Answer, Stop};

/// What becomes of a file that is there.
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
    /// What may be written over.
    pub(super) fn replace(&self) -> Replace<'_> {
        match self {
            Self::New => Replace::Nothing,
            Self::Anew => Replace::Anything,
            Self::Added(there) => Replace::This(there),
        }
    }
}

impl Session<'_> {
    /// What is to become of a file that is there, and what is new in that case. `None`: it stays as it is.
    pub(super) fn plan(&self, surveys: &[Survey], found: Vec<Offer>) -> Answer<Option<(Plan, Vec<Offer>)>> {
        if !self.draft.exists() {
            return Ok(Some((Plan::New, found)));
        }
        let Init { existing: Existing { force, merge }, dry_run, .. } = self.typed;
        if *force || (*dry_run && !merge) {
            return Ok(Some((Plan::Anew, found)));
        }
        let there = self.draft.predecessor(self.surroundings);
        let lacks = |there: &Predecessor| {
            let all = self.draft.offers(self.surroundings, surveys, Some(there));
            let newcomers = there.newcomers(self.surroundings, &all);
            self.wanted([newcomers, there.lacks(self.surroundings, all)].concat())
        };
        match there {
            Ok(Some(there)) if *merge => {
                let new = lacks(&there);
                Ok(Some((Plan::Added(there), new)))
            }
            Err(why) if *merge => {
                let usual = Choice::usual(&found, |offer| names(&self.typed.scope.plugins, offer));
                self.not_merged(&why, &usual.entries(&found));
                Ok(None)
            }
            Ok(None) => Ok(Some((Plan::New, found))),
            Ok(Some(there)) => {
                let new = lacks(&there);
                let names = new.iter().map(called).collect::<Vec<_>>().join(", ");
                match (new.is_empty(), self.existing(&names)?) {
                    (false, 0) => Ok(Some((Plan::Added(there), new))),
                    (_, 1) => Ok(Some((Plan::Anew, found))),
                    (_, _) => Err(Stop::Declined),
                }
            }
            Err(why) => {
                self.ui.note(format!("{} cannot be added to: {why}", self.output));
                if self.existing("")? == 1 { Ok(Some((Plan::Anew, found))) } else { Err(Stop::Declined) }
            }
        }
    }

    /// Asks what is to become of the file: 0 adds, 1 replaces.
    fn existing(&self, new: &str) -> Answer<usize> {
        let question = format!("{} exists already", self.output);
        let words = ["replace: write it anew, the old one is kept as a .bak", "cancel: leave it as it is"]
            .map(str::to_owned);
        if new.is_empty() {
            self.ui.note(format!("There is nothing new for {}", self.output));
            return Ok(self.asking.one(&question, &words, 1)? + 1);
        }
        let merge = [format!("merge: add {new}")];
        self.asking.one(&question, &[&merge[..], &words].concat(), 0)
    }
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

/// What is added to a file, in words.
pub(super) fn added(offers: &[Offer], choice: &Choice) -> String {
    offers.iter().filter(|offer| choice.has(offer)).map(called).collect::<Vec<_>>().join(", ")
}

/// What was done, in one line.
pub(super) fn written(plan: &Plan, output: &str, offers: &[Offer], choice: &Choice) -> String {
    if let Plan::Added(_) = plan {
        return format!("Added {} to {output}", added(offers, choice));
    }
    let packages = offers.iter().filter(|offer| choice.has(offer) && offer.folder.is_some()).count();
    let plugins = count(choice.instances.len() - packages, "plugin");
    match packages {
        0 => format!("Generated {output} with {plugins}"),
        some => format!("Generated {output} with {plugins} and {}", count(some, "package")),
    }
}
