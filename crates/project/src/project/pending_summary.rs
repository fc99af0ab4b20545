//! The summary of settings that wait for a person: what came, went and changed, before the difference itself.

use std::collections::BTreeSet;
use std::path::Path;

use super::approved_and_current::Sides;
use crate::ledger::PinnedTools;
use crate::project::context::Context;
use crate::project::pending_changes::Unapproved;
use crate::registry::Registry;
use crate::settings::{Instance, Upstream};
use crate::sources::project::{self as discovery, ProjectPlace};

/// Settings as they were approved and as they are, in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Instances and MCP servers that no approved settings have.
    pub new: Vec<String>,
    /// Instances that were switched off.
    pub switched_on: Vec<String>,
    /// Instances that are another, each with the keys of its config that are.
    pub changed: Vec<(String, Vec<String>)>,
    /// Instances that are switched off now.
    pub switched_off: Vec<String>,
    /// Instances that the settings no longer have.
    pub removed: Vec<String>,
    /// Tools that only the settings of now offer.
    pub gained: Vec<String>,
    /// Tools that only the approved settings offered.
    pub lost: Vec<String>,
    /// How many pinned texts of tools are new.
    pub new_texts: usize,
    /// How many are another.
    pub changed_texts: usize,
    /// How many are gone.
    pub removed_texts: usize,
}

impl Summary {
    fn count_texts(&mut self, pinned: Option<&PinnedTools>, now: &PinnedTools) {
        let digest = |tools: Option<&PinnedTools>, tool: &str| {
            tools.and_then(|tools| tools.digest(tool)).map(str::to_owned)
        };
        for (tool, after, _) in now.iter() {
            match digest(pinned, tool) {
                None => self.new_texts += 1,
                Some(before) if before != after => self.changed_texts += 1,
                Some(_) => {}
            }
        }
        let before = pinned.into_iter().flat_map(PinnedTools::iter);
        self.removed_texts = before.filter(|(tool, ..)| now.digest(tool).is_none()).count();
    }

    /// Compares entries of the settings: `about` says the name of one and whether it is switched on, `changed_keys` which keys
    /// have other values in a later version of it.
    fn compare<Entry>(
        &mut self,
        before: &[Entry],
        after: &[Entry],
        about: fn(&Entry) -> (&str, bool),
        changed_keys: fn(&Entry, &Entry) -> Vec<String>,
    ) {
        for one in after {
            let (name, is_enabled) = about(one);
            let Some(known) = before.iter().find(|known| about(known).0 == name) else {
                self.new.push(name.to_owned());
                continue;
            };
            if about(known).1 != is_enabled {
                let list = if is_enabled { &mut self.switched_on } else { &mut self.switched_off };
                list.push(name.to_owned());
            }
            let keys = changed_keys(known, one);
            if !keys.is_empty() {
                self.changed.push((name.to_owned(), keys));
            }
        }
        let is_gone = |known: &&str| after.iter().all(|one| about(one).0 != *known);
        let gone = before.iter().map(|known| about(known).0).filter(is_gone);
        self.removed.extend(gone.map(str::to_owned));
    }
}

fn instance(one: &Instance) -> (&str, bool) {
    (&one.name, one.enabled)
}

fn server(one: &Upstream) -> (&str, bool) {
    (&one.name, one.enabled)
}

/// The summary of what waits. The tools are those that reading the files finds: nothing is started for it.
pub fn summary(context: &Context, unapproved: &Unapproved) -> Summary {
    let Sides { root, instances: (before, after), servers, texts } = &unapproved.sides;
    let mut summary = Summary::default();
    summary.count_texts(texts.0.as_ref(), &texts.1);
    summary.compare(&servers.0, &servers.1, server, Upstream::changed_keys);
    if before != after {
        summary.compare(before, after, instance, changed_keys);
        let (approved, now) = (tool_names(context, root, before), tool_names(context, root, after));
        summary.gained = now.difference(&approved).cloned().collect();
        summary.lost = approved.difference(&now).cloned().collect();
    }
    summary
}

fn tool_names(context: &Context, root: &Path, instances: &[Instance]) -> BTreeSet<String> {
    let view = context.view(root);
    let place = ProjectPlace { view: Some(&view), ..ProjectPlace::of(root, &context.environment) };
    let discoveries = instances.iter().filter(|instance| instance.enabled).filter_map(|instance| {
        let plugin = context.plugin(instance.plugin)?;
        let discovery = discovery::discover(place, plugin, &instance.config);
        Some((instance.name.clone(), instance.plugin, discovery.into()))
    });
    let registry = Registry::new(discoveries);
    registry.tools().iter().map(|found| found.name.to_string()).collect()
}

/// The keys of an instance that have other values now.
fn changed_keys(before: &Instance, after: &Instance) -> Vec<String> {
    let plugin = (before.plugin != after.plugin).then(|| "module".to_owned());
    let values: [Vec<_>; 2] = [before.config.iter().collect(), after.config.iter().collect()];
    let [old, new] = &values;
    let is_other = |name: &str| {
        let value = |side: &[(&str, &serde_json::Value)]| {
            side.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).clone())
        };
        value(old) != value(new)
    };
    let names: BTreeSet<&str> = old.iter().chain(new).map(|(name, _)| *name).collect();
    plugin.into_iter().chain(names.into_iter().filter(|name| is_other(name)).map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::{CACHE_TTL, CONFIRM, Field, Values};

    fn instance(name: &str, enabled: bool, config: &[(&Field, serde_json::Value)]) -> Instance {
        let config = Values::of(config.iter().map(|(field, value)| (*field, value.clone())));
        Instance { name: name.into(), enabled, plugin: "scripts", config, workspace: None }
    }

    #[test]
    fn each_instance_is_in_the_list_that_says_what_became_of_it() {
        let before = [
            instance("a", true, &[(&CACHE_TTL, json!(1)), (&CONFIRM, json!(["x"]))]),
            instance("b", false, &[]),
            instance("c", true, &[]),
            instance("gone", true, &[]),
        ];
        let after = [
            instance("a", true, &[(&CACHE_TTL, json!(2))]),
            instance("b", true, &[]),
            instance("c", false, &[]),
            instance("new", true, &[]),
        ];
        let mut summary = Summary::default();
        summary.compare(&before, &after, super::instance, changed_keys);
        let keys = ["cache_ttl", "confirm"].map(str::to_owned).to_vec();
        let expected = Summary {
            new: vec!["new".into()],
            switched_on: vec!["b".into()],
            switched_off: vec!["c".into()],
            changed: vec![("a".into(), keys)],
            removed: vec!["gone".into()],
            ..Summary::default()
        };
        assert_eq!(summary, expected);
    }

    #[test]
    fn texts_are_counted_by_what_became_of_them() {
        let texts = |texts: &[(&str, &'static str)]| {
            PinnedTools::of(texts.iter().map(|(tool, digest)| ((*tool).to_owned(), *digest, "text")))
        };
        let mut summary = Summary::default();
        summary.count_texts(
            Some(&texts(&[("a", "1"), ("b", "1"), ("gone", "1"), ("same", "1")])),
            &texts(&[("a", "2"), ("b", "2"), ("new", "1"), ("same", "1")]),
        );
        assert_eq!((summary.new_texts, summary.changed_texts, summary.removed_texts), (1, 2, 1));
    }
}
