//! The key `containment` of settings: a profile, or rules of which each may be left out.

use serde_json::{Map, Value, json};

use super::input_error::{Complain, InputErrorKind, ValueStep};
use super::shared_fields::CONTAINMENT;
use super::{Containment, Network, Profile, Values, nearest};

/// The keys of the mapping.
const PROFILE: &str = "profile";
const NETWORK: &str = "network";
const REQUIRED: &str = "required";
const TOOLS: &str = "tools";
const WRITE: &str = "write";
const HIDE: &str = "hide";
const SHOW: &str = "show";
const SOCKETS: &str = "sockets";
const KEYS: [&str; 8] = [PROFILE, NETWORK, WRITE, HIDE, SHOW, SOCKETS, REQUIRED, TOOLS];
const PATHS: [&str; 4] = [WRITE, HIDE, SHOW, SOCKETS];
/// The key of ports below `network`.
const LOOPBACK: &str = "loopback";

/// The rules for a tool: its profile with the settings of its instance, and with each entry of `tools` whose pattern means it.
pub fn containment(profile: Profile, config: &Values, is_meant_by: impl Fn(&str) -> bool) -> Containment {
    let mut rules = Containment::of(profile);
    let Some(value) = config.value(&CONTAINMENT) else { return rules };
    take(&mut rules, value);
    let tools = value.get(TOOLS).and_then(Value::as_object);
    for (pattern, value) in tools.into_iter().flatten() {
        if is_meant_by(pattern) {
            take(&mut rules, value);
        }
    }
    rules
}

/// Puts the rules of a value on top of others.
fn take(rules: &mut Containment, value: &Value) {
    let of_word = |word: &Value| word.as_str().and_then(Profile::named);
    if let Some(profile) = of_word(value).or_else(|| of_word(value.get(PROFILE)?)) {
        rules.profile = profile;
        rules.network = profile.network();
    }
    if let Some(network) = value.get(NETWORK).and_then(|value| network(value, &rules.network)) {
        rules.network = network;
    }
    if let Some(required) = value.get(REQUIRED).and_then(Value::as_bool) {
        rules.is_required = required;
    }
    let lists = [&mut rules.write, &mut rules.hide, &mut rules.show, &mut rules.sockets];
    for (key, list) in PATHS.iter().zip(lists) {
        let paths = value.get(*key).map(texts).unwrap_or_default();
        list.extend(paths.into_iter().map(str::to_owned));
    }
}

/// The part of the network that a value names. Ports are added to those that are open already.
fn network(value: &Value, before: &Network) -> Option<Network> {
    if let Some(word) = value.as_str() {
        // A word that is none closes it; the settings have a complaint for that.
        return Some(Network::named(word, before.ports().to_vec()).unwrap_or(Network::Closed));
    }
    let ports = value.get(LOOPBACK)?.as_array()?.iter().filter_map(port);
    let ports = before.ports().iter().copied().chain(ports).collect();
    Some(if before.is_open() { Network::Open(ports) } else { Network::Loopback(ports) })
}

