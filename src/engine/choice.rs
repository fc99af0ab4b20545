//! What was chosen of what `cuff init` saw: a plain value, whoever or whatever chose.

use serde_json::Value;

use super::survey::Offer;
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
        let offer = |chosen: &Chosen| offers.iter().find(|offer| offer.name == chosen.name);
        self.instances.iter().filter_map(|chosen| Some(chosen.entry(offer(chosen)?))).collect()
    }
}

impl Chosen {
    /// All of an offer.
    pub fn whole(offer: &Offer) -> Self {
        Self { name: offer.name.clone(), tools: None, answers: Vec::new() }
    }

    fn entry(&self, offer: &Offer) -> Entry {
        let suggestion = &offer.suggestion;
        let mut config = suggestion.config.clone();
        let mut write = |field, value: Value| match config.iter_mut().find(|(known, _)| *known == field) {
            Some((_, written)) => *written = value,
            None => config.push((field, value)),
        };
        for (undecided, answer) in suggestion.undecided.iter().zip(&self.answers) {
            if let Some((_, value)) = undecided.answers.get(*answer) {
                write(undecided.field, value.clone());
            }
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
