//! The skill's commands in a session, by the scenarios of "Single Toolscript Skill", "Skill Composition" and
//! "Configuration Feedback".

use serde_json::{Value, json};

use super::session::{Session, library};

/// A session with a library.
fn session() -> Option<Session> {
    let session = Session::with(&json!({ "library": library(&[])? }));
    session.start("startup").succeeded();
    Some(session)
}

#[test]
fn list_all_servers() {
    let Some(session) = session() else { return };
    let run = session.toolscript(&["list-servers"]).succeeded();
    assert_eq!(run.stdout, "library  stdio  connected, 2 tools\n");
    let servers = session.toolscript(&["list-servers", "--json"]).succeeded().json();
    assert_eq!(servers["servers"][0]["name"], "library");
}

#[test]
fn list_tools_for_server() {
    let Some(session) = session() else { return };
    let run = session.toolscript(&["list-tools", "library"]).succeeded();
    assert!(run.stdout.contains("library.findBooks") && run.stdout.contains("Borrows a book"), "{run:?}");
    let run = session.toolscript(&["list-tools", "libary"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stderr.contains("there is no server `libary`") && run.stderr.contains("`library`"),
        "{run:?}"
    );
}

#[test]
fn get_tool_types() {
    let Some(session) = session() else { return };
    let run = session.toolscript(&["get-types", "--filter", "library__find_books"]).succeeded();
    assert!(run.stdout.contains("export function findBooks("), "{run:?}");
    assert!(!run.stdout.contains("borrowBook"), "{run:?}");
}

#[test]
fn execute_inline_code() {
    let Some(session) = session() else { return };
    let run = session.toolscript(&["exec", "const answer: number = 6 * 7; return answer"]).succeeded();
    assert_eq!(run.stdout, "42\n");
}

#[test]
fn execute_with_imports() {
    let Some(session) = session() else { return };
    let code = "import { tools } from 'toolscript'; import { findBooks } from 'toolscript/library';\n\
                const [one, two] = [await findBooks({ words: 'sea' }), await tools.library.findBooks({ words: 'moon' })];\n\
                return one.books.length + two.books.length";
    assert_eq!(session.toolscript(&["exec", code]).succeeded().stdout, "3\n");
    let run = session.toolscript(&["exec", "await tools.library.findBooks({ words: 5 })"]);
    assert_eq!(run.code, 64, "it is checked against the types: {run:?}");
}

#[test]
fn capture_output() {
    let Some(session) = session() else { return };
    let run = session.toolscript(&["exec", "console.log('out'); console.error('err')"]).succeeded();
    assert_eq!(run.stdout, "out\n");
    assert!(run.stderr.contains("err\n"), "{run:?}");
}

#[test]
fn handle_errors() {
    let Some(session) = session() else { return };
    let code = "function deep() {\n  throw new Error('too deep')\n}\ndeep()";
    let run = session.toolscript(&["exec", code]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("too deep") && run.stderr.contains("deep"), "{run:?}");
    assert!(run.stderr.contains("throw new Error('too deep')"), "its own line is shown: {run:?}");
    let shape = session.toolscript(&["exec", "--json", code]).json();
    assert!(!shape["error"]["stack"].as_array().unwrap().is_empty(), "{shape}");
    let run = session.toolscript(&["exec", "await tools.library.borrowBook({ id: 99, reader: 'Ada' })"]);
    assert!(run.code == 1 && run.stderr.contains("there is no book 99"), "{run:?}");
}

#[test]
fn discover_then_execute() {
    let Some(session) = session() else { return };
    let hits = session.toolscript(&["search", "find", "books", "--output", "json"]).succeeded().json();
    let function = hits["tools"][0]["function"].as_str().unwrap().to_owned();
    let types = session.toolscript(&["get-types", "--filter", &function]).succeeded().stdout;
    assert!(types.contains("words: string"), "{types}");
    let code = format!("return (await tools.{function}({{ words: 'moon' }})).books[0].title");
    assert_eq!(session.toolscript(&["exec", &code]).succeeded().stdout, "Moon Rivers\n");
}

#[test]
fn iterative_development() {
    let Some(session) = session() else { return };
    let run = session.toolscript(&["exec", "(globalThis as any).left = 1; throw new Error('first try')"]);
    assert_eq!(run.code, 1, "{run:?}");
    let run = session.toolscript(&["exec", "return typeof (globalThis as any).left"]).succeeded();
    assert_eq!(run.stdout, "undefined\n", "nothing of the first one is there");
}

#[test]
fn multi_step_workflows() {
    let Some(session) = session() else { return };
    session
        .toolscript(&["exec", "return (await tools.library.findBooks({ words: 'sea' })).books"])
        .succeeded();
    let code = "import { results } from 'toolscript'; return (await results.latest as unknown[]).length";
    assert_eq!(session.toolscript(&["exec", code]).succeeded().stdout, "2\n");
    // Also without the gateway, for it is the same session.
    let code = "import { results } from 'toolscript'; return await results.latest";
    assert_eq!(session.toolscript(&["exec", "--standalone", code]).succeeded().stdout, "2\n");
}

#[test]
fn missing_config_information() {
    let session = Session::new();
    session.start("startup").succeeded();
    for words in [&["list-servers"][..], &["list-tools"], &["search", "x"]] {
        let run = session.toolscript(words);
        assert!(run.stderr.contains(".toolscript.json"), "{words:?}: {run:?}");
    }
}

#[test]
fn skill_works_without_config() {
    let session = Session::new();
    session.start("startup").succeeded();
    let servers = session.toolscript(&["list-servers", "--json"]).succeeded().json();
    assert_eq!(servers["servers"], json!([]));
    assert_eq!(session.toolscript(&["exec", "return Object.keys(tools).length"]).succeeded().stdout, "0\n");
    session.toolscript(&["get-types"]).succeeded();
}

#[test]
fn invalid_server_config() {
    let Some(server) = library(&[]) else { return };
    let missing = json!({"command": "/no/such/program", "args": []});
    let session = Session::with(&json!({ "library": server, "broken": missing }));
    let run = session.start("startup").succeeded();
    assert!(run.stdout.contains("broken does not answer") && run.stdout.contains("2 tools"), "{run:?}");
    let run = session.toolscript(&["list-servers"]).succeeded();
    assert!(run.stderr.contains("/no/such/program") && run.stderr.contains("help: "), "{run:?}");
    // The other one works.
    session.toolscript(&["exec", "await tools.library.findBooks({ words: 'sea' })"]).succeeded();
}

#[test]
fn server_connectivity_test() {
    let Some(server) = library(&[]) else { return };
    let missing = json!({"command": "/no/such/program", "args": []});
    let session = Session::with(&json!({ "library": server, "broken": missing }));
    session.start("startup").succeeded();
    let status: Value = session.toolscript(&["status", "--json"]).succeeded().json();
    assert_eq!((&status["healthy"], &status["session"]), (&json!(true), &json!(session.id)));
    let of = |name: &str| {
        let all = status["servers"].as_array().unwrap();
        all.iter().find(|server| server["name"] == name).unwrap().clone()
    };
    assert_eq!(of("library")["state"], "connected");
    assert!(of("library")["connect_ms"].is_u64(), "it was tried");
    assert_eq!(of("broken")["state"], "down");
    assert!(of("broken")["error"].as_str().unwrap().contains("/no/such/program"));
}

#[test]
fn configuration_errors() {
    let Some(server) = library(&[]) else { return };
    let session = Session::new();
    let file = session.project.outside().join("home/.toolscript.json");
    std::fs::write(&file, json!({"mcpServers": {"library": server, "odd": {"url": 5}}}).to_string()).unwrap();
    let run = session.start("startup").succeeded();
    assert!(run.stdout.contains("2 tools"), "what is right works: {run:?}");
    assert!(run.stdout.contains("errors"), "{run:?}");
    let run = session.toolscript(&["list-servers"]).succeeded();
    assert!(run.stderr.contains("odd") && run.stderr.contains(".toolscript.json"), "{run:?}");

    // One that cannot be read at all takes nothing away but its servers, and is named.
    std::fs::write(&file, "{ this is no JSON").unwrap();
    let broken = session.another("broken-settings");
    broken.start("startup").succeeded();
    let run = broken.toolscript(&["list-servers"]);
    assert!(run.stderr.contains(".toolscript.json"), "{run:?}");
}
