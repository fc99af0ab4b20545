//! The rules for one run, with absolute paths.

use std::path::PathBuf;

use crate::model::{Fences, Network};

/// The rules for one run, with absolute paths. Files and folders need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The places that it writes and does not read.
    pub fences: Fences,
    /// Sockets of programs outside that it may connect to.
    pub sockets: Vec<PathBuf>,
    /// The part of the network that it reaches.
    pub network: Network,
    /// The folder with the ports that contained runs of the same project listen on. It must be hidden.
    pub ports: PathBuf,
    /// A file in a hidden folder, which the run tries to read before it starts: it must fail.
    pub probe: PathBuf,
    /// Whether the run does not start where the kernel cannot hold all of it.
    pub is_required: bool,
}
