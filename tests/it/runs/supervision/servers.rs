//! Servers that cuff exchanges messages with: their input and output, and no process of them outlives either
//! side.

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cuff::execution::{KnownHiddenPaths, RunHost, Slots};
use cuff::model::{Change, Command, Containment, Origin, Profile, Word};
use cuff::project::HostStarter;
use cuff::sources::{ServerProcesses, ServerStarter as _, StartedProgram};
use cuff::sys::{Clock, Environment};
use nix::sys::signal::{Signal, kill};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use super::survivors::Family;
use super::{FAMILY, supervisor, unique};

/// No rules: a contained server could not kill its supervisor, and the end of servers is what is looked at here.
fn uncontained() -> Containment {
    Containment::of(Profile::Off)
}

/// A stubborn server: deaf to the end of its input and to TERM, with children in its session and outside of it.
const STUBBORN: &str = "trap '' TERM; sleep 60 & setsid sleep 60 & \
                        setsid sh -c 'trap \"\" TERM; setsid sleep 60 & while :; do sleep 1; done' & \
                        echo ready; while :; do sleep 1; done";

/// A starter in a folder, with the search path of this machine and further variables.
fn starter(root: &Path, variables: &[(&str, &str)]) -> HostStarter {
    let path = std::env::var("PATH").unwrap();
    let variables = [("PATH", path.as_str())].into_iter().chain(variables.iter().copied());
    let host = RunHost {
        supervisor: supervisor(),
        environment: Environment::new(root, variables),
        root: root.into(),
        slots: Slots::new(1),
        clock: Clock::of_system(),
        hidden: KnownHiddenPaths::default(),
    };
    HostStarter::new(host, Arc::default())
}

fn command(program: &str, arguments: &[&str], family: &Family) -> Command {
    Command::new(Word::settings(program))
        .arguments(arguments.iter().map(|word| Word::settings(*word)))
        .environment([Change::new(FAMILY, &family.name, Origin::Settings)])
}

async fn start(program: &str, arguments: &[&str], family: &Family) -> StartedProgram {
    starter(Path::new("/"), &[])
        .start("fake", command(program, arguments, family), uncontained())
        .await
        .unwrap()
}

/// Starts a shell that is a server, and waits until it printed `ready`.
async fn ready(script: &str, family: &Family) -> StartedProgram {
    let mut server = start("sh", &["-c", script], family).await;
    let mut line = [0; 6];
    server.stdout.read_exact(&mut line).await.unwrap();
    assert_eq!(&line, b"ready\n");
    server
}

/// Drops a server and waits until no process of its family lives. Returns the time from before the drop.
async fn dropped(process: Box<dyn ServerProcesses>, family: &Family, limit: Duration) -> Duration {
    let begun = Instant::now();
    drop(process);
    gone_within(family, limit).await;
    begun.elapsed()
}

