//! The runs that were recorded: for people who ask what happened.

use std::path::Path;

use super::Surroundings;
use super::record::{milliseconds, place};
use crate::diagnostics::Reader;
use crate::model::{Findings, Recorded, RunId, State};
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
    /// All runs, the newest first, each when it is asked for; one that cannot be read comes with the reason.
    pub fn all(&self) -> impl Iterator<Item = (RunId, Result<Recorded, StoreError>)> + '_ {
        self.store.ids().into_iter().map(|id| (id, self.store.run(id)))
    }

    /// The shortest beginnings of ids that mean one run each, all of one length.
    pub fn shortest(&self) -> usize {
        let ids: Vec<String> = self.store.ids().iter().map(ToString::to_string).collect();
        let shared =
            |pair: &[String]| pair[0].bytes().zip(pair[1].bytes()).take_while(|(a, b)| a == b).count();
        ids.windows(2).map(shared).max().unwrap_or(0).max(7) + 1
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

    /// What is wrong with the project, as far as the log of a run says: as it was found when the run ended, else read
    /// from what there is of its log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn findings(&self, run: &Recorded) -> Result<Findings, StoreError> {
        if let Some(findings) = self.store.findings(run.id) {
            return Ok(findings);
        }
        let log = self.store.log(run.id)?;
        let (root, directory) = (&run.beginning.project, &run.beginning.directory);
        let mut reader = Reader::new(Path::new(root), Path::new(directory), Vec::new());
        let read = log.each_with_stream(&mut |stream, bytes| reader.push(stream, bytes));
        read.map_err(|error| StoreError::Io(self.store.path().to_owned(), error))?;
        Ok(reader.finish())
    }

    /// The last run of the same tool in the same project that had ended before this one began.
    pub fn previous(&self, run: &Recorded) -> Option<Recorded> {
        let older = self.store.ids().into_iter().filter(|id| *id < run.id);
        let mut runs = older.filter_map(|id| self.store.run(id).ok());
        let same = |other: &Recorded| {
            other.beginning.tool == run.beginning.tool && other.beginning.project == run.beginning.project
        };
        runs.find(|other| same(other) && matches!(other.state, State::Ended(_)))
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
