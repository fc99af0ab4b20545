//! The refusals of a run, each once.

use std::sync::{Mutex, PoisonError};

use crate::model::{Denial, DeniedAct, visible};

/// How many are kept. A run that is refused more has shown what it is.
const MOST: usize = 32;

/// The refusals of a run, in the order of the first of each.
#[derive(Debug, Default)]
pub(super) struct Denials(Mutex<Vec<Denial>>);

impl Denials {
    pub(super) fn add(&self, act: DeniedAct, subject: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let denial = Denial { act, subject: visible(subject).into_owned() };
        if all.len() < MOST && !all.contains(&denial) {
            all.push(denial);
        }
    }

    pub(super) fn all(&self) -> Vec<Denial> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
