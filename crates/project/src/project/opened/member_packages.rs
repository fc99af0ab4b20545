//! The packages of workspaces, as instances of a project that is open.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::model::{PACKAGES, Values};
use crate::project::opened::Project;
use crate::project::packages::{self, Workspaces};

impl Project {
    /// The same, with an instance for each package that the settings of a workspace take in.
    pub(super) fn with_packages(self) -> Self {
        if self.settings.instances.iter().any(|instance| instance.config.has(&PACKAGES)) {
            self.with_packages_of(Workspaces::AsSettingsSay)
        } else {
            self
        }
    }

    /// The same, with the packages of every workspace, for a run of all of them.
    #[must_use]
    pub fn with_all_packages(mut self) -> Self {
        self.settings.instances.retain(|instance| instance.workspace.is_none());
        self.settings.selections.retain(|instance| instance.workspace.is_none());
        if self.settings.is_suggested() {
            // Those that cuff itself chose for the folder that the person is in.
            for instance in &mut self.settings.instances {
                instance.config = std::mem::take(&mut instance.config).taking(&PACKAGES, &Values::default());
            }
        }
        self.with_packages_of(Workspaces::All)
    }

    fn with_packages_of(mut self, workspaces: Workspaces) -> Self {
        let of_files = self.settings.server_files.iter().flat_map(|file| &file.upstreams);
        let servers = self.settings.upstreams.iter().chain(of_files).map(|server| server.name.clone());
        let others = self.settings.named_servers.iter().cloned();
        let others = others.chain(self.settings.own_names().into_iter().map(str::to_owned));
        let reserved: BTreeSet<String> = servers.chain(others).collect();
        let (instances, selections) = (&self.settings.instances, &self.settings.selections);
        let choice = (workspaces, &reserved);
        let expanded = packages::expanded(&self.context, &self.settings.root, instances, selections, choice);
        (self.settings.instances, self.settings.selections) = (expanded.instances, expanded.selections);
        (self.settings.package_problems, self.settings.package_stamps) = (expanded.problems, expanded.stamps);
        self.catalog.sources = OnceLock::new();
        self
    }
}
