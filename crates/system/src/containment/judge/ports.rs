//! The listeners of the contained runs of a project: a file for each, by the number of its socket, in a folder that no run can write.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::listeners;

/// The number of this start of the system: the kernel counts sockets anew after each.
#[expect(clippy::disallowed_methods, reason = "the kernel's own file")]
static BOOT: LazyLock<String> =
    LazyLock::new(|| fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default());
/// How many listeners of one run are kept.
const MOST: usize = 1024;

/// The listeners of a project's runs.
#[derive(Debug)]
pub(super) struct Ports {
    folder: PathBuf,
    own: Mutex<Vec<String>>,
}

#[expect(clippy::disallowed_methods, reason = "the supervisor keeps its own files")]
impl Ports {
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: folder.join(BOOT.trim()), own: Mutex::new(Vec::new()) }
    }

    /// Notes that a socket with this number of a file listens. Beyond the most that are kept nobody reaches it.
    pub(super) fn note(&self, socket: u64) {
        let name = socket.to_string();
        if self.own.lock().unwrap_or_else(PoisonError::into_inner).len() >= MOST {
            return;
        }
        let noted = fs::create_dir_all(&self.folder).and_then(|()| fs::write(self.folder.join(&name), ""));
        if noted.is_ok() {
            self.own.lock().unwrap_or_else(PoisonError::into_inner).push(name);
        }
    }

    /// Whether runs of this project listen on a port of this address now, and nobody else at that port: a socket that also takes other
    /// addresses would answer in their place as soon as they are gone.
    pub(super) fn has(&self, address: SocketAddr) -> bool {
        let host = Some(address.ip().to_canonical());
        let listening = listeners::at_port(address.port());
        listening.as_ref().is_ok_and(|all| all.iter().any(|(one, _)| *one == host))
            && self.are_ours(listening)
    }

    /// Whether another program listens at a port, on any address. Port 0 is none: the kernel chooses one.
    pub(super) fn is_taken(&self, port: u16) -> bool {
        let listening = listeners::at_port(port);
        port != 0 && listening.is_ok() && !self.are_ours(listening)
    }

    /// Whether runs of this project listen behind a file with this number now, and nobody else.
    pub(super) fn answers_at(&self, file: u64) -> bool {
        let listening = listeners::behind(file);
        listening.is_ok_and(|all| !all.is_empty() && all.iter().all(|socket| self.is_noted(*socket)))
    }

    fn are_ours(&self, listening: nix::Result<Vec<(Option<IpAddr>, u32)>>) -> bool {
        listening.is_ok_and(|all| all.iter().all(|(_, socket)| self.is_noted(*socket)))
    }

    fn is_noted(&self, socket: u32) -> bool {
        self.folder.join(socket.to_string()).is_file()
    }

    /// Takes the notes of this run away.
    pub(super) fn forget(&self) {
        for name in self.own.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}
