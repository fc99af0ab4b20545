//! A session as Claude Code has it: the hooks of the plugin, and shells with the variables that the hooks
//! set.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::http_server::Endpoint;
use crate::support::process::until;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// The plugin of this repository.
pub(super) fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins/toolscript")
}

/// The words that start the server of a library; `None` where Python is missing and need not be there.
pub(super) fn library(words: &[&str]) -> Option<Value> {
    let python = tools::require("python3")?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/gateway/library.py");
    let mut arguments = vec![script.display().to_string()];
    arguments.extend(words.iter().map(|word| (*word).to_owned()));
    Some(json!({ "command": python, "args": arguments }))
}

/// A session of a project.
pub(super) struct Session {
    pub(super) project: Project,
    pub(super) id: String,
    /// The plugin's folder.
    pub(super) root: PathBuf,
}

impl Session {
    /// A session of a project whose user has these MCP servers.
    pub(super) fn with(servers: &Value) -> Self {
        let session = Self::new();
        session.servers(servers);
        session
    }

    /// A session of a project without a file.
    pub(super) fn new() -> Self {
        Self::of(Project::empty(), "0195f0a2-7d1c-7e2e-9d8a-0c7f6a1b2c3d")
    }

    pub(super) fn of(project: Project, id: &str) -> Self {
        Self { project, id: id.to_owned(), root: plugin() }
    }

    /// Another session of the same user and project.
    pub(super) fn another(&self, id: &str) -> Self {
        Self { project: Project::at(&self.project), id: id.to_owned(), root: self.root.clone() }
    }

    /// The servers of its user, who need not approve them.
    pub(super) fn servers(&self, servers: &Value) {
        let file = self.project.outside().join("home/.toolscript.json");
        fs::write(file, json!({ "mcpServers": servers }).to_string()).unwrap();
    }

    /// The JSON that a hook gets.
    pub(super) fn event(&self, name: &str, more: &Value) -> String {
        let mut event = json!({
            "session_id": self.id, "transcript_path": "/nowhere.jsonl", "cwd": self.project.root(),
            "hook_event_name": name,
        });
        for (key, value) in more.as_object().unwrap() {
            event[key] = value.clone();
        }
        event.to_string()
    }

    /// Runs the hook of the start.
    pub(super) fn start(&self, source: &str) -> Run {
        self.hook("session-start", &self.event("SessionStart", &json!({ "source": source })), &[])
    }

    /// Runs the hook of the end.
    pub(super) fn end(&self) -> Run {
        self.hook("session-end", &self.event("SessionEnd", &json!({"reason": "other"})), &[])
    }

    /// Runs a hook as the plugin has it, with this for its input and these variables.
    pub(super) fn hook(&self, name: &str, input: &str, variables: &[(&str, &str)]) -> Run {
        let mut command = self.hook_command(name);
        command.envs(variables.iter().copied());
        feed(command, input)
    }

    pub(super) fn hook_command(&self, name: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg(self.root.join(format!("hooks/{name}.sh")));
        self.project.surround(&mut command);
        command
            .env("PATH", Self::path())
            .env("CLAUDE_PLUGIN_ROOT", &self.root)
            .env("CLAUDE_PROJECT_DIR", self.project.root())
            .env("CLAUDE_ENV_FILE", self.env_file());
        command
    }

    /// The search path of the session: the programs of this build come first.
    fn path() -> std::ffi::OsString {
        let programs = Path::new(env!("CARGO_BIN_EXE_toolscript")).parent().unwrap();
        let mut path = programs.as_os_str().to_owned();
        path.push(":");
        path.push(tools::path());
        path
    }

    pub(super) fn env_file(&self) -> PathBuf {
        self.project.outside().join(format!("env-{}", blake(&self.id)))
    }

    /// Runs a line in a shell of the session, after what the file of variables has.
    pub(super) fn shell(&self, line: &str) -> Run {
        let file = self.env_file();
        let variables = fs::read_to_string(&file).unwrap_or_default();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{variables}\n{line}")]);
        self.project.surround(&mut command);
        command.env("PATH", Self::path()).env("CLAUDE_CODE_SESSION_ID", &self.id);
        Run::of(command)
    }

    /// Runs `toolscript` in a shell of the session.
    pub(super) fn toolscript(&self, words: &[&str]) -> Run {
        let line = shlex::try_join(std::iter::once("toolscript").chain(words.iter().copied())).unwrap();
        self.shell(&line)
    }

    /// The folder with the files of sessions.
    pub(super) fn folder(&self) -> PathBuf {
        self.project.outside().join("runtime/cuff/toolscript")
    }

    pub(super) fn file(&self, ending: &str) -> PathBuf {
        self.folder().join(format!("{}.{ending}", self.id))
    }

    /// The names of the files of all sessions.
    pub(super) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The record of the gateway.
    pub(super) fn record(&self) -> Value {
        serde_json::from_slice(&fs::read(self.file("json")).unwrap()).unwrap()
    }

    pub(super) fn pid(&self) -> String {
        fs::read_to_string(self.file("pid")).unwrap()
    }

    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.file("log")).unwrap()
    }

    /// The gateway, for requests.
    pub(super) fn gateway(&self) -> Endpoint {
        let record = self.record();
        let address = record["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        Endpoint { address, token: Some(record["token"].as_str().unwrap().to_owned()) }
    }

    /// The processes of the servers of this session's project.
    pub(super) fn server_processes(&self) -> Vec<String> {
        let home = self.project.outside().join("home");
        let home = format!("HOME={}", home.display());
        let is_server = |path: &String| {
            let words = fs::read(Path::new(path).join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains("library.py")
        };
        crate::support::process::with_variable(&home).into_iter().filter(is_server).collect()
    }

    /// Waits until a process is no more.
    pub(super) fn gone(pid: &str) {
        until("the process has ended", || !is_alive(pid));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A test that failed leaves it running.
        let _ = self.end();
    }
}

/// Whether a process lives; one that only waits to be reaped does not.
pub(super) fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !"ZX".contains(state))
}

/// Runs a command with this for its standard input.
pub(super) fn feed(mut command: Command, input: &str) -> Run {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input.as_bytes()).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    command.stdin(Stdio::from(file));
    Run::of(command)
}

fn blake(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}
