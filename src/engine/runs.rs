//! The runs that were recorded: for people who ask what happened.

use super::Surroundings;
use super::record::{milliseconds, place};
use crate::model::{Recorded, RunId, State};
use crate::store::{Limits, Log, NoSuchRun, Store, StoreError, Swept};
use crate::sys;

/// The recorded runs of this user, of all projects.
#[derive(Debug)]
pub struct Runs {
    store: Store,
    now: u64,
}

impl Surroundings {
    /// The runs that were recorded; `None` where the environment names no place for them.
    pub fn runs(&self) -> Option<Runs> {
        let store = Store::at(place(&self.environment)?);
        Some(Runs { store, now: milliseconds(self.clock.now()) })
    }
}

impl Runs {
    /// The ids of all runs, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn ids(&self) -> Result<Vec<RunId>, StoreError> {
        self.store.ids()
    }

    /// The run that is meant by `latest`, an id or the beginning of one.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, wanted: &str) -> Result<RunId, NoSuchRun> {
        self.store.find(wanted)
    }

    /// What is known of a run.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn run(&self, id: RunId) -> Result<Recorded, StoreError> {
        self.store.run(id)
    }

    /// What a run printed, until now where it goes on.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn log(&self, id: RunId) -> Result<Log, StoreError> {
        self.store.log(id)
    }

    /// Ends a run that goes on, whoever started it; `false` when there is nothing to end.
    pub fn stop(&self, run: &Recorded) -> bool {
        match run.state {
            State::Running(Some(group)) => sys::group::end(group),
            State::Running(None) | State::Interrupted | State::Ended(_) => false,
        }
    }

    /// Removes what is too old or too much.
    pub fn prune(&self, limits: Limits) -> Swept {
        self.store.sweep(limits, self.now)
    }

    /// Now, in milliseconds since 1970.
    pub fn now(&self) -> u64 {
        self.now
    }
}
