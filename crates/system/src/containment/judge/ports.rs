//! The listeners of the contained runs of a project: a file for each, by the number of its socket, in a folder that no run can write.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::listeners;

/// The number of this start of the system.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
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
        // The kernel counts sockets anew after each start.
        let boot = fs::read_to_string(BOOT).unwrap_or_default();
        Self { folder: folder.join(boot.trim()), own: Mutex::new(Vec::new()) }
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

    /// Whether runs of this project listen on a port of this address now, and nobody else beside them: another program may listen
    /// on the same port of another address, or share this one.
    pub(super) fn has(&self, address: SocketAddr) -> bool {
        self.knows(listeners::on(SocketAddr::new(specified(address.ip()), address.port())))
    }

    /// Whether runs of this project listen behind a file with this number now, and nobody else.
    pub(super) fn answers_at(&self, file: u64) -> bool {
        self.knows(listeners::behind(file))
    }

    /// Whether there are sockets, all of runs of this project.
    fn knows(&self, sockets: nix::Result<Vec<u32>>) -> bool {
        let is_noted = |socket: &u32| self.folder.join(socket.to_string()).is_file();
        sockets.is_ok_and(|sockets| !sockets.is_empty() && sockets.iter().all(is_noted))
    }

    /// Takes the notes of this run away.
    pub(super) fn forget(&self) {
        for name in self.own.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

/// The address that a connection goes to which names none.
fn specified(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        other => other,
    }
}
