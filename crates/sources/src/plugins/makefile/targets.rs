//! The contents of a Makefile: the result of both ways of reading it.

use std::fmt;

use crate::model::{Location, Problem, visible};

/// Everything that one reading brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Makefile {
    /// The explicit targets, in the order of their first rule; no pattern rules, suffix rules or special targets.
    pub(super) targets: Vec<MakeTarget>,
    /// The targets of pattern rules (`build-%`), in order.
    pub(super) patterns: Vec<TargetPattern>,
    /// The first part of each file that leaves the set of targets uncertain.
    pub(super) doubts: Vec<Doubt>,
    /// The oddities of the file, each of which removes at most itself.
    pub(super) problems: Vec<Problem>,
}

/// One explicit target.
#[expect(clippy::struct_excessive_bools, reason = "what rules say of a target, each on its own")]
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MakeTarget {
    /// As make knows it: unescaped, without a leading `./`.
    pub(super) name: String,
    /// Whether it is a prerequisite of `.PHONY`.
    pub(super) phony: bool,
    /// The comment that describes it.
    pub(super) description: Option<String>,
    /// Whether any of its rules has prerequisites.
    pub(super) prerequisites: bool,
    /// Whether any of its rules has a recipe.
    pub(super) recipe: bool,
    /// Whether another target's rule names it as a prerequisite (`.PHONY` and its kin do not count).
    pub(super) needed: bool,
    /// Whether a rule gives it a plainer name: `%: common-% ;` offers `common-test` as `test`.
    pub(super) aliased: bool,
    /// The target that a rule forwards it to, whose commands run: `common-test` for `test`.
    pub(super) stands_for: Option<String>,
    /// The place of its first rule, or of the first rule that has the recipe or the description.
    pub(super) source: Location,
    /// The condition under which it exists, if there is one: `Makefile:3: ifdef CI`. Only make knows whether it holds.
    pub(super) only_if: Option<Box<Doubt>>,
}

/// The facts that decide which rules are a target's, beside its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownRules {
    /// Whether it is phony.
    pub(super) phony: bool,
    /// Whether any of its rules has a recipe.
    pub(super) recipe: bool,
}

impl MakeTarget {
    /// The facts that decide which rules are its.
    pub(super) fn known(&self) -> KnownRules {
        KnownRules { phony: self.phony, recipe: self.recipe }
    }

    /// The target whose commands run, by its name.
    pub(super) fn running(&self) -> &str {
        self.stands_for.as_ref().unwrap_or(&self.name)
    }

    /// A target that no explicit rule has, by its name alone.
    pub(super) fn named(name: &str, source: Location) -> Self {
        Self {
            name: name.to_owned(),
            phony: false,
            description: None,
            prerequisites: false,
            recipe: true,
            needed: false,
            aliased: false,
            stands_for: None,
            source,
            only_if: None,
        }
    }

    /// A target that a pattern rule makes.
    pub(super) fn made_by(name: &str, pattern: &TargetPattern) -> Self {
        Self { description: pattern.description.clone(), ..Self::named(name, pattern.source.clone()) }
    }
}

/// The rule for all targets without one.
pub(super) const FALLBACK: &str = ".DEFAULT";

/// The target of a pattern rule, or the [`FALLBACK`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TargetPattern {
    /// With its `%`.
    pub(super) name: String,
    /// The comment that describes it.
    pub(super) description: Option<String>,
    /// The place of its rule.
    pub(super) source: Location,
}

/// Something that decides which targets there are, and that reading alone cannot know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Doubt {
    /// Its place.
    pub(super) at: Location,
    /// In words, to be put behind the place: `the names of these targets depend on $(shell ls)`.
    pub(super) what: String,
    /// Further lines of the same file with something of that kind.
    pub(super) others: Vec<usize>,
}

impl Doubt {
    /// Something at one place.
    pub(super) fn new(at: Location, what: impl Into<String>) -> Self {
        Self { at, what: what.into(), others: Vec::new() }
    }
}

/// The place and the text, escaped: it contains text of the Makefile.
impl fmt::Display for Doubt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&visible(&format!("{}: {}", self.at, self.what)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubt_is_escaped() {
        let doubt = Doubt::new(Location::line("a\nb.mk", 3), "$(shell \u{1b}[2J\u{202e})");
        assert_eq!(doubt.to_string(), r"a\u{a}b.mk:3: $(shell \u{1b}[2J\u{202e})");
    }
}
