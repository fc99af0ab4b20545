//! Targets as they come together from several rules and `.PHONY` lines.

use std::collections::{HashMap, HashSet};

use super::comments::Nearness;
use super::conditions::{Certainty, Conditions};
use super::forks::{Open, Owners};
use crate::plugins::makefile::special;
use crate::plugins::makefile::targets::{FALLBACK, Pattern, Target};
use crate::plugins::makefile::written::{Script, Written};

/// A rule for explicit targets.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its targets, and whether each has prerequisites.
    pub(super) targets: Vec<(String, bool)>,
    /// Whether its recipe begins on its own line.
    pub(super) recipe: bool,
    /// The comment that describes it.
    pub(super) described: Option<(Nearness, String)>,
    /// Under which condition it stands.
    pub(super) certainty: Certainty,
    /// Whether that is assumed not to hold.
    pub(super) ghost: bool,
    /// Its position among the [written](Drafts::written) ones.
    pub(super) place: usize,
}

/// A pattern rule without a recipe of its own, and what it needs: `%: common-% ;`. Each is what stands before and behind
/// the `%`.
#[derive(Debug)]
pub(super) struct Forward {
    pub(super) made: (String, String),
    pub(super) need: (String, String),
}

impl Forward {
    /// The name that it makes of a target.
    fn name_of(&self, target: &str) -> Option<String> {
        let (before, behind) = &self.need;
        let stem = target.strip_prefix(before.as_str())?.strip_suffix(behind.as_str())?;
        (!stem.is_empty()).then(|| format!("{}{stem}{}", self.made.0, self.made.1))
    }

    /// Whether it gives plainer names to all targets.
    fn is_alias(&self) -> bool {
        self.made.0.is_empty() && self.made.1.is_empty()
    }
}

/// A target that is coming together.
#[derive(Debug)]
struct Draft {
    name: String,
    /// Its first rule.
    first: usize,
    /// Whether one of its rules stands under no condition.
    is_certain: bool,
    /// The conditions of the others.
    certainties: Vec<Certainty>,
    /// Facts from the rules that count, or may count.
    facts: Facts,
    /// Facts from the rules that are assumed not to count. They matter only if there are no others.
    ghosts: Option<Box<Facts>>,
}

impl Draft {
    /// The facts from rules that are assumed not to count, or from the others.
    fn facts(&mut self, ghost: bool) -> &mut Facts {
        if ghost { self.ghosts.get_or_insert_default() } else { &mut self.facts }
    }
}

/// The facts about a target from its rules.
#[derive(Debug, Default)]
struct Facts {
    prerequisites: bool,
    recipe: bool,
    described: Option<(Nearness, String)>,
    /// The first rule that has the recipe.
    with_recipe: Option<usize>,
    /// The rule that has the description.
    with_description: Option<usize>,
}

/// The facts from all rules so far.
#[derive(Debug)]
pub(super) struct Drafts {
    targets: Vec<Draft>,
    places: HashMap<String, usize>,
    patterns: Vec<Pattern>,
    phony: HashSet<String>,
    /// Targets that are phony only if an assumed condition does not hold.
    ghostly: HashSet<String>,
    /// Descriptions from comments at `.PHONY` lines.
    described: HashMap<String, String>,
    needed: HashSet<String>,
    /// Those of the needed that a rule without a condition needs.
    mentions: HashSet<String>,
    /// The suffixes of `.SUFFIXES` lines, in addition to the usual ones unless a line has emptied the list.
    suffixes: HashSet<String>,
    are_usual_suffixes: bool,
    forwards: Vec<Forward>,
    /// The rules that recipe lines belong to.
    pub(super) owners: Owners,
    /// The rules themselves.
    pub(super) written: Script,
}

impl Default for Drafts {
    fn default() -> Self {
        Self {
            targets: Vec::new(),
            places: HashMap::new(),
            patterns: Vec::new(),
            phony: HashSet::new(),
            ghostly: HashSet::new(),
            described: HashMap::new(),
            needed: HashSet::new(),
            suffixes: HashSet::new(),
            are_usual_suffixes: true,
            mentions: HashSet::new(),
            forwards: Vec::new(),
            owners: Owners::default(),
            written: Script::default(),
        }
    }
}

