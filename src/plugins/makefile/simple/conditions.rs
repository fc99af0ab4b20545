//! `ifdef`, `ifeq`, `else`, `endif`: which lines count, and which might.

use std::collections::{BTreeMap, BTreeSet};

use crate::plugins::makefile::targets::Doubt;

/// The truth of a condition, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Truth {
    /// The text decides it.
    Known(bool),
    /// It is so unless the environment sets this variable.
    Assumed(bool, String),
    /// Reading cannot know: it depends on this.
    Unknown(String),
}

/// How the lines of a branch are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// They count.
    Live,
    /// They count or do not: reading cannot know.
    Unsure,
    /// They count only where the environment sets a variable, which is assumed not to be so.
    Ghost,
    /// They do not count.
    Dead,
}

/// One branch in a number of alternatives.
#[derive(Debug)]
struct Frame {
    chain: usize,
    branch: usize,
    /// How the lines around the alternatives count.
    around: Weight,
    weight: Weight,
    /// The weight that earlier branches leave for the next one.
    left: Weight,
    /// The variable that a live branch assumes not to be set.
    assumed: Option<String>,
    doubt: Doubt,
    /// No further alternative may follow.
    has_else: bool,
    /// One of the alternatives must hold.
    exhausts: bool,
}

/// Under which condition a rule was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Certainty {
    /// Under none that matters.
    Certain,
    /// In a branch that may not count.
    Maybe {
        /// Which alternatives, and which of them; `None` when more than one condition decides.
        branch: Option<(usize, usize)>,
        /// The condition.
        doubt: Doubt,
    },
}

/// The conditions around the line that is read.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    frames: Vec<Frame>,
    chains: usize,
    /// Alternatives of which one must hold, by how many there are.
    exhausted: BTreeMap<usize, Vec<usize>>,
    open: BTreeMap<usize, Vec<usize>>,
}

impl Conditions {
    /// How the line that is read counts.
    pub(super) fn weight(&self) -> Weight {
        self.frames.last().map_or(Weight::Live, |frame| frame.around.max(frame.weight))
    }

    /// How many conditions are open.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Closes the conditions opened beyond this depth. Returns the outermost of them.
    pub(super) fn close_to(&mut self, depth: usize) -> Option<Doubt> {
        let outermost = self.frames.get(depth).map(|frame| frame.doubt.clone());
        self.frames.truncate(depth);
        outermost
    }

    /// Begins alternatives with this condition.
    pub(super) fn begin(&mut self, truth: Truth, doubt: Doubt) {
        let chain = self.chains;
        self.chains += 1;
        self.frames.push(Frame {
            chain,
            branch: 0,
            around: self.weight(),
            weight: Weight::Dead,
            left: Weight::Live,
            assumed: None,
            doubt,
            has_else: false,
            exhausts: false,
        });
        self.choose(truth);
    }

    /// Goes on to the next alternative; `false` when there is none to go on from, or its `else` was there already.
    ///
    /// `alone`: nothing stands behind its `else`. Make warns of other text there, and takes another `else`.
    pub(super) fn alternative(&mut self, truth: Option<Truth>, doubt: Doubt, alone: bool) -> bool {
        let Some(frame) = self.frames.last_mut().filter(|frame| !frame.has_else) else { return false };
        frame.branch += 1;
        frame.doubt = doubt;
        frame.has_else = truth.is_none() && alone;
        frame.exhausts |= truth.is_none();
        self.choose(truth.unwrap_or(Truth::Known(true)));
        true
    }

    /// Whether the next alternative could count, so that its condition is worth reading.
    pub(super) fn is_open(&self) -> bool {
        self.frames.last().is_none_or(|frame| frame.around.max(frame.left) != Weight::Dead)
    }

    /// Ends alternatives; `false` when none are open.
    pub(super) fn end(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        if let Some(branches) = self.open.remove(&frame.chain)
            && frame.exhausts
        {
            self.exhausted.insert(frame.chain, branches);
        }
        true
    }

    /// Weighs the branch that the innermost frame has come to.
    fn choose(&mut self, truth: Truth) {
        let Some(frame) = self.frames.last_mut() else { return };
        let left = frame.left;
        let weight = match &truth {
            Truth::Known(true) | Truth::Assumed(true, _) => left,
            Truth::Unknown(_) => left.max(Weight::Unsure),
            Truth::Assumed(false, _) => left.max(Weight::Ghost),
            Truth::Known(false) => Weight::Dead,
        };
        match truth {
            Truth::Known(true) => frame.left = Weight::Dead,
            Truth::Assumed(true, variable) => {
                frame.left = left.max(Weight::Ghost);
                frame.assumed.get_or_insert(variable);
            }
            Truth::Assumed(false, variable) => _ = frame.assumed.get_or_insert(variable),
            Truth::Unknown(_) => frame.left = left.max(Weight::Unsure),
            Truth::Known(false) => {}
        }
        frame.weight = weight;
        if weight == Weight::Unsure {
            self.open.entry(frame.chain).or_default().push(frame.branch);
        }
    }

