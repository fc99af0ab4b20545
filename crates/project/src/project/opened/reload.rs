//! Taking over from the project as it was opened before, and what is wrong since.

use std::sync::{Arc, PoisonError};

use crate::model::Problem;
use crate::project::open_error::OpenError;
use crate::project::opened::Project;
use crate::sources::project::watched_places;
use crate::sys::watch::WatchedPlaces;

impl Project {
    /// Takes over the knowledge of an project that was opened before. Nothing that did not change is read or
    /// asked for again, and both together run no more at once than one.
    pub(crate) fn take_over(&mut self, before: &Self) {
        self.memory = Arc::clone(&before.memory);
        self.generations = Arc::clone(&before.generations);
        self.servers = Arc::clone(&before.servers);
        self.host.slots = before.host.slots.clone();
    }

    /// Whether packages of a workspace may have come or gone since this was opened.
    pub(crate) fn has_other_packages(&self) -> bool {
        self.package_stamps.as_ref().is_some_and(|stamps| !stamps.hold())
    }

    /// Everything that is wrong with the settings or waits for a person, in the words of its report.
    pub(crate) fn concerns(&self) -> Vec<String> {
        let complaints = self.complaints.iter().map(|complaint| Problem::from(complaint).in_one_line());
        let withheld = self.withheld_settings();
        complaints.chain(withheld.as_ref().map(Problem::in_one_line)).chain(self.stale_settings()).collect()
    }

    pub(crate) fn set_stale_settings(&self, error: &OpenError) {
        let what = match error {
            OpenError::Unusable { problems, .. } => {
                problems.first().map(|first| Problem::from(first).in_one_line())
            }
            _ => None,
        };
        let what = what.unwrap_or_else(|| format!("{error}; {}", error.help().unwrap_or_default()));
        let text = format!("{what}; until that is mended, the settings from before hold on");
        *self.stale_settings.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// The problem of the present settings, if these of before still hold.
    pub(crate) fn stale_settings(&self) -> Option<String> {
        self.stale_settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The paths that were looked at to list the tools last.
    pub(crate) fn watched_paths(&self) -> WatchedPlaces {
        let mut paths = WatchedPlaces::default();
        for source in self.sources() {
            paths.join(&source.watched());
        }
        if let Some(stamps) = &self.package_stamps {
            paths.join(&watched_places(stamps));
        }
        paths
    }
}
