//! Runs that start and end at random, while cuff, its spawner, supervisors and tools are killed at random: in the end no
//! process is left, and no run is open.
//!
//! `CUFF_RANDOM_RUNS=10000 cargo test --test it -- runs::at_random` is the long one. A failure names the number of its
//! driver: with `CUFF_RANDOM_SEED` set to it, the same choices are made again, if not at the same moments.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]
#![expect(clippy::disallowed_methods, reason = "the tests read the process table")]

use std::cell::RefCell;
use std::fs;
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::process;
use crate::support::project::Project;

/// How many runs there are, where the environment does not say.
const USUAL: usize = 240;
/// How many drivers go on at once, each with a project and a cuff of its own.
const DRIVERS: u64 = 3;
/// How long anything may live after cuff has ended.
const TWO_SECONDS: Duration = Duration::from_secs(2);

/// No cuff takes longer to end.
const PATIENCE: Duration = Duration::from_secs(20);
/// Guard and supervisor are not killed in the same moment as cuff: then nobody is left who could end the rest.
const MOMENT: Duration = Duration::from_millis(300);

/// Tools that end, fail, write much, do not end, will not end, and leave processes in sessions of their own.
const TOOLS: [(&str, &str); 7] = [
    ("ends", "exit 0"),
    ("fails", "echo wrong >&2; exit 3"),
    ("leaves", "setsid sleep 60 & setsid sh -c 'setsid sleep 60 & exit' & sleep 0.02"),
    ("writes", "head -c 300000 /dev/zero | tr '\\0' 'x'"),
    ("sleeps", "sleep 60"),
    ("deaf", "trap '' TERM INT; sleep 60 & sleep 60; sleep 60"),
    ("breeds", "setsid sleep 60 & setsid sh -c 'setsid sleep 60 & exit' & sleep 60"),
];

/// Those with processes in sessions of their own. A run that is the caller's own affair, as a person's is, leaves such
/// processes where its tool ends by itself.
const LEAVING: [&str; 2] = ["leaves", "breeds"];

/// Choices, the same for the same seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % end
    }

    fn pause(&mut self, end: u64) {
        sleep(Duration::from_micros(self.below(usize::try_from(end).unwrap() * 1000) as u64));
    }

    fn of<'a, One>(&mut self, all: &'a [One]) -> Option<&'a One> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

/// The counts of all drivers.
#[derive(Debug, Default)]
struct Counts {
    runs: AtomicUsize,
    kills: AtomicUsize,
}

/// One project, and one cuff after the other in it.
struct Driver<'a> {
    project: Project,
    chance: Chance,
    counts: &'a Counts,
    /// The last life of cuff, for a test that fails: when something was done, and to which process.
    story: RefCell<Vec<String>>,
    begun: Instant,
    /// The id of the newest run that was counted.
    newest: String,
}

/// The processes that have to do with a project: those that work in it, or have its home in their environment.
fn living(project: &Project) -> Vec<Pid> {
    let home = format!("HOME={}", project.outside().join("home").display());
    let entries = fs::read_dir("/proc").unwrap();
    let own = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let pid = path.file_name()?.to_str()?.parse().ok()?;
        let works_there =
            fs::read_link(path.join("cwd")).is_ok_and(|folder| folder.starts_with(project.root()));
        let variables = || fs::read(path.join("environ")).unwrap_or_default();
        let is_own = works_there || variables().split(|byte| *byte == 0).any(|one| one == home.as_bytes());
        (is_own && lives(&path)).then(|| Pid::from_raw(pid))
    });
    own.collect()
}

/// Whether it is no zombie, which has neither.
fn lives(process: &std::path::Path) -> bool {
    let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// The name of a process, as it is: `cuff-spawner`.
fn name(pid: Pid) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim_end().to_owned()
}

