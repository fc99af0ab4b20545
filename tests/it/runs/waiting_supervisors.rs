//! Supervisors that wait for the next run of a server: each run starts as if its supervisor were a new one.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "what the tests set up themselves is there, and they read and signal it"
)]

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::process;
use crate::support::project::Project;
use crate::support::tools;

/// Prints the supervisor, the descriptors, the session, the signals that are blocked or ignored, and the mark of the run.
const STATE: &str = "echo supervisor $PPID\n\
    for number in /proc/$$/fd/*; do [ -e $number ] && printf '%s ' ${number##*/}; done\n\
    [ \"$(ps -o sess= -p $$ | tr -d ' ')\" = $$ ] && echo leads\n\
    sed -n 's/^Sig\\(Blk\\|Ign\\):\\t//p' /proc/self/status\n\
    readlink /proc/$$/fd/0; pwd; echo run $CUFF_RUN";

/// A server with a tool that prints its state, and others that do not end as it does.
fn session() -> (Project, McpSession) {
    let project = Project::empty();
    project.script("scripts/state.sh", format!("#!/bin/sh\n{STATE}\n"));
    project.script(
        "scripts/leaves.sh",
        "#!/bin/sh\necho supervisor $PPID\nsetsid sleep 60 >/dev/null 2>&1 &\nsleep 0.2\n",
    );
    project.script("scripts/fails.sh", "#!/no/such/interpreter\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*'], containment: 'off'}}}\n",
    );
    let session = McpSession::begun(&project, &["--expose", "tools"]);
    (project, session)
}

/// Calls a tool; its supervisor, and the other lines that it printed.
fn called(session: &mut McpSession, tool: &str) -> (Pid, Vec<String>) {
    let answer = session.call(&format!("scripts.script_scripts_{tool}"), &json!({}));
    let output = answer["structuredContent"]["data"]["stdout"].as_str().unwrap_or_default().to_owned();
    let mut lines = output.lines().map(str::to_owned);
    let first = lines.next().unwrap_or_default();
    let supervisor = first.strip_prefix("supervisor ").unwrap_or_else(|| panic!("{answer}"));
    (Pid::from_raw(supervisor.parse().unwrap()), lines.collect())
}

/// Calls the tool again after a moment in which its supervisor can begin to wait.
fn again(session: &mut McpSession) -> (Pid, Vec<String>) {
    std::thread::sleep(Duration::from_millis(100));
    called(session, "state")
}

#[test]
fn a_run_under_a_supervisor_that_waited_starts_as_the_first_did() {
    let (project, mut session) = session();
    let (first, mut state) = called(&mut session, "state");
    let folder = project.root().display().to_string();
    let mark = state.pop().unwrap();
    // The shell itself holds its script as 10. The C library ignores signals of its own in what this test spawns.
    let signals: Vec<u64> =
        state[1..3].iter().map(|set| u64::from_str_radix(set, 16).unwrap() & 0x7fff_ffff).collect();
    assert_eq!(
        (&*state[0], &*signals, &*state[3], &*state[4]),
        ("0 1 10 2 leads", &[0, 0][..], "/dev/null", &*folder)
    );
    for _ in 0..3 {
        let (supervisor, mut other) = again(&mut session);
        assert_eq!(supervisor, first, "it has waited");
        assert_ne!(other.pop().unwrap(), mark, "each run has a mark of its own");
        assert_eq!(other, state);
    }
    session.leave();
    process::until("the supervisor has ended", || kill(first, None).is_err());
}

#[test]
fn a_supervisor_that_ended_all_that_its_run_left_takes_the_next() {
    let (_project, mut session) = session();
    let (first, _) = called(&mut session, "leaves");
    let (second, _) = again(&mut session);
    assert_eq!(first, second);
    session.leave();
}

#[test]
fn a_supervisor_whose_run_was_cancelled_takes_no_other() {
    let (project, mut session) = session();
    project.script("scripts/sleeps.sh", "#!/bin/sh\necho $PPID >noted\nsleep 60\n");
    let call = session.begin("tools/call", json!({"name": "scripts.script_scripts_sleeps", "arguments": {}}));
    let noted = || std::fs::read_to_string(project.root().join("noted")).unwrap_or_default();
    process::until("the run has started", || noted().ends_with('\n'));
    session
        .say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}}));
    let first = Pid::from_raw(noted().trim().parse().unwrap());
    process::until("its supervisor has ended", || kill(first, None).is_err());
    assert_ne!(again(&mut session).0, first);
    session.leave();
}

#[test]
fn a_supervisor_that_its_run_has_changed_takes_no_other() {
    if tools::require("python3").is_none() {
        return;
    }
    let (project, mut session) = session();
    let (mut before, state) = called(&mut session, "state");
    for change in [
        "resource.prlimit(parent, resource.RLIMIT_NOFILE, (99, 99))",
        // The time of real-time processes, which Python has no name for.
        "resource.prlimit(parent, 15, (5000000, 5000000))",
        "os.setpriority(os.PRIO_PROCESS, parent, 5)",
        "rest = sorted(os.sched_getaffinity(0))[1:]; rest and os.sched_setaffinity(parent, rest); \
         rest or os.setpriority(0, parent, 6)",
        "os.sched_setscheduler(parent, os.SCHED_BATCH, os.sched_param(0))",
    ] {
        let text =
            format!("import os, resource\nparent = os.getppid()\nprint('supervisor', parent)\n{change}\n");
        project.script("scripts/attacks.py", text);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(called(&mut session, "attacks").0, before, "{change}");
        let (supervisor, now) = again(&mut session);
        assert_ne!(supervisor, before, "{change}");
        assert_eq!(now[..now.len() - 1], state[..state.len() - 1]);
        before = supervisor;
    }
    session.leave();
}

#[test]
fn a_supervisor_whose_run_never_started_takes_the_next() {
    let (_project, mut session) = session();
    let (first, _) = called(&mut session, "state");
    let failed = session.call("scripts.script_scripts_fails", &json!({}));
    assert_eq!(failed["isError"], true, "{failed}");
    assert_eq!(again(&mut session).0, first);
    session.leave();
}

#[test]
fn waiting_supervisors_may_be_stopped_and_killed() {
    let (_project, mut session) = session();
    let (first, state) = called(&mut session, "state");
    std::thread::sleep(Duration::from_millis(100));
    kill(first, Signal::SIGSTOP).unwrap();
    assert_eq!(again(&mut session).0, first, "it is woken");
    std::thread::sleep(Duration::from_millis(100));
    kill(first, Signal::SIGKILL).unwrap();
    let (second, other) = called(&mut session, "state");
    assert_ne!(first, second);
    assert_eq!(other[..other.len() - 1], state[..state.len() - 1]);
    session.leave();
}

#[test]
fn runs_at_the_same_time_have_supervisors_of_their_own() {
    let (project, mut session) = session();
    project.script("scripts/slow.sh", "#!/bin/sh\nsleep 0.3\necho $PPID\n");
    let calls: Vec<u32> = (0..4)
        .map(|_| session.begin("tools/call", json!({"name": "scripts.script_scripts_slow", "arguments": {}})))
        .collect();
    let mut supervisors: Vec<String> = Vec::new();
    for _ in &calls {
        let answer = session.hear_until(|message| message.get("result").is_some()).pop().unwrap();
        supervisors.push(
            answer["result"]["structuredContent"]["data"]["stdout"].as_str().unwrap().trim().to_owned(),
        );
    }
    supervisors.sort_unstable();
    supervisors.dedup();
    assert_eq!(supervisors.len(), 4, "{supervisors:?}");
    session.leave();
}
