//! Processes that outlive a run: only those that left on purpose when it ended by itself.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cuff::model::Leftovers;
use cuff::sys::process::{Job, ProcessEnd, Running};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{FAMILY, Seen, complete, shell, start, unique};
use crate::support::process::until;

/// A shell job whose processes can be found anywhere.
pub(super) struct Family {
    pub(super) name: String,
    job: Job,
}

impl Family {
    pub(super) fn new(script: &str) -> Self {
        Self::named(&unique(), script)
    }

    pub(super) fn named(name: &str, script: &str) -> Self {
        let environment = vec![(FAMILY.into(), name.into())];
        Self { name: name.into(), job: Job { environment, ..shell(script, &[]) } }
    }

    /// The living processes of the family. Zombies have no environment any more.
    pub(super) fn members(&self) -> Vec<Pid> {
        let marker = format!("{FAMILY}={}", self.name);
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let path = entry.unwrap().path();
            let pid: i32 = path.file_name()?.to_str()?.parse().ok()?;
            let variables = fs::read(path.join("environ")).ok()?;
            variables.split(|byte| *byte == 0).any(|v| v == marker.as_bytes()).then(|| Pid::from_raw(pid))
        });
        processes.collect()
    }

    /// Starts the job and waits until its first process printed `ready`.
    async fn ready(&self) -> (Running, Seen) {
        let mut running = start(&self.job).await;
        let mut seen = Seen::default();
        seen.watch(&mut running, |seen| seen.out.ends_with(b"ready\n")).await;
        (running, seen)
    }

    /// Waits until so many live. One that is about to execute its program has no environment for a moment.
    pub(super) fn has(&self, count: usize) {
        until(&format!("{count} processes live"), || self.members().len() >= count);
    }

    /// Waits until no process lives, and returns the time that it took.
    pub(super) fn dies_within(&self, limit: Duration) -> Duration {
        let begun = Instant::now();
        while !self.members().is_empty() {
            assert!(begun.elapsed() < limit, "{:?} live after {limit:?}", self.members());
            std::thread::sleep(Duration::from_millis(10));
        }
        begun.elapsed()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        for pid in self.members() {
            let _ = kill(pid, Signal::SIGKILL);
        }
    }
}

const NONE: Option<Leftovers> = Some(Leftovers { killed: 0, detached: 0 });

