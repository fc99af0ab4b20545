//! What holds for agents: settings as they were pinned, as far as the file still says so.
//!
//! Whatever the file takes away is gone at once; whatever it adds or alters waits for a person.

use serde_json::{Value, json};

use super::Instance;
use crate::model::{ALLOWED_ENV, ALLOWED_WORDS, CONFIRM, TOOLS, TRUST, Values, is_no_looser, narrowed};

/// What holds, and what waits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effective {
    /// In the order of the file.
    pub instances: Vec<Instance>,
    /// What the file says and nobody has approved, in the order of the file.
    pub withheld: Vec<Withheld>,
}

/// An instance that the file has otherwise than it was pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// Its name.
    pub instance: String,
    /// What is another with it.
    pub difference: Difference,
}

/// What is another with an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Nothing of its name was pinned.
    New,
    /// It was switched off when it was pinned.
    SwitchedOn,
    /// Its plugin or its config; it holds as it was pinned.
    Changed,
}

/// What holds of these settings where these were pinned. Neither has instances whose settings are wrong.
pub fn effective(pinned: &[Instance], current: Vec<Instance>) -> Effective {
    let mut effective = Effective::default();
    for instance in current {
        let known = pinned.iter().find(|known| known.name == instance.name);
        let difference = match known {
            _ if !instance.enabled => {
                effective.instances.push(instance);
                continue;
            }
            None => Difference::New,
            Some(known) if !known.enabled => Difference::SwitchedOn,
            Some(known) => {
                let held = tightened(known, &instance);
                let is_tighter = held.plugin == instance.plugin
                    && but_for_guards(&held.config) == but_for_guards(&instance.config)
                    && confirmed(&held.config)
                        .iter()
                        .all(|pattern| confirmed(&instance.config).contains(pattern))
                    && held.config.pins_texts() == instance.config.pins_texts()
                    && is_no_looser(&known.config, &instance.config);
                effective.instances.push(held);
                if is_tighter {
                    continue;
                }
                Difference::Changed
            }
        };
        effective.withheld.push(Withheld { instance: instance.name, difference });
    }
    effective
}

/// The instance as it was pinned, with every guard that the file puts on top.
fn tightened(pinned: &Instance, current: &Instance) -> Instance {
    let mut config = narrowed(&pinned.config, &current.config);
    let mut patterns = confirmed(&pinned.config);
    patterns.extend(
        confirmed(&current.config).into_iter().filter(|more| !patterns.contains(more)).collect::<Vec<_>>(),
    );
    if !patterns.is_empty() {
        config = config.with(&CONFIRM, json!(patterns));
    }
    if current.config.pins_texts() {
        config = config.with(&TRUST, json!("pinned"));
    }
    Instance { name: pinned.name.clone(), enabled: true, plugin: pinned.plugin, config }
}

fn confirmed(config: &Values) -> Vec<&str> {
    config.texts(&CONFIRM)
}

/// The config without what can only hold calls back.
fn but_for_guards(config: &Values) -> Values {
    let guards = [&CONFIRM, &TRUST, &ALLOWED_ENV, &ALLOWED_WORDS, &TOOLS];
    guards.into_iter().fold(config.clone(), |config, guard| config.with(guard, Value::Null))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CACHE_TTL, ENVIRONMENT, Field};

    fn instance(name: &str, config: &[(&Field, Value)]) -> Instance {
        let config = Values::of(config.iter().map(|(field, value)| (*field, value.clone())));
        Instance { name: name.into(), enabled: true, plugin: "scripts", config }
    }

    fn off(instance: Instance) -> Instance {
        Instance { enabled: false, ..instance }
    }

    fn of_plugin(plugin: &'static str, instance: Instance) -> Instance {
        Instance { plugin, ..instance }
    }

    /// The names that hold, with the keys and values of each, and what waits.
    fn outcome(pinned: &[Instance], current: &[Instance]) -> String {
        let Effective { instances, withheld } = effective(pinned, current.to_vec());
        let shown = |instance: &Instance| {
            let config: Vec<String> =
                instance.config.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let off = if instance.enabled { "" } else { " off" };
            format!("{} {}{off}({})", instance.name, instance.plugin, config.join(" "))
        };
        let holds: Vec<String> = instances.iter().map(shown).collect();
        let waits: Vec<String> = withheld
            .iter()
            .map(|Withheld { instance, difference }| format!("{instance}: {difference:?}"))
            .collect();
        format!("{} | {}", holds.join(", "), waits.join(", "))
    }

    #[test]
    fn what_tightens_holds_at_once_and_all_else_waits() {
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
            (vec![confirm(json!("x"))], vec![plain()], "a scripts(confirm=[\"x\"]) | a: Changed"),
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
            (vec![confirm(json!("*"))], vec![confirm(json!(""))], "a scripts(confirm=[\"*\"]) | a: Changed"),
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
}