    /// Under which condition the line that is read stands.
    pub(super) fn certainty(&self) -> Certainty {
        let mut doubtful =
            self.frames.iter().filter(|frame| matches!(frame.weight, Weight::Unsure | Weight::Ghost));
        match (doubtful.next(), doubtful.next()) {
            (None, _) => Certainty::Certain,
            (Some(frame), None) => {
                Certainty::Maybe { branch: Some((frame.chain, frame.branch)), doubt: frame.doubt.clone() }
            }
            (Some(frame), Some(_)) => Certainty::Maybe { branch: None, doubt: frame.doubt.clone() },
        }
    }

    /// The assumption of the line that is read: a condition, and the variable that is assumed to be unset.
    pub(super) fn assumption(&self) -> Option<(&Doubt, &str)> {
        let assuming =
            self.frames.iter().find(|frame| frame.weight == Weight::Live && frame.assumed.is_some())?;
        Some((&assuming.doubt, assuming.assumed.as_deref()?))
    }

    /// Whether one of these certainties must hold.
    pub(super) fn is_certain(&self, certainties: &[Certainty]) -> bool {
        let branches: BTreeSet<(usize, usize)> = certainties
            .iter()
            .filter_map(|certainty| match certainty {
                Certainty::Maybe { branch, .. } => *branch,
                Certainty::Certain => None,
            })
            .collect();
        let all = |chain: &usize, wanted: &[usize]| {
            wanted.iter().all(|branch| branches.contains(&(*chain, *branch)))
        };
        certainties.contains(&Certainty::Certain)
            || branches
                .iter()
                .any(|(chain, _)| self.exhausted.get(chain).is_some_and(|wanted| all(chain, wanted)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Location;

    fn doubt() -> Doubt {
        Doubt { at: Location::file("Makefile"), what: "ifdef X".into() }
    }

    fn assumed(holds: bool) -> Truth {
        Truth::Assumed(holds, "X".into())
    }

    fn unknown() -> Truth {
        Truth::Unknown("$(shell x)".into())
    }

    /// The weights of the branches of `if`, further conditions and `else`.
    fn weights(truths: Vec<Truth>) -> Vec<Weight> {
        let mut conditions = Conditions::default();
        let mut truths = truths.into_iter();
        conditions.begin(truths.next().unwrap(), doubt());
        let mut weights = vec![conditions.weight()];
        for truth in truths {
            assert!(conditions.alternative(Some(truth), doubt(), false));
            weights.push(conditions.weight());
        }
        assert!(conditions.alternative(None, doubt(), true));
        weights.push(conditions.weight());
        assert!(!conditions.alternative(None, doubt(), true), "one else is enough");
        assert!(conditions.end() && !conditions.end());
        weights
    }

    #[test]
    fn branches_weigh_what_is_known_of_them_and_of_those_before() {
        use Truth::Known;
        use Weight::{Dead, Ghost, Live, Unsure};
        for (truths, expected) in [
            (vec![Known(true)], vec![Live, Dead]),
            (vec![Known(false)], vec![Dead, Live]),
            (vec![Known(false), Known(true)], vec![Dead, Live, Dead]),
            (vec![assumed(true)], vec![Live, Ghost]),
            (vec![assumed(false)], vec![Ghost, Live]),
            (vec![unknown()], vec![Unsure, Unsure]),
            (vec![unknown(), Known(true)], vec![Unsure, Unsure, Dead]),
            (vec![unknown(), Known(false)], vec![Unsure, Dead, Unsure]),
            (vec![unknown(), assumed(false)], vec![Unsure, Ghost, Unsure]),
            (vec![assumed(true), unknown()], vec![Live, Ghost, Ghost]),
            (vec![assumed(false), unknown()], vec![Ghost, Unsure, Unsure]),
        ] {
            assert_eq!(weights(truths.clone()), expected, "{truths:?}");
        }
    }

    #[test]
    fn a_target_of_every_branch_is_certain() {
        let mut conditions = Conditions::default();
        conditions.begin(unknown(), doubt());
        let first = conditions.certainty();
        conditions.alternative(None, doubt(), true);
        let second = conditions.certainty();
        conditions.begin(unknown(), doubt());
        let inner = conditions.certainty();
        conditions.end();
        conditions.end();
        assert!(conditions.is_certain(&[first.clone(), second.clone()]));
        assert!(!conditions.is_certain(&[first.clone(), inner]));
        assert!(!conditions.is_certain(&[second]));
        assert!(conditions.is_certain(&[first, Certainty::Certain]));
    }
}
