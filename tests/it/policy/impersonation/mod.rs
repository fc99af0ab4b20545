//! Nothing inside a run says yes, and neither does an agent's shell. Each test first shows that a person can.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

mod agent_shells;
mod leftover_processes;
mod process_access;
mod self_answering;
mod typed_approvals;

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};

/// The user that takes root's place: root may do everything, and proves nothing.
const NOBODY: u32 = 65534;
/// The kernel holds nothing here: these attacks are on what tells a run from a person where a run is not contained.
const SETTINGS: &str = "\
version: '1'
plugins:
  scripts: {config: {patterns: ['*.sh'], confirm: 'script_mark', containment: 'off'}}
";
/// Python that every attack begins with: a server to speak to over pipes, and one over HTTP.
const LIBRARY: &str = include_str!("attack.py");

/// A project of a user without privileges, with a tool that needs a yes and one that attacks.
struct Scene {
    project: Project,
    cuff: PathBuf,
}

impl Scene {
    /// A scene whose attack is this Python, with `LIBRARY` before it.
    fn new(attack: &str) -> Self {
        let project = Project::empty();
        project.script("mark.sh", "#!/bin/sh\necho \"${1:-it}\" >> marks\n");
        project.script("attack.sh", "#!/bin/sh\nexec python3 -u attack.py\n");
        project.write("attack.py", format!("{LIBRARY}\n{attack}"));
        project.write("settings.yml", SETTINGS);
        // Where the binary lies, nobody may be able to go.
        let cuff = project.outside().join("cuff");
        std::fs::copy(env!("CARGO_BIN_EXE_cuff"), &cuff).unwrap();
        let project = project.variable("CUFF", &cuff);
        project.approve();
        let scene = Self { project, cuff };
        scene.hand_over();
        scene
    }

    /// Gives everything to the user without privileges, as often as a test has written something.
    fn hand_over(&self) {
        if nix::unistd::geteuid().is_root() {
            let owner = format!("{NOBODY}:{NOBODY}");
            let status = Command::new("chown").args(["-R", &owner]).arg(self.project.outside()).status();
            assert!(status.unwrap().success());
        }
    }

    /// A program as that user.
    fn program(&self, program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words);
        self.project.surround(&mut command);
        if nix::unistd::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn cuff(&self, words: &[&str]) -> Run {
        Run::of(self.program(&self.cuff, words))
    }

    /// The attack outside of any run, as a person's own program does it.
    fn outside_a_run(&self) -> Run {
        Run::of(self.program("python3", &["-u", "attack.py"]))
    }

    /// The attack as a tool that an agent calls; what it printed.
    fn inside_a_run(&self) -> String {
        let mut spoken = self.served();
        let answer = spoken.call("scripts.script_attack", &json!({}));
        spoken.leave();
        answer["structuredContent"]["data"]["stdout"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    }

    fn served(&self) -> McpSession {
        let mut spoken = McpSession::of(self.program(&self.cuff, &["serve"]));
        spoken.initialize();
        spoken
    }

    /// The marks of tools that require confirmation and ran.
    fn marks(&self) -> String {
        std::fs::read_to_string(self.project.root().join("marks")).unwrap_or_default()
    }

    /// The callers of a tool that needs a yes, and what was decided, the oldest first.
    fn decisions(&self) -> Vec<(String, String)> {
        let audit = self.cuff(&["audit", "--json"]).succeeded().json();
        let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let all = audit["decisions"].as_array().unwrap().iter().rev();
        let of_mark = all.filter(|one| one["tool"] == "scripts.script_mark");
        of_mark.map(|one| (text(one, "caller"), text(one, "decision"))).collect()
    }
}

/// Lets commands say a person's yes, as in CI.
fn let_programs_say_yes(scene: &Scene) {
    scene.project.write("../home/config/cuff/preferences.yml", "noninteractive_yes: true\n");
    scene.hand_over();
}
