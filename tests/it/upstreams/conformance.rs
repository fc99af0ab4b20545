//! The client scenarios of the official conformance suite against cuff, those of OAuth among them, in both protocol eras.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::path::Path;
use std::process::Command;

use crate::support::project::{Project, Run};
use crate::support::tools;

/// The requirements of a revision.
fn run(bun: &Path, revision: &str) -> Run {
    let project = Project::empty();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = here.join("tests/tools/node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let client = here.join("tests/it/upstreams/conformance_client.mjs");
    let client = [bun.to_str().unwrap(), client.to_str().unwrap(), env!("CARGO_BIN_EXE_cuff")].join(" ");
    let mut command = Command::new(bun);
    command.arg(suite).args(["client", "--command", &client, "--requirements", revision]);
    command.arg("--expected-failures").arg(here.join("tests/it/upstreams/conformance.yml"));
    project.surround(&mut command);
    Run::of(command)
}

#[test]
fn the_official_suite_finds_nothing_but_what_is_listed() {
    // bun, since the suite wants a newer Node.js than the other tests do.
    let Some(bun) = tools::require("bun") else { return };
    for revision in ["2025-11-25", "2026-07-28"] {
        let run = run(&bun, revision);
        assert_eq!(run.code, 0, "{revision}: {}\n{}", run.stdout, run.stderr);
        // A client that does nothing would fail these.
        for scenario in ["tools_call: 2 passed, 0 failed", "auth/pre-registration: 1"] {
            assert!(run.stdout.contains(scenario), "{revision}: no `{scenario}` in {}", run.stdout);
        }
    }
}
