//! The settings that hold for agents, from those that a person approved and those of the file.
//!
//! A change that only narrows what agents may do holds at once, key by key; every other one waits for a
//! person. The approved value of a key stands until then. The approved selection of tools is kept as well,
//! and the selection of the file is handed on beside it. A tool is offered if both select it.
//!
//! Of an MCP server no key narrows: one that was changed in any way waits as a whole.

use std::collections::BTreeSet;

use super::content::Instance;
use super::records::RECORDS_ENTRY;
use super::runners::runner_entry;
use super::upstream::Upstream;
use crate::model::{
    self, ALLOWED_ENV, ALLOWED_WORDS, Narrows, PluginInfo, Runner, TOOLS, TeamRecords, Values, is_no_looser,
};

/// The settings that hold, and the changes that wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effective {
    /// In the order of the file.
    pub instances: Vec<Instance>,
    /// Of those instances whose selection of tools the file changes: the same with the selection of the file.
    pub selections: Vec<Instance>,
    /// The MCP servers, in the order of the file.
    pub upstreams: Vec<Upstream>,
    /// The runners of the file that are as a person approved them, in its order.
    pub runners: Vec<Runner>,
    /// The records of the team, where they are as a person approved them.
    pub records: Option<TeamRecords>,
    /// The changes that nobody has approved, in the order of the file.
    pub withheld: Vec<Withheld>,
}

/// An instance or an MCP server whose change waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// Its name.
    pub instance: String,
    /// The kind of the change.
    pub difference: Difference,
}

/// The kinds of changes that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Nothing of its name was approved.
    New,
    /// It was switched off when it was approved.
    SwitchedOn,
    /// Its plugin or a key of its config. The approved values hold, where the file does not narrow them.
    Changed,
    /// A key of an MCP server or a runner. Nothing of it holds.
    ChangedServer,
}

/// Compares the settings of the file with the approved ones. Neither has instances whose settings are wrong.
pub fn effective(approved: &[Instance], current: Vec<Instance>, abouts: &[PluginInfo]) -> Effective {
    let mut effective = Effective::default();
    for instance in current {
        let known = approved.iter().find(|known| known.name == instance.name);
        let difference = match known {
            _ if !instance.enabled => {
                effective.instances.push(instance);
                continue;
            }
            None => Difference::New,
            Some(known) if !known.enabled => Difference::SwitchedOn,
            Some(known) => {
                let about = abouts.iter().find(|about| about.id == known.plugin);
                let Narrowed { held, selected, waits } = narrowed(known, &instance, about);
                effective.selections.extend(selected.map(|config| Instance { config, ..held.clone() }));
                effective.instances.push(held);
                if !waits {
                    continue;
                }
                Difference::Changed
            }
        };
        effective.withheld.push(Withheld { instance: instance.name, difference });
    }
    effective
}

impl Effective {
    /// Compares the MCP servers of the file with the approved ones.
    pub fn admit(&mut self, approved: &[Upstream], current: &[Upstream]) {
        for upstream in current {
            let known = approved.iter().find(|known| known.name == upstream.name);
            let difference = match known {
                _ if !upstream.enabled => None,
                None => Some(Difference::New),
                Some(known) if !known.enabled => Some(Difference::SwitchedOn),
                Some(known) if known != upstream => Some(Difference::ChangedServer),
                Some(_) => None,
            };
            match difference {
                None => self.upstreams.push(upstream.clone()),
                Some(difference) => {
                    self.withheld.push(Withheld { instance: upstream.name.clone(), difference });
                }
            }
        }
    }

    /// Compares the runners of the file with the approved ones: one that was changed in any way waits.
    pub fn admit_runners(&mut self, approved: &[Runner], current: &[Runner]) {
        for runner in current {
            let known = approved.iter().find(|known| known.name == runner.name);
            let difference = match known {
                Some(known) if known == runner => {
                    self.runners.push(runner.clone());
                    continue;
                }
                Some(_) => Difference::ChangedServer,
                None => Difference::New,
            };
            self.withheld.push(Withheld { instance: runner_entry(&runner.name), difference });
        }
    }

