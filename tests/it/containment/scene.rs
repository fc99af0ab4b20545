//! A project whose tools attack, and the targets outside of it, of an ordinary user or of root.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use nix::unistd::geteuid;
use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::process;
use crate::support::project::Project;
use crate::support::tools;

/// The ordinary user that root becomes, and a second group of that user's.
const USER: u32 = 4242;
const GROUP: u32 = 4243;
/// All attempts together take no longer, on a busy machine too.
const PATIENCE: Duration = Duration::from_mins(4);
const SETTINGS: &str = "\
version: '1'
plugins:
  packagejson: {config: {package_manager: npm}}
  scripts: {config: {patterns: ['*.sh']}}
";

/// The user that attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    Ordinary,
    Root,
}

/// The result of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Escaped,
    Held,
    Impossible,
    Untried,
}

/// What came of each attempt, and why.
#[derive(Debug)]
pub(super) struct Outcome(BTreeMap<String, (Verdict, String)>);

/// A project of this user's, with the targets around it.
pub(super) struct Scene {
    project: Project,
    user: User,
    cuff: PathBuf,
    /// The attempts that are made; all where none is named.
    attempts: Vec<&'static str>,
}

impl User {
    /// Whether this process can be that user.
    pub(super) fn is_here(self) -> bool {
        self == Self::Ordinary || geteuid().is_root()
    }

    /// Whether the system gives this user's processes mounts of their own.
    pub(super) fn has_namespaces(self) -> bool {
        if self == Self::Root || !geteuid().is_root() {
            return tools::has_namespaces();
        }
        let user = USER.to_string();
        let mut command = Command::new("setpriv");
        command.args(["--reuid", &user, "--regid", &user, "--clear-groups", "unshare", "-U", "-m", "true"]);
        command.status().is_ok_and(|status| status.success())
    }
}

impl Scene {
    /// A scene of all attempts, or of these.
    pub(super) fn of(user: User, attempts: &[&'static str]) -> Self {
        let project = Project::empty();
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/containment/attempts");
        for file in fs::read_dir(scripts).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "py") {
                let name = file.file_name().unwrap().to_str().unwrap();
                project.write(&format!("attempts/{name}"), fs::read(&file).unwrap());
            }
        }
        let run = format!("exec python3 -B attempts run stage.json results {}", attempts.join(" "));
        project.script("attack.sh", format!("#!/bin/sh\n{run}\n"));
        project.write("package.json", json!({"scripts": {"test": run}}).to_string());
        project.write("settings.yml", SETTINGS);
        // Where the project is the home folder, a run makes no file beside those that are kept from it.
        project.write("results", "");
        // Where the binary lies, the ordinary user may not be able to go.
        let cuff = project.outside().join("cuff");
        fs::copy(env!("CARGO_BIN_EXE_cuff"), &cuff).unwrap();
        project.approve();
        Self { project, user, cuff, attempts: attempts.to_vec() }
    }

    /// The same, with a variable of cuff's.
    pub(super) fn variable(self, name: &str, value: &str) -> Self {
        Self { project: self.project.variable(name, value), ..self }
    }

    /// The same, whose project is the home folder.
    pub(super) fn at_home(self) -> Self {
        let root = self.project.root().display().to_string();
        self.variable("HOME", &root)
    }

    /// Makes the attempts without cuff.
    pub(super) fn plainly(&self) -> Outcome {
        self.judged(|| {
            let words =
                [&["-B", "attempts", "run", "stage.json", "results"], self.attempts.as_slice()].concat();
            let mut attempts = self.program("python3", &words);
            // Processes are left that hold the output.
            assert!(attempts.stdout(Stdio::null()).status().unwrap().success());
        })
    }

    /// Makes the attempts in a run that an agent asks for.
    pub(super) fn contained(&self, tool: &str) -> Outcome {
        self.judged(|| {
            let mut session = McpSession::of(self.program(&self.cuff, &["serve"]));
            session.initialize();
            let id = session.begin("tools/call", json!({"name": tool, "arguments": {}}));
            let answer = session.hear_within(PATIENCE).unwrap_or_else(|| panic!("{tool} does not end"));
            assert_eq!(answer["id"], id, "{answer}");
            // Leftovers get the time that cuff promises to end them in.
            session.leave();
            std::thread::sleep(Duration::from_secs(2));
        })
    }

    fn judged(&self, attack: impl FnOnce()) -> Outcome {
        let results = self.project.root().join("results");
        let mut stage = Stage::set(self);
        attack();
        let outcome = stage.judge(&results);
        stage.clear();
        outcome
    }

    /// A program as the scene's user.
    fn program(&self, program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Command {
        if self.user == User::Root || !geteuid().is_root() {
            let mut command = Command::new(program);
            command.args(words);
            self.project.surround(&mut command);
            return command;
        }
        let mut command = Command::new("setpriv");
        command.arg(format!("--reuid={USER}")).arg(format!("--regid={USER}"));
        command.arg(format!("--groups={USER},{GROUP}")).args([
            "--bounding-set=-all",
            "--inh-caps=-all",
            "--",
        ]);
        command.arg(program.as_ref()).args(words);
        self.project.surround(&mut command);
        command.env("PATH", path_of_all());
        self.hand_over();
        command
    }

    /// Gives everything to the scene's user.
    fn hand_over(&self) {
        let owner = format!("{USER}:{USER}");
        let status = Command::new("chown").args(["-R", &owner]).arg(self.project.outside()).status();
        assert!(status.unwrap().success());
    }
}

