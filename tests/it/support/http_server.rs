//! `cuff serve --http`, tested over real sockets.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::process::{self, until};
use crate::support::project::Project;

/// No answer and no end takes longer in a test.
const PATIENCE: Duration = Duration::from_secs(40);
pub(crate) const TOKEN: &str = "a-token-of-the-tests";

/// `cuff serve --http`.
pub(crate) struct HttpServer {
    process: Child,
    pub(crate) door: Endpoint,
    /// Lines of standard error.
    pub(crate) said: mpsc::Receiver<String>,
}

/// The target of requests.
pub(crate) struct Endpoint {
    pub(crate) address: String,
    pub(crate) token: Option<String>,
}

impl Deref for HttpServer {
    type Target = Endpoint;

    fn deref(&self) -> &Endpoint {
        &self.door
    }
}

impl HttpServer {
    /// With a token of ours.
    pub(crate) fn start(project: &Project, options: &[&str]) -> Self {
        let mut command = project.command(["serve", "--http"].iter().chain(options));
        command.env("CUFF_TOKEN", TOKEN);
        Self::of(command, Some(TOKEN))
    }

    pub(crate) fn of(mut command: Command, token: Option<&str>) -> Self {
        let mut process = process::spawn(command.stdout(Stdio::null()).stderr(Stdio::piped()));
        let (sender, said) = mpsc::channel();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        let door = Endpoint { address: String::new(), token: token.map(str::to_owned) };
        let mut served = Self { process, door, said };
        let line = served.line("http://");
        let rest = line.split_once("http://").unwrap().1;
        rest.split_once("/mcp").unwrap().0.clone_into(&mut served.door.address);
        served
    }

    /// The next line of standard error that has this.
    pub(crate) fn line(&self, part: &str) -> String {
        loop {
            let line = self.said.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("it never said {part}"));
            if line.contains(part) {
                return line;
            }
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        process::signal(&self.process, name);
    }

    /// The exit code, once it ends.
    pub(crate) fn end(mut self) -> i32 {
        process::wait(&mut self.process)
    }

    /// Asks it to end, and expects that it does.
    pub(crate) fn stop(self) {
        self.signal("TERM");
        assert_eq!(self.end(), 143);
    }
}

impl Endpoint {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request as it stands, and the rest of the connection is the answer.
    pub(crate) fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses early need not read all of it.
        let _ = stream.write_all(request);
        Answer::read(stream)
    }

    /// Gets a path, with these headers in addition to the usual ones.
    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(&self.head("GET", path, headers, 0))
    }

    pub(crate) fn post(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send(&self.request(headers, body))
    }

    pub(crate) fn request(&self, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
        let mut request = self.head("POST", "/mcp", headers, body.len());
        request.extend(body.as_bytes());
        request
    }

    /// A head; a header that is given replaces the usual one, and an empty one leaves it out.
    pub(crate) fn head(&self, method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
        let bearer = self.token.as_ref().map_or_else(String::new, |token| format!("Bearer {token}"));
        let length = length.to_string();
        let usual = [
            ("host", self.address.as_str()),
            ("authorization", &bearer),
            ("accept", "application/json, text/event-stream"),
            ("content-type", "application/json"),
            ("content-length", &length),
            ("connection", "close"),
        ];
        let given = |name: &str| headers.iter().any(|(known, _)| *known == name);
        let all = usual.iter().filter(|(name, _)| !given(name)).chain(headers);
        let lines: Vec<String> = all
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let lines = lines.concat();
        format!("{method} {path} HTTP/1.1\r\n{lines}\r\n").into_bytes()
    }

    /// A call in the old era, without a session.
    pub(crate) fn call(&self, name: &str, arguments: &Value) -> Value {
        let answer = self.post(&[], &calling(name, arguments));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.message()["result"]["structuredContent"].clone()
    }

    pub(crate) fn metrics(&self) -> String {
        let answer = self.get("/metrics", &[]);
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        // A test that failed leaves it running.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// 0 when the connection was closed without one.
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A connection may also be reset, after the answer or instead of one.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        let status = head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    /// A header, its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The message in a stream of one event, chunked or not.
    pub(crate) fn message(&self) -> Value {
        let line = self.body.lines().find_map(|line| line.strip_prefix("data: {"));
        let line = line.unwrap_or_else(|| panic!("no message: {self:?}"));
        serde_json::from_str(&format!("{{{line}")).unwrap()
    }
}

pub(crate) fn calling(name: &str, arguments: &Value) -> String {
    let params = json!({"name": name, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
}

pub(crate) fn listing() -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string()
}

/// The process that `scripts/slow.sh` waits for, once it was called.
pub(crate) fn sleeper(project: &Project) -> String {
    until("the script started", || project.root().join("pid").exists() && !project.read("pid").is_empty());
    project.read("pid").trim().to_owned()
}
