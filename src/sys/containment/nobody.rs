//! The judge of a system that contains nothing: there is none.

use std::convert::Infallible;

use crate::model::Denial;

/// A judge that never comes to be.
#[derive(Debug)]
pub(in crate::sys) struct AbsentJudge(Infallible);

impl AbsentJudge {
    /// No refusals.
    pub(in crate::sys) fn denials(&self) -> Vec<Denial> {
        match self.0 {}
    }

    /// Ends.
    pub(in crate::sys) fn end(self) -> bool {
        match self.0 {}
    }
}