#[tokio::test]
async fn a_polite_process_says_goodbye() {
    // Short sleeps: a fork of the shell that gets the signal before it has become `sleep` loses it.
    let family = Family::new("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
    let (mut running, seen) = family.ready().await;
    let begun = Instant::now();
    running.stop();
    let seen = seen.finish(&mut running).await;
    assert_eq!((seen.out(), seen.end, seen.left), ("ready\nbye\n", Some(ProcessEnd::Exited(7)), NONE));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(family.members().is_empty());
}

#[tokio::test]
async fn a_deaf_process_is_killed_after_its_grace_with_all_that_left_it() {
    // In the group; in a session of its own; forked twice into one; without the environment it is known by.
    let family = Family::new(
        "trap '' TERM; sleep 60 & setsid sleep 60 & setsid sh -c 'setsid sleep 60 & exit' & \
         env -i setsid sh -c 'echo $$; exec sleep 60' & sleep 0.1; echo ready; \
         while :; do sleep 1; done",
    );
    let (mut running, seen) = family.ready().await;
    family.has(4);
    let begun = Instant::now();
    running.stop();
    let seen = seen.finish(&mut running).await;
    assert_eq!((seen.end, seen.left), (Some(ProcessEnd::Signalled(9)), NONE));
    let took = begun.elapsed();
    assert!((Duration::from_secs(2)..Duration::from_secs(4)).contains(&took), "{took:?}");
    assert!(family.members().is_empty(), "{:?}", family.members());
    let unmarked: i32 = seen.out().lines().next().unwrap().parse().unwrap();
    assert!(kill(Pid::from_raw(unmarked), None).is_err());
}

#[tokio::test]
async fn the_rest_of_the_group_may_flush() {
    let family = Family::new("(sleep 0.2; echo late) & exit 3");
    let seen = complete(&family.job).await;
    assert_eq!((seen.out(), seen.end, seen.left), ("late\n", Some(ProcessEnd::Exited(3)), NONE));
}

#[tokio::test]
async fn processes_left_in_the_group_end_with_the_run() {
    // The second is a job of its own group, in the same session.
    let family = Family::new("sleep 60 & set -m; sleep 60 & echo done");
    let begun = Instant::now();
    let seen = complete(&family.job).await;
    assert_eq!((seen.out(), seen.end), ("done\n", Some(ProcessEnd::Exited(0))));
    assert_eq!(seen.left, Some(Leftovers { killed: 2, detached: 0 }));
    assert!(begun.elapsed() < Duration::from_millis(2400), "{:?}", begun.elapsed());
    assert!(family.members().is_empty());
}

#[tokio::test]
async fn processes_left_in_the_group_that_ignore_term_are_killed() {
    let family = Family::new("(trap '' TERM; while :; do sleep 1; done) & echo done");
    let seen = complete(&family.job).await;
    assert_eq!(seen.end, Some(ProcessEnd::Exited(0)));
    assert!(seen.left.is_some_and(|left| left.killed >= 1), "{seen:?}");
    assert!(family.members().is_empty());
}

#[tokio::test]
async fn daemons_on_purpose_are_left_alone_when_the_run_ends_by_itself() {
    let family = Family::new("setsid sleep 60 & setsid sh -c 'setsid sleep 60 &'; sleep 0.1; exit 0");
    let mut running = start(&family.job).await;
    let mut seen = Seen::default();
    let begun = Instant::now();
    // The pipes stay open: their end does not come.
    seen.watch(&mut running, |seen| seen.left.is_some()).await;
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(
        (seen.end, seen.left),
        (Some(ProcessEnd::Exited(0)), Some(Leftovers { killed: 0, detached: 2 }))
    );
    drop(running);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(family.members().len(), 2, "a run that is over is dropped without harm");
}

#[tokio::test]
async fn a_stop_after_the_end_takes_the_daemons_too() {
    let family = Family::new("setsid sleep 60 & sleep 60 & sleep 0.1; exit 0");
    let mut running = start(&family.job).await;
    let mut seen = Seen::default();
    seen.watch(&mut running, |seen| seen.end.is_some()).await;
    running.stop();
    let seen = seen.finish(&mut running).await;
    assert_eq!((seen.end, seen.left), (Some(ProcessEnd::Exited(0)), NONE));
    assert!(family.members().is_empty());
}

#[tokio::test]
async fn processes_that_fork_while_dying_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    let (tree, chain) = (folder.path().join("tree.sh"), folder.path().join("chain.sh"));
    // Each has two children in sessions of their own; on TERM, each leaves one more behind.
    fs::write(
        &tree,
        "trap 'setsid sleep 60 &' TERM\n[ $1 -gt 0 ] || exec sleep 60\n\
         setsid sh $0 $(($1 - 1)) &\nsetsid sh $0 $(($1 - 1)) &\nwhile :; do wait; done\n",
    )
    .unwrap();
    // Each ends as soon as it has a successor.
    fs::write(&chain, "trap '' TERM\n[ $1 -gt 0 ] || exit\nsleep 0.01\nsetsid sh $0 $(($1 - 1)) &\nexit\n")
        .unwrap();
    let script =
        format!("sh {} 4 & sh {} 2000 & echo ready; wait; sleep 60", tree.display(), chain.display());
    let family = Family::new(&script);
    let (mut running, seen) = family.ready().await;
    family.has(10);
    let begun = Instant::now();
    running.stop();
    let seen = seen.finish(&mut running).await;
    assert_eq!(seen.left, NONE);
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert!(family.members().is_empty(), "{:?}", family.members());
}

#[tokio::test]
async fn a_run_that_is_dropped_is_ended() {
    let family = Family::new("trap '' TERM; setsid sleep 60 & echo ready; while :; do sleep 1; done");
    let (running, _) = family.ready().await;
    drop(running);
    family.dies_within(Duration::from_secs(2));
}

#[tokio::test]
async fn a_killed_supervisor_takes_everything_with_it() {
    let family = Family::new("setsid sleep 60 & sleep 60 & sleep 0.1; kill -9 $PPID; sleep 60");
    let seen = complete(&family.job).await;
    assert!(seen.lost);
    assert_eq!((seen.end, seen.left), (None, None));
    assert!(family.members().is_empty(), "{:?}", family.members());
}

