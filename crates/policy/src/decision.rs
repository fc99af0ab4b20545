//! The gate's word on a plan that it does not refuse.

use super::permit::Judged;
use super::{ContentBinding, Permit, Unconfirmed};

/// The gate's word on a plan that it does not refuse.
#[derive(Debug)]
pub enum Decision {
    /// It may be carried out.
    Permitted(Permit),
    /// It may, bound to the files of the text that a person approved.
    Pinned(PinnedPlan),
    /// It may once a person has confirmed it.
    Unconfirmed(Unconfirmed),
}

/// A plan whose text a person approved: it is bound to the files that it was read from.
#[derive(Debug)]
#[must_use = "nothing runs before its files are bound"]
pub struct PinnedPlan(Judged);

impl PinnedPlan {
    pub(super) fn new(judged: Judged) -> Self {
        Self(judged)
    }

    /// The permit, bound to the files of the text as they are now.
    pub fn bound_to(self, binding: ContentBinding) -> Permit {
        Permit::new(self.0, Some(binding))
    }
}
