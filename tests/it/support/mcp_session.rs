//! `cuff serve` over stdio, with messages written by hand.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::io::{BufRead as _, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::process;
use crate::support::project::Project;

/// No answer takes longer in a test.
const PATIENCE: Duration = Duration::from_secs(30);

/// The number of tools that every server adds to the project's, if tools are listed one by one.
pub(crate) const CUFFS_OWN: usize = 7;
/// How many more `--expose tools` has, for clients of the program that cuff takes after.
pub(crate) const KIN: usize = 2;

/// Whether a tool is of the server and not of the project.
pub(crate) fn is_cuffs_own(name: &str) -> bool {
    name.starts_with("runs") || ["call_plugin_tool", "list_plugins"].contains(&name)
}

/// The `_meta` of each request in the era without a handshake.
pub(crate) fn newest() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A running `cuff serve`, with messages written by hand.
pub(crate) struct McpSession {
    pub(crate) server: Child,
    pub(crate) input: Option<Box<dyn Write>>,
    output: mpsc::Receiver<Value>,
    /// The `_meta` of each request.
    pub(crate) meta: Option<Value>,
    asked: u32,
}

impl McpSession {
    /// Over pipes, as shells and Python's hosts start it.
    pub(crate) fn over_pipes(project: &Project, options: &[&str]) -> Self {
        Self::of(project.command(std::iter::once("serve").chain(options.iter().copied())))
    }

    /// Over pipes, with a handshake of a client that can do nothing beyond calls.
    pub(crate) fn begun(project: &Project, options: &[&str]) -> Self {
        let mut session = Self::over_pipes(project, options);
        session.initialize();
        session
    }

    /// Of any command that serves.
    pub(crate) fn of(mut command: Command) -> Self {
        let mut server = process::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let (input, output) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        Self::new(server, input, output)
    }

    /// Over sockets, as Node.js starts it, and so most hosts.
    pub(crate) fn over_sockets(project: &Project) -> Self {
        let (input, their_input) = UnixStream::pair().unwrap();
        let (output, their_output) = UnixStream::pair().unwrap();
        let (stdin, stdout) = (OwnedFd::from(their_input), OwnedFd::from(their_output));
        let server = process::spawn(project.command(["serve"]).stdin(stdin).stdout(stdout));
        Self::new(server, input, output)
    }

    pub(crate) fn new(
        server: Child,
        input: impl Write + 'static,
        output: impl Read + Send + 'static,
    ) -> Self {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            // A server that was killed may have begun a line.
            while output.read_line(&mut line).unwrap() > 0 && line.ends_with('\n') {
                let message = serde_json::from_str(&line).expect("nothing but JSON-RPC");
                drop(sender.send(message));
                line.clear();
            }
        });
        Self { server, input: Some(Box::new(input)), output: receiver, meta: None, asked: 0 }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string());
    }

    /// Sends a line that need not be a message.
    pub(crate) fn say_line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
    }

    /// Sends a request without waiting for the answer. Returns the request's id.
    pub(crate) fn begin(&mut self, method: &str, mut params: Value) -> u32 {
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        self.asked += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    /// The id of the last request.
    pub(crate) fn last_id(&self) -> u32 {
        self.asked
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Sends a request. Returns the messages of the server until its answer, and the answer.
    pub(crate) fn ask_hearing(&mut self, method: &str, params: Value) -> (Vec<Value>, Value) {
        let id = self.begin(method, params);
        let mut said = self.hear_until(|message| message["id"] == id && message.get("method").is_none());
        let answer = said.pop().unwrap();
        (said, answer)
    }

    /// All messages up to the one that is looked for.
    pub(crate) fn hear_until(&self, is_it: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut said = Vec::new();
        loop {
            said.push(self.hear());
            if is_it(&said[said.len() - 1]) {
                return said;
            }
        }
    }

    /// The next message of the server, if one comes within this time.
    pub(crate) fn hear_within(&mut self, within: Duration) -> Option<Value> {
        self.output.recv_timeout(within).ok()
    }

    /// The next message.
    pub(crate) fn hear(&self) -> Value {
        self.output.recv_timeout(PATIENCE).expect("an answer")
    }

    pub(crate) fn initialize(&mut self) -> Value {
        self.initialize_with(&json!({}))
    }

    /// A handshake of a client with these capabilities.
    pub(crate) fn initialize_with(&mut self, capabilities: &Value) -> Value {
        let client = json!({"name": "t", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client});
        self.ask("initialize", params)
    }

    pub(crate) fn call(&mut self, name: &str, arguments: &Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))["result"].clone()
    }

    /// The names of the project's own tools.
    pub(crate) fn names(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
        let names = tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.filter(|name| !is_cuffs_own(name)).collect()
    }

    /// Sends a signal to the server.
    pub(crate) fn signal(&self, name: &str) {
        process::signal(&self.server, name);
    }

    /// The exit code, once it ends by itself or the input does; 128 and the signal's number when a signal ended it.
    pub(crate) fn end(mut self) -> i32 {
        process::wait(&mut self.server)
    }

    /// Hangs up and expects a normal end.
    pub(crate) fn leave(mut self) {
        self.input = None;
        assert_eq!(self.end(), 0);
    }
}

/// One call in a session of its own; the result as the client gets it.
pub(crate) fn called(project: &Project, tool: &str, arguments: &Value) -> Value {
    let mut session = McpSession::begun(project, &[]);
    let result = session.call(tool, arguments);
    session.leave();
    result
}

/// The id that an answer names for `cuff approve`.
pub(crate) fn id_in(text: &str) -> String {
    let (_, rest) = text.split_once("cuff approve ").unwrap_or_else(|| panic!("no way to approve: {text}"));
    rest.chars().take_while(char::is_ascii_alphanumeric).collect()
}
