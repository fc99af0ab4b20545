//! Kills of the client, cuff, spawner, supervisor and server, in combinations and orders: two seconds later nothing of
//! cuff's is left. The same where the spawner was killed before, so that the supervisor has a keeper.
//!
//! Guard (spawner or keeper) and supervisor are killed together only while cuff goes on. Where it ends at the same moment,
//! nobody is left who could end the rest.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]
#![expect(clippy::disallowed_methods, reason = "the tests read the process table and start clients")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};
use std::{fs, process};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::project::Project;
use crate::support::tools;

/// How long anything may live after the last kill.
const TWO_SECONDS: Duration = Duration::from_secs(2);
/// How many kills there are at least.
const MOST: usize = 100;
/// The process above a supervisor that was forked, and above one that was started.
const GUARDS: [&str; 2] = ["spawner", "keeper"];
/// How many rounds go on at once.
const AT_ONCE: usize = 4;

/// A server with a tool that starts processes in sessions of their own: a child, an orphan, and on request a
/// child without any variable.
const SERVER: &str = r#"
import json, os, subprocess, sys
def breed(tag, bare):
    def sleeper(**more):
        subprocess.Popen(["bred-" + tag, "60"], executable="/bin/sleep", start_new_session=True, **more)
    sleeper()
    if os.fork() == 0:
        os.setsid()
        sleeper()
        os._exit(0)
    os.wait()
    if bare:
        sleeper(env={})
