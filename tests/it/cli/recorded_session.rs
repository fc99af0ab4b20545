//! The session that docs/commands.md shows: recorded from the real program, so that the page cannot say something else.
//!
//! To record it again after a change that was meant: `INSTA_UPDATE=always cargo test --test it -- recorded_session`.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::support::normalize::stable;
use crate::support::project::{Project, Run};
use crate::support::tools;

/// The typed commands.
const LINES: &[&str] = &["cuff init --yes", "cuff list", "cuff run test:south", "cuff doctor"];
/// Where the page has it.
const BEGINS: &str = "<!-- A session, recorded by tests/it/cli/recorded_session.rs -->\n```text\n";
const ENDS: &str = "```\n<!-- The session ends -->\n";

#[test]
fn the_page_shows_what_a_session_prints() {
    let programs: Vec<_> =
        ["node", "npm", "make", "python3"].iter().map(|name| (name, tools::require(name))).collect();
    if programs.iter().any(|(_, found)| found.is_none()) {
        return;
    }
    // Nothing is found but what everybody has: what else lies on this machine is no part of the session.
    let project = Project::of("demo");
    // A shell without a terminal is nobody's, unless its user says so.
    project.write("../home/config/cuff/preferences.yml", "noninteractive_yes: true\n");
    let bin = project.outside().join("bin");
    fs::create_dir(&bin).unwrap();
    for (name, found) in programs {
        symlink(found.unwrap(), bin.join(name)).unwrap();
    }
    symlink(env!("CARGO_BIN_EXE_cuff"), bin.join("cuff")).unwrap();
    let project = project.variable("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    let own = fs::canonicalize(env!("CARGO_BIN_EXE_cuff")).unwrap().display().to_string();
    let mut session = String::new();
    for line in LINES {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{{ {line}\n}} 2>&1")]);
        project.surround(&mut shell);
        let run = Run::of(shell);
        assert!(run.code < 2, "{line}: {run:?}");
        let printed = stable(&project, &run.stdout).replace(&own, "~/.local/bin/cuff");
        writeln!(session, "$ {line}\n{}\n", printed.trim_end()).expect("a string");
    }
    let session = format!("{}\n", session.trim_end());

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let page = fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once(BEGINS).expect("the page says where the session begins");
    let (shown, after) = rest.split_once(ENDS).expect("the page says where the session ends");
    // Written only where it differs: other tests read the page at the same time.
    if shown != session && env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&file, format!("{before}{BEGINS}{session}{ENDS}{after}")).unwrap();
    } else {
        let again = "`INSTA_UPDATE=always cargo test --test it -- recorded_session` records it again";
        assert!(shown == session, "docs/commands.md shows another session; {again}:\n{session}");
    }
}
