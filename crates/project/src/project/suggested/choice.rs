//! A choice among the offers of `cuff init`: a plain value, made by a person or by a rule.

use serde_json::Value;

use super::offer::Offer;
use crate::model::{CONFIRM, Field, Member, Pick};
use crate::settings::NewInstance;

/// The instances to write, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InstanceChoice {
    /// Those that are not here are not written.
    pub instances: Vec<ChosenOffer>,
}

/// The choice for one offer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenOffer {
    /// The offer's name.
    pub name: String,
    /// The chosen tools, by their positions among the offer's; `None`: all that the plugin offers, now and in
    /// the future.
    pub tools: Option<Vec<usize>>,
    /// The chosen packages of a workspace, by their positions among the offer's; `None`: all, now and in the future.
    pub packages: Option<Vec<usize>>,
    /// For each open question, the position of the answer; questions beyond the list have the first.
    pub answers: Vec<usize>,
    /// The tools that require confirmation, by their positions among the offer's.
    pub confirmed: Vec<usize>,
}

impl InstanceChoice {
    /// The choice if no person is asked: everything, with the safe answer to each doubt. Risky tools are left
    /// out unless their offer is `asked_for`.
    pub fn usual(offers: &[Offer], asked_for: impl Fn(&Offer) -> bool) -> Self {
        let chosen =
            |offer| if asked_for(offer) { Some(ChosenOffer::whole(offer)) } else { ChosenOffer::safe(offer) };
        Self { instances: offers.iter().filter_map(chosen).collect() }
    }

    /// The choice for an offer.
    pub fn of(&self, offer: &Offer) -> Option<&ChosenOffer> {
        self.instances.iter().find(|chosen| chosen.name == offer.name)
    }

    /// Whether an offer is among them.
    pub fn has(&self, offer: &Offer) -> bool {
        self.of(offer).is_some()
    }

    /// The entries to write for it.
    pub fn entries(&self, offers: &[Offer]) -> Vec<NewInstance> {
        let entry = |chosen: &ChosenOffer| {
            let offer = offers.iter().find(|offer| offer.name == chosen.name)?;
            Some(chosen.entry(offer))
        };
        self.instances.iter().filter_map(entry).collect()
    }
}

impl ChosenOffer {
    /// All of an offer.
    pub fn whole(offer: &Offer) -> Self {
        let picks = offer.picks().iter().enumerate().filter(|(_, pick)| pick.irreversible.is_some());
        let confirmed = picks.map(|(at, _)| at).collect();
        Self { name: offer.name.clone(), tools: None, packages: None, answers: Vec::new(), confirmed }
    }

    /// The safe tools of an offer, if the risk of each tool is known.
    fn safe(offer: &Offer) -> Option<Self> {
        if offer.suggestion.risks.is_empty() {
            return Some(Self::whole(offer));
        }
        let picks = offer.picks();
        let tools: Vec<usize> = (0..picks.len()).filter(|at| !picks[*at].risky).collect();
        let is_some = !tools.is_empty() && tools.len() < picks.len();
        is_some.then(|| Self { tools: Some(tools), ..Self::whole(offer) })
    }

