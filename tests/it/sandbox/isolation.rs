//! The process of an interpreter, as others see it: it has two pipes and nothing else, and it ends when it must.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::env;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cuff::code::PendingScript;
use cuff::sandbox::{
    CallFailure, ExecutionLimits, FailureKind, Isolation, Outcome, PrintedStream, SandboxHost, StartLimits,
    ToolCall, framed,
};
use serde_json::{Value, json};

use super::programs::{catalog, interpreter, limits, result, run_within, runtime};
use crate::support::process;

/// The facts that `/proc` has about a process.
#[derive(Debug, Default, Clone)]
struct Seen {
    status: String,
    limits: String,
    /// The entries of `fd`, with what each leads to; nothing where the kernel does not show them.
    descriptors: Option<Vec<String>>,
    environment: Option<Vec<u8>>,
    /// The owner of the process's files: root if it cannot be dumped.
    owner: u32,
    folder: Option<PathBuf>,
}

impl Seen {
    fn of(id: u32) -> Self {
        let process = PathBuf::from(format!("/proc/{id}"));
        let text = |name: &str| fs::read_to_string(process.join(name)).unwrap();
        let descriptors = fs::read_dir(process.join("fd")).ok().map(|listed| {
            let mut found: Vec<String> = listed
                .map(|entry| {
                    let entry = entry.unwrap();
                    let target = fs::read_link(entry.path()).unwrap();
                    let kind = target.display().to_string();
                    let kind = kind.split(':').next().unwrap().to_owned();
                    format!("{} {kind}", entry.file_name().display())
                })
                .collect();
            found.sort();
            found
        });
        Self {
            status: text("status"),
            limits: text("limits"),
            descriptors,
            environment: fs::read(process.join("environ")).ok(),
            owner: fs::metadata(process.join("environ")).unwrap().uid(),
            folder: fs::read_link(process.join("cwd")).ok(),
        }
    }

    /// A line of `status`: its words after the name.
    fn says(&self, name: &str) -> Vec<&str> {
        let line = self.status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_else(|| panic!("no {name}: {}", self.status)).split_whitespace().collect()
    }

    /// A limit, soft and hard.
    fn limit(&self, name: &str) -> (&str, &str) {
        let line = self.limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        let mut words = line.split_whitespace();
        (words.next().unwrap(), words.next().unwrap())
    }
}

/// Looks at the interpreter while it waits for the answer to a call.
struct Onlooker {
    id: u32,
    seen: Mutex<Vec<Seen>>,
}

impl SandboxHost for Onlooker {
    async fn call(&self, _: ToolCall) -> Result<Value, CallFailure> {
        self.seen.lock().unwrap().push(Seen::of(self.id));
        Ok(Value::Null)
    }

    fn print(&self, _: PrintedStream, _: &str) {}
}

fn root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// The facts about the process while a program runs in it, and the limits that it was started with.
fn seen() -> (Seen, Isolation, ExecutionLimits) {
    let limits = ExecutionLimits { memory: 64 << 20, ..limits() };
    let (execution, seen) = runtime().block_on(async {
        let interpreter = interpreter();
        let host = Arc::new(Onlooker { id: interpreter.id().unwrap(), seen: Mutex::default() });
        let script = PendingScript::new("await tools.gitHub.echo({})", catalog());
        let execution = script.run(interpreter, &host, &limits).await;
        let seen = host.seen.lock().unwrap().pop();
        (execution, seen)
    });
    assert_eq!(execution.outcome, Outcome::Returned(None));
    (seen.unwrap(), execution.isolation.unwrap(), limits)
}

#[test]
fn the_process_has_two_pipes_and_nothing_else() {
    // Nobody asked this process to close it when it starts another one.
    let leaked = File::open("/etc/passwd").unwrap();
    let leaked = nix::unistd::dup(&leaked).unwrap();
    let (seen, ..) = seen();
    match &seen.descriptors {
        // The third leads to /dev/null.
        Some(found) => assert_eq!(*found, ["0 pipe", "1 pipe", "2 /dev/null"]),
        // Root alone is shown them: the process cannot be dumped.
        None => assert!(!root()),
    }
    match &seen.environment {
        Some(found) => assert_eq!(*found, b"", "{}", String::from_utf8_lossy(found)),
        None => assert!(!root()),
    }
    assert!(seen.folder.as_deref().is_none_or(|folder| folder == Path::new("/")), "{:?}", seen.folder);
    assert_eq!(seen.says("Threads"), ["1"]);
    drop(leaked);
}