    /// Compares the records of the file with the approved ones: those that were changed in any way wait.
    pub fn admit_records(&mut self, approved: Option<&TeamRecords>, current: Option<&TeamRecords>) {
        self.records = current.filter(|current| approved == Some(current)).cloned();
        if current.is_some() && self.records.is_none() {
            let difference = if approved.is_some() { Difference::ChangedServer } else { Difference::New };
            self.withheld.push(Withheld { instance: RECORDS_ENTRY.to_owned(), difference });
        }
    }

    /// Has the instances wait whose current selection `selects_more` than the approved one.
    pub fn withhold_selections(&mut self, selects_more: impl Fn(&Instance, &Instance) -> bool) {
        for current in &self.selections {
            let name = &current.name;
            let waits = self.withheld.iter().any(|one| one.instance == *name);
            let approved = self.instances.iter().find(|approved| approved.name == *name);
            if !waits && approved.is_some_and(|approved| selects_more(approved, current)) {
                self.withheld.push(Withheld { instance: name.clone(), difference: Difference::Changed });
            }
        }
    }
}

/// An approved instance as the file narrows it.
struct Narrowed {
    held: Instance,
    /// The same config with the selection of the file, where that is another one.
    selected: Option<Values>,
    /// Whether the file changes something else, or in another direction.
    waits: bool,
}