    /// The packages of a workspace that it has.
    pub fn members<'o>(&self, offer: &'o Offer) -> impl Iterator<Item = &'o Member> {
        let has = |at: &usize| self.packages.as_ref().is_none_or(|chosen| chosen.contains(at));
        offer.suggestion.members.iter().enumerate().filter(move |(at, _)| has(at)).map(|(_, member)| member)
    }

    /// The single tools that it has, with their places.
    pub fn picks<'o>(&self, offer: &'o Offer) -> impl Iterator<Item = (usize, &'o Pick)> {
        let has = |at: &usize| self.tools.as_ref().is_none_or(|tools| tools.contains(at));
        offer.picks().iter().enumerate().filter(move |(at, _)| has(at))
    }

    /// The others.
    pub fn left_out<'o>(&self, offer: &'o Offer) -> impl Iterator<Item = &'o Pick> {
        let picks = offer.picks().iter().enumerate();
        picks
            .filter(|(at, _)| self.tools.as_ref().is_some_and(|tools| !tools.contains(at)))
            .map(|(_, pick)| pick)
    }

    /// The chosen tools that require confirmation.
    pub fn confirmed<'o>(&self, offer: &'o Offer) -> impl Iterator<Item = &'o Pick> {
        self.picks(offer).filter(|(at, _)| self.confirmed.contains(at)).map(|(_, pick)| pick)
    }

    /// The keys that were asked about, as they were answered.
    fn decided(&self, offer: &Offer) -> impl Iterator<Item = (&'static Field, Value)> {
        // The suggestion already holds the first answer.
        let answered = offer.suggestion.undecided.iter().zip(&self.answers).filter(|(_, at)| **at > 0);
        answered.filter_map(|(undecided, at)| Some((undecided.field, undecided.answers.get(*at)?.1.clone())))
    }

    /// The offer with the chosen packages alone.
    fn with_packages(&self, offer: &Offer) -> Offer {
        let mut offer = offer.clone();
        let Some(chosen) = &self.packages else { return offer };
        let members = &offer.suggestion.members;
        let folders: Vec<String> =
            chosen.iter().filter_map(|at| Some(members.get(*at)?.folder.clone())).collect();
        if folders.len() * 2 > members.len() {
            offer.leave_out(|member| !folders.contains(&member.folder));
        } else {
            offer.take_alone(|member| folders.contains(&member.folder));
        }
        offer
    }

    fn entry(&self, offer: &Offer) -> NewInstance {
        let decided: Vec<_> = self.decided(offer).collect();
        let offer = &self.with_packages(offer);
        let suggestion = &offer.suggestion;
        let mut config = suggestion.config.clone();
        let mut write = |field, value: Value| match config.iter_mut().find(|(known, _)| *known == field) {
            Some((_, written)) => *written = value,
            None => config.push((field, value)),
        };
        for (field, value) in &decided {
            write(field, value.clone());
        }
        if let (Some(picking), Some(tools)) = (&suggestion.picking, &self.tools) {
            let patterns = |is_wanted: &dyn Fn(usize, &Pick) -> bool| -> Value {
                let picks = picking.picks.iter().enumerate().filter(|(at, pick)| is_wanted(*at, pick));
                picks.map(|(_, pick)| pick.pattern.as_str()).collect()
            };
            let safe = Self::safe(offer).and_then(|safe| safe.tools);
            match picking.excluding {
                // Later tools are offered, as if nothing were a risk.
                Some(field) if safe.as_ref() == Some(tools) => write(field, patterns(&|_, pick| pick.risky)),
                _ => write(picking.field, patterns(&|at, _| tools.contains(&at))),
            }
        }
        let confirmed: Vec<&str> = self.confirmed(offer).map(|pick| pick.pattern.as_str()).collect();
        if !confirmed.is_empty() {
            write(&CONFIRM, confirmed.into());
        }
        // The choice of tools gets a line, since people come to change it, and answers get one to be seen.
        // Other keys with their default need none.
        let chooses = suggestion.picking.as_ref().map(|picking| picking.field);
        let is_kept = |field: &'static Field| {
            Some(field) == chooses || decided.iter().any(|(known, _)| *known == field)
        };
        let is_default = |(field, value): &(&'static Field, Value)| {
            field.default_value().as_ref() == Some(value) || value.as_array().is_some_and(Vec::is_empty)
        };
        config.retain(|pair| is_kept(pair.0) || !is_default(pair));
        let comment =
            if offer.stands { "Into what stands there under this name" } else { offer.about.summary }
                .to_owned();
        NewInstance { name: offer.name.clone(), about: offer.about, config, comment, stands: offer.stands }
    }
}