impl Driver<'_> {
    fn new(seed: u64, counts: &Counts) -> Driver<'_> {
        let project = Project::empty();
        for (name, text) in TOOLS {
            project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
        }
        project.cuff(["init", "--yes"]).succeeded();
        Driver {
            project,
            chance: Chance(seed.max(1)),
            counts,
            story: RefCell::default(),
            begun: Instant::now(),
            newest: String::new(),
        }
    }

    /// A life of `cuff serve`: calls, cancelled calls and kills at random, and an end at random.
    fn serve(&mut self) {
        let mut session = McpSession::begun(&self.project, &["--expose", "tools"]);
        let cuff = Pid::from_raw(session.server.id().cast_signed());
        let first = session.last_id() + 1;
        for _ in 0..10 + self.chance.below(50) {
            match self.chance.below(16) {
                0..10 => self.call(&mut session),
                10 => self.cancel(&mut session, first),
                11 => self.stop_newest(),
                12 | 13 => self.kill_but(cuff),
                _ => Self::hear(&mut session),
            }
            self.chance.pause(20);
        }
        self.end(session, cuff);
    }

    fn call(&mut self, session: &mut McpSession) {
        let tool = self.tool();
        self.note(&format!("call of {tool}"));
        let mut arguments = json!({});
        // A tool that goes on in the background may leave processes on purpose.
        if !LEAVING.contains(&tool) && self.chance.below(6) == 0 {
            arguments["wait"] = json!(0);
        }
        session.begin(
            "tools/call",
            json!({"name": format!("scripts.script_scripts_{tool}"), "arguments": arguments}),
        );
    }

    /// Most end by themselves.
    fn tool(&mut self) -> &'static str {
        let tools = if self.chance.below(5) == 0 { &TOOLS[..] } else { &TOOLS[..4] };
        self.chance.of(tools).unwrap().0
    }

    fn cancel(&mut self, session: &mut McpSession, first: u32) {
        let asked = usize::try_from((session.last_id() + 1).saturating_sub(first)).unwrap();
        if asked > 0 {
            let id = first + u32::try_from(self.chance.below(asked)).unwrap();
            session.say(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
            );
        }
    }

    /// As a person does it, from another process.
    fn stop_newest(&self) {
        self.project.cuff(["runs", "stop"]);
    }

    /// Takes the answers in that have come.
    fn hear(session: &mut McpSession) {
        while session.hear_within(Duration::from_millis(1)).is_some() {}
    }

    /// Kills any of the processes below cuff.
    fn kill_but(&mut self, cuff: Pid) {
        let others: Vec<Pid> = living(&self.project).into_iter().filter(|pid| *pid != cuff).collect();
        let guards: Vec<Pid> = others.iter().copied().filter(|pid| name(*pid).starts_with("cuff")).collect();
        let victims = if self.chance.below(2) == 0 { guards } else { others };
        if let Some(victim) = self.chance.of(&victims) {
            self.signal(*victim, Signal::SIGKILL);
        }
    }

    fn note(&self, deed: &str) {
        self.story.borrow_mut().push(format!("{} ms: {deed}", self.begun.elapsed().as_millis()));
    }

    fn signal(&self, process: Pid, signal: Signal) {
        let table: Vec<String> = living(&self.project).iter().map(|pid| words(*pid)).collect();
        self.note(&format!("{signal} to {} {process} of {}", name(process), table.join(" | ")));
        let is_kill = kill(process, signal).is_ok() && signal == Signal::SIGKILL;
        self.counts.kills.fetch_add(usize::from(is_kill), Ordering::Relaxed);
    }

    /// Ends cuff in one of the ways in which a client, a person or the operating system does.
    fn end(&mut self, mut session: McpSession, cuff: Pid) {
        match self.chance.below(4) {
            0 => {}
            1 => self.signal(cuff, Signal::SIGTERM),
            2 => {
                sleep(MOMENT);
                self.signal(cuff, Signal::SIGKILL);
            }
            _ => self.signal(cuff, Signal::SIGINT),
        }
        session.input = None;
        while session.hear_within(TWO_SECONDS).is_some() {}
        self.wait(&mut session.server);
    }

    /// `cuff run` as a person in a pipe or a script types it, which is waited for, killed or left behind.
    fn run(&mut self) {
        let tool = Some(self.tool()).filter(|tool| !LEAVING.contains(tool)).unwrap_or("ends");
        self.note(&format!("run of {tool}"));
        let script = format!("scripts/{tool}.sh");
        let mut words = vec!["run", &script];
        let is_background = self.chance.below(4) == 0;
        if is_background {
            words.insert(1, "--background");
        }
        let mut command = self.project.command(words);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child: Child = process::spawn(&mut command);
        self.chance.pause(60);
        // Not SIGINT: what a shell starts in the background ignores it until cuff hears it.
        let signal = [Signal::SIGTERM, Signal::SIGKILL][self.chance.below(2)];
        if is_background {
            self.wait(&mut child);
            while !living(&self.project).is_empty() {
                self.stop_newest();
            }
        } else {
            self.signal(Pid::from_raw(child.id().cast_signed()), signal);
            self.wait(&mut child);
        }
    }

    /// Waits for the end of cuff, which takes no longer than that of a tool that will not end.
    fn wait(&self, cuff: &mut Child) {
        let begun = Instant::now();
        while cuff.try_wait().unwrap().is_none() {
            if begun.elapsed() > PATIENCE {
                let tasks = fs::read_dir(format!("/proc/{}/task", cuff.id())).unwrap();
                let system_calls: Vec<String> = tasks
                    .map(|task| fs::read_to_string(task.unwrap().path().join("syscall")).unwrap_or_default())
                    .collect();
                let living: Vec<String> = living(&self.project).iter().map(|pid| words(*pid)).collect();
                let story = self.story.borrow();
                let _ = cuff.kill();
                panic!("{} does not end: {living:#?}\n{story:#?}\n{system_calls:?}", cuff.id());
            }
            sleep(Duration::from_millis(2));
        }
    }

    /// Nothing lives two seconds later, and the store knows of every run how it ended.
    fn is_clean(&mut self, seed: u64) {
        let ended = Instant::now();
        while !living(&self.project).is_empty() {
            let left = || -> Vec<String> { living(&self.project).iter().map(|pid| words(*pid)).collect() };
            assert!(ended.elapsed() < TWO_SECONDS, "seed {seed}: {:#?}\n{:#?}", left(), self.story.borrow());
            sleep(Duration::from_millis(10));
        }
        let answer = self.project.cuff(["runs", "--number", "200", "--json"]).succeeded().json();
        let runs = answer["runs"].as_array().unwrap();
        let open: Vec<&Value> = runs.iter().filter(|run| run["state"] == "running").collect();
        assert!(open.is_empty(), "seed {seed}: {open:#?}\n{:#?}", self.story.borrow());
        self.story.borrow_mut().clear();
        // Ids are in the order of time.
        let is_new = |run: &&Value| run["run_id"].as_str().unwrap() > self.newest.as_str();
        self.counts.runs.fetch_add(runs.iter().filter(is_new).count(), Ordering::Relaxed);
        self.newest = runs.first().map(|run| run["run_id"].as_str().unwrap().to_owned()).unwrap_or_default();
    }
}

/// A process as a failed test shows it: with its state, parent, group and session.
fn words(pid: Pid) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let above =
        stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ').take(4).collect::<Vec<_>>().join(" ");
    format!("{pid} ({above}) {}", String::from_utf8_lossy(&words).replace('\0', " "))
}

#[test]
fn whatever_is_killed_nothing_is_left() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let most = number("CUFF_RANDOM_RUNS").map_or(USUAL, |most: u64| usize::try_from(most).unwrap());
    let time = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let counts = Counts::default();
    scope(|threads| {
        for driver in 0..DRIVERS {
            let seed = number("CUFF_RANDOM_SEED").unwrap_or(time * DRIVERS + driver);
            let counts = &counts;
            threads.spawn(move || {
                let mut driver = Driver::new(seed, counts);
                while counts.runs.load(Ordering::Relaxed) < most {
                    if driver.chance.below(3) == 0 {
                        driver.run();
                    } else {
                        driver.serve();
                    }
                    driver.is_clean(seed);
                }
            });
        }
    });
    println!("{counts:?}");
    assert!(counts.kills.into_inner() >= most / 20, "too few kills");
}
