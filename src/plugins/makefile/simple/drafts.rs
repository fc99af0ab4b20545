//! Targets as they come together: what several rules and `.PHONY` lines say of one name.

use std::collections::{HashMap, HashSet};

use super::comments::Nearness;
use super::conditions::{Conditions, Standing};
use crate::model::Location;
use crate::plugins::makefile::targets::{Pattern, Target};

/// Names by which a rule speaks to make itself.
const SPECIAL: &[&str] = &[
    ".PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .NOTINTERMEDIATE .SECONDARY .SECONDEXPANSION .DELETE_ON_ERROR",
    ".IGNORE .LOW_RESOLUTION_TIME .SILENT .EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX .WAIT .MAKE .BEGIN .END",
];

/// The suffixes that make knows from the start.
const SUFFIXES: &[&str] = &[
    ".out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h .info .dvi .tex .texinfo",
    ".texi .txinfo .w .ch .web .sh .elc .el",
];

/// A rule for explicit targets.
#[derive(Debug)]
pub(super) struct Rule {
    /// What it makes.
    pub(super) targets: Vec<String>,
    /// Whether it has prerequisites.
    pub(super) prerequisites: bool,
    /// Whether its recipe begins on its own line.
    pub(super) recipe: bool,
    /// The comment that describes it.
    pub(super) described: Option<(Nearness, String)>,
    /// Under which condition it stands.
    pub(super) standing: Standing,
    /// Where it begins.
    pub(super) at: Location,
}

/// A target that is coming together.
#[derive(Debug)]
struct Draft {
    name: String,
    described: Option<(Nearness, String)>,
    prerequisites: bool,
    recipe: bool,
    first: Location,
    with_recipe: Option<Location>,
    with_description: Option<Location>,
    last: Location,
    standings: Vec<Standing>,
}

/// Everything that rules have said so far.
#[derive(Debug)]
pub(super) struct Drafts {
    targets: Vec<Draft>,
    places: HashMap<String, usize>,
    patterns: Vec<Pattern>,
    phony: HashSet<String>,
    /// What comments at `.PHONY` lines say.
    described: HashMap<String, String>,
    needed: HashSet<String>,
    suffixes: HashSet<String>,
    /// The targets of the rule that recipe lines belong to.
    open: Option<Vec<usize>>,
}

impl Default for Drafts {
    fn default() -> Self {
        Self {
            targets: Vec::new(),
            places: HashMap::new(),
            patterns: Vec::new(),
            phony: HashSet::new(),
            described: HashMap::new(),
            needed: HashSet::new(),
            suffixes: SUFFIXES.iter().flat_map(|line| line.split(' ')).map(str::to_owned).collect(),
            open: None,
        }
    }
}

/// Whether a name speaks to make itself.
pub(super) fn is_special(name: &str) -> bool {
    SPECIAL.iter().flat_map(|line| line.split(' ')).any(|special| special == name)
}

impl Drafts {
    /// Whether recipe lines belong to a rule.
    pub(super) fn has_rule(&self) -> bool {
        self.open.is_some()
    }

    /// No more recipe lines belong to the last rule.
    pub(super) fn end_rule(&mut self) {
        self.open = None;
    }

    /// The next recipe lines belong to a rule without explicit targets.
    pub(super) fn begin_other_rule(&mut self) {
        self.open.get_or_insert_default();
    }

    /// Adds a rule; the next recipe lines are its.
    pub(super) fn add(&mut self, rule: &Rule) {
        let places = rule.targets.iter().map(|name| self.place(name, rule)).collect();
        self.open = Some(places);
        if rule.recipe {
            self.add_recipe();
        }
    }

    fn place(&mut self, name: &str, rule: &Rule) -> usize {
        let place = *self.places.entry(name.to_owned()).or_insert(self.targets.len());
        if place == self.targets.len() {
            self.targets.push(Draft {
                name: name.to_owned(),
                described: None,
                prerequisites: false,
                recipe: false,
                first: rule.at.clone(),
                with_recipe: None,
                with_description: None,
                last: rule.at.clone(),
                standings: Vec::new(),
            });
        }
        let draft = &mut self.targets[place];
        draft.prerequisites |= rule.prerequisites;
        draft.last = rule.at.clone();
        if draft.standings.last() != Some(&rule.standing) {
            draft.standings.push(rule.standing.clone());
        }
        if let Some((nearness, _)) = &rule.described
            && draft.described.as_ref().is_none_or(|(before, _)| nearness < before)
        {
            draft.described.clone_from(&rule.described);
            draft.with_description = Some(rule.at.clone());
        }
        place
    }

    /// The last rule has a recipe.
    pub(super) fn add_recipe(&mut self) {
        for place in self.open.iter().flatten() {
            let draft = &mut self.targets[*place];
            draft.recipe = true;
            draft.with_recipe.get_or_insert_with(|| draft.last.clone());
        }
    }

    /// Adds the target of a pattern rule.
    pub(super) fn add_pattern(&mut self, pattern: Pattern) {
        self.patterns.push(pattern);
    }

    /// Some rule needs these.
    pub(super) fn need(&mut self, names: impl IntoIterator<Item = String>) {
        self.needed.extend(names);
    }

    /// A `.PHONY` line names these.
    pub(super) fn add_phony(&mut self, names: &[String], description: Option<&str>) {
        for name in names {
            self.phony.insert(name.clone());
            if let Some(description) = description {
                self.described.entry(name.clone()).or_insert_with(|| description.to_owned());
            }
        }
    }

    /// A `.SUFFIXES` line: names add to what is known, none empty it.
    pub(super) fn add_suffixes(&mut self, names: &[String]) {
        if names.is_empty() {
            self.suffixes.clear();
        }
        self.suffixes.extend(names.iter().cloned());
    }

    /// Whether any rule makes this.
    pub(super) fn makes(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// `.c.o`: in truth a pattern rule.
    fn is_suffix_rule(&self, name: &str) -> bool {
        let doubled = || {
            let mut dots = name.char_indices().skip(1).filter(|(_, c)| *c == '.');
            dots.any(|(at, _)| self.suffixes.contains(&name[..at]) && self.suffixes.contains(&name[at..]))
        };
        name.starts_with('.') && (self.suffixes.contains(name) || doubled())
    }

    /// The targets and pattern rules, in order.
    pub(super) fn finish(mut self, conditions: &Conditions) -> (Vec<Target>, Vec<Pattern>) {
        let drafts = std::mem::take(&mut self.targets);
        let explicit = drafts
            .into_iter()
            .filter(|draft| self.phony.contains(&draft.name) || !self.is_suffix_rule(&draft.name));
        let targets = explicit.map(|draft| self.target(draft, conditions)).collect();
        (targets, self.patterns)
    }

    fn target(&self, draft: Draft, conditions: &Conditions) -> Target {
        let only_if = if conditions.is_certain(&draft.standings) {
            None
        } else {
            draft.standings.into_iter().find_map(|standing| match standing {
                Standing::Maybe { doubt, .. } => Some(doubt),
                Standing::Certain => None,
            })
        };
        let from_phony = || self.described.get(&draft.name).cloned();
        Target {
            phony: self.phony.contains(&draft.name),
            needed: self.needed.contains(&draft.name),
            description: draft.described.map(|(_, text)| text).or_else(from_phony),
            prerequisites: draft.prerequisites,
            recipe: draft.recipe,
            source: draft.with_description.or(draft.with_recipe).unwrap_or(draft.first),
            only_if,
            name: draft.name,
        }
    }
}
