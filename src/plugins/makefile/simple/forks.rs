//! Which rules recipe lines belong to, where conditions part ways: on each way through them it may be another.

/// A rule that recipe lines belong to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Open {
    /// The places of its targets.
    pub(super) targets: Vec<usize>,
    /// Its position among the [written](crate::plugins::makefile::written) ones.
    pub(super) rule: Option<usize>,
    /// Whether it is assumed not to count.
    pub(super) ghost: bool,
}

/// The rules that recipe lines belong to at one line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Owners {
    /// The rules, of which each is on some way to the line.
    pub(super) open: Vec<Open>,
    /// The same among the [written](crate::plugins::makefile::written) ones.
    pub(super) written: Vec<usize>,
    /// Whether the rule before has no targets, so that its recipe belongs to nothing.
    pub(super) orphaned: bool,
    /// Whether there is a way on which no rule is open, so that a recipe line is none there.
    pub(super) closed: bool,
}

/// Ways that have parted and did not meet again.
#[derive(Debug, Default)]
pub(super) struct Forks(Vec<Fork>);

#[derive(Debug)]
struct Fork {
    before: Owners,
    ends: Vec<Owners>,
}

impl Owners {
    /// Whether a line that begins as a recipe does is one.
    pub(super) fn takes_recipe(&self) -> bool {
        self.orphaned || !self.open.is_empty()
    }

    fn met(ways: Vec<Self>) -> Self {
        let mut met =
            Self { closed: ways.iter().any(|way| way.closed || !way.takes_recipe()), ..Self::default() };
        for way in ways {
            let Self { open, written, orphaned, .. } = way;
            met.open.extend(open.into_iter().filter(|rule| !met.open.contains(rule)).collect::<Vec<_>>());
            met.written.extend(written);
            met.orphaned |= orphaned;
        }
        met.written.sort_unstable();
        met.written.dedup();
        // If there is a rule on some way, the lines belong to that one.
        met.orphaned &= met.open.is_empty();
        met
    }
}

impl Forks {
    /// A condition begins.
    pub(super) fn part(&mut self, here: &Owners) {
        self.0.push(Fork { before: here.clone(), ends: Vec::new() });
    }

    /// Its next alternative begins. `taken`: whether the one before may be.
    pub(super) fn next(&mut self, here: &mut Owners, taken: bool) {
        let Some(fork) = self.0.last_mut() else { return };
        let end = std::mem::replace(here, fork.before.clone());
        fork.ends.extend(taken.then_some(end));
    }

    /// It ends. `passed`: whether it may be that none of its alternatives was taken.
    pub(super) fn meet(&mut self, here: &mut Owners, taken: bool, passed: bool) {
        let Some(Fork { before, mut ends }) = self.0.pop() else { return };
        let end = std::mem::take(here);
        ends.extend(taken.then_some(end));
        if passed || ends.is_empty() {
            ends.push(before);
        }
        *here = Owners::met(ends);
    }

    /// A file ends within conditions.
    pub(super) fn give_up(&mut self, depth: usize) {
        self.0.truncate(depth);
    }
}