fn narrowed(approved: &Instance, current: &Instance, about: Option<&PluginInfo>) -> Narrowed {
    let (before, now) = (&approved.config, &current.config);
    let same_plugin = approved.plugin == current.plugin;
    let keys: BTreeSet<&str> = before.iter().chain(now.iter()).map(|(key, _)| key).collect();
    let (mut config, mut selection, mut waits) = (before.clone(), Vec::new(), !same_plugin);
    for key in keys {
        let value =
            |values: &Values| values.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        let is_limit = [&ALLOWED_ENV, &ALLOWED_WORDS, &TOOLS].iter().any(|field| field.name == key);
        if is_limit || value(before) == value(now) {
            continue;
        }
        match about.and_then(|about| about.narrows(key)) {
            Some((field, Narrows::Selection)) if same_plugin => selection.push(field),
            Some((field, narrows)) if narrows != Narrows::Selection => {
                waits |= !narrows.is_narrower(field, before, now);
                config = narrows.narrowed(field, config, now);
            }
            _ => waits = true,
        }
    }
    // The limits on what calls bring narrow each other.
    waits |= !is_no_looser(before, now);
    let config = model::narrowed(&config, now);
    let selected = selection.iter().fold(config.clone(), |config, field| config.taking(field, now));
    let selected = (!selection.is_empty()).then_some(selected);
    Narrowed { held: Instance { config, ..approved.clone() }, selected, waits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    use super::super::upstream::ServerTransport;
    use crate::model::{CACHE_TTL, CONFIRM, DEFAULT_TIMEOUT, ENVIRONMENT, EXPOSE_LIST_SCRIPTS, Field, TRUST};

    fn instance(name: &str, config: &[(&Field, Value)]) -> Instance {
        let config = Values::of(config.iter().map(|(field, value)| (*field, value.clone())));
        Instance { name: name.into(), enabled: true, plugin: "scripts", config, workspace: None }
    }

    fn off(instance: Instance) -> Instance {
        Instance { enabled: false, ..instance }
    }

    fn of_plugin(plugin: &'static str, instance: Instance) -> Instance {
        Instance { plugin, ..instance }
    }

    const PATTERNS: Field = Field { name: "patterns", ..CONFIRM };
    const ABOUT: PluginInfo = PluginInfo {
        noun: "script",
        narrows: &[(&PATTERNS, Narrows::Selection), (&EXPOSE_LIST_SCRIPTS, Narrows::Off)],
        ..PluginInfo::new("scripts", "SCRIPT")
    };

    /// The instances that hold, each with its config, those with a selection of the file, and the changes that wait.
    fn outcome(pinned: &[Instance], current: &[Instance]) -> String {
        let Effective { instances, selections, withheld, .. } = effective(pinned, current.to_vec(), &[ABOUT]);
        let shown = |instance: &Instance| {
            let config: Vec<String> =
                instance.config.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let off = if instance.enabled { "" } else { " off" };
            format!("{} {}{off}({})", instance.name, instance.plugin, config.join(" "))
        };
        let holds: Vec<String> = instances.iter().map(shown).collect();
        let selects: Vec<String> = selections.iter().map(|one| format!(" & {}", shown(one))).collect();
        let waits: Vec<String> = withheld
            .iter()
            .map(|Withheld { instance, difference }| format!("{instance}: {difference:?}"))
            .collect();
        format!("{}{} | {}", holds.join(", "), selects.concat(), waits.join(", "))
    }

    #[test]
    fn a_narrowing_change_holds_at_once_and_every_other_waits() {
        let ttl = |seconds: u64| instance("a", &[(&CACHE_TTL, json!(seconds))]);
        let set = |value: &str| instance("a", &[(&ENVIRONMENT, json!({"X": value}))]);
        let confirm = |patterns: Value| instance("a", &[(&CONFIRM, patterns)]);
        let trust = |word: &str| instance("a", &[(&TRUST, json!(word))]);
        let plain = || instance("a", &[]);
        let b = || instance("b", &[]);
        for (pinned, current, expected) in [
            (vec![plain(), b()], vec![plain(), b()], "a scripts(), b scripts() | "),
            // The file's order holds.
            (vec![plain(), b()], vec![b(), plain()], "b scripts(), a scripts() | "),
            // Removed, switched off.
            (vec![plain(), b()], vec![b()], "b scripts() | "),
            (vec![plain()], vec![], " | "),
            (vec![plain()], vec![off(set("1"))], "a scripts off(environment={\"X\":\"1\"}) | "),
            (vec![], vec![off(plain())], "a scripts off() | "),
            // New, switched on.
            (vec![b()], vec![plain(), b()], "b scripts() | a: New"),
            (vec![], vec![plain(), b()], " | a: New, b: New"),
            (vec![off(plain())], vec![plain()], " | a: SwitchedOn"),
            // Changed: as it was pinned.
            (vec![ttl(1)], vec![ttl(2)], "a scripts(cache_ttl=1) | a: Changed"),
            (vec![set("1")], vec![set("2")], "a scripts(environment={\"X\":\"1\"}) | a: Changed"),
            (vec![plain()], vec![set("2")], "a scripts() | a: Changed"),
            (vec![set("1")], vec![plain()], "a scripts(environment={\"X\":\"1\"}) | a: Changed"),
            (vec![plain()], vec![of_plugin("npm", plain())], "a scripts() | a: Changed"),
            // Confirm: both.
            (vec![plain()], vec![confirm(json!("x*, y"))], "a scripts(confirm=[\"x*\",\"y\"]) | "),
            (vec![confirm(json!("x"))], vec![plain()], "a scripts(confirm=\"x\") | a: Changed"),
            (
                vec![confirm(json!("x"))],
                vec![confirm(json!(["y"]))],
                "a scripts(confirm=[\"x\",\"y\"]) | a: Changed",
            ),
            (
                vec![confirm(json!("x, y"))],
                vec![confirm(json!(["y", "x", "z"]))],
                "a scripts(confirm=[\"x\",\"y\",\"z\"]) | ",
            ),
            (vec![confirm(json!("*"))], vec![confirm(json!(""))], "a scripts(confirm=\"*\") | a: Changed"),
            // Trust: the stricter.
            (vec![plain()], vec![trust("pinned")], "a scripts(trust=\"pinned\") | "),
            (vec![trust("pinned")], vec![plain()], "a scripts(trust=\"pinned\") | a: Changed"),
            (vec![trust("pinned")], vec![trust("names")], "a scripts(trust=\"pinned\") | a: Changed"),
            // A guard beside something looser.
            (
                vec![plain()],
                vec![instance("a", &[(&ENVIRONMENT, json!({"X": "1"})), (&CONFIRM, json!("*"))])],
                "a scripts(confirm=[\"*\"]) | a: Changed",
            ),
        ] {
            assert_eq!(outcome(&pinned, &current), expected, "{pinned:?} to {current:?}");
        }
    }

    #[test]
    fn a_selection_is_handed_on_and_the_stricter_limit_holds() {
        let ttl = |seconds: u64| instance("a", &[(&CACHE_TTL, json!(seconds))]);
        let limit = |seconds: u64| instance("a", &[(&DEFAULT_TIMEOUT, json!(seconds))]);
        let listing = |flag: bool| instance("a", &[(&EXPOSE_LIST_SCRIPTS, json!(flag))]);
        let patterns = |patterns: &[&str]| instance("a", &[(&PATTERNS, json!(patterns))]);
        let plain = || instance("a", &[]);
        for (pinned, current, expected) in [
            // A shorter time holds at once, a longer one waits.
            (vec![ttl(2)], vec![ttl(1)], "a scripts(cache_ttl=1) | "),
            (vec![plain()], vec![limit(60)], "a scripts(default_timeout=60) | "),
            (vec![limit(60)], vec![plain()], "a scripts(default_timeout=60) | a: Changed"),
            (vec![limit(60)], vec![limit(90)], "a scripts(default_timeout=60) | a: Changed"),
            // The default, written down, changes nothing.
            (vec![plain()], vec![limit(300)], "a scripts() | "),
            // A switch of the plugin.
            (vec![plain()], vec![listing(false)], "a scripts(expose_list_scripts=false) | "),
            (vec![listing(false)], vec![listing(true)], "a scripts(expose_list_scripts=false) | a: Changed"),
            // A selection: both are looked at, and the tools decide.
            (
                vec![patterns(&["a"])],
                vec![patterns(&["b"])],
                r#"a scripts(patterns=["a"]) & a scripts(patterns=["b"]) | "#,
            ),
            // A loosening beside it waits, and is not looked at either.
            (
                vec![patterns(&["a"])],
                vec![instance("a", &[(&PATTERNS, json!(["b"])), (&ENVIRONMENT, json!({"X": "1"}))])],
                r#"a scripts(patterns=["a"]) & a scripts(patterns=["b"]) | a: Changed"#,
            ),
            // A narrowing beside it holds for both looks.
            (
                vec![patterns(&["a"])],
                vec![instance("a", &[(&PATTERNS, json!(["b"])), (&DEFAULT_TIMEOUT, json!(9))])],
                r#"a scripts(patterns=["a"] default_timeout=9) & a scripts(patterns=["b"] default_timeout=9) | "#,
            ),
            // Another plugin selects other things by a key of that name.
            (
                vec![patterns(&["a"])],
                vec![of_plugin("npm", patterns(&["b"]))],
                r#"a scripts(patterns=["a"]) | a: Changed"#,
            ),
        ] {
            assert_eq!(outcome(&pinned, &current), expected, "{pinned:?} to {current:?}");
        }
    }

    #[test]
    fn a_server_waits_until_all_of_it_is_approved() {
        let server = |name: &str, command: &str, config: Values| {
            let transport = ServerTransport::Stdio {
                command: command.into(),
                arguments: Vec::new(),
                environment: Vec::new(),
                directory: None,
            };
            Upstream::new(name.into(), true, transport, config)
        };
        let plain = |name: &str| server(name, "x", Values::default());
        let disabled = |upstream: Upstream| Upstream { enabled: false, ..upstream };
        let confirm = || server("a", "x", Values::of([(&CONFIRM, json!("*"))]));
        for (approved, current, expected) in [
            (vec![plain("a")], vec![plain("b"), plain("a")], "a | b: New"),
            (vec![disabled(plain("a"))], vec![plain("a")], " | a: SwitchedOn"),
            (vec![plain("a")], vec![server("a", "y", Values::default())], " | a: ChangedServer"),
            // Not even a guard narrows it.
            (vec![plain("a")], vec![confirm()], " | a: ChangedServer"),
            (vec![confirm()], vec![plain("a")], " | a: ChangedServer"),
            // Removed, switched off; a change of one that is off changes nothing.
            (vec![plain("a")], vec![], " | "),
            (vec![plain("a")], vec![disabled(plain("a"))], "a | "),
            (vec![], vec![disabled(server("a", "y", Values::default()))], "a | "),
        ] {
            let mut effective = Effective::default();
            effective.admit(&approved, &current);
            let held: Vec<_> = effective.upstreams.iter().map(|one| one.name.as_str()).collect();
            let waits: Vec<_> = effective
                .withheld
                .iter()
                .map(|one| format!("{}: {:?}", one.instance, one.difference))
                .collect();
            let found = format!("{} | {}", held.join(", "), waits.join(", "));
            assert_eq!(found, expected, "{approved:?} to {current:?}");
        }
    }
}
