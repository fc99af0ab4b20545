//! Many sessions, started and ended in any order and with kills.

use std::process::Command;
use std::thread;

use serde_json::json;

use super::session::{Session, is_alive, library};
use crate::support::process::until;

/// How many sessions there are, and how many begin at once.
const SESSIONS: usize = 50;
const AT_ONCE: usize = 5;

#[test]
fn fifty_sessions_leave_no_process_and_no_file() {
    let Some(server) = library(&[]) else { return };
    let base = Session::with(&json!({ "library": server }));
    let mut sessions: Vec<Session> =
        (0..SESSIONS).map(|number| base.another(&format!("crowd-{number:02}"))).collect();
    let mut pids = Vec::new();
    // A fixed shuffle: a failure can be seen again.
    let order = |at: usize| (at * 37 + 11) % SESSIONS;
    let mut begun = 0;
    while begun < SESSIONS {
        let batch = &sessions[begun..begun + AT_ONCE];
        thread::scope(|scope| {
            for session in batch {
                scope.spawn(|| session.start("startup").succeeded());
            }
        });
        for session in batch {
            pids.push(session.pid());
        }
        begun += AT_ONCE;
        // Some end while others begin: in order, killed, killed and resumed, ended twice.
        for at in
            (begun.saturating_sub(2 * AT_ONCE)..begun.saturating_sub(AT_ONCE)).map(|at| order(at) % begun)
        {
            let session = &sessions[at];
            match at % 4 {
                0 => drop(session.end().succeeded()),
                1 if session.file("pid").exists() => {
                    let pid = session.pid();
                    drop(Command::new("kill").args(["-s", "KILL", &pid]).status());
                    Session::gone(&pid);
                }
                2 => {
                    session.start("compact").succeeded();
                    pids.push(session.pid());
                }
                _ => {
                    session.end().succeeded();
                    session.end().succeeded();
                }
            }
        }
    }
    sessions.sort_by_key(|session| order(session.id[6..].parse().unwrap()));
    thread::scope(|scope| {
        for part in sessions.chunks(SESSIONS / 4) {
            scope.spawn(move || {
                for session in part {
                    session.end().succeeded();
                }
            });
        }
    });
    let left: Vec<&String> = pids.iter().filter(|pid| is_alive(pid)).collect();
    assert!(left.is_empty(), "gateways that live: {left:?}");
    assert!(base.files().is_empty(), "{:?}", base.files());
    until("no server is left", || base.server_processes().is_empty());
}