impl Drafts {
    /// No more recipe lines belong to the last rule.
    pub(super) fn end_rule(&mut self) {
        self.owners = Owners::default();
        self.written.close();
    }

    /// The next recipe lines belong to a rule without explicit targets.
    pub(super) fn begin_other_rule(&mut self) {
        if self.owners.open.is_empty() {
            self.owners.open.push(Open::default());
        }
    }

    /// Adds a rule; the next recipe lines are its.
    pub(super) fn add(&mut self, mut rule: Rule) {
        let targets = std::mem::take(&mut rule.targets).into_iter();
        let targets = targets.map(|(name, needs)| self.place(name, needs, &rule)).collect();
        self.owners.open = vec![Open { targets, rule: Some(rule.place), ghost: rule.ghost }];
        if rule.recipe {
            self.add_recipe();
        }
    }

    fn place(&mut self, name: String, needs: bool, rule: &Rule) -> usize {
        let place = *self.places.entry(name.clone()).or_insert(self.targets.len());
        if place == self.targets.len() {
            self.targets.push(Draft {
                name,
                first: rule.place,
                is_certain: false,
                certainties: Vec::new(),
                facts: Facts::default(),
                ghosts: None,
            });
        }
        let draft = &mut self.targets[place];
        if rule.certainty == Certainty::Certain {
            draft.is_certain = true;
        } else if draft.certainties.last() != Some(&rule.certainty) {
            draft.certainties.push(rule.certainty.clone());
        }
        let facts = draft.facts(rule.ghost);
        facts.prerequisites |= needs;
        if let Some((nearness, _)) = &rule.described
            && facts.described.as_ref().is_none_or(|(before, _)| nearness < before)
        {
            facts.described.clone_from(&rule.described);
            facts.with_description = Some(rule.place);
        }
        place
    }

    /// The last rule has a recipe.
    pub(super) fn add_recipe(&mut self) {
        for open in &self.owners.open {
            for place in &open.targets {
                let facts = self.targets[*place].facts(open.ghost);
                facts.recipe = true;
                facts.with_recipe = facts.with_recipe.or(open.rule);
            }
        }
    }

    /// Adds the target of a pattern rule.
    pub(super) fn add_pattern(&mut self, pattern: Pattern) {
        self.patterns.push(pattern);
    }

    /// Adds a pattern rule that passes its targets on to others.
    pub(super) fn add_forward(&mut self, forward: Forward) {
        self.forwards.push(forward);
    }

    /// Some rule needs these.
    pub(super) fn need(&mut self, names: impl IntoIterator<Item = String>) {
        self.needed.extend(names);
    }

    /// A rule needs these; one that may not count mentions nothing.
    pub(super) fn mention(&mut self, certainty: &Certainty, names: Vec<String>) {
        if *certainty == Certainty::Certain {
            self.mentions.extend(names);
        }
    }

    /// A `.PHONY` line names these.
    pub(super) fn add_phony(&mut self, names: Vec<String>, description: Option<&str>, ghost: bool) {
        if let Some(description) = description {
            for name in &names {
                self.described.entry(name.clone()).or_insert_with(|| description.to_owned());
            }
        }
        let phony = if ghost { &mut self.ghostly } else { &mut self.phony };
        phony.extend(names);
    }

    /// A `.SUFFIXES` line: names extend the list, and a line without names empties it.
    pub(super) fn add_suffixes(&mut self, names: &[String]) {
        if names.is_empty() {
            self.suffixes.clear();
            self.are_usual_suffixes = false;
        }
        self.suffixes.extend(names.iter().cloned());
    }

