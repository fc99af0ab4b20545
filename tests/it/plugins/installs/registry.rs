//! A registry with one package, on a port of this machine: requests of an install never leave the machine.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::support::project::{Project, Run};

/// The registry; it ends when this is dropped.
pub(super) struct Registry {
    at: SocketAddr,
    over: Arc<AtomicBool>,
}

/// The contents of its answers.
struct Shelf {
    document: String,
    archive: Vec<u8>,
}

impl Registry {
    /// Packs the package `moon` outside the project, and offers it.
    pub(super) fn start(project: &Project) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let at = listener.local_addr().expect("a port of ours");
        let over = Arc::new(AtomicBool::new(false));
        let registry = Self { at, over: Arc::clone(&over) };
        let shelf = Arc::new(Shelf::packed(project, &registry.address()));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let shelf = Arc::clone(&shelf);
                // A client that closes the connection early gets no answer.
                thread::spawn(move || stream.and_then(|stream| shelf.answer(stream)).ok());
            }
        });
        registry
    }

    /// Its URL for a configuration.
    pub(super) fn address(&self) -> String {
        format!("http://{}/", self.at)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // The thread waits for a connection.
        drop(TcpStream::connect(self.at));
    }
}

impl Shelf {
    fn packed(project: &Project, address: &str) -> Self {
        let manifest = json!({"name": "moon", "version": "1.0.0", "license": "MIT", "main": "moon.js"});
        project.write("../moon/package.json", manifest.to_string());
        project.write("../moon/moon.js", "module.exports = 'full'\n");
        let mut pack = Command::new("npm");
        pack.args(["pack", "--json", "--loglevel=error"]);
        project.surround(&mut pack);
        let folder = project.outside().join("moon");
        pack.current_dir(&folder);
        let packed = Run::of(pack).succeeded().json();
        // npm answers with a list or, of late, with an object by names.
        let packed = packed.get(0).or_else(|| packed.get("moon")).unwrap_or(&packed).clone();
        let file = packed["filename"].as_str().unwrap_or("moon-1.0.0.tgz");
        let archive = std::fs::read(folder.join(file)).expect("what npm packed");
        let mut version = manifest;
        version["dist"] = json!({"tarball": format!("{address}moon/-/moon-1.0.0.tgz"),
            "integrity": packed["integrity"], "shasum": packed["shasum"]});
        let document: Value = json!({"name": "moon", "dist-tags": {"latest": "1.0.0"},
            "versions": {"1.0.0": version}, "time": {"1.0.0": "2020-01-01T00:00:00.000Z"}});
        Self { document: document.to_string(), archive }
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut lines = BufReader::new(stream.try_clone()?).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        let path = request.split(' ').nth(1).unwrap_or_default();
        let (status, kind, body) = match path {
            "/moon" => ("200 OK", "application/json", self.document.as_bytes()),
            "/moon/-/moon-1.0.0.tgz" => ("200 OK", "application/octet-stream", self.archive.as_slice()),
            _ => ("404 Not Found", "application/json", b"{}".as_slice()),
        };
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        )?;
        stream.write_all(body)
    }
}
