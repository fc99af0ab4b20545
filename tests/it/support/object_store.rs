//! Object stores of the tests: a real server of S3, and one that fails.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::process::{self, until};
use crate::support::project::Project;
use crate::support::tools;

/// The bucket that each server has.
pub(crate) const BUCKET: &str = "records";

/// moto's server of S3, in memory.
pub(crate) struct S3Server {
    process: Child,
    port: u16,
}

impl S3Server {
    /// Starts one; `None` where moto is not installed.
    pub(crate) fn start() -> Option<Self> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/python/bin/moto_server");
        if !program.is_file() {
            tools::impossible("moto is missing: tests/tools/install installs it");
            return None;
        }
        // Free a moment ago: the server has no way to say which port the system gave it.
        let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let mut command = Command::new(program);
        command
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let server = Self { process: process::spawn(&mut command), port };
        until("moto answers", || server.ask("GET", "/").is_some());
        server.ask("PUT", &format!("/{BUCKET}")).expect("an answer");
        Some(server)
    }

    /// The answer to a request without a body.
    fn ask(&self, method: &str, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    /// The project with the variables by which this server is reached.
    pub(crate) fn surround(&self, project: Project) -> Project {
        surround(project, self.port)
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn surround(project: Project, port: u16) -> Project {
    project
        .variable("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}"))
        .variable("AWS_ACCESS_KEY_ID", "id")
        .variable("AWS_SECRET_ACCESS_KEY", "key-of-the-tests")
        .variable("AWS_REGION", "us-east-1")
}

/// The way in which a server fails.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// The request is taken and never answered.
    Silence,
    /// The answer is 500.
    ServerError,
    /// The answer is 403, as of a wrong key.
    Forbidden,
    /// The answer is the page of another program.
    Page,
}

/// A server that fails each request.
pub(crate) struct FaultyServer {
    port: u16,
}

impl FaultyServer {
    /// Starts one. It ends with the tests.
    pub(crate) fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its port").port();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                thread::spawn(move || fail(stream, fault));
            }
        });
        Self { port }
    }

    /// The project with the variables by which this server is reached.
    pub(crate) fn surround(&self, project: Project) -> Project {
        surround(project, self.port)
    }
}

fn fail(mut stream: TcpStream, fault: Fault) {
    let (status, body) = match fault {
        Fault::Silence => return thread::sleep(Duration::from_mins(2)),
        Fault::ServerError => ("500 Internal Server Error", "<Error><Code>Broken</Code></Error>"),
        Fault::Forbidden => ("403 Forbidden", "<Error><Code>InvalidAccessKeyId</Code></Error>"),
        Fault::Page => ("200 OK", "<html>Log in to the network of this hotel</html>"),
    };
    let mut head = [0; 16 * 1024];
    let _ = stream.read(&mut head);
    let answer =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    let _ = stream.write_all(answer.as_bytes());
}
