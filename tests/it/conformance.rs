//! The official conformance suite against `cuff serve --http`, by the requirements of both protocol eras.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::project::Run;
use crate::serving::with_scripts;
use crate::tools;

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_official_suite_finds_nothing_but_what_is_listed() {
    let project = with_scripts(2);
    let help = project.cuff(["serve", "--help"]).stdout;
    if !help.contains("--http") {
        return tools::missing("cuff serve --http, which the suite speaks, is not in this build");
    }
    // bun, since the suite wants a newer Node.js than the other tests do.
    let Some(bun) = tools::require("bun") else { return };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = here.join("tests/tools/node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let origin = format!("http://{address}");
    let mut command = project.command(["serve", "--http", &address, "--no-token", "--allow-origin", &origin]);
    let mut server = Server(command.stderr(Stdio::piped()).spawn().unwrap());
    let mut said = BufReader::new(server.0.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("listening on")), "it does not listen");
    // What it says later is read, so that it never waits for room to say it.
    std::thread::spawn(move || said.for_each(drop));
    for requirements in ["2025-11-25", "2026-07-28"] {
        let mut command = Command::new(&bun);
        command.arg(&suite).args([
            "server",
            "--url",
            &format!("{origin}/mcp"),
            "--requirements",
            requirements,
        ]);
        command.arg("--expected-failures").arg(here.join("tests/it/conformance.yml"));
        project.surround(&mut command);
        let run = Run::of(command);
        assert_eq!(run.code, 0, "{requirements}: {}\n{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("tools-call-simple-text: 2 passed, 0 failed"), "{}", run.stdout);
    }
}
