//! Which targets lead to what nothing takes back: by what they need, and by the makes that they call.

use std::collections::{HashMap, HashSet};

use super::recipe::Recipes;
use super::tool_name;
use super::written::{Written, can_be, hollow, is_open};
use crate::model::{CONFIRM, Patterns, Values, looks_irreversible};

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
#[derive(Debug, Default)]
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
            let names = rule.names.iter().filter(|name| !name.starts_with('.'));
            waiting.extend(
                names.filter(|name| all || looks_irreversible(name, "") || is_guarded(name)).cloned(),
            );
        }
        let mut lasting = Self::default();
        if waiting.is_empty() {
            return lasting;
        }
        let mut callers = Callers::new(rules);
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

impl Callers {
    fn new(rules: &[Written]) -> Self {
        let mut callers = Self::default();
        let first = rules.iter().filter(|rule| rule.is_settled).flat_map(|rule| &rule.names);
        let default = first.clone().find(|name| !name.starts_with('.') && !is_open(name));
        for (at, rule) in
            rules.iter().enumerate().filter(|(_, rule)| rule.names.iter().any(|n| n != ".PHONY"))
        {
            let lines: Vec<&str> = rule.lines().collect();
            let goals = goals(&lines, default.map(String::as_str));
            for name in rule.needs.iter().cloned().chain(goals) {
                if is_open(&name) {
                    callers.open.push((name, at));
                } else {
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

/// What a recipe has other makes do; one that is told nothing does what comes `first`.
fn goals(recipe: &[&str], first: Option<&str>) -> Vec<String> {
    let text = recipe.join("\n").replace("\\\n", " ");
    let text = text.replace("$(MAKE)", " make ").replace("${MAKE}", " make ");
    let mut goals = Vec::new();
    for command in text.split([';', '&', '|', '\n', '`']) {
        let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')', '@']));
        let is_make = |word: &str| matches!(word.rsplit('/').next(), Some("make" | "gmake" | "$MAKE"));
        if !words.by_ref().any(is_make) {
            continue;
        }
        let known = goals.len();
        let mut is_elsewhere = false;
        while let Some(word) = words.next() {
            match word {
                "-C" | "-f" | "-I" | "-o" | "-W" => {
                    is_elsewhere |= matches!(word, "-C" | "-f");
                    words.next();
                }
                // The target itself.
                "$" => is_elsewhere = true,
                "" | "$(MAKEFLAGS" | "$(MFLAGS" | "$(MAKEOVERRIDES" => {}
                _ if word.starts_with('-') => is_elsewhere |= word.starts_with("-C"),
                _ if word.contains('=') => {}
                _ => goals.push(hollow(word)),
            }
        }
        if goals.len() == known && !is_elsewhere {
            goals.extend(first.map(str::to_owned));
        }
    }
    goals
}
