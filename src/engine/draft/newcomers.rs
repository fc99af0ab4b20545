//! What has come to instances that a settings file has: tools that look as if nothing took back what they do.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Offer, Predecessor, Surroundings};
use crate::discovery::{self, Place};
use crate::model::{CONFIRM, OPEN_TO_AGENTS, Patterns, Picking, Suggestion, Values};
use crate::registry::Registry;
use crate::settings::Standing;

impl Predecessor {
    /// Of each instance the tools that `cuff init` would suggest a yes for, and that the settings say nothing of. What they
    /// leave out is none of them, and where they have no yes for anything, that is a word of its own.
    pub fn newcomers(&self, surroundings: &Surroundings, offers: &[Offer]) -> Vec<Offer> {
        let of = |standing| self.newcomers_of(standing, surroundings, offers);
        self.standing.iter().filter_map(of).collect()
    }

    fn newcomers_of(
        &self,
        standing: &Standing,
        surroundings: &Surroundings,
        offers: &[Offer],
    ) -> Option<Offer> {
        let Standing { name, plugin, config, is_off } = standing;
        let (id, config) = ((*plugin)?, config.as_ref().filter(|_| !is_off)?);
        let undecided = undecided(config)?;
        let place = self.looks_at(surroundings, id, config)?;
        let same = |offer: &&Offer| {
            offer.about.id == id && self.offered_at(surroundings, offer).as_ref() == Some(&place)
        };
        let offer = offers.iter().find(same)?;
        let picking = offer.suggestion.picking.as_ref()?;
        let mut picks: Vec<_> = picking.picks.iter().filter(|pick| pick.irreversible).cloned().collect();
        if picks.is_empty() {
            return None;
        }
        let place = Place { root: &self.folder, environment: &surroundings.environment, prober: None };
        let discovery = Arc::new(discovery::discover(place, surroundings.plugin(id)?, config));
        let registry = Registry::new([(name.clone(), id, discovery)]);
        picks.retain(|pick| {
            let mut called = registry.tools().iter().filter(|found| found.tool.original == pick.name);
            called.any(|found| undecided(&found.name.local) && undecided(&pick.name))
        });
        let picking = Picking { picks, ..picking.clone() };
        (!picking.picks.is_empty()).then(|| Offer {
            name: name.clone(),
            about: offer.about,
            suggestion: Suggestion { picking: Some(picking), ..Suggestion::default() },
            folder: None,
            package: None,
            stands: true,
        })
    }

    /// The folder that an offer looks at first.
    pub(super) fn offered_at(&self, surroundings: &Surroundings, offer: &Offer) -> Option<PathBuf> {
        let pairs = offer.suggestion.config.iter().map(|(field, value)| (*field, value.clone()));
        self.looks_at(surroundings, offer.about.id, &Values::of(pairs))
    }
}

/// Whether a name is one that nothing was said of. `None` where something was said of all: no yes at all, or what cannot be
/// understood.
fn undecided(config: &Values) -> Option<impl Fn(&str) -> bool> {
    let said = [config.texts(&CONFIRM), config.texts(&OPEN_TO_AGENTS)].concat();
    let is_none = config.has(&CONFIRM) && config.texts(&CONFIRM).is_empty();
    let (patterns, bad) = Patterns::new(said);
    (!is_none && bad.is_empty()).then_some(move |name: &str| !patterns.matches(name))
}