/// Waits until no process of a family lives, while the runtime goes on. Returns the time that it took.
async fn gone_within(family: &Family, limit: Duration) -> Duration {
    let begun = Instant::now();
    while !family.members().is_empty() {
        assert!(begun.elapsed() < limit, "{:?} live after {limit:?}", family.members());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    begun.elapsed()
}

#[tokio::test]
async fn a_server_reads_its_input_and_answers_on_two_outputs() {
    let family = Family::named(&unique(), "");
    let script = "require('readline').createInterface({ input: process.stdin })\
                  .on('line', line => { console.log('heard ' + line); console.error('noted ' + line) })\
                  .on('close', () => process.exit(3))";
    let mut server = start("node", &["-e", script], &family).await;
    let (mut out, mut err) = (BufReader::new(server.stdout).lines(), BufReader::new(server.stderr).lines());
    for word in ["one", "two"] {
        server.stdin.write_all(format!("{word}\n").as_bytes()).await.unwrap();
        assert_eq!(out.next_line().await.unwrap().unwrap(), format!("heard {word}"));
        assert_eq!(err.next_line().await.unwrap().unwrap(), format!("noted {word}"));
    }
    server.stdin.shutdown().await.unwrap();
    assert_eq!(server.process.ended().await, "exit code 3");
    assert_eq!(server.process.ended().await, "exit code 3", "whoever asks again gets the same answer");
    assert_eq!((out.next_line().await.unwrap(), err.next_line().await.unwrap()), (None, None));
    gone_within(&family, Duration::from_secs(2)).await;
}

#[tokio::test]
async fn more_than_a_pipe_holds_goes_through_in_both_directions() {
    let family = Family::named(&unique(), "");
    let StartedProgram { mut stdin, mut stdout, mut process, .. } = start("cat", &[], &family).await;
    let sent = vec![b'x'; 8 << 20];
    let (mut received, writes) = (Vec::new(), async {
        stdin.write_all(&sent).await.unwrap();
        stdin.shutdown().await.unwrap();
    });
    let (read, ()) = tokio::join!(stdout.read_to_end(&mut received), writes);
    assert_eq!((read.unwrap(), received == sent), (sent.len(), true));
    assert_eq!(process.ended().await, "exit code 0");
}

#[tokio::test]
async fn a_server_has_a_session_of_its_own_and_three_descriptors() {
    let family = Family::named(&unique(), "");
    let script = "for number in /proc/$$/fd/*; do [ -e $number ] && printf '%s ' ${number##*/}; done; \
                  ps -o pid= -o pgid= -o sess= -p $$; printf '%s\\n' \"$CUFF_RUN\"; ( : </dev/tty ) 2>/dev/null && echo tty";
    let mut server = start("sh", &["-c", script], &family).await;
    let mut text = String::new();
    server.stdout.read_to_string(&mut text).await.unwrap();
    let words: Vec<_> = text.split_whitespace().collect();
    let ["0", "1", "2", pid, group, session, marker] = words[..] else { panic!("{text}") };
    assert_eq!((pid, pid), (group, session));
    assert!(!marker.is_empty(), "whatever it starts is inside a run");
}

#[tokio::test]
async fn a_dropped_server_hears_the_end_of_its_input_first() {
    let family = Family::named(&unique(), "");
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("note");
    let script = format!(
        "trap 'echo TERM >>{0}; exit' TERM; echo ready; while read line; do :; done; echo end >>{0}",
        note.display()
    );
    let server = ready(&script, &family).await;
    let StartedProgram { stdin, process, .. } = server;
    let took = dropped(process, &family, Duration::from_secs(2)).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(std::fs::read_to_string(note).unwrap(), "end\n");
    let mut stdin = stdin;
    assert!(stdin.write_all(b"more").await.is_err(), "whoever still holds the input finds it closed");
}

#[tokio::test]
async fn a_dropped_server_that_hears_nothing_is_terminated_after_its_grace() {
    let family = Family::named(&unique(), "");
    let server = ready("echo ready; while :; do sleep 0.05; done", &family).await;
    let took = dropped(server.process, &family, Duration::from_secs(4)).await;
    assert!(took >= Duration::from_secs(2), "{took:?}");
}

#[tokio::test]
async fn a_dropped_server_that_ignores_everything_is_killed_with_all_that_left_it() {
    let family = Family::named(&unique(), "");
    let server = ready(STUBBORN, &family).await;
    family.has(4);
    let took = dropped(server.process, &family, Duration::from_secs(6)).await;
    assert!(took >= Duration::from_secs(4), "{took:?}");
}

#[tokio::test]
async fn a_server_that_ends_by_itself_leaves_nothing() {
    for (end, words) in [("exit 3", "exit code 3"), ("kill -9 $$", "signal 9 (SIGKILL)")] {
        let family = Family::named(&unique(), "");
        let script = format!("sleep 60 & setsid sh -c 'setsid sleep 60 & sleep 60' & sleep 0.1; {end}");
        let mut server = start("sh", &["-c", &script], &family).await;
        assert_eq!(server.process.ended().await, words);
        gone_within(&family, Duration::from_secs(4)).await;
    }
}

#[tokio::test]
async fn a_server_whose_supervisor_was_killed_leaves_nothing() {
    let family = Family::named(&unique(), "");
    let mut server =
        ready(&STUBBORN.replace("echo ready", "echo ready; sleep 0.3; kill -9 $PPID"), &family).await;
    assert_eq!(server.process.ended().await, "its supervisor was killed");
    gone_within(&family, Duration::from_secs(2)).await;
}

#[test]
fn a_server_ends_when_the_runtime_does() {
    let family = Family::named(&unique(), "");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = runtime.block_on(ready(STUBBORN, &family));
    drop(runtime);
    family.dies_within(Duration::from_secs(2));
    drop(server);
}

#[tokio::test]
async fn a_server_that_cannot_start_is_reported_and_audited() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let state = root.join("state");
    let starter =
        starter(&root, &[("XDG_STATE_HOME", state.to_str().unwrap()), ("API_TOKEN", "s3cr3t-value")]);
    let refusal = async |command: Command| match starter.start("fake", command, uncontained()).await {
        Ok(_) => panic!("it was started"),
        Err(why) => why,
    };
    let program = |name: &str| Command::new(Word::settings(name));
    let path = Change::new("PATH", "/nowhere:/else", Origin::Settings);
    assert_eq!(
        refusal(program("no-such").environment([path])).await,
        "no-such is not installed, or not on the search path \"/nowhere:/else\""
    );
    assert_eq!(
        refusal(program("bin/server")).await,
        format!("bin/server does not exist, or is no program (seen from the folder {})", root.display())
    );
    assert_eq!(
        refusal(program("./server").directory("gone")).await,
        format!("The working directory {}/gone does not exist", root.display())
    );
    assert_eq!(
        refusal(program("sh").directory("gone")).await,
        format!("The working directory {}/gone does not exist", root.display())
    );
    let refused = refusal(program("sh").arguments([Word::settings("a\0b")])).await;
    assert!(refused.ends_with("is refused: Argument 1 contains a NUL character"), "{refused}");
    assert!(refusal(program("s3cr3t-value")).await.starts_with("[redacted:API_TOKEN] is not installed"));
    let log = audit(&state);
    assert_eq!(log.matches("\"caller\":\"upstream\"").count(), 6, "{log}");
    assert_eq!(log.matches("\"decision\":\"refused\"").count(), 1, "{log}");
    assert!(log.contains("a server that was approved: [redacted:API_TOKEN]"), "{log}");
}

