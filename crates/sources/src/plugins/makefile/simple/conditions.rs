//! The conditions around a line: none is weighed, and their alternatives meet again at the end.

use std::collections::{BTreeSet, HashSet};

use crate::model::Location;
use crate::plugins::makefile::targets::Doubt;

/// The rules that recipe lines belong to at one line.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    /// The places of the rules, of which each is on some way to the line.
    pub(super) rules: BTreeSet<usize>,
    /// Whether there is a way on which no rule is open, so that a recipe line is none there.
    pub(super) closed: bool,
}

/// The conditions around a line.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    stack: Vec<Condition>,
    /// The targets that have a rule whatever the conditions.
    pub(super) certain: HashSet<String>,
}

/// A condition whose lines are being read.
#[derive(Debug)]
struct Condition {
    /// The alternative that is being read.
    doubt: Doubt,
    /// How it begins.
    first: Doubt,
    has_else: bool,
    /// The rules that were open before it, and at the end of each of its alternatives.
    before: Open,
    ends: Vec<Open>,
    /// The targets that have a rule in this alternative, and those that have one in every earlier one.
    here: HashSet<String>,
    everywhere: Option<HashSet<String>>,
}

impl Conditions {
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// How the innermost condition begins, if there are more than so many.
    pub(super) fn current(&self, depth: usize) -> Option<&Doubt> {
        self.stack.get(depth..)?.last().map(|condition| &condition.first)
    }

    /// The outermost condition.
    pub(super) fn around(&self) -> Option<&Doubt> {
        self.stack.first().map(|condition| &condition.doubt)
    }

    /// A target has a rule here.
    pub(super) fn add(&mut self, name: String) {
        self.stack.last_mut().map_or(&mut self.certain, |condition| &mut condition.here).insert(name);
    }

    /// A condition begins.
    pub(super) fn begin(&mut self, doubt: Doubt, open: &Open) -> bool {
        self.stack.push(Condition {
            first: doubt.clone(),
            doubt,
            has_else: false,
            before: open.clone(),
            ends: Vec::new(),
            here: HashSet::new(),
            everywhere: None,
        });
        true
    }

    /// The next alternative begins, without a condition of its own where that is `None`; `false` if there is none to go on from.
    pub(super) fn alternative(&mut self, doubt: Option<Doubt>, at: &Location, open: &mut Open) -> bool {
        let Some(condition) = self.stack.last_mut().filter(|condition| !condition.has_else) else {
            return false;
        };
        condition.ends.push(std::mem::replace(open, condition.before.clone()));
        condition.has_else = doubt.is_none();
        let otherwise = || Doubt::new(at.clone(), format!("else of {}", condition.first.what));
        condition.doubt = doubt.unwrap_or_else(otherwise);
        condition.next();
        true
    }

    /// The innermost condition ends; `false` if there is none.
    pub(super) fn end(&mut self, open: &mut Open) -> bool {
        let Some(mut condition) = self.stack.pop() else { return false };
        condition.next();
        let mut ends = condition.ends;
        ends.push(std::mem::take(open));
        if condition.has_else {
            condition.everywhere.into_iter().flatten().for_each(|name| self.add(name));
        } else {
            ends.push(condition.before);
        }
        let closed = ends.iter().any(|end| end.closed || end.rules.is_empty());
        *open = Open { rules: ends.into_iter().flat_map(|end| end.rules).collect(), closed };
        true
    }
}

impl Condition {
    /// An alternative is over.
    fn next(&mut self) {
        let here = std::mem::take(&mut self.here);
        self.everywhere = Some(match self.everywhere.take() {
            Some(earlier) => earlier.into_iter().filter(|name| here.contains(name)).collect(),
            None => here,
        });
    }
}
