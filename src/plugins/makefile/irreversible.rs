//! Which targets lead to what nothing takes back: by what they need, and by the makes that they call.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::recipe::Recipes;
use super::special::is_special;
use super::tool_name;
use super::written::{Script, Written, can_be, hollow, is_open};
use crate::model::{CONFIRM, Call, Patterns, Runner, Values, Way, goals, looks_irreversible};

/// The rule for whatever has none.
const FALLBACK: &str = ".DEFAULT";

/// So many things that are no targets are followed one by one.
const MOST_CALLED: usize = 200;

/// So many names are held against patterns before any is taken to be meant.
const MOST_TRIED: usize = 1_000_000;

/// The names of what seems to last, of what a person must say yes to, and of all that lead there.
#[derive(Debug, Default)]
pub(super) struct Lasting {
    names: HashSet<String>,
    /// Those that are patterns, or cannot be known.
    open: Vec<String>,
}

/// The rules that call for each name.
#[derive(Debug, Default, Clone)]
struct Callers {
    by_name: HashMap<String, Vec<usize>>,
    open: Vec<(String, usize)>,
    tried: usize,
}

impl Lasting {
    pub(super) fn new(recipes: &Recipes, config: &Values) -> Self {
        let rules = &recipes.script.rules;
        let (guarded, _) = Patterns::new(config.texts(&CONFIRM));
        let is_guarded = |name: &str| guarded.matches(name) || guarded.matches(&tool_name(name));
        let mut waiting: Vec<String> = Vec::new();
        for rule in rules {
            // What only removes files is called by many, which put back what it took.
            let text = format!("{}\nmore", rule.lines().collect::<Vec<_>>().join("\n"));
            let all = rule.is_hidden || looks_irreversible("", &text);
            let names = rule.names.iter().filter(|name| *name == FALLBACK || !is_special(name));
            waiting.extend(
                names.filter(|name| all || looks_irreversible(name, "") || is_guarded(name)).cloned(),
            );
        }
        if waiting.is_empty() {
            Self::default()
        } else {
            Self::before(rules, Callers::new(&recipes.script), waiting)
        }
    }

    /// These names, and all that lead there.
    fn before(rules: &[Written], mut callers: Callers, mut waiting: Vec<String>) -> Self {
        let mut lasting = Self::default();
        while let Some(name) = waiting.pop() {
            if !lasting.names.insert(name.clone()) {
                continue;
            }
            for at in callers.of(&name) {
                waiting.extend(rules[at].names.iter().filter(|name| !lasting.names.contains(*name)).cloned());
            }
            if is_open(&name) {
                lasting.open.push(name);
            }
        }
        lasting
    }

    /// Whether a target leads there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name) || self.open.iter().take(MOST_TRIED).any(|open| can_be(open, name))
    }
}

/// What make may do where it is told nothing.
fn defaults(script: &Script) -> Vec<&str> {
    let mut names = script.rules.iter().filter(|rule| rule.is_settled).flat_map(|rule| &rule.names);
    let first = names.find(|name| (!name.starts_with('.') || name.contains('/')) && !is_open(name));
    let first = first.filter(|_| !script.has_goal).into_iter();
    first.chain(&script.goals).map(String::as_str).collect()
}

/// What each target leads to that is no target; `hidden` are those that may run more than is known.
pub(super) fn ways(recipes: &Recipes, lasting: &Lasting, hidden: &HashSet<String>) -> Vec<Way> {
    let rules = &recipes.script.rules;
    let names: BTreeSet<&String> =
        rules.iter().flat_map(|rule| &rule.names).filter(|name| !is_open(name)).collect();
    let lasts = |name: &String| lasting.has(name) || hidden.contains(name);
    let way =
        |name: &String| Way { by: Runner::Make, name: name.clone(), lasts: lasts(name), calls: Vec::new() };
    let mut ways: Vec<Way> = names.into_iter().map(way).collect();
    let mut calling: BTreeMap<Call, Vec<String>> = BTreeMap::new();
    for rule in rules {
        let text = rule.lines().collect::<Vec<_>>().join("\n");
        for call in Call::all(&text).into_iter().filter(|call| call.by == Runner::Manager) {
            calling.entry(call).or_default().extend(rule.names.iter().cloned());
        }
    }
    let callers = if calling.is_empty() { Callers::default() } else { Callers::new(&recipes.script) };
    let calling: Vec<(Call, Vec<String>)> = calling.into_iter().collect();
    for some in calling.chunks(calling.len().div_ceil(MOST_CALLED).max(1)) {
        let from = some.iter().flat_map(|(_, names)| names.clone()).collect();
        let leading = Lasting::before(rules, callers.clone(), from);
        for way in ways.iter_mut().filter(|way| !way.lasts && leading.has(&way.name)) {
            way.calls.extend(some.iter().map(|(call, _)| call.clone()));
            way.lasts = way.calls.len() > MOST_CALLED;
        }
    }
    let defaults = defaults(&recipes.script);
    let is_default = |way: &&Way| defaults.iter().any(|name| can_be(name, &way.name));
    let unnamed: Vec<Way> =
        ways.iter().filter(is_default).map(|way| Way { name: String::new(), ..way.clone() }).collect();
    ways.extend(unnamed);
    ways
}

impl Callers {
    fn new(script: &Script) -> Self {
        let Script { rules, .. } = script;
        let mut callers = Self::default();
        let defaults = defaults(script);
        let named: HashSet<&String> = rules.iter().flat_map(|rule| &rule.names).collect();
        let has_fallback = rules.iter().any(|rule| rule.names.iter().any(|name| name == FALLBACK));
        for (at, rule) in
            rules.iter().enumerate().filter(|(_, rule)| rule.names.iter().any(|n| n != ".PHONY"))
        {
            let text = rule.lines().collect::<Vec<_>>().join("\n");
            let goals = goals(&text, &defaults);
            for name in rule.needs.iter().cloned().chain(goals.iter().map(|goal| hollow(goal))) {
                if is_open(&name) {
                    callers.open.push((name, at));
                } else {
                    if has_fallback && !named.contains(&name) {
                        callers.by_name.entry(FALLBACK.to_owned()).or_default().push(at);
                    }
                    callers.by_name.entry(name).or_default().push(at);
                }
            }
        }
        callers
    }

    /// The rules that call for a name, or may.
    fn of(&mut self, name: &str) -> Vec<usize> {
        let mut tried = self.tried;
        let mut may_be = |pattern: &str, name: &str| {
            tried += 1;
            tried > MOST_TRIED || can_be(pattern, name)
        };
        let mut found = self.by_name.remove(name).unwrap_or_default();
        if is_open(name) {
            self.by_name.retain(|called, rules| {
                let is_meant = may_be(name, called);
                if is_meant {
                    found.append(rules);
                }
                !is_meant
            });
        }
        self.open.retain(|(called, rule)| {
            let is_meant = may_be(called, name);
            if is_meant {
                found.push(*rule);
            }
            !is_meant
        });
        self.tried = tried;
        found
    }
}