/// Everything in the audit log below a folder of state.
fn audit(state: &Path) -> String {
    let files = crate::support::project::files_below(state).into_iter();
    let logs = files.filter(|file| file.extension().is_some_and(|extension| extension == "log"));
    logs.map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// Acts as a cuff that is killed: owns a server until then.
#[tokio::test]
#[ignore = "started by the tests below as a process of its own"]
async fn owner() {
    let Ok(name) = std::env::var("CUFF_TEST_OWNER") else { return };
    let family = Family::named(&name, "");
    let mut server = start("sh", &["-c", STUBBORN], &family).await;
    server.process.ended().await;
}

/// Starts a process that owns a server of this family.
fn owned(name: &str) -> std::process::Child {
    Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "runs::supervision::servers::owner", "--ignored"])
        .env("CUFF_TEST_OWNER", name)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn nothing_of_a_server_lives_two_seconds_after_cuff_was_killed() {
    let family = Family::named(&unique(), "");
    let mut owner = owned(&family.name);
    family.has(6);
    owner.kill().unwrap();
    let took = family.dies_within(Duration::from_secs(2));
    assert!(took > Duration::from_secs(1), "nobody was given time: {took:?}");
    owner.wait().unwrap();
}

#[test]
fn cuff_and_its_server_may_be_killed_at_any_moment_in_any_order() {
    let mut killed = Vec::new();
    for round in 0..24_u64 {
        let family = Family::named(&unique(), "");
        let mut owner = owned(&family.name);
        std::thread::sleep(Duration::from_millis(6 * round));
        // The process of the server is the oldest.
        let kill_server = || family.members().into_iter().min().map(|pid| kill(pid, Signal::SIGKILL));
        if round % 3 == 1 {
            kill_server();
        }
        owner.kill().unwrap();
        if round % 3 == 2 {
            kill_server();
        }
        killed.push((family, owner));
    }
    for (family, mut owner) in killed {
        family.dies_within(Duration::from_secs(2));
        owner.wait().unwrap();
    }
}
