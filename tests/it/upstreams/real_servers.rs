//! The official servers `everything`, `filesystem`, `memory`, `git` and `time`, called directly and through cuff.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::process;
use crate::support::project::Project;
use crate::support::tools;

/// No answer takes longer in a test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A project with servers in its settings that a person has approved.
struct Servers {
    project: Project,
    /// The name, and the words of the command.
    entries: Vec<(&'static str, Vec<String>)>,
}

impl Servers {
    /// The five servers; `None` where they are not installed and need not be.
    fn approved() -> Option<Self> {
        let node = || "node".to_owned();
        tools::require("node")?;
        let python = tools::require("python-mcp")?.display().to_string();
        let module = |name: &str, words: &[&str]| {
            let start = [python.as_str(), "-m", name];
            start.iter().chain(words).map(|word| (*word).to_owned()).collect::<Vec<_>>()
        };
        let project = Project::empty();
        project.write("data/greeting.txt", "hello\nworld\n");
        let mut git = Command::new("git");
        git.args(["init", "-q", "-b", "main"]);
        project.surround(&mut git);
        assert!(git.status().unwrap().success());
        let data = project.root().join("data").display().to_string();
        let entries = vec![
            ("everything", vec![node(), program("everything")?, "stdio".to_owned()]),
            ("files", vec![node(), program("filesystem")?, data]),
            ("memory", vec![node(), program("memory")?]),
            ("git", module("mcp_server_git", &[])),
            ("time", module("mcp_server_time", &["--local-timezone", "Europe/Zurich"])),
        ];
        let memory = project.outside().join("tmp/memory.json");
        let plugins: serde_json::Map<String, Value> = entries
            .iter()
            .map(|(name, words)| {
                let entry = json!({
                    "type": "mcp", "command": words[0], "args": words[1..],
                    "env": {"MEMORY_FILE_PATH": memory.display().to_string()},
                });
                ((*name).to_owned(), entry)
            })
            .collect();
        project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
        project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
        Some(Self { project, entries })
    }

    /// A session with one of them, without cuff.
    fn directly(&self, name: &str) -> McpSession {
        let (_, words) = self.entries.iter().find(|(known, _)| *known == name).unwrap();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        self.project.surround(&mut command);
        command.env("MEMORY_FILE_PATH", self.project.outside().join("direct.json"));
        begun(McpSession::of(command))
    }

    /// A session with cuff, which names all tools.
    fn through_cuff(&self) -> McpSession {
        begun(McpSession::over_pipes(&self.project, &["--expose", "tools"]))
    }

