//! A server in this process; the test chooses every answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::AbortHandle;

use crate::Waiting;
use crate::model::{Command, Containment, Values};
use crate::settings::{ServerTransport, Upstream};
use crate::sys::{Cache, Clock};
use crate::upstream::{
    Connect, ServerProcesses, ServerStarter, StartedProgram, UpstreamContext, UpstreamLimits, UpstreamSource,
};

/// A server's reaction to a message.
pub(super) enum Act {
    /// Prints these lines.
    Say(Vec<String>),
    /// Ends.
    Die,
}

type Respond = dyn Fn(&Value) -> Act + Send + Sync;

/// Starts servers in this process.
pub(super) struct Fake {
    respond: Arc<Respond>,
    /// The text that each prints on standard error at its start.
    pub(super) stderr: String,
    /// Whether each ends at its start.
    pub(super) dies_at_start: bool,
    /// How many were started.
    pub(super) starts: AtomicUsize,
    /// How many live.
    pub(super) alive: Arc<AtomicUsize>,
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Fake")
    }
}

impl Fake {
    /// A server that answers the first words by itself, and everything else as the test says.
    pub(super) fn new(respond: impl Fn(&Value) -> Option<Act> + Send + Sync + 'static) -> Self {
        Self {
            respond: Arc::new(move |message| respond(message).unwrap_or_else(|| usual(message))),
            stderr: String::new(),
            dies_at_start: false,
            starts: AtomicUsize::new(0),
            alive: Arc::default(),
        }
    }

    /// A source over this server.
    pub(super) fn source(self, connect: Connect, cache: Option<Cache>) -> (UpstreamSource, Arc<Self>) {
        let fake = Arc::new(self);
        let starter: Arc<dyn ServerStarter> = Arc::clone(&fake) as Arc<dyn ServerStarter>;
        let limits = UpstreamLimits::default();
        let context = UpstreamContext {
            starter,
            clock: Clock::of_system(),
            cache,
            #[cfg(feature = "http")]
            logins: None,
            connect,
            limits,
            notices: tokio::sync::broadcast::Sender::new(16),
        };
        (UpstreamSource::new(upstream(), context), fake)
    }
}

pub(super) fn upstream() -> Upstream {
    let transport = ServerTransport::Stdio {
        command: "fake-mcp".to_owned(),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: None,
    };
    Upstream::new("shop".to_owned(), true, transport, Values::default())
}

/// A line with an answer to a message.
pub(super) fn answer(message: &Value, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, message["id"])
}

/// The answer to a message, and nothing else.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the arms of a script say `None` where the usual answer will do"
)]
pub(super) fn say(message: &Value, result: &str) -> Option<Act> {
    Some(Act::Say(vec![answer(message, result)]))
}

/// The answers of a server with one tool, `buy`, that says `bought`.
fn usual(message: &Value) -> Act {
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "shop-server", "version": "1.2"},
        }),
        "tools/list" => json!({"tools": [{"name": "buy", "inputSchema": {"type": "object"}}]}),
        "tools/call" => json!({"content": [{"type": "text", "text": "bought"}]}),
        _ => return Act::Say(Vec::new()),
    };
    Act::Say(vec![answer(message, &result.to_string())])
}

impl ServerStarter for Fake {
    fn start<'a>(
        &'a self,
        _: &'a str,
        _: Command,
        _: Containment,
    ) -> Waiting<'a, Result<StartedProgram, String>> {
        Box::pin(async move {
            self.starts.fetch_add(1, Ordering::Relaxed);
            self.alive.fetch_add(1, Ordering::Relaxed);
            let (stdin, theirs) = duplex(64 * 1024);
            let (stdout, out) = duplex(64 * 1024);
            let (stderr, mut err) = duplex(64 * 1024);
            let (respond, dies) = (Arc::clone(&self.respond), self.dies_at_start);
            let text = self.stderr.clone();
            tokio::spawn(async move { err.write_all(text.as_bytes()).await });
            let task = tokio::spawn(serve(respond, theirs, out, dies)).abort_handle();
            let process = Process { task, alive: Arc::clone(&self.alive) };
            Ok(StartedProgram {
                stdin: Box::new(stdin),
                stdout: Box::new(stdout),
                stderr: Box::new(stderr),
                process: Box::new(process),
            })
        })
    }
}

async fn serve(respond: Arc<Respond>, stdin: DuplexStream, mut stdout: DuplexStream, dies: bool) {
    let mut lines = BufReader::new(stdin).lines();
    while !dies && let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).unwrap();
        let Act::Say(lines) = respond(&message) else { return };
        for line in lines {
            if stdout.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

struct Process {
    task: AbortHandle,
    alive: Arc<AtomicUsize>,
}

impl ServerProcesses for Process {
    fn ended(&mut self) -> Waiting<'_, String> {
        Box::pin(async {
            while !self.task.is_finished() {
                tokio::task::yield_now().await;
            }
            "exit code 3".to_owned()
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.task.abort();
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}