#[test]
fn the_kernel_refuses_what_the_process_gave_up() {
    let (seen, isolation, _) = seen();
    assert!(isolation.system_calls && isolation.resources, "{isolation:?}");
    assert_eq!((seen.says("Seccomp"), seen.says("NoNewPrivs")), (vec!["2"], vec!["1"]));
    assert_eq!(seen.says("Seccomp_filters"), ["2"]);
    for kind in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        assert_eq!(seen.says(kind), ["0000000000000000"], "{kind}");
    }
    // Root's is what nobody may look into or trace.
    assert_eq!(seen.owner, 0);
    if root() {
        assert_eq!(seen.says("Uid"), ["65534"; 4]);
        assert_eq!((seen.says("Gid"), seen.says("Groups")), (vec!["65534"; 4], Vec::new()));
    }
}

#[test]
fn everything_that_the_process_may_take_has_an_end() {
    let (seen, _, limits) = seen();
    for (name, most) in [
        ("Max core file size", "0"),
        ("Max file size", "0"),
        ("Max processes", "0"),
        ("Max locked memory", "0"),
        ("Max open files", "3"),
    ] {
        assert_eq!(seen.limit(name), (most, most), "{name}");
    }
    let number = |text: &str| text.parse::<u64>().unwrap_or_else(|_| panic!("{text}"));
    let (soft, hard) = seen.limit("Max cpu time");
    assert!(number(soft) <= limits.time.as_secs() + 3 && number(hard) == number(soft) + 1, "{soft} {hard}");
    let (soft, hard) = seen.limit("Max address space");
    assert!(soft == hard && number(soft) < 1 << 31, "{soft} {hard}");
    let (soft, hard) = seen.limit("Max stack size");
    assert!(soft == hard && number(soft) <= 64 << 20, "{soft} {hard}");
    // The highest use of memory stays below that limit.
    let taken = number(seen.says("VmPeak")[0]) * 1024;
    assert!(taken <= number(seen.limit("Max address space").0), "{taken}");
}

/// Memory that the project does not count is the kernel's to refuse: the process gives up, and its parent says so.
#[test]
fn memory_that_the_engine_does_not_count_ends_the_process_alone() {
    let limits = ExecutionLimits { memory: 32 << 20, time: Duration::from_secs(10), ..limits() };
    let source = "const all: any[] = []; for (;;) all.push(new TextEncoder().encode('x'.repeat(8e6)))";
    let (execution, _) = run_within(source, &limits);
    let Outcome::Failed(failure) = execution.outcome else { panic!("{:?}", execution.outcome) };
    assert_eq!(failure.kind, FailureKind::Memory, "{failure:?}");
    assert!(failure.help.unwrap().contains("--memory"));
    // The parent goes on.
    assert_eq!(result("return 1"), json!(1));
}

/// Not a test: a parent that is killed while a program runs. It prints the id of the interpreter's process.
#[test]
#[ignore = "started by another test, in a process of its own"]
fn parent() {
    let Ok(source) = env::var("CUFF_TEST_PROGRAM") else { return };
    let limits = ExecutionLimits { time: Duration::from_secs(2), ..limits() };
    runtime().block_on(async {
        let interpreter = interpreter();
        let host = Arc::new(Announcer { id: interpreter.id().unwrap() });
        PendingScript::new(source, catalog()).run(interpreter, &host, &limits).await;
    });
}

/// Prints the id of the interpreter once a program says that it runs; a call of it never ends.
struct Announcer {
    id: u32,
}

impl SandboxHost for Announcer {
    async fn call(&self, _: ToolCall) -> Result<Value, CallFailure> {
        std::future::pending().await
    }

