//! A system that contains nothing: it has no judge and no rules.

use std::convert::Infallible;

use crate::model::Denial;

/// The rules of a run: there are none.
#[derive(Debug, Default)]
pub(crate) struct NoRules;

/// A judge that never comes to be.
#[derive(Debug)]
pub(crate) struct AbsentJudge(Infallible);

impl AbsentJudge {
    /// No refusals.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        match self.0 {}
    }

    /// Ends.
    pub(crate) fn end(self) -> bool {
        match self.0 {}
    }
}