/// Only its descent shows the run that a process belongs to.
#[tokio::test]
async fn a_killed_supervisor_takes_those_with_it_that_have_taken_off_all_marks() {
    let name = unique();
    let sleeper = format!("exec -a sleeper-{name} sleep 60");
    let script = "env -i setsid bash -c \"$1\" & sleep 0.2; echo ready; sleep 0.2; kill -9 $PPID; sleep 60";
    let lives = || {
        let found = Command::new("pgrep").args(["-f", &format!("^sleeper-{name}")]).output().unwrap();
        !found.stdout.is_empty()
    };
    let mut running = start(&shell(script, &[&sleeper])).await;
    let mut seen = Seen::default();
    seen.watch(&mut running, |seen| seen.out() == "ready\n").await;
    assert!(lives());
    assert!(seen.finish(&mut running).await.lost);
    until("it is gone", || !lives());
}

#[tokio::test]
async fn a_supervisor_that_does_not_answer_can_be_abandoned() {
    let family = Family::new("setsid sleep 60 & sleep 0.1; kill -STOP $PPID; echo ready; sleep 60");
    let (mut running, seen) = family.ready().await;
    // A stop would wake it first.
    running.abandon();
    assert!(seen.finish(&mut running).await.lost);
    assert!(family.members().is_empty(), "{:?}", family.members());
}

#[tokio::test]
async fn no_supervisor_is_left_as_a_zombie() {
    let mut running = start(&shell("echo $PPID", &[])).await;
    let seen = Seen::default().finish(&mut running).await;
    drop(running);
    let supervisor = format!("/proc/{}", seen.out().trim());
    let begun = Instant::now();
    while fs::exists(&supervisor).unwrap() {
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "{}",
            fs::read_to_string(supervisor + "/stat").unwrap()
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_supervisor_that_the_tool_stopped_is_woken_for_the_end() {
    let family = Family::new("setsid sleep 60 & kill -STOP $PPID; echo ready; sleep 60");
    let (mut running, seen) = family.ready().await;
    let begun = Instant::now();
    running.stop();
    let seen = seen.finish(&mut running).await;
    assert_eq!((seen.end, seen.lost), (Some(ProcessEnd::Signalled(15)), false));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(family.members().is_empty(), "{:?}", family.members());
}

/// Acts as a cuff that is killed: owns a run until then.
#[tokio::test]
#[ignore = "started by the test below as a process of its own"]
async fn owner() {
    let Ok(name) = std::env::var("CUFF_TEST_OWNER") else { return };
    let family = Family::named(&name, &std::env::var("CUFF_TEST_SCRIPT").unwrap());
    Seen::default().finish(&mut start(&family.job).await).await;
}

/// How long a family of so many outlives the cuff that owns it, which is killed.
fn outlives_cuff(script: &str, members: usize) -> Duration {
    let name = unique();
    let family = Family::named(&name, "");
    let mut owner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "runs::supervision::survivors::owner", "--ignored"])
        .env("CUFF_TEST_OWNER", &name)
        .env("CUFF_TEST_SCRIPT", script)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    family.has(members);
    owner.kill().unwrap();
    let took = family.dies_within(Duration::from_secs(2));
    owner.wait().unwrap();
    took
}

#[test]
fn nothing_lives_two_seconds_after_cuff_was_killed() {
    let took = outlives_cuff(
        "trap '' TERM; sleep 60 & setsid sh -c 'setsid sleep 60 & trap \"\" TERM; while :; do sleep 1; done' & \
         while :; do sleep 1; done",
        6,
    );
    assert!(took > Duration::from_millis(500), "nobody was given time: {took:?}");
}

#[test]
fn nothing_lives_after_cuff_was_killed_with_a_stopped_supervisor() {
    outlives_cuff("setsid sleep 60 & sleep 60 & kill -STOP $PPID; sleep 60", 4);
}

/// Killed at any moment: before its supervisor lives, while it starts the tool, while the tool makes children.
#[test]
fn cuff_may_be_killed_at_any_moment() {
    let family = Family::named(&unique(), "");
    let project = crate::support::project::Project::empty().variable(FAMILY, &family.name);
    let script = "#!/bin/sh\ntrap '' TERM\nwhile :; do setsid sleep 60 & sleep 0.01; done\n";
    project.script("scripts/breed.sh", script);
    let mut killed = Vec::new();
    for round in 0..20 {
        let mut command = project.command(["scripts", "run", "scripts/breed.sh"]);
        let mut cuff = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(4 * round));
        cuff.kill().unwrap();
        killed.push(cuff);
    }
    family.dies_within(Duration::from_secs(2));
    for mut cuff in killed {
        assert!(!cuff.wait().unwrap().success());
    }
}
