//! Gateways that crash or do not answer, by the scenarios of the requirement "Error Recovery".

use std::fs;
use std::process::Command;

use serde_json::json;

use super::session::{Session, is_alive, library};

fn killed(session: &Session) -> String {
    let pid = session.pid();
    assert!(Command::new("kill").args(["-s", "KILL", &pid]).status().unwrap().success());
    Session::gone(&pid);
    pid
}

#[test]
fn gateway_crash_handling() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let pid = killed(&session);
    for words in [
        &["list-servers"][..],
        &["list-tools"],
        &["get-types"],
        &["search", "x"],
        &["exec", "return 1"],
        &["status"],
    ] {
        let run = session.toolscript(words);
        assert_eq!(run.code, 1, "{words:?}: {run:?}");
        assert!(
            run.stdout.is_empty() && run.stderr.contains("unhealthy: it crashed or was killed"),
            "{run:?}"
        );
        let help = format!("`toolscript gateway start --detach --session {}`", session.id);
        assert!(run.stderr.contains(&help), "{words:?}: {run:?}");
    }
    let status = session.toolscript(&["gateway", "status", "--json"]);
    assert_eq!((status.code, &status.json()["healthy"]), (1, &json!(false)));
    // Nothing started it again, and no process is left.
    assert_eq!(session.pid(), pid);
    crate::support::process::until("its servers are gone", || session.server_processes().is_empty());
}

#[test]
fn a_crash_is_respected_while_the_same_process_owns_the_session() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = killed(&session);
    for source in ["compact", "resume"] {
        let run = session.start(source).succeeded();
        assert_eq!(session.pid(), pid, "{source}: it is not started again");
        assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
        assert!(run.stdout.contains("has crashed") && run.stdout.contains("gateway start"), "{run:?}");
    }
    // Another process that resumes the session starts one.
    let mut record = session.record();
    record["owner"] = json!({"pid": 1, "started": 1});
    fs::write(session.file("json"), record.to_string()).unwrap();
    session.start("resume").succeeded();
    assert!(session.pid() != pid && is_alive(&session.pid()));
}

#[test]
fn a_person_starts_it_again_at_the_same_address() {
    let session = Session::new();
    session.start("startup").succeeded();
    let url = session.record()["url"].clone();
    let pid = killed(&session);
    let run = session.toolscript(&["gateway", "start", "--detach", "--session", &session.id]).succeeded();
    assert_eq!(run.stdout.trim(), url, "shells of the session know it already: {run:?}");
    assert!(session.pid() != pid && is_alive(&session.pid()));
    session.toolscript(&["list-servers"]).succeeded();
}

#[test]
fn network_errors() {
    let session = Session::new();
    session.start("startup").succeeded();
    let pid = session.pid();
    // It runs, and does not answer.
    assert!(Command::new("kill").args(["-s", "STOP", &pid]).status().unwrap().success());
    let run = session.toolscript(&["list-servers"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("unhealthy: it does not answer at http://127.0.0.1:"), "{run:?}");
    assert!(run.stderr.contains("gateway stop") && run.stderr.contains("gateway start"), "{run:?}");
    assert!(is_alive(&pid), "nothing was restarted");
}

#[test]
fn an_address_of_no_session_gets_no_token() {
    let session = Session::new();
    session.start("startup").succeeded();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let run = session.shell(&format!("TOOLSCRIPT_GATEWAY_URL={url} toolscript list-tools"));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("no session of yours has the address"), "{run:?}");
    assert!(listener.accept().is_err(), "nobody connected to it");
}

#[test]
fn a_gateway_of_a_session_is_started_once_in_the_foreground_too() {
    let session = Session::new();
    session.start("startup").succeeded();
    let run = session.toolscript(&["gateway", "start", "--session", &session.id]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("has a gateway already: http://127.0.0.1:"), "{run:?}");
    let run = session.toolscript(&["gateway", "start", "--host", "0.0.0.0"]);
    assert!(run.code == 64 && run.stderr.contains("other machines"), "{run:?}");
}
