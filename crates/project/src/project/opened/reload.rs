//! Taking over from the project as it was opened before, and what is wrong since.

use std::sync::Arc;

use crate::model::Problem;
use crate::project::opened::Project;
use crate::sources::project::watched_places;
use crate::sys::watch::WatchedPlaces;

impl Project {
    /// Takes over the knowledge of an project that was opened before. Nothing that did not change is read or
    /// asked for again, and both together run no more at once than one.
    pub(crate) fn take_over(&mut self, before: &Self) {
        self.catalog.memory = Arc::clone(&before.catalog.memory);
        self.catalog.generations = Arc::clone(&before.catalog.generations);
        self.catalog.servers = Arc::clone(&before.catalog.servers);
        self.runs.host.slots = before.runs.host.slots.clone();
    }

    /// Everything that is wrong with the settings or waits for a person, in the words of its report.
    pub(crate) fn concerns(&self) -> Vec<String> {
        let complaints =
            self.settings.complaints.iter().map(|complaint| Problem::from(complaint).in_one_line());
        let withheld = self.settings.withheld_settings();
        complaints
            .chain(withheld.as_ref().map(Problem::in_one_line))
            .chain(self.catalog.stale_settings())
            .collect()
    }

    /// The paths that were looked at to list the tools last.
    pub(crate) fn watched_paths(&self) -> WatchedPlaces {
        let mut paths = WatchedPlaces::default();
        for source in self.sources() {
            paths.join(&source.watched());
        }
        if let Some(stamps) = &self.settings.package_stamps {
            paths.join(&watched_places(stamps));
        }
        paths
    }
}
