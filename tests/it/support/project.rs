//! A project of its own for each test, and cuff run in it with nothing of this machine's in its environment.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::process;
use crate::support::terminal::{Shown, Size, Terminal};
use crate::support::tools;

/// No call of cuff takes longer in a test; one that does hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// A project in a folder that is removed with it.
#[derive(Debug)]
pub(crate) struct Project {
    /// Shared by all that look at the same files.
    folder: Arc<TempDir>,
    root: PathBuf,
    variables: Vec<(OsString, OsString)>,
    /// Whether its person lets agents have the settings before the first of them comes.
    is_approved: bool,
}

/// The variables of these tests by which cuff knows an agent's shell or a run.
const MARKERS: [&str; 8] = [
    "CUFF_RUN",
    "AI_AGENT",
    "AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "CODEX_CI",
];

/// The result of one call of cuff.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; 128 and the signal's number when a signal ended it.
    pub(crate) code: i32,
    /// Standard output, with replacement characters for invalid UTF-8.
    pub(crate) stdout: String,
    /// Standard error, likewise.
    pub(crate) stderr: String,
}

impl Project {
    /// A project without a file.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Canonical, since cuff prints canonical paths and macOS keeps temporary folders behind a link.
        let base = folder.path().canonicalize().expect("the folder just made");
        for name in ["project", "home", "runtime", "tmp"] {
            fs::create_dir(base.join(name)).expect("a folder in the one just made");
        }
        fs::set_permissions(base.join("runtime"), fs::Permissions::from_mode(0o700))
            .expect("a folder of ours");
        Self {
            root: base.join("project"),
            folder: Arc::new(folder),
            variables: Vec::new(),
            is_approved: true,
        }
    }

    /// A copy of a project under `fixtures/`.
    pub(crate) fn of(fixture: &str) -> Self {
        let project = Self::empty();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
        copy(&source, &project.root);
        project
    }

    /// A project with this many scripts of npm, and settings.
    pub(crate) fn with_scripts(count: usize) -> Self {
        let project = Self::empty();
        let scripts: serde_json::Map<String, serde_json::Value> =
            (0..count).map(|number| (format!("step-{number:03}"), format!("echo {number}").into())).collect();
        project.write("package.json", serde_json::json!({ "scripts": scripts }).to_string());
        project.cuff(["init", "--yes"]).succeeded();
        project
    }

    /// The same files, with an environment of its own.
    pub(crate) fn at(other: &Self) -> Self {
        Self {
            folder: Arc::clone(&other.folder),
            root: other.root.clone(),
            variables: other.variables.clone(),
            is_approved: other.is_approved,
        }
    }

    /// The same, whose person has approved nothing before the test itself does.
    #[must_use]
    pub(crate) fn unapproved(mut self) -> Self {
        self.is_approved = false;
        self
    }

    /// Lets agents have the settings as they are now: what a person at a terminal does.
    pub(crate) fn approve(&self) {
        let variables =
            self.variables.iter().filter(|(name, _)| !MARKERS.iter().any(|marker| name == marker));
        let person = Self { variables: variables.cloned().collect(), ..Self::at(self) };
        person.terminal(80, &["approve", "settings", "--yes"]).follow(&[]);
    }

    /// Approves the settings before the first command of an agent, unless something was approved or the test wants none.
    fn approve_for(&self, command: &Command) {
        let serves = command.get_program() != env!("CARGO_BIN_EXE_cuff")
            || command.get_args().any(|word| ["serve", "self-test", "hook"].iter().any(|one| word == *one));
        let is_agent = self.variables.iter().any(|(name, _)| MARKERS.iter().any(|marker| name == marker));
        let has_settings =
            ["settings.yml", ".cuff/settings.yml"].iter().any(|file| self.root.join(file).exists());
        if self.is_approved && (serves || is_agent) && has_settings {
            let pins = self.outside().join("home/state/cuff/pins");
            if !pins.is_dir() {
                self.approve();
            }
        }
    }

    /// The same for calls from inside a run: their words and variables are judged like an agent's.
    pub(crate) fn inside_a_run(self) -> Self {
        self.variable("CUFF_RUN", "019a0000-0000-7000-8000-000000000000")
    }

    /// The same, with a variable in the environment of every call.
    #[must_use]
    pub(crate) fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Its root: the working directory of every call.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder around the root, with `home`, `tmp` and all that a test needs outside of the project.
    pub(crate) fn outside(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder that lives as long as this")
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().expect("a path within the project")).expect("a folder of ours");
        fs::write(&file, content).expect("a file of ours");
        file
    }

    /// Writes a file that may be executed.
    pub(crate) fn script(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.write(path, content);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a file of ours");
        file
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs cuff to its end.
    pub(crate) fn cuff<Words>(&self, words: Words) -> Run
    where
        Words: IntoIterator,
        Words::Item: AsRef<OsStr>,
    {
        Run::of(self.command(words))
    }

    /// Starts cuff at a terminal, for tests that do something else between the keys.
    pub(crate) fn terminal(&self, size: impl Into<Size>, words: &[&str]) -> Terminal {
        Terminal::start(self.command(words), size)
    }

    /// Runs cuff at a terminal to its end, and types each of the keys once its text was shown.
    ///
    /// A shell leads the terminal's session, and lingers: when the leader ends, the kernel throws away the output that it has not passed on yet.
    /// Ctrl-C does not end the shell.
    pub(crate) fn at_terminal(&self, size: impl Into<Size>, steps: &[(&str, &str)], words: &[&str]) -> Shown {
        let cuff = self.command(words);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "trap : INT; \"$@\"; code=$?; sleep 0.02; exit $code", "sh"])
            .arg(cuff.get_program());
        shell.args(cuff.get_args()).current_dir(&self.root).stdin(Stdio::null()).env_clear();
        shell.envs(cuff.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Terminal::start(shell, size).follow(steps)
    }

    /// The same, with these keys at the one question that is answered by yes or no; without keys nothing must be asked.
    pub(crate) fn answer_at_terminal(&self, keys: &str, words: &[&str]) -> Shown {
        let asked = [("[y/N", keys)];
        self.at_terminal(80, if keys.is_empty() { &[] } else { &asked }, words)
    }

    /// The command that [`Self::cuff`] runs, for tests that send signals or speak to it.
    pub(crate) fn command<Words>(&self, words: Words) -> Command
    where
        Words: IntoIterator,
        Words::Item: AsRef<OsStr>,
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuff"));
        command.args(words);
        self.surround(&mut command);
        command
    }

    /// Gives any program the environment and the directory that cuff gets here.
    pub(crate) fn surround(&self, command: &mut Command) {
        self.approve_for(command);
        let outside = self.outside();
        let home = outside.join("home");
        command
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .env_clear()
            .env("PATH", tools::path())
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_RUNTIME_DIR", outside.join("runtime"))
            .env("TMPDIR", outside.join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("npm_config_update_notifier", "false")
            // Runs of other tests that nothing holds would make each client's yes doubtful.
            .env("CUFF_TEST_LAYERS_OFF", "doubt")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

impl Run {
    /// Runs a command to its end. It panics if the command, or another process that holds its output, does
    /// not end.
    pub(crate) fn of(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = process::spawn(&mut command);
        let deadline = Instant::now() + PATIENCE;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let status = wait(&mut child, deadline, &command);
        let text = |from: &mpsc::Receiver<Vec<u8>>| {
            let left = deadline.saturating_duration_since(Instant::now());
            let bytes = from.recv_timeout(left).unwrap_or_else(|_| {
                panic!("{command:?} ended, and something it left running still holds its output")
            });
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Self { code: process::code(status), stdout: text(&stdout), stderr: text(&stderr) }
    }

    /// The same run, once it is certain that it ended with 0.
    pub(crate) fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// The same run, once it is certain that it ended with this code.
    pub(crate) fn ended_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Whether standard error ends with the line about a failed tool, with this reason before the time, and the code where
    /// it is asked for.
    pub(crate) fn failed(&self, tool: &str, reason: &str) -> bool {
        let line = self.stderr.lines().find(|line| line.starts_with(&format!("{tool} failed: ")));
        line.is_some_and(|line| line.contains(reason) && !line.contains('['))
    }

    /// Standard output as JSON, and nothing but JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}):\n{}\nstderr:\n{}", self.stdout, self.stderr))
    }
}

/// Reads a pipe to its end on a thread of its own, so that a full pipe never stops the child.
fn collect(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (done, receiver) = mpsc::channel();
    let mut pipe = pipe.expect("a pipe that was asked for");
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.read_to_end(&mut bytes);
        // The test may have given up on the answer.
        drop(read.map(|_| done.send(bytes)));
    });
    receiver
}

fn wait(child: &mut Child, deadline: Instant, command: &Command) -> ExitStatus {
    loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return status;
        }
        if Instant::now() >= deadline {
            child.kill().expect("a child of ours");
            panic!("{command:?} still runs after {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The files below a folder, in the order of their names; none where there is no folder.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut entries: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of a folder of ours").path()).collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Copies a fixture: folders, files with their modes, symbolic links as links.
fn copy(source: &Path, target: &Path) {
    let entries = fs::read_dir(source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    for entry in entries {
        let entry = entry.expect("an entry of a folder of ours");
        let (from, to) = (entry.path(), target.join(entry.file_name()));
        let kind = entry.file_type().expect("an entry of a folder of ours");
        if kind.is_dir() {
            fs::create_dir(&to).expect("a folder of ours");
            copy(&from, &to);
        } else if kind.is_symlink() {
            let link = fs::read_link(&from).expect("a link of ours");
            std::os::unix::fs::symlink(link, &to).expect("a folder of ours");
        } else {
            fs::copy(&from, &to).expect("a file of ours");
        }
    }
}
