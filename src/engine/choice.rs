//! What was chosen of what `cuff init` saw: a plain value, whoever or whatever chose.

use serde_json::Value;

use super::survey::Offer;
use crate::model::Field;
use crate::settings::Entry;

/// The instances to write, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choice {
    /// Those that are not here are not written.
    pub instances: Vec<Chosen>,
}

/// What was chosen of one offer.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The offer's name.
    pub name: String,
    /// The single tools, by their places among the offer's; `None`: whatever the plugin offers, also in the future.
    pub tools: Option<Vec<usize>>,
    /// For each thing that is undecided, the place of the answer; what is left out has the first.
    pub answers: Vec<usize>,
}

impl Choice {
    /// What is written where nobody is asked: everything, each doubt answered the safe way. What is a risk is left out
    /// unless it is `asked_for`.
    pub fn usual(offers: &[Offer], asked_for: impl Fn(&Offer) -> bool) -> Self {
        let safe = |offer: &&Offer| offer.suggestion.risks.is_empty() || asked_for(offer);
        Self { instances: offers.iter().filter(safe).map(Chosen::whole).collect() }
    }

    /// Whether an offer is among them.
    pub fn has(&self, offer: &Offer) -> bool {
        self.instances.iter().any(|chosen| chosen.name == offer.name)
    }

    /// What is to be written for it.
    pub fn entries(&self, offers: &[Offer]) -> Vec<Entry> {
        let pairs = self.instances.iter().filter_map(|chosen| {
            let offer = offers.iter().find(|offer| offer.name == chosen.name)?;
            Some((chosen, offer))
        });
        let pairs: Vec<(&Chosen, &Offer)> = pairs.collect();
        let decided = |offer: &Offer| {
            // What was answered for a workspace's root holds for its packages.
            let asked = |(_, other): &&(&Chosen, &Offer)| {
                other.name == offer.name
                    || offer.folder.is_some() && other.folder.is_none() && other.about.id == offer.about.id
            };
            pairs.iter().filter(asked).flat_map(|(chosen, other)| chosen.decided(other)).collect::<Vec<_>>()
        };
        pairs.iter().map(|(chosen, offer)| chosen.entry(offer, decided(offer))).collect()
    }
}

impl Chosen {
    /// All of an offer.
    pub fn whole(offer: &Offer) -> Self {
        Self { name: offer.name.clone(), tools: None, answers: Vec::new() }
    }

    /// The keys that were asked about, as they were answered.
    fn decided(&self, offer: &Offer) -> impl Iterator<Item = (&'static Field, Value)> {
        // The first is what the suggestion says anyway.
        let answered = offer.suggestion.undecided.iter().zip(&self.answers).filter(|(_, at)| **at > 0);
        answered.filter_map(|(undecided, at)| Some((undecided.field, undecided.answers.get(*at)?.1.clone())))
    }

    fn entry(&self, offer: &Offer, decided: Vec<(&'static Field, Value)>) -> Entry {
        let suggestion = &offer.suggestion;
        let mut config = suggestion.config.clone();
        let mut write = |field, value: Value| match config.iter_mut().find(|(known, _)| *known == field) {
            Some((_, written)) => *written = value,
            None => config.push((field, value)),
        };
        for (field, value) in decided {
            write(field, value);
        }
        if let (Some(picking), Some(tools)) = (&suggestion.picking, &self.tools) {
            let patterns = tools.iter().filter_map(|at| Some(picking.picks.get(*at)?.pattern.as_str()));
            write(picking.field, patterns.collect());
        }
        let comment = match &offer.folder {
            Some(folder) => format!("The package in {folder}"),
            None => offer.about.summary.to_owned(),
        };
        Entry { name: offer.name.clone(), about: offer.about, config, comment }
    }
}