fn port(value: &Value) -> Option<u16> {
    value.as_u64().and_then(|number| u16::try_from(number).ok()).filter(|port| *port > 0)
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Complains about a value of `containment` that is neither a profile nor a mapping of rules.
pub(super) fn check(value: &Value, complain: Complain<'_>) {
    check_rules(value, true, complain);
}

fn check_rules(value: &Value, may_have_tools: bool, complain: Complain<'_>) {
    let rules = match value {
        Value::String(name) => return check_profile(name, vec![], complain),
        Value::Object(rules) => rules,
        _ => {
            let help =
                "write `containment: test`, or `containment: {network: {loopback: [5432]}}`".to_owned();
            return complain(vec![], InputErrorKind::Shape("a profile or a mapping of rules", Some(help)));
        }
    };
    for (key, value) in rules {
        let at = vec![ValueStep::Key(key.clone())];
        match key.as_str() {
            PROFILE => match value.as_str() {
                Some(name) => check_profile(name, at, complain),
                None => complain(at, InputErrorKind::Choice(Profile::NAMES, None)),
            },
            NETWORK => check_network(value, &at, complain),
            REQUIRED if value.is_boolean() => {}
            REQUIRED => complain(at, InputErrorKind::Shape("true or false", None)),
            TOOLS if may_have_tools => check_tools(value, &at, complain),
            key if PATHS.contains(&key) => {
                let is_list = |value: &Value| {
                    value.is_string()
                        || value.as_array().is_some_and(|paths| paths.iter().all(Value::is_string))
                };
                if !is_list(value) {
                    complain(at, InputErrorKind::Shape("a path or a list of paths", None));
                }
            }
            _ => {
                let meant = nearest(key, KEYS).map(|meant| format!("did you mean `{meant}`?"));
                complain(
                    at,
                    InputErrorKind::Shape(
                        "one of profile, network, write, hide, show, sockets, required, tools",
                        meant,
                    ),
                );
            }
        }
    }
}

fn check_tools(value: &Value, at: &[ValueStep], complain: Complain<'_>) {
    let Value::Object(tools) = value else {
        return complain(at.to_vec(), InputErrorKind::Shape("a mapping of patterns to rules", None));
    };
    for (pattern, rules) in tools {
        check_rules(rules, false, &mut |more, wrong| {
            complain([at, &[ValueStep::Key(pattern.clone())], &more].concat(), wrong);
        });
    }
}

fn check_profile(name: &str, at: Vec<ValueStep>, complain: Complain<'_>) {
    if Profile::named(name).is_none() {
        let meant = nearest(name, Profile::NAMES.iter().copied());
        complain(at, InputErrorKind::Choice(Profile::NAMES, meant));
    }
}

fn check_network(value: &Value, at: &[ValueStep], complain: Complain<'_>) {
    let names = Network::NAMES.join("`, `");
    let help = format!("write `network:` and one of `{names}`, or `network: {{loopback: [5432]}}`");
    let shape = || InputErrorKind::Shape("a part of the network", Some(help.clone()));
    match value {
        Value::String(word) if Network::NAMES.contains(&word.as_str()) => {}
        Value::Object(ports) if ports.len() == 1 && ports.contains_key(LOOPBACK) => {
            match ports[LOOPBACK].as_array() {
                Some(ports) if ports.iter().all(|value| port(value).is_some()) => {}
                _ => complain(
                    at.to_vec(),
                    InputErrorKind::Shape("a list of ports, from 1 to 65535", Some(help)),
                ),
            }
        }
        _ => complain(at.to_vec(), shape()),
    }
}

/// The JSON Schema of `containment`.
pub(super) fn schema() -> Value {
    let profile = json!({"type": "string", "enum": Profile::NAMES});
    let paths = json!({"type": ["string", "array"], "items": {"type": "string"}});
    let port = json!({"type": "integer", "minimum": 1, "maximum": u16::MAX});
    let mut rules: Map<String, Value> = Map::new();
    rules.insert(PROFILE.into(), profile);
    rules.insert(
        NETWORK.into(),
        json!({"anyOf": [
            {"type": "string", "enum": Network::NAMES},
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {LOOPBACK: {"type": "array", "items": port}},
            },
        ]}),
    );
    rules.extend(PATHS.map(|key| (key.to_owned(), paths.clone())));
    rules.insert(REQUIRED.into(), json!({"type": "boolean"}));
    let one = |rules: &Map<String, Value>| {
        json!({"anyOf": [
            {"type": "string", "enum": Profile::NAMES},
            {"type": "object", "additionalProperties": false, "properties": rules},
        ]})
    };
    let tools = json!({"type": "object", "additionalProperties": one(&rules)});
    rules.insert(TOOLS.into(), tools);
    one(&rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Patterns;

    fn rules(value: Value, names: &[&str]) -> Containment {
        let is_meant_by = |pattern: &str| {
            let (patterns, _) = Patterns::new([pattern]);
            names.iter().any(|name| patterns.matches(name))
        };
        containment(Profile::Test, &Values::of([(&CONTAINMENT, value)]), is_meant_by)
    }

    #[test]
    fn rules_of_a_tool_come_on_top_of_those_of_its_instance() {
        let base = Containment::of(Profile::Test);
        assert_eq!(rules(json!("off"), &["x"]).profile, Profile::Off);
        let both = json!({
            "network": {"loopback": [5432]},
            "write": "../cache",
            "tools": {"db*": {"network": {"loopback": [6379]}, "write": ["/var/db"]}, "publish": "install"},
        });
        assert_eq!(
            rules(both.clone(), &["test"]),
            Containment {
                network: Network::Loopback(vec![5432]),
                write: vec!["../cache".into()],
                ..base.clone()
            }
        );
        assert_eq!(
            rules(both.clone(), &["db:seed"]),
            Containment {
                network: Network::Loopback(vec![5432, 6379]),
                write: vec!["../cache".into(), "/var/db".into()],
                ..base
            }
        );
        let open = rules(both, &["publish"]);
        assert_eq!((open.profile, open.network), (Profile::Install, Network::Open(vec![])));
    }

    #[test]
    fn wrong_rules_are_named_with_their_place() {
        let wrong = |value: Value| {
            let mut said = Vec::new();
            check(&value, &mut |path, wrong| said.push(super::super::InputError { path, wrong }.sentence()));
            said
        };
        assert!(wrong(json!("test")).is_empty());
        assert!(wrong(json!({"network": "open", "tools": {"a": "off"}})).is_empty());
        insta::assert_debug_snapshot!(
            [
                json!("tset"),
                json!(3),
                json!({"network": "local"}),
                json!({"network": {"loopback": [0]}}),
                json!({"netwrok": "open"}),
                json!({"tools": {"a": {"write": 1, "tools": {}}}}),
            ]
            .map(wrong),
            @r#"
        [
            [
                "`` must be one of test, build, install, serve, server, off",
            ],
            [
                "`` must be a profile or a mapping of rules",
            ],
            [
                "`network` must be a part of the network",
            ],
            [
                "`network` must be a list of ports, from 1 to 65535",
            ],
            [
                "`netwrok` must be one of profile, network, write, hide, show, sockets, required, tools",
            ],
            [
                "`tools.a.write` must be a path or a list of paths",
                "`tools.a.tools` must be one of profile, network, write, hide, show, sockets, required, tools",
            ],
        ]
        "#
        );
    }
}
