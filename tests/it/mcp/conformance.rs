//! The official conformance suite through cuff to another server, by the requirements of both protocol eras.
//!
//! The server is `support/servers/suite_server.mjs`, which passes the whole suite by itself. Through cuff its tools, prompts
//! and resources have names of cuff's, and are asked for by their own, as agents may.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::http_server::HttpServer;
use crate::support::project::{Project, Run};
use crate::support::tools;

const WITH_SESSIONS: &str = "2025-11-25";
const NEWEST: &str = "2026-07-28";

/// The suite's tools that can be scripts of a project, and the texts of those.
const SCRIPTS: &[(&str, &str)] = &[
    ("test_simple_text", "echo 'This is a simple text response for testing.'"),
    ("test_error_handling", "echo 'This tool intentionally returns an error for testing' >&2; exit 1"),
    ("test_tool_with_progress", "for step in 0 50 100; do echo $step; sleep 0.7; done"),
    ("test_logging_tool", "echo logged"),
    ("test_trigger_tool_change", "echo ': ' > test_made_$$; chmod +x test_made_$$"),
    ("test_streaming_elicitation", ":"),
    ("test_input_required_result_request_state", ":"),
    ("test_input_required_result_tampered_state", ":"),
];
/// Those of them that ask for a yes, which cuff does by itself.
const CONFIRMED: [&str; 2] = ["*_test_input_*", "*_test_streaming_elicitation"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The suite's server at an address. Dropped, it ends.
struct SuiteServer {
    process: Child,
    url: String,
}

impl SuiteServer {
    /// The words that start it: `stdio` or `http`, and an era.
    fn words(transport: &str, era: &str) -> [String; 3] {
        let script = here("tests/it/support/servers/suite_server.mjs");
        [script.display().to_string(), transport.to_owned(), era.to_owned()]
    }

    fn listening(project: &Project, bun: &Path, era: &str) -> Self {
        let mut command = Command::new(bun);
        command.args(Self::words("http", era));
        project.surround(&mut command);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { process, url: url.trim_end().to_owned() }
    }
}

impl Drop for SuiteServer {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// The suite, by the requirements of a revision.
fn suite(project: &Project, bun: &Path, url: &str, revision: &str) -> Command {
    let mut command = Command::new(bun);
    command.arg(here("tests/tools/node_modules/@modelcontextprotocol/conformance/dist/index.js"));
    command.args(["server", "--url", url, "--requirements", revision]);
    project.surround(&mut command);
    command
}

/// Expects that the suite finds nothing through cuff but what these files list.
fn check(bun: &Path, project: &Project, revision: &str, excused: &[&str]) -> Run {
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let serve = project.command(["serve", "--http", "0", "--no-token", "--expose", "tools"]);
    let served = HttpServer::of(serve, None);
    let lists: Vec<_> = excused.iter().map(|name| fs::read_to_string(here(name)).unwrap()).collect();
    let list = project.outside().join("excused.yml");
    fs::write(&list, format!("server:\n{}", lists.concat().replace("server:\n", ""))).unwrap();
    let mut command = suite(project, bun, &format!("http://{}/mcp", served.address), revision);
    command.arg("--expected-failures").arg(list);
    let run = Run::of(command);
    served.stop();
    assert_eq!(run.code, 0, "{revision}: {}\n{}", run.stdout, run.stderr);
    // Nothing is excused here: a server whose tools were not found would fail.
    for scenario in
        ["tools-call-simple-text: 2 passed, 0 failed", "tools-call-with-progress: 2 passed, 0 failed"]
    {
        assert!(run.stdout.contains(scenario), "{revision}: no `{scenario}` in {}", run.stdout);
    }
    run
}

/// The features that cuff declines, whatever the server speaks.
const DECLINED: &str = "tests/it/mcp/conformance.yml";
/// The features of a server with sessions that the newest protocol has no words for.
const UNSAYABLE: &str = "tests/it/mcp/conformance_of_sessions.yml";
/// The features of a server of the newest protocol that the versions with a handshake have no words for.
const UNASKABLE: &str = "tests/it/mcp/conformance_of_newest.yml";

fn settings(project: &Project, mut entry: Value, others: &Value) {
    entry["type"] = json!("mcp");
    let mut plugins = json!({"suite": entry});
    plugins.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
}

/// The suite through cuff to its server as a program of this era.
fn through_program(era: &str, revision: &str, excused: &[&str]) {
    // bun, since the suite wants a newer Node.js than the other tests do.
    let Some(bun) = tools::require("bun") else { return };
    let project = Project::empty();
    settings(&project, json!({"command": "bun", "args": SuiteServer::words("stdio", era)}), &json!({}));
    check(&bun, &project, revision, excused);
}

/// The suite through cuff to its server at an address, of this era.
fn through_address(era: &str, revision: &str, excused: &[&str]) -> Option<Run> {
    let bun = tools::require("bun")?;
    let project = Project::empty();
    let server = SuiteServer::listening(&project, &bun, era);
    settings(&project, json!({"url": server.url}), &json!({}));
    Some(check(&bun, &project, revision, excused))
}

#[test]
fn the_suites_own_server_passes_by_itself() {
    let Some(bun) = tools::require("bun") else { return };
    let project = Project::empty();
    let server = SuiteServer::listening(&project, &bun, "both");
    for revision in [WITH_SESSIONS, NEWEST] {
        let run = Run::of(suite(&project, &bun, &server.url, revision));
        // Extensions that no revision requires are run as well, and count for nothing.
        assert_eq!(run.code, 0, "{revision}: {}\n{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_program_with_sessions_conforms_through_cuff() {
    through_program("sessions", WITH_SESSIONS, &[DECLINED]);
}

#[test]
fn a_program_of_the_newest_protocol_conforms_through_cuff() {
    through_program("newest", NEWEST, &[DECLINED]);
}

#[test]
fn an_address_with_sessions_conforms_through_cuff() {
    through_address("sessions", WITH_SESSIONS, &[DECLINED]);
}

#[test]
fn an_address_of_the_newest_protocol_conforms_through_cuff() {
    let Some(run) = through_address("newest", NEWEST, &[DECLINED]) else { return };
    // It is not required yet, so a failure would count for nothing.
    assert!(run.stdout.contains("✓ http-custom-header-server-validation"), "{}", run.stdout);
}

#[test]
fn clients_of_one_era_reach_servers_of_the_other() {
    through_address("newest", WITH_SESSIONS, &[DECLINED, UNASKABLE]);
    through_program("sessions", NEWEST, &[DECLINED, UNSAYABLE]);
}

#[test]
fn scripts_conform_beside_the_tools_of_a_server() {
    let Some(bun) = tools::require("bun") else { return };
    for revision in [WITH_SESSIONS, NEWEST] {
        let project = Project::empty();
        for (name, text) in SCRIPTS {
            project.script(name, format!("#!/bin/sh\n{text}\n"));
        }
        let names: Vec<_> = SCRIPTS.iter().map(|(name, _)| name).collect();
        let server = json!({
            "command": "bun", "args": SuiteServer::words("stdio", "newest"), "config": {"exclude_tools": names},
        });
        let scripts = json!({"config": {"patterns": ["test_*"], "confirm": CONFIRMED}});
        settings(&project, server, &json!({"scripts": scripts}));
        check(&bun, &project, revision, &[DECLINED, UNASKABLE]);
    }
}
