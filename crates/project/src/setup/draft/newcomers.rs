//! New files for instances that a settings file has already: the patterns that they lack.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use super::{Context, Offer, Predecessor};
use crate::model::{Discovery, Field, Member, PACKAGES, Pick, Picking, Suggestion, Values};
use crate::settings::ExistingEntry;
use crate::sources::project::{self as discovery, ProjectPlace};

impl Predecessor {
    /// The patterns of each instance that `cuff init` would suggest and that it lacks. `confirm` of an instance that stands
    /// gets no tool that is offered already: a person may have taken it out.
    pub fn newcomers(&self, context: &Context, offers: &[Offer]) -> Vec<Offer> {
        let of = |standing| self.newcomers_of(standing, context, offers);
        self.standing.iter().filter_map(of).collect()
    }

    fn newcomers_of(&self, standing: &ExistingEntry, context: &Context, offers: &[Offer]) -> Option<Offer> {
        let ExistingEntry { name, plugin, config, is_off } = standing;
        let (id, config) = ((*plugin)?, config.as_ref().filter(|_| !is_off)?);
        let at = self.looks_at(context, id, config)?;
        let same =
            |offer: &&Offer| offer.about.id == id && self.offered_at(context, offer).as_ref() == Some(&at);
        let offer = offers.iter().find(same)?;
        let packages = self.new_packages(context, offer, config);
        let picking = offer.suggestion.picking.as_ref()?;
        let plugin = context.plugin(id)?;
        let place = ProjectPlace::of(&self.folder, &context.environment);
        let discover = |config: &Values| discovery::discover(place, plugin, config);
        let mut alike = self.standing.iter().filter(|other| {
            let config = other.config.as_ref().filter(|config| !other.is_off && config.has(picking.field));
            let is_at = |config| self.looks_at(context, id, config).as_ref() == Some(&at);
            other.plugin == Some(id) && config.is_some_and(is_at)
        });
        // Of several the first: each of them finds its share.
        let is_first = alike.next().is_some_and(|first| first.name == *name);
        let (patterns, picks) =
            if is_first { self.lacking(id, offer, config, &discover) } else { (Vec::new(), Vec::new()) };
        let picking = Picking { picks, ..picking.clone() };
        let patterns = (!patterns.is_empty()).then(|| (picking.field, Value::from(patterns)));
        let members = if packages.is_some() { offer.suggestion.members.clone() } else { Vec::new() };
        let lacks: Vec<_> = patterns.into_iter().chain(packages).collect();
        (!lacks.is_empty()).then(|| Offer {
            name: name.clone(),
            about: offer.about,
            folder: offer.folder.clone(),
            suggestion: Suggestion {
                config: lacks,
                picking: Some(picking),
                members,
                ..Suggestion::default()
            },
            stands: true,
        })
    }

    /// The packages of a workspace, where an instance takes in none and one of them has no instance of its own.
    fn new_packages(
        &self,
        context: &Context,
        offer: &Offer,
        config: &Values,
    ) -> Option<(&'static Field, Value)> {
        let offered = offer.suggestion.config.iter().find(|(field, _)| *field == &PACKAGES)?;
        let has_own = |member: &Member| {
            let at = self.looks_at(context, offer.about.id, &member.config);
            self.standing.iter().any(|one| {
                let config = one.config.as_ref().filter(|_| one.plugin == Some(offer.about.id));
                config.is_some_and(|config| self.looks_at(context, offer.about.id, config) == at)
            })
        };
        let is_new = !config.has(&PACKAGES) && !offer.suggestion.members.iter().all(has_own);
        is_new.then(|| offered.clone())
    }

    /// The patterns that an offer has and an instance lacks, if those of the instance are a list. Each
    /// matches tools that no instance of the plugin offers or excludes. If a person has chosen some of a
    /// pattern's tools, its new ones are left to that person. Risky tools are never among them. With the
    /// patterns come the matched tools that look irreversible.
    fn lacking(
        &self,
        plugin: &str,
        offer: &Offer,
        config: &Values,
        discover: &impl Fn(&Values) -> Discovery,
    ) -> (Vec<String>, Vec<Pick>) {
        let none = || (Vec::new(), Vec::new());
        let Some(picking) = &offer.suggestion.picking else { return none() };
        let mut suggested = offer.suggestion.config.iter();
        let suggested = suggested.find(|(field, _)| field.name == picking.field.name);
        let Some((field, Value::Array(suggested))) = suggested else { return none() };
        let configs = self.standing.iter().filter(|standing| standing.plugin == Some(plugin));
        let Some(configs) = configs.map(|standing| standing.config.as_ref()).collect::<Option<Vec<_>>>()
        else {
            return none();
        };
        let found = |config: &Values| -> BTreeMap<String, String> {
            discover(config).tools.into_iter().map(|tool| (tool.original, tool.source.file)).collect()
        };
        let there: BTreeSet<String> =
            configs.into_iter().flat_map(|config| found(config).into_values()).collect();
        let standing = config.texts(field);
        let (mut new, mut irreversible) = (Vec::new(), Vec::new());
        for pattern in
            suggested.iter().filter_map(Value::as_str).filter(|pattern| !standing.contains(pattern))
        {
            let finds = found(&config.clone().with(field, Value::from([pattern].as_slice())));
            let picks = picking.picks.iter().filter_map(|pick| Some((pick, finds.get(&pick.name)?)));
            let (known, more): (Vec<_>, Vec<_>) = picks.partition(|(_, file)| there.contains(*file));
            if !known.is_empty() && !more.is_empty() {
                return none();
            }
            let offered = more.iter().map(|(pick, _)| *pick).filter(|pick| !pick.risky);
            irreversible.extend(offered.filter(|pick| pick.irreversible.is_some()).cloned());
            if more.iter().any(|(pick, _)| pick.risky) {
                let safe = more.iter().filter(|(pick, _)| !pick.risky);
                new.extend(safe.map(|(pick, _)| pick.pattern.clone()));
            } else if !more.is_empty() {
                new.push(pattern.to_owned());
            }
        }
        (new, irreversible)
    }

    /// The folder that an offer looks at first.
    pub(crate) fn offered_at(&self, context: &Context, offer: &Offer) -> Option<PathBuf> {
        let pairs = offer.suggestion.config.iter().map(|(field, value)| (*field, value.clone()));
        self.looks_at(context, offer.about.id, &Values::of(pairs))
    }
}