    /// Expects that no process of the project lives.
    fn are_gone(&self) {
        if cfg!(target_os = "linux") {
            let marker = format!("TMPDIR={}", self.project.outside().join("tmp").display());
            process::until("the end of all processes", || process::with_variable(&marker).is_empty());
        }
    }
}

/// The main file of an official server.
fn program(name: &str) -> Option<String> {
    let packages =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/node_modules/@modelcontextprotocol");
    let file: PathBuf = packages.join(format!("server-{name}/dist/index.js"));
    if file.is_file() {
        return Some(file.display().to_string());
    }
    assert!(tools::may_skip(), "{} is missing: run tests/tools/install", file.display());
    tools::skipped(&format!("{} is missing", file.display()));
    None
}

/// The session after a handshake with the abilities that cuff has itself: some tools are for such clients alone.
fn begun(mut session: McpSession) -> McpSession {
    ask(
        &mut session,
        "initialize",
        json!({
            "protocolVersion": "2025-06-18", "capabilities": {"elicitation": {"form": {}, "url": {}}}, "clientInfo": {"name": "t", "version": "1"},
        }),
    );
    session.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    session
}

/// Asks and waits for the answer, past all other messages of the server.
fn ask(session: &mut McpSession, method: &str, params: Value) -> Value {
    let id = session.begin(method, params);
    loop {
        let message = session.hear();
        if message["id"] == id && message.get("method").is_none() {
            return message;
        }
    }
}

fn call(session: &mut McpSession, name: &str, arguments: &Value) -> Value {
    ask(session, "tools/call", json!({"name": name, "arguments": arguments}))
}

/// The tools of a list, page by page.
fn listed(session: &mut McpSession) -> Vec<Value> {
    let (mut tools, mut params) = (Vec::new(), json!({}));
    loop {
        let result = ask(session, "tools/list", params)["result"].take();
        tools.extend(result["tools"].as_array().unwrap().iter().cloned());
        match result.get("nextCursor") {
            Some(cursor) if !cursor.is_null() => params = json!({"cursor": cursor}),
            _ => return tools,
        }
    }
}

/// The name that cuff has for a server's tool.
fn spelled(server: &str, tool: &str) -> String {
    format!("{server}.{}", tool.replace('-', "_"))
}

#[test]
fn tools_are_listed_with_the_definitions_of_their_servers() {
    let Some(servers) = Servers::approved() else { return };
    let mut cuff = servers.through_cuff();
    for (name, _) in &servers.entries {
        let mut session = servers.directly(name);
        let mut direct = listed(&mut session);
        // cuff offers no tasks, so it lists no tool that needs them.
        direct.retain(|tool| tool["execution"]["taskSupport"] != "required");
        assert!(direct.len() > 1, "{name}: {direct:?}");
        let deadline = Instant::now() + PATIENCE;
        let prefix = format!("{name}.");
        let ours = loop {
            let mut tools = listed(&mut cuff);
            tools.retain(|tool| tool["name"].as_str().unwrap().starts_with(&prefix));
            if tools.len() == direct.len() {
                break tools;
            }
            assert!(Instant::now() < deadline, "{name}: {} of {} tools", tools.len(), direct.len());
            std::thread::sleep(Duration::from_millis(50));
        };
        for tool in direct {
            let named = spelled(name, tool["name"].as_str().unwrap());
            let found = ours.iter().find(|ours| ours["name"] == named);
            let found = found.unwrap_or_else(|| panic!("no {named} in {ours:?}"));
            let expected = {
                let mut tool = tool.clone();
                tool["name"] = json!(named);
                tool
            };
            assert_eq!(found.to_string(), expected.to_string(), "equal, in the same order");
        }
        session.leave();
    }
    cuff.leave();
    let said = servers.project.cuff(["list"]).stderr;
    assert!(!said.contains("steer") && !said.contains("withheld"), "no false alarm: {said}");
    servers.are_gone();
}

/// Calls whose answers are the same each time, by server.
fn calls(project: &Project) -> Vec<(&'static str, Vec<(&'static str, Value)>)> {
    let greeting = project.root().join("data/greeting.txt");
    vec![
        (
            "everything",
            vec![
                ("echo", json!({"message": "hällo \u{1f600}\n\t\"\0\u{200b}"})),
                ("get-sum", json!({"a": 2, "b": 0.5})),
                ("get-tiny-image", json!({})),
                ("get-structured-content", json!({"location": "Chicago"})),
                ("get-annotated-message", json!({"messageType": "error", "includeImage": true})),
                ("get-resource-links", json!({"count": 3})),
            ],
        ),
        (
            "files",
            vec![
                ("read_text_file", json!({"path": greeting, "head": 1})),
                ("list_directory", json!({"path": project.root().join("data")})),
                ("read_text_file", json!({"path": "/etc/passwd"})),
            ],
        ),
        (
            "memory",
            vec![
                (
                    "create_entities",
                    json!({"entities": [{"name": "cuff", "entityType": "tool", "observations": ["runs"]}]}),
                ),
                ("read_graph", json!({})),
            ],
        ),
        (
            "git",
            vec![
                ("git_status", json!({"repo_path": project.root()})),
                ("git_diff_unstaged", json!({"repo_path": "/nowhere"})),
            ],
        ),
        (
            "time",
            vec![
                (
                    "convert_time",
                    json!({"source_timezone": "UTC", "time": "16:30", "target_timezone": "Asia/Tokyo"}),
                ),
                ("get_current_time", json!({"timezone": "Nowhere/Land"})),
            ],
        ),
    ]
}

