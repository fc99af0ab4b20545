//! The patterns of settings that select tasks, and leave some out.

use crate::model::{ErrorCode, Field, Patterns, Problem, Values, shown};

/// The patterns under two keys of an instance's settings.
#[derive(Debug)]
pub(in crate::plugins) struct TaskPatterns {
    fields: [&'static Field; 2],
    /// The noun for one task: `recipe`.
    noun: &'static str,
    include: Patterns,
    exclude: Patterns,
    /// Whether a pattern to leave tasks out cannot be read. It may be for any of them, so none is offered.
    pub(in crate::plugins) is_broken: bool,
}

impl TaskPatterns {
    /// Reads the patterns; those that cannot be read are problems.
    pub(in crate::plugins) fn new(
        config: &Values,
        fields: [&'static Field; 2],
        noun: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let [(include, bad), (exclude, broken)] = fields.map(|field| Patterns::new(config.texts(field)));
        problems.extend(bad.iter().map(|bad| bad.problem(fields[0], "the other patterns still count")));
        let effect = format!("no {noun} is offered until it is corrected");
        problems.extend(broken.iter().map(|bad| bad.problem(fields[1], &effect)));
        Self { fields, noun, include, exclude, is_broken: !broken.is_empty() }
    }

    /// Whether they leave this task out.
    pub(in crate::plugins) fn excludes(&self, name: &str) -> bool {
        self.is_broken || self.exclude.matches(name)
    }

    /// Whether they select this task.
    pub(in crate::plugins) fn offers(&self, name: &str) -> bool {
        self.include.matches(name) && !self.excludes(name)
    }

    /// The problem of a task that they keep from being offered.
    pub(in crate::plugins) fn left_out(&self, name: &str) -> Option<Problem> {
        let [include, exclude] = self.fields;
        let (what, help) = if self.excludes(name) {
            ("is excluded", format!("`{}` in the settings leaves it out", exclude.name))
        } else if !self.include.matches(name) {
            ("not in allowed patterns", format!("add it to `{}` in settings.yml", include.name))
        } else {
            return None;
        };
        Some(self.absent(&format!("{what}: {}", shown(name))).help(help))
    }

    /// The problem of a task that is not offered: the noun, and these words.
    pub(in crate::plugins) fn absent(&self, what: &str) -> Problem {
        let (first, rest) = self.noun.split_at(1);
        Problem::error(ErrorCode::NotFound, format!("{}{rest} {what}", first.to_ascii_uppercase()))
    }
}
