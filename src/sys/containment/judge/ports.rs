//! The ports that contained runs of a project listen on: a file for each address, in a folder that no run can write.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::listeners;

/// The ports of a project's runs. Each file has the numbers of the sockets that were noted, one a line.
#[derive(Debug)]
pub(super) struct Ports {
    folder: PathBuf,
    own: Mutex<Vec<(SocketAddr, u64)>>,
}

#[expect(clippy::disallowed_methods, reason = "the supervisor keeps its own files")]
impl Ports {
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), own: Mutex::new(Vec::new()) }
    }

    /// Notes that a socket with this number listens on an address.
    pub(super) fn note(&self, address: SocketAddr, socket: u64) {
        let address = canonical(address);
        let noted = fs::create_dir_all(&self.folder).and_then(|()| {
            let mut file = OpenOptions::new().append(true).create(true).open(self.file(address))?;
            file.write_all(format!("{socket}\n").as_bytes())
        });
        if noted.is_ok() {
            self.own.lock().unwrap_or_else(PoisonError::into_inner).push((address, socket));
        }
    }

    /// Whether runs of this project listen on an address now, and nobody else does. The number of a socket tells those that were noted
    /// from others that listen there since.
    pub(super) fn has(&self, address: SocketAddr) -> bool {
        let address = canonical(address);
        let Ok(noted) = fs::read_to_string(self.file(address)) else { return false };
        let there = listeners::on(address.port()).into_iter();
        let mut there = there.filter(|(ip, _)| *ip == address.ip() || ip.is_unspecified()).peekable();
        let is_noted = |socket: u64| noted.lines().any(|line| line.parse() == Ok(socket));
        there.peek().is_some() && there.all(|(_, socket)| is_noted(socket))
    }

    /// Takes the notes of this run away.
    pub(super) fn forget(&self) {
        for (address, socket) in self.own.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let path = self.file(address);
            let Ok(noted) = fs::read_to_string(&path) else { continue };
            let rest: String = noted
                .lines()
                .filter(|line| line.parse() != Ok(socket))
                .map(|line| format!("{line}\n"))
                .collect();
            let _ = if rest.is_empty() { fs::remove_file(path) } else { fs::write(path, rest) };
        }
    }

    fn file(&self, address: SocketAddr) -> PathBuf {
        self.folder.join(format!("{} {}", address.port(), address.ip()))
    }
}

/// The same address, without the clothes of the sixth version on one of the fourth.
fn canonical(address: SocketAddr) -> SocketAddr {
    let ip: IpAddr = address.ip().to_canonical();
    SocketAddr::new(ip, address.port())
}