#[test]
fn calls_bring_what_the_server_answers() {
    let Some(servers) = Servers::approved() else { return };
    let mut cuff = servers.through_cuff();
    let mut count = 0;
    for (server, calls) in calls(&servers.project) {
        let mut session = servers.directly(server);
        for (tool, arguments) in calls {
            let direct = call(&mut session, tool, &arguments);
            let relayed = call(&mut cuff, &spelled(server, tool), &arguments);
            assert!(direct.get("result").is_some(), "{direct}");
            let (relayed, direct) = (relayed["result"].to_string(), direct["result"].to_string());
            assert_eq!(relayed, direct, "{server}.{tool} {arguments}");
            count += 1;
        }
        session.leave();
    }
    cuff.leave();
    let runs = servers.project.cuff(["runs", "list", "--json", "-n", "100"]).succeeded().json();
    let runs = runs["runs"].as_array().unwrap();
    assert_eq!(runs.len(), count, "{runs:?}");
    let shown = servers.project.cuff(["runs", "show"]).succeeded().stdout;
    assert!(shown.starts_with("get_current_time: ") && shown.contains("request"), "{shown}");
    servers.are_gone();
}

/// An official server that listens on a port of this machine. Dropped, it ends.
struct Listening(Child, u16);

impl Listening {
    fn start(project: &Project, transport: &str) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("node");
        command.args([program("everything")?.as_str(), transport]);
        project.surround(&mut command);
        command.env("PORT", port.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self(command.spawn().unwrap(), port);
        process::until("a server that listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        Some(server)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn servers_with_an_address_answer_in_both_transports() {
    let Some(direct) = Servers::approved() else { return };
    let project = Project::empty();
    let Some(now) = Listening::start(&project, "streamableHttp") else { return };
    let Some(before) = Listening::start(&project, "sse") else { return };
    let settings = json!({"version": "1", "plugins": {
        "now": {"type": "mcp", "url": format!("http://127.0.0.1:{}/mcp", now.1)},
        "before": {"type": "mcp", "url": format!("http://127.0.0.1:{}/sse", before.1)},
    }});
    project.write("settings.yml", settings.to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut session = direct.directly("everything");
    let mut cuff = begun(McpSession::over_pipes(&project, &["--expose", "tools"]));
    for server in ["now", "before"] {
        for (tool, arguments) in [
            ("get-structured-content", json!({"location": "Chicago"})),
            ("get-tiny-image", json!({})),
            ("get-sum", json!({"a": 1, "b": 2})),
        ] {
            let expected = call(&mut session, tool, &arguments);
            let relayed = call(&mut cuff, &spelled(server, tool), &arguments);
            let (relayed, expected) = (relayed["result"].to_string(), expected["result"].to_string());
            assert_eq!(relayed, expected, "{server} {tool}");
        }
    }
    // Arguments that do not fit the server's schema never leave.
    let misfit = call(&mut cuff, &spelled("now", "get-sum"), &json!({"a": "wrong"}));
    assert_eq!(misfit["result"]["structuredContent"]["error_code"], "UPSTREAM_304", "{misfit}");
    session.leave();
    cuff.leave();
}

#[test]
fn the_terminal_lists_and_runs_the_same_tools() {
    let Some(servers) = Servers::approved() else { return };
    let project = &servers.project;
    let run = project.cuff(["run", "memory.read_graph"]).succeeded();
    assert!(run.stdout.contains("entities"), "{run:?}");
    let listed = project.cuff(["list"]).succeeded().stdout;
    assert!(listed.contains("\nmemory\n  create_entities  "), "{listed}");
    servers.are_gone();
}
