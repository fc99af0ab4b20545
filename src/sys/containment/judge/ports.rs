//! The ports that contained runs of a project listen on: a file for each, in a folder that no run can write.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The ports of a project's runs.
#[derive(Debug)]
pub(super) struct Ports {
    folder: PathBuf,
    own: Mutex<Vec<(u16, String)>>,
}

/// The kernel's tables of sockets.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];
/// The state of a socket that listens, in these tables.
const LISTENS: &str = "0A";

#[expect(clippy::disallowed_methods, reason = "the supervisor keeps its own files")]
impl Ports {
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), own: Mutex::new(Vec::new()) }
    }

    /// Notes that a socket with this number of a file listens on a port.
    pub(super) fn note(&self, port: u16, socket: u64) {
        let text = socket.to_string();
        let noted = fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(self.folder.join(port.to_string()), &text));
        if noted.is_ok() {
            self.own.lock().unwrap_or_else(PoisonError::into_inner).push((port, text));
        }
    }

    /// Whether a run of this project listens on a port now. What a run has left behind is told from others that listen there since by
    /// the number of the socket.
    pub(super) fn has(&self, port: u16) -> bool {
        let Ok(socket) = fs::read_to_string(self.folder.join(port.to_string())) else { return false };
        TABLES.iter().any(|table| {
            fs::read_to_string(table)
                .is_ok_and(|table| table.lines().skip(1).any(|line| listens(line, port, &socket)))
        })
    }

    /// Takes the notes of this run away.
    pub(super) fn forget(&self) {
        for (port, text) in self.own.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let path = self.folder.join(port.to_string());
            if fs::read_to_string(&path).is_ok_and(|now| now == text) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Whether a line of a table is of this socket, and it listens on this port.
fn listens(line: &str, port: u16, socket: &str) -> bool {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let has_port = fields.get(1).and_then(|local| local.rsplit(':').next()) == Some(&format!("{port:04X}"));
    has_port && fields.get(3) == Some(&LISTENS) && fields.get(9) == Some(&socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernels_table_is_read() {
        let line = "   0: 0100007F:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0";
        assert!(listens(line, 0x1538, "4242"));
        assert!(!listens(line, 0x1538, "4243"));
        assert!(!listens(line, 0x1539, "4242"));
        assert!(!listens(&line.replace(" 0A ", " 01 "), 0x1538, "4242"));
    }
}