/// The search path without the folders in root's home folder.
fn path_of_all() -> OsString {
    let home = env::var_os("HOME").unwrap_or_default();
    let folders = tools::path();
    env::join_paths(env::split_paths(&folders).filter(|folder| !folder.starts_with(&home))).unwrap()
}

/// The process that has made the targets.
struct Stage {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Stage {
    fn set(scene: &Scene) -> Self {
        let words = [&["-B", "attempts", "stage"], scene.attempts.as_slice()].concat();
        let mut command = scene.program("python3", &words);
        let mut process = process::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut stage = Self { process, output };
        let told = stage.line();
        scene.project.write("stage.json", told);
        stage
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the stage ended");
        line
    }

    fn judge(&mut self, results: &Path) -> Outcome {
        writeln!(self.process.stdin.as_mut().unwrap(), "{}", results.display()).unwrap();
        let verdicts: Vec<(String, String, String)> = serde_json::from_str(&self.line()).unwrap();
        let of = |verdict: &str| match verdict {
            "escaped" => Verdict::Escaped,
            "held" => Verdict::Held,
            "impossible" => Verdict::Impossible,
            _ => Verdict::Untried,
        };
        Outcome(verdicts.into_iter().map(|(name, verdict, why)| (name, (of(&verdict), why))).collect())
    }

    fn clear(mut self) {
        drop(self.process.stdin.take());
        assert_eq!(process::wait(&mut self.process), 0);
    }
}

impl Outcome {
    /// The attempts with this verdict.
    pub(super) fn with(&self, verdict: Verdict) -> Vec<&str> {
        self.0.iter().filter(|(_, (its, _))| *its == verdict).map(|(name, _)| name.as_str()).collect()
    }

    /// Those attempts and the reasons, a line each.
    pub(super) fn reasons(&self, verdict: Verdict) -> String {
        let lines = self.0.iter().filter(|(_, (its, _))| *its == verdict);
        let lines: Vec<String> = lines.map(|(name, (_, why))| format!("{name}: {why}")).collect();
        lines.join("\n")
    }
}

/// The verdicts as text, for a test that fails.
impl std::fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [Verdict::Escaped, Verdict::Held, Verdict::Impossible, Verdict::Untried]
            .map(|verdict| format!("{verdict:?} {}", self.with(verdict).len()));
        formatter.write_str(&counts.join(", "))
    }
}
