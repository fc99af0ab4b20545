//! The official conformance suite against `cuff serve --http`, by the requirements of both protocol eras.
//!
//! The suite calls tools of its own. Those that a repository can have are scripts of a project here, which cuff finds and
//! runs as any other; a balancer in between gives them the names that cuff has for them.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use crate::http::server::Served;
use crate::support::balancer::Balancer;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// The suite's tools that are scripts, and what those do.
const SCRIPTS: &[(&str, &str)] = &[
    ("test_simple_text", "echo 'This is a simple text response for testing.'"),
    ("test_error_handling", "echo 'This tool intentionally returns an error for testing' >&2; exit 1"),
    ("test_tool_with_progress", "for step in 0 50 100; do echo $step; sleep 0.7; done"),
    ("test_logging_tool", "echo logged"),
    ("test_trigger_tool_change", "echo ': ' > made-$$.sh; chmod +x made-$$.sh"),
    ("test_streaming_elicitation", ":"),
    ("test_input_required_result_elicitation", ":"),
    ("test_input_required_result_request_state", ":"),
    ("test_input_required_result_tampered_state", ":"),
    ("test_input_required_result_capabilities", ":"),
];

fn project() -> Project {
    let project = Project::empty();
    for (name, text) in SCRIPTS {
        project.script(&format!("{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    let settings = "version: '1'\nplugins:\n  scripts:\n    config:\n      patterns: ['*.sh']\n      \
                    confirm: ['script_test_input_*', 'script_test_streaming_elicitation']\n";
    project.write("settings.yml", settings);
    project
}

/// A request with cuff's names for the suite's tools.
fn named_by_cuff(request: String) -> String {
    SCRIPTS.iter().fold(request, |request, (name, _)| {
        let ours = format!("scripts.script_{name}");
        request
            .replace(&format!("\"name\":\"{name}\""), &format!("\"name\":\"{ours}\""))
            .replace(&format!("mcp-name: {name}\r\n"), &format!("mcp-name: {ours}\r\n"))
            .replace(&format!("Mcp-Name: {name}\r\n"), &format!("Mcp-Name: {ours}\r\n"))
    })
}

/// The requirements of a revision, run against a server of their own.
fn run(bun: &Path, revision: &str) -> Run {
    let project = project();
    // The balancer's address is not known before, and pages of it are to be let in.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let mut options = project.command(["serve", "--http", "--no-token", "--expose", "tools"]);
    options.args(["--allow-origin", &origin]);
    let served = Served::of(options, None);
    let balancer = Balancer::at(origin.trim_start_matches("http://"), &[&served.address], named_by_cuff);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = here.join("tests/tools/node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let mut command = Command::new(bun);
    command.arg(suite).args(["server", "--url", &format!("http://{}/mcp", balancer.address)]);
    command.args(["--requirements", revision]);
    command.arg("--expected-failures").arg(here.join("tests/it/mcp/conformance.yml"));
    project.surround(&mut command);
    let run = Run::of(command);
    served.stop();
    run
}

#[test]
fn the_official_suite_finds_nothing_but_what_is_listed() {
    // bun, since the suite wants a newer Node.js than the other tests do.
    let Some(bun) = tools::require("bun") else { return };
    for revision in ["2025-11-25", "2026-07-28"] {
        let run = run(&bun, revision);
        assert_eq!(run.code, 0, "{revision}: {}\n{}", run.stdout, run.stderr);
        // A scenario whose tool was not found under its name would say so here, and not there.
        for scenario in
            ["tools-call-simple-text: 2 passed, 0 failed", "tools-call-with-progress: 2 passed, 0 failed"]
        {
            assert!(run.stdout.contains(scenario), "{revision}: no `{scenario}` in {}", run.stdout);
        }
    }
}