    /// Whether any rule makes this.
    pub(super) fn makes(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// The pattern that a suffix rule is in truth: `%.o` for `.c.o`.
    fn suffix_pattern(&self, name: &str) -> Option<String> {
        if !name.starts_with('.') {
            return None;
        }
        let mut dots = name.char_indices().skip(1).filter(|(_, c)| *c == '.').map(|(at, _)| at);
        let doubled = dots.find(|at| self.is_suffix(&name[..*at]) && self.is_suffix(&name[*at..]));
        let made = doubled.map(|at| &name[at..]).or_else(|| self.is_suffix(name).then_some(""))?;
        Some(format!("%{made}"))
    }

    fn is_suffix(&self, name: &str) -> bool {
        self.suffixes.contains(name)
            || self.are_usual_suffixes && special::suffixes().any(|suffix| suffix == name)
    }

    /// Every rule, those for suffixes by their patterns as well.
    pub(super) fn take_written(&mut self) -> Script {
        let mut script = std::mem::take(&mut self.written);
        for rule in &mut script.rules {
            let own = rule.names.iter().filter(|name| !self.phony.contains(*name));
            let patterns: Vec<String> = own.filter_map(|name| self.suffix_pattern(name)).collect();
            rule.names.extend(patterns);
        }
        script
    }

    /// The targets and pattern rules, in order, of the rules that were [taken](Self::take_written).
    pub(super) fn finish(
        mut self,
        conditions: &Conditions,
        rules: &[Written],
    ) -> (Vec<Target>, Vec<Pattern>) {
        let drafts = std::mem::take(&mut self.targets);
        let count = drafts.len();
        let explicit = drafts
            .into_iter()
            .filter(|draft| self.phony.contains(&draft.name) || self.suffix_pattern(&draft.name).is_none());
        let mut targets = Vec::with_capacity(count);
        targets.extend(explicit.map(|draft| self.target(draft, conditions, rules)));
        let forwarded = self.forwarded(&mut targets);
        targets.extend(forwarded);
        targets.extend(self.mentioned());
        (targets, self.patterns)
    }

    /// The targets that a rule such as `%: common-% ;` makes of explicit ones.
    fn forwarded(&self, targets: &mut [Target]) -> Vec<Target> {
        let mut made: Vec<Target> = Vec::new();
        for forward in &self.forwards {
            for target in targets.iter_mut().filter(|target| target.phony) {
                let Some(name) = forward.name_of(&target.name) else { continue };
                target.aliased |= forward.is_alias();
                if !self.makes(&name) && made.iter().all(|one| one.name != name) {
                    made.push(Target {
                        name,
                        needed: false,
                        aliased: false,
                        stands_for: Some(target.name.clone()),
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
    fn mentioned(&self) -> Vec<Target> {
        let catches = |pattern: &&Pattern| pattern.name == FALLBACK || pattern.name == "%";
        let is_forward =
            |pattern: &Pattern| pattern.name == "%" && self.forwards.iter().any(Forward::is_alias);
        let Some(pattern) = self.patterns.iter().find(|one| catches(one) && !is_forward(one)) else {
            return Vec::new();
        };
        let is_target = |name: &&String| {
            let is_plain =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
            !self.makes(name)
                && name.bytes().all(is_plain)
                && name.starts_with(|c: char| c.is_ascii_lowercase())
        };
        let mut names: Vec<&String> = self.mentions.iter().filter(is_target).collect();
        names.sort();
        names.into_iter().map(|name| Target::made_by(name, pattern)).collect()
    }

    fn target(&self, draft: Draft, conditions: &Conditions, rules: &[Written]) -> Target {
        let only_if = if draft.is_certain || conditions.is_certain(&draft.certainties) {
            None
        } else {
            draft.certainties.iter().find_map(|certainty| match certainty {
                Certainty::Maybe { doubt, .. } => Some(Box::new(doubt.clone())),
                Certainty::Certain => None,
            })
        };
        let Draft { name, first, is_certain, facts, ghosts, .. } = draft;
        let all_ghosts = !is_certain && facts.is_empty();
        let facts = if all_ghosts { ghosts.map(|facts| *facts).unwrap_or_default() } else { facts };
        let rule = facts.with_description.or(facts.with_recipe).unwrap_or(first);
        let from_phony = || self.described.get(&name).cloned();
        Target {
            phony: self.phony.contains(&name) || only_if.is_some() && self.ghostly.contains(&name),
            needed: self.needed.contains(&name),
            aliased: false,
            stands_for: None,
            description: facts.described.map(|(_, text)| text).or_else(from_phony),
            prerequisites: facts.prerequisites,
            recipe: facts.recipe,
            source: rules[rule].at.clone(),
            only_if,
            name,
        }
    }
}

impl Facts {
    fn is_empty(&self) -> bool {
        !self.prerequisites && !self.recipe && self.described.is_none()
    }
}
