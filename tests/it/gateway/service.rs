//! The gateway over HTTP: its paths, its rules of access, and types that are there before anybody asks.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::session::{Session, library};
use crate::support::http_server::{Answer, Endpoint};
use crate::support::process::until;

/// The longest time that an answer from memory may take on a busy machine; the budget is 2 ms.
const FROM_MEMORY: Duration = Duration::from_millis(25);

fn post(gateway: &Endpoint, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = gateway.head("POST", path, headers, body.len());
    request.extend(body.as_bytes());
    gateway.send(&request)
}

fn json_of(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{error}: {answer:?}"))
}

#[test]
fn every_path_answers() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let gateway = session.gateway();
    for path in
        ["/health", "/ready", "/status", "/servers", "/tools", "/types", "/runtime/tools.ts", "/metrics"]
    {
        assert_eq!(gateway.get(path, &[]).status, 200, "{path}");
    }
    let tools = json_of(&gateway.get("/tools", &[]));
    assert_eq!(tools["tools"][0]["name"], "library__find_books");
    assert_eq!(tools["tools"][0]["inputSchema"]["required"], json!(["words"]));
    let hits = json_of(&gateway.get("/search?q=borrow%20book&limit=1", &[]));
    assert_eq!(hits["tools"][0]["name"], "library__borrow_book");
    let types = gateway.get("/runtime/tools.ts?filter=library__borrow_book", &[]).body;
    assert!(types.contains("borrowBook") && !types.contains("findBooks"), "{types}");
    assert_eq!(gateway.get("/types?filter=libary", &[]).status, 404);
    let answer = json_of(&post(&gateway, "/tools/library__find_books", &[], r#"{"words":"sea"}"#));
    assert_eq!(answer["structuredContent"]["books"][0]["title"], "The Sea");
    assert_ne!(answer["isError"], true);
    let executed = json_of(&post(&gateway, "/exec", &[], r#"{"code":"return 6 * 7"}"#));
    assert_eq!((&executed["success"], &executed["result"]), (&json!(true), &json!(42)));
    let listing = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    assert!(post(&gateway, "/mcp", &[], &listing).body.contains("library__find_books"));
}

#[test]
fn a_tool_that_failed_says_so() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let gateway = session.gateway();
    let failed = json_of(&post(&gateway, "/tools/library__borrow_book", &[], r#"{"id":99,"reader":"Ada"}"#));
    assert_eq!(
        (&failed["isError"], &failed["content"][0]["text"]),
        (&json!(true), &json!("there is no book 99"))
    );
    for (path, body, status) in [
        ("/tools/library__find_books", "{}", 400),
        ("/tools/library__find_books", "[]", 400),
        ("/tools/library__find_books", "{", 400),
        ("/tools/library__nope", "{}", 404),
        ("/tools/%6Cibrary__find%5Fbooks", r#"{"words":"sea"}"#, 200),
        ("/tools/..%2F..%2Fstatus", "{}", 404),
        ("/exec", "{}", 400),
        ("/exec", r#"{"code":"return 1","sudo":true}"#, 400),
        ("/exec", r#"{"code":"return 1","timeout":999999}"#, 400),
    ] {
        let answer = post(&gateway, path, &[], body);
        assert_eq!(answer.status, status, "{path} {body}: {answer:?}");
        if status != 200 {
            assert!(json_of(&answer)["error"].is_string(), "{answer:?}");
        }
    }
}

#[test]
fn nobody_is_let_in_without_the_token_or_from_a_page() {
    let session = Session::new();
    session.start("startup").succeeded();
    let gateway = session.gateway();
    let stranger = Endpoint { address: gateway.address.clone(), token: None };
    for path in ["/status", "/servers", "/tools", "/types", "/runtime/tools.ts", "/search?q=a", "/metrics"] {
        assert_eq!(stranger.get(path, &[]).status, 401, "{path}");
        assert_eq!(gateway.get(path, &[("host", "evil.example.com")]).status, 403, "{path}");
        assert_eq!(gateway.get(path, &[("origin", "http://localhost:3000")]).status, 403, "{path}");
    }
    for path in ["/tools/a__b", "/exec", "/mcp"] {
        assert_eq!(post(&stranger, path, &[], "{}").status, 401, "{path}");
        assert_eq!(
            post(&gateway, path, &[("origin", "https://evil.example.com")], "{}").status,
            403,
            "{path}"
        );
    }
    // A form of a page can be posted anywhere.
    assert_eq!(post(&gateway, "/tools/a__b", &[("content-type", "text/plain")], "{}").status, 415);
    assert_eq!(post(&gateway, "/exec", &[("content-type", "text/plain")], r#"{"code":"1"}"#).status, 415);
    assert_eq!(gateway.get("/exec", &[]).status, 405);
    // These say nothing.
    assert_eq!(
        (stranger.get("/health", &[]).body, stranger.get("/ready", &[]).body),
        ("ok\n".into(), "ready\n".into())
    );
}

#[test]
fn gateway_runs_entire_session() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    // Its servers are connected before anybody asks for one.
    let servers = json_of(&session.gateway().get("/servers", &[]));
    assert_eq!(servers["servers"][0]["state"], "connected");
    let process = session.server_processes();
    for _ in 0..3 {
        session
            .toolscript(&["exec", "return (await tools.library.findBooks({ words: 'sea' })).books.length"])
            .succeeded();
    }
    assert_eq!(session.server_processes(), process, "one process serves the whole session");
}

#[test]
fn types_pre_generated() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    // The very first request has them all.
    let types = session.gateway().get("/types", &[]).body;
    assert!(
        types.contains("export function findBooks(input: FindBooksInput): Promise<FindBooksOutput>;"),
        "{types}"
    );
    assert!(types.contains("declare const tools"), "{types}");
}

#[test]
fn instant_type_access() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let gateway = session.gateway();
    let best = |path: &str| {
        let time = || {
            let begun = Instant::now();
            assert_eq!(gateway.get(path, &[]).status, 200);
            begun.elapsed()
        };
        (0..20).map(|_| time()).min().unwrap()
    };
    for path in ["/types", "/runtime/tools.ts?filter=library"] {
        assert!(best(path) < FROM_MEMORY, "{path}: {:?}", best(path));
    }
}

#[test]
fn types_follow_the_tools_of_a_server() {
    let session = Session::new();
    let mark = session.project.outside().join("changed");
    let Some(server) = library(&["change", &mark.display().to_string()]) else { return };
    // A tool that a server adds later is the user's to approve, unless the settings take it.
    session.servers(&json!({ "library": server }));
    session.start("startup").succeeded();
    let gateway = session.gateway();
    assert!(!gateway.get("/types", &[]).body.contains("returnBook"));
    fs::write(&mark, "").unwrap();
    until("the new tool is known", || {
        let status = json_of(&gateway.get("/status", &[]));
        status["servers"][0]["withheld_tools"] == 1
    });
    assert!(!gateway.get("/types", &[]).body.contains("returnBook"), "nobody has approved it");
    assert!(gateway.get("/types", &[]).body.contains("findBooks"), "the old ones are there meanwhile");
}

#[test]
fn types_follow_the_configuration() {
    let Some(server) = library(&[]) else { return };
    let session = Session::new();
    session.start("startup").succeeded();
    let gateway = session.gateway();
    assert!(!gateway.get("/types", &[]).body.contains("findBooks"));
    session.servers(&json!({ "library": server }));
    until("the server has joined", || gateway.get("/types", &[]).body.contains("findBooks"));
    fs::remove_file(session.project.outside().join("home/.toolscript.json")).unwrap();
    until("the server has gone", || !gateway.get("/types", &[]).body.contains("findBooks"));
}

#[test]
fn each_use_has_a_line_in_the_log_without_a_secret() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    session.toolscript(&["list-tools"]).succeeded();
    session.toolscript(&["exec", "return await tools.library.findBooks({ words: 'sea' })"]).succeeded();
    let log = session.log();
    for line in ["GET /tools status=200", "POST /exec status=200"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    assert!(!log.contains(session.record()["token"].as_str().unwrap()), "{log}");
}
