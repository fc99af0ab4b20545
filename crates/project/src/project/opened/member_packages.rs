//! The packages of workspaces, as instances of a project that is open.

use std::collections::BTreeSet;

use crate::model::PACKAGES;
use crate::project::opened::Project;
use crate::project::packages::{self, Workspaces};

impl Project {
    /// The same, with an instance for each package that the settings of a workspace take in.
    pub(super) fn with_packages(self) -> Self {
        if self.instances.iter().any(|instance| instance.config.has(&PACKAGES)) {
            self.with_packages_of(Workspaces::AsSettingsSay)
        } else {
            self
        }
    }

    /// The same, with the packages of every workspace, for a run of all of them.
    #[must_use]
    pub fn with_all_packages(mut self) -> Self {
        self.instances.retain(|instance| instance.workspace.is_none());
        self.selections.retain(|instance| instance.workspace.is_none());
        self.with_packages_of(Workspaces::All)
    }

    fn with_packages_of(mut self, workspaces: Workspaces) -> Self {
        let of_files = self.server_files.iter().flat_map(|file| &file.upstreams);
        let servers = self.upstreams.iter().chain(of_files).map(|server| server.name.clone());
        let others = self.named_servers.iter().cloned();
        let others = others.chain(self.own_names().into_iter().map(str::to_owned));
        let reserved: BTreeSet<String> = servers.chain(others).collect();
        let (instances, selections) = (&self.instances, &self.selections);
        let choice = (workspaces, &reserved);
        let expanded = packages::expanded(&self.context, &self.root, instances, selections, choice);
        (self.instances, self.selections) = (expanded.instances, expanded.selections);
        (self.package_problems, self.package_stamps) = (expanded.problems, expanded.stamps);
        self
    }
}