for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    if "id" not in message:
        continue
    result = {}
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if method == "tools/list":
        result = {"tools": [{"name": "breed", "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        breed(**params["arguments"])
        result = {"content": [{"type": "text", "text": "bred"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

/// A client that has the tool called, says so, and waits.
const CLIENT: &str = r#"
import json, os, signal, subprocess, sys, time
cuff = subprocess.Popen([sys.argv[1], "serve", "--expose", "tools"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(method, params):
    cuff.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
    cuff.stdin.flush()
    while True:
        message = json.loads(cuff.stdout.readline())
        if message.get("id") == 1:
            return message
if sys.argv[4] == "keeper":
    cuff.stdin.flush()
    while not (spawner := open(f"/proc/{cuff.pid}/task/{cuff.pid}/children").read()):
        time.sleep(0.01)
    os.kill(int(spawner), signal.SIGKILL)
ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})
cuff.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
while True:
    answer = ask("tools/call", {"name": "s.breed", "arguments": {"tag": sys.argv[2], "bare": sys.argv[3] == "bare"}})
    if answer.get("result", {}).get("content", [{}])[0].get("text") == "bred":
        break
    time.sleep(0.05)
print("ready", flush=True)
time.sleep(600)
"#;

/// The processes that are killed, in the order in which each started the next one. The guard is the spawner, or a keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Client,
    Cuff,
    Guard,
    Supervisor,
    Server,
}
use Victim::{Client, Cuff, Guard, Server, Supervisor};

/// A process that is no other one of the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: i32,
    started: String,
}

/// The fields of a living process behind its name: state, parent, and so on.
fn fields(pid: i32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<String> = stat.rsplit_once(") ")?.1.split(' ').map(str::to_owned).collect();
    (!["Z", "X"].contains(&fields[0].as_str())).then_some(fields)
}

fn pids() -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

impl Process {
    fn of(pid: i32) -> Option<Self> {
        Some(Self { pid, started: fields(pid)?[19].clone() })
    }

    fn lives(&self) -> bool {
        Self::of(self.pid).is_some_and(|now| now == *self)
    }

    /// The one child of it that runs.
    fn child(&self) -> Self {
        let parent = self.pid.to_string();
        let is_child = |pid: &i32| fields(*pid).is_some_and(|fields| fields[1] == parent);
        pids().into_iter().find(is_child).and_then(Self::of).unwrap()
    }

    /// Whether it lived until now.
    fn kill(&self) -> bool {
        self.lives() && kill(Pid::from_raw(self.pid), Signal::SIGKILL).is_ok()
    }
}

/// A client that has called the tool, and the processes behind it.
struct Scene {
    client: Child,
    victims: Vec<Process>,
    sleepers: String,
}

impl Scene {
    fn begin(project: &Project, order: &[Victim], guard: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let tag = format!("{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        // Of a process without variables cuff alone knows nothing.
        let is_bare = !(order.contains(&Guard) && order.contains(&Supervisor));
        let mut command = Command::new("python3");
        let bare = if is_bare { "bare" } else { "" };
        command.args(["client.py", env!("CARGO_BIN_EXE_cuff"), &tag, bare, guard]);
        project.surround(&mut command);
        let mut client = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(client.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "{order:?}");
        let mut victims = vec![Process::of(client.id().cast_signed()).unwrap()];
        while victims.len() < 5 {
            victims.push(victims.last().unwrap().child());
        }
        let scene = Self { client, victims, sleepers: format!("bred-{tag}") };
        let all = 4 + 2 + usize::from(is_bare);
        crate::support::process::until("the start of all", || scene.living().len() == all);
        scene
    }

    /// The processes of it that live, but for the client, by command line.
    fn living(&self) -> Vec<String> {
        let own = pids().into_iter().filter_map(|pid| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            let is_own = words.starts_with(&format!("{} ", self.sleepers))
                || self.victims[1..].iter().any(|victim| victim.pid == pid && victim.lives());
            (is_own && fields(pid).is_some()).then(|| format!("{pid} {words}"))
        });
        own.collect()
    }

    /// Kills in this order. Returns how many lived until then, and what lives two seconds after the last one.
    fn kill(self, order: &[Victim], pause: Duration) -> (usize, Vec<String>) {
        let mut killed = 0;
        for (at, victim) in order.iter().enumerate() {
            if at > 0 && !pause.is_zero() {
                sleep(pause);
            }
            killed += usize::from(self.victims[*victim as usize].kill());
        }
        let last = Instant::now();
        let mut left = self.living();
        while !left.is_empty() && last.elapsed() < TWO_SECONDS {
            sleep(Duration::from_millis(50));
            left = self.living();
        }
        (killed, left)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

/// All combinations that end cuff, and leave somebody.
fn combinations() -> Vec<Vec<Victim>> {
    let all = [Client, Cuff, Guard, Supervisor, Server];
    let chosen = |bits: u32| -> Vec<Victim> {
        all.into_iter().filter(|victim| bits & (1 << *victim as u32) != 0).collect()
    };
    let sets = (1..32).map(chosen);
    let leaves_somebody = |set: &Vec<Victim>| !(set.contains(&Guard) && set.contains(&Supervisor));
    sets.filter(|set| set.contains(&Client) || set.contains(&Cuff)).filter(leaves_somebody).collect()
}

/// The same, in another order for each number.
fn shuffled(mut set: Vec<Victim>, number: usize) -> Vec<Victim> {
    let mut left = number;
    for at in 0..set.len() {
        let rest = set.len() - at;
        set.swap(at, at + left % rest);
        left = left / rest + number;
    }
    set
}

/// A project whose server a person has approved; `None` where there is no Python.
fn project() -> Option<Project> {
    tools::require("python3")?;
    let project = Project::empty();
    project.write("server.py", SERVER);
    project.write("client.py", CLIENT);
    let plugins = json!({"s": {"type": "mcp", "command": "python3", "args": ["server.py"]}});
    project.write("settings.yml", json!({"version": "1", "plugins": plugins}).to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    Some(project)
}

#[test]
fn while_cuff_goes_on_it_ends_what_guard_and_supervisor_have_left() {
    let Some(project) = project() else { return };
    let order = [Guard, Supervisor];
    for guard in GUARDS {
        let scene = Scene::begin(&project, &order, guard);
        for victim in order {
            assert!(scene.victims[victim as usize].kill());
        }
        // cuff starts the server again.
        let is_gone = |process: &Process| !process.lives();
        crate::support::process::until("the end of all but cuff", || {
            scene.victims[2..].iter().all(is_gone) && scene.living().len() == 1
        });
        assert_eq!(scene.kill(&[Client, Cuff], Duration::ZERO).1, [""; 0], "{guard}");
    }
}

#[test]
fn two_seconds_after_any_kills_nothing_is_left() {
    let Some(project) = project() else { return };
    let pauses = [Duration::ZERO, Duration::from_millis(2), Duration::from_millis(40)];
    let rounds: Vec<(Vec<Victim>, Duration, &str)> = (0..3 * combinations().len())
        .map(|at| {
            let set = combinations().swap_remove(at % combinations().len());
            (shuffled(set, at), pauses[at / combinations().len()], GUARDS[at % 2])
        })
        .collect();
    let (next, killed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                while let Some((order, pause, guard)) = rounds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (count, left) = Scene::begin(&project, order, guard).kill(order, *pause);
                    assert_eq!(left, [""; 0], "{order:?}, {pause:?} between them, {guard}");
                    killed.fetch_add(count, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(killed.into_inner() >= MOST, "too few lived until they were to be killed");
}
