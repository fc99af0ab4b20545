//! Sessions beside each other, by the scenarios of the requirement "Session Isolation".

use serde_json::json;

use super::session::{Session, is_alive, library};
use crate::support::http_server::Endpoint;
use crate::support::process::until;

#[test]
fn multiple_sessions() {
    let Some(server) = library(&[]) else { return };
    let one = Session::with(&json!({ "library": server }));
    let two = one.another("second-session");
    one.start("startup").succeeded();
    two.start("startup").succeeded();
    assert_ne!((one.pid(), one.gateway().address), (two.pid(), two.gateway().address));
    // The second knows the tools already, so it answers before its server has started.
    until("each has its own server", || one.server_processes().len() == 2);
    for session in [&one, &two] {
        assert_eq!(session.toolscript(&["status", "--json"]).json()["session"], session.id.as_str());
    }
    one.end().succeeded();
    assert!(is_alive(&two.pid()), "the other one goes on");
    two.toolscript(&["exec", "await tools.library.findBooks({ words: 'sea' })"]).succeeded();
}

#[test]
fn session_id_tracking() {
    let session = Session::new();
    session.start("startup").succeeded();
    assert_eq!(session.record()["session"], session.id.as_str());
    assert!(session.file("pid").exists(), "the files have its name: {:?}", session.files());
    let status = session.gateway().get("/status", &[]).body;
    assert!(status.contains(&session.id), "{status}");
}

#[test]
fn prevent_cross_session_access() {
    let Some(server) = library(&[]) else { return };
    let one = Session::with(&json!({ "library": server }));
    let two = one.another("second-session");
    one.start("startup").succeeded();
    two.start("startup").succeeded();
    // The token of one opens no other.
    let wrong = Endpoint { address: two.gateway().address, token: one.gateway().token };
    assert_eq!(wrong.get("/tools", &[]).status, 401);
    // A program has no way to any gateway, not even to its own, and cannot see where one is.
    let url = two.record()["url"].as_str().unwrap().to_owned();
    for code in [
        format!("return await fetch('{url}/health')"),
        format!("return new WebSocket('{url}')"),
        "return process.env.TOOLSCRIPT_GATEWAY_URL".to_owned(),
        "return require('http')".to_owned(),
        "import http from 'node:http'; return http".to_owned(),
        format!("return await import('{url}/types')"),
    ] {
        for extra in [&[][..], &["--standalone"]] {
            let words: Vec<&str> = ["exec"].iter().chain(extra).copied().chain([code.as_str()]).collect();
            let run = one.toolscript(&words);
            assert!(run.code != 0 && run.stdout.is_empty(), "{code}: {run:?}");
        }
    }
    // Results of one are none of the other's.
    one.toolscript(&["exec", "return 'of one'"]).succeeded();
    let code = "import { results } from 'toolscript'; return await results.latest ?? null";
    let run = two.toolscript(&["exec", code]);
    assert!(!run.stdout.contains("of one"), "{run:?}");
}

/// An agent's commands reach the gateway of their own session, whatever they name.
#[test]
fn an_agents_commands_reach_no_other_session_and_people_end_any() {
    let one = Session::new();
    let two = one.another("second-session");
    one.start("startup").succeeded();
    two.start("startup").succeeded();
    one.toolscript(&["exec", "return 'of one'"]).succeeded();
    let url = one.record()["url"].as_str().unwrap().to_owned();
    let refused = "that gateway is another session's";
    for (line, said) in [
        (format!("TOOLSCRIPT_GATEWAY_URL={url} toolscript exec 'return 1'"), "that of another session"),
        (format!("TOOLSCRIPT_GATEWAY_URL={url} toolscript gateway status"), "that of another session"),
        (format!("TOOLSCRIPT_GATEWAY_URL={url} toolscript gateway stop"), refused),
        (format!("toolscript gateway stop --session {}", one.id), refused),
        (format!("toolscript gateway status --session {}", one.id), refused),
        (format!("toolscript gateway start --detach --session {}", one.id), refused),
    ] {
        let run = two.shell(&format!("export CLAUDECODE=1; {line}"));
        assert!(run.code != 0 && run.stderr.contains(said), "{line}: {run:?}");
    }
    let listed = two.shell("CLAUDECODE=1 toolscript gateway list").succeeded().stdout;
    assert!(listed.contains(&two.id) && !listed.contains(&one.id), "{listed}");
    // Another id in the environment does not help: this process is not below the owner of that session.
    let mut record = one.record();
    record["owner"] = json!({"pid": 1, "started": 1});
    std::fs::write(one.file("json"), record.to_string()).unwrap();
    let line =
        format!("CLAUDECODE=1 CLAUDE_CODE_SESSION_ID={} toolscript gateway stop --session {0}", one.id);
    assert!(two.shell(&line).stderr.contains(refused));
    let event = one.event("SessionEnd", &json!({}));
    let line = format!("printf %s '{event}' | CLAUDECODE=1 toolscript hook session-end");
    two.shell(&line);
    two.shell("CLAUDECODE=1 toolscript gateway stop --all").succeeded();
    assert!(is_alive(&one.pid()), "only its own has ended");
    assert!(!two.file("json").exists());
    // A person ends any.
    one.shell("env -u CLAUDE_CODE_SESSION_ID toolscript gateway stop --all").succeeded();
    assert!(!one.file("json").exists());
}

#[test]
fn a_tool_does_not_execute_programs_through_the_gateway() {
    let session = Session::of(crate::support::project::Project::empty().inside_a_run(), "inside-a-run");
    // The gateway is outside of the run; the command that asks it is inside.
    let outside = Session::of(crate::support::project::Project::at(&session.project), "inside-a-run");
    let mut command = outside.hook_command("session-start");
    command.env_remove("CUFF_RUN");
    let event = outside.event("SessionStart", &json!({"source": "startup"}));
    super::session::feed(command, &event).succeeded();
    let run = session.toolscript(&["exec", "return 1"]);
    assert!(run.code != 0 && run.stderr.contains("inside a run"), "{run:?}");
}
