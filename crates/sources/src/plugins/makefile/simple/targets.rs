//! The targets and patterns that all rules make together.

use std::collections::{HashMap, HashSet};

use super::comments::CommentNearness;
use super::words::HOLE;
use crate::plugins::makefile::special::{Suffixes, is_special};
use crate::plugins::makefile::targets::{FALLBACK, MakeTarget, TargetPattern};
use crate::plugins::makefile::written::{Written, can_be};

/// The facts that some rules give of others.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The prerequisites of `.PHONY`, and their descriptions from there.
    pub(super) phony: HashMap<String, Option<String>>,
    pub(super) suffixes: Suffixes,
}

impl Facts {
    /// The pattern that a rule of this name is in truth, if its name is that of suffixes.
    fn pattern(&self, name: &str) -> Option<String> {
        self.suffixes.pattern(name).filter(|_| !self.phony.contains_key(name))
    }
}

/// The targets and pattern rules, in order. Rules for suffixes get their patterns. Those targets are `certain` that have a rule
/// whatever the conditions.
pub(super) fn of(
    rules: &mut [Written],
    facts: &Facts,
    certain: &HashSet<String>,
) -> (Vec<MakeTarget>, Vec<TargetPattern>) {
    let mut targets = explicit(rules, facts, certain);
    let patterns = patterns(rules);
    let known: HashSet<&str> = rules.iter().flat_map(|rule| &rule.names).map(String::as_str).collect();
    let forwarded = forwarded(rules, &mut targets, &known);
    let mentioned = mentioned(rules, &patterns, &known);
    targets.extend(forwarded);
    targets.extend(mentioned);
    for rule in rules {
        let made: Vec<String> = rule.names.iter().filter_map(|name| facts.pattern(name)).collect();
        rule.names.extend(made);
    }
    (targets, patterns)
}

/// The targets that rules name.
fn explicit(rules: &[Written], facts: &Facts, certain: &HashSet<String>) -> Vec<MakeTarget> {
    let needed: HashSet<String> = rules.iter().flat_map(needed).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut targets: Vec<(MakeTarget, Option<CommentNearness>)> = Vec::new();
    for rule in rules {
        for name in rule.names.iter().filter(|name| is_explicit(name, rule, facts)) {
            let place = *places.entry(name).or_insert(targets.len());
            if place == targets.len() {
                let only_if = rule.only_if.clone().filter(|_| !certain.contains(name)).map(Box::new);
                let phony = facts.phony.contains_key(name);
                let target = MakeTarget::named(name, rule.at.clone());
                let needed = needed.contains(name);
                targets.push((MakeTarget { phony, recipe: false, needed, only_if, ..target }, None));
            }
            let (target, nearest) = &mut targets[place];
            // make warns of a target that the pattern does not match, and gives it the recipe alone.
            let matches = rule.shared.as_ref().is_none_or(|shared| can_be(shared, name));
            target.prerequisites |= matches && !rule.needs.is_empty();
            let is_first = rule.recipe_at.is_some() && !target.recipe;
            target.recipe |= is_first;
            let described =
                rule.described.as_ref().filter(|(near, _)| nearest.is_none_or(|before| *near < before));
            if described.is_some() || is_first && nearest.is_none() {
                target.source = rule.at.clone();
            }
            if let Some((near, text)) = described {
                (*nearest, target.description) = (Some(*near), Some(text.clone()));
            }
        }
    }
    let from_phony = |name: &str| facts.phony.get(name).cloned().flatten();
    let described = |(target, _): (MakeTarget, _)| {
        let description = target.description.or_else(|| from_phony(&target.name));
        MakeTarget { description, ..target }
    };
    targets.into_iter().map(described).collect()
}

/// Whether a name of a rule is that of a target.
fn is_explicit(name: &str, rule: &Written, facts: &Facts) -> bool {
    let is_pattern = rule.is_pattern && name.contains('%');
    !name.contains(HOLE) && !is_special(name) && !is_pattern && facts.pattern(name).is_none()
}

/// The names that a rule has made first for others.
fn needed(rule: &Written) -> Vec<String> {
    match &rule.shared {
        None if rule.names.iter().all(|name| is_special(name)) => Vec::new(),
        None => {
            let only = rule.names.first().filter(|first| rule.names.iter().all(|name| name == *first));
            rule.needs.iter().filter(|need| Some(*need) != only).cloned().collect()
        }
        Some(shared) => {
            let of = |name: &String| rule.needs_of(name).filter(|need| need != name).collect::<Vec<_>>();
            rule.names
                .iter()
                .filter(|name| !name.contains(HOLE) && can_be(shared, name))
                .flat_map(of)
                .collect()
        }
    }
}

fn patterns(rules: &[Written]) -> Vec<TargetPattern> {
    let mut patterns = Vec::new();
    for rule in rules {
        for name in &rule.names {
            let is_fallback = name == FALLBACK && rule.recipe_at.is_some();
            if is_fallback || rule.is_pattern && name.contains('%') && !name.contains(HOLE) {
                let description = rule.described.as_ref().map(|(_, text)| text.clone());
                patterns.push(TargetPattern { name: name.clone(), description, source: rule.at.clone() });
            }
        }
    }
    patterns
}

/// The pattern that a rule such as `%: common-% ;` passes all targets on to.
fn forward(rule: &Written) -> Option<(&str, &str)> {
    let passes = rule.names == ["%"] && rule.recipe.is_empty() && rule.is_pattern;
    let [need] = &rule.needs[..] else { return None };
    need.split_once('%').filter(|ends| passes && *ends != ("", ""))
}

/// The targets that a rule such as `%: common-% ;` gives plainer names to.
fn forwarded(rules: &[Written], targets: &mut [MakeTarget], known: &HashSet<&str>) -> Vec<MakeTarget> {
    let mut made: Vec<MakeTarget> = Vec::new();
    for (before, behind) in rules.iter().filter_map(forward) {
        for target in targets.iter_mut().filter(|target| target.phony) {
            let stem = target.name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
            let Some(name) = stem.filter(|name| !name.is_empty()).map(str::to_owned) else { continue };
            target.aliased = true;
            if !known.contains(&*name) && made.iter().all(|one| one.name != name) {
                let stands_for = Some(target.name.clone());
                made.push(MakeTarget {
                    name,
                    needed: false,
                    aliased: false,
                    stands_for,
                    prerequisites: true,
                    ..target.clone()
                });
            }
        }
    }
    made
}

/// The names that rules mention and only a catch-all rule makes: people mean them as targets, unless they look like
/// files.
fn mentioned(rules: &[Written], patterns: &[TargetPattern], known: &HashSet<&str>) -> Vec<MakeTarget> {
    let catches = |pattern: &&TargetPattern| pattern.name == FALLBACK || pattern.name == "%";
    let Some(pattern) =
        patterns.iter().find(catches).filter(|_| rules.iter().all(|rule| forward(rule).is_none()))
    else {
        return Vec::new();
    };
    let is_target = |name: &str| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        !known.contains(name)
            && name.bytes().all(is_plain)
            && name.starts_with(|first: char| first.is_ascii_lowercase())
    };
    let certain = rules
        .iter()
        .filter(|rule| rule.only_if.is_none() && !rule.names.iter().any(|name| name.contains(HOLE)));
    let mut names: Vec<String> = certain.flat_map(needed).filter(|name| is_target(name)).collect();
    names.sort();
    names.dedup();
    names.into_iter().map(|name| MakeTarget::made_by(&name, pattern)).collect()
}
