//! The judge of a system that contains nothing: there is none.

use std::convert::Infallible;

use crate::model::Denial;

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
