//! A program that is about to start, with all that its process gets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::Path;

use super::super::protocol::JobOrder;
use crate::folder::OpenFolder;

/// A program that is about to start. Its outputs are those of this process.
#[derive(Debug)]
pub(super) struct LaunchProgram<'o> {
    order: &'o JobOrder,
    /// Its working directory.
    pub(super) folder: OpenFolder,
    /// Its standard input.
    pub(super) input: OwnedFd,
    /// The terminal that its group has, where it leads no session.
    pub(super) terminal: Option<OwnedFd>,
}

impl<'o> LaunchProgram<'o> {
    pub(super) fn new(
        order: &'o JobOrder,
        folder: OpenFolder,
        input: OwnedFd,
        terminal: Option<OwnedFd>,
    ) -> Self {
        Self { order, folder, input, terminal }
    }

    /// The file to execute.
    pub(super) fn path(&self) -> &Path {
        &self.order.job.program
    }

    /// The words after the program.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &OsStr> {
        self.order.job.arguments.iter().map(OsStr::new)
    }

    /// The path of its terminal.
    #[cfg(target_os = "linux")]
    pub(super) fn terminal_path(&self) -> Option<std::path::PathBuf> {
        nix::unistd::ttyname(self.terminal.as_ref()?).ok()
    }

    /// All variables. The job's own go before those of the start.
    pub(super) fn variables(&self) -> BTreeMap<OsString, OsString> {
        let JobOrder { job, variables } = self.order;
        // As a shell that went there has it: make, and others that look nowhere else, would take the caller's for it.
        let folder = ("PWD".into(), self.folder.path().into());
        let own = job.environment.iter().map(|(name, value)| (name.into(), value.into()));
        variables.iter().cloned().chain([folder]).chain(own).collect()
    }
}