    fn print(&self, _: PrintedStream, _: &str) {
        let mut out = std::io::stderr();
        writeln!(out, "interpreter {}", self.id).unwrap();
    }
}

/// Whether a process does anything any more: one that nobody waits for does not.
fn lives(id: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
fn the_process_ends_with_its_parent() {
    for (rest, patience) in [
        ("for (;;) {}", 2),
        ("for (;;) await 0", 2),
        ("await tools.gitHub.sleep({ ms: 1e9 })", 2),
        ("void tools.gitHub.sleep({ ms: 1e9 }); for (;;) {}", 2),
        ("await new Promise(r => setTimeout(r, 1e8))", 2),
        ("for (;;) console.log('x'.repeat(1000))", 2),
        // One step that nothing interrupts: the kernel ends it when its processor time is over, which takes longer where others
        // want the processor as well.
        ("return new Array(4e9).join('x').length", 25),
    ] {
        let mut parent = Command::new(env::current_exe().unwrap())
            .args(["--exact", "sandbox::isolation::parent", "--ignored", "--nocapture"])
            .env("CUFF_TEST_PROGRAM", format!("console.log('begun');\n{rest}"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(parent.stderr.take().unwrap());
        let id = said.lines().find_map(|line| line.unwrap().strip_prefix("interpreter ")?.parse().ok());
        let id: u32 = id.expect("the id of an interpreter");
        assert!(lives(id), "{rest}");
        process::signal(&parent, "KILL");
        parent.wait().unwrap();
        let killed = Instant::now();
        process::until("the end of the interpreter", || !lives(id));
        assert!(killed.elapsed() < Duration::from_secs(patience), "{rest}: {:?}", killed.elapsed());
    }
}

/// An execution that is dropped, or that is over, leaves no process.
#[test]
fn the_process_ends_with_its_execution() {
    for (source, dropped) in [("return 1", false), ("for (;;) {}", false), ("for (;;) {}", true)] {
        let limits = ExecutionLimits { time: Duration::from_millis(300), ..limits() };
        let id = runtime().block_on(async {
            let interpreter = interpreter();
            let id = interpreter.id().unwrap();
            let host = Arc::new(Onlooker { id, seen: Mutex::default() });
            let script = PendingScript::new(source, catalog());
            let run = script.run(interpreter, &host, &limits);
            if dropped {
                assert!(tokio::time::timeout(Duration::from_millis(100), run).await.is_err());
            } else {
                run.await;
            }
            id
        });
        process::until("the end of the interpreter", || !lives(id));
    }
    // One that never got a program.
    let id = runtime().block_on(async { interpreter().id().unwrap() });
    process::until("the end of the interpreter", || !lives(id));
}

/// Starting the process by hand gains nothing: it waits for a message, and gives everything up before it
/// looks at a stranger's text.
#[test]
fn the_process_gives_up_everything_before_it_reads_a_program() {
    let begin = |bytes: &[u8]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cuff"))
            .arg("__interpret")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let limits: StartLimits = serde_json::from_value(json!({
        "time": {"secs": 1, "nanos": 0}, "memory": 1 << 25, "stack": 1 << 20, "concurrent_calls": 1,
        "message": 1000, "output": 1000,
    }))
    .unwrap();
    let start = |source: &str| {
        let start = json!({"source": source, "servers": [], "limits": limits, "is_check": false});
        framed(&start.to_string()).unwrap()
    };
    let (code, said) = begin(&start("return 1"));
    assert_eq!(code, Some(0));
    let order: Vec<usize> =
        ["\"ready\"", "\"compiled\"", "\"done\""].map(|word| said.find(word).unwrap()).into();
    assert!(order.is_sorted(), "{said:?}");
    // Bytes that are no message are nothing to begin with.
    for bytes in [&b""[..], b"\x05\0\0\0{}", b"\xff\xff\xff\xff", b"\x02\0\0\0{}", b"\x02\0\0\0\xff\xff"] {
        assert_eq!(begin(bytes), (Some(0), String::new()), "{bytes:?}");
    }
}
