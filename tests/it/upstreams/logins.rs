//! Logins at a server over HTTP: OAuth from the first refusal to the last token taken back.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run, files_below};
use crate::support::tools;

/// An MCP server that wants a login, and its authorization server; killed with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(options: &Value) -> Option<Self> {
        let python = tools::require("python3")?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/upstreams/oauth_server.py");
        let mut command = Command::new(python);
        command.arg(script).arg(options.to_string()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Some(Self { process, address: line.trim().to_owned() })
    }

    fn ask(&self, method: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address.trim_start_matches("http://")).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// All that was asked of one kind.
    fn log(&self, what: &str) -> Vec<Value> {
        let log: Vec<Value> = serde_json::from_str(&self.ask("GET", "/log")).unwrap();
        log.into_iter().filter(|entry| entry["what"] == what).collect()
    }

    /// Makes all access tokens worthless.
    fn expire(&self) {
        self.ask("POST", "/expire");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// A project with this server, which its person has approved, and a browser that says yes at once.
fn project(server: &Server) -> Project {
    let project = Project::empty();
    name(&project, &server.address, "");
    let browser =
        "#!/usr/bin/env python3\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1]).read()\n";
    project.script("bin/xdg-open", browser);
    project.script("bin/open", browser);
    let path = format!("{}:{}", project.root().join("bin").display(), tools::path().into_string().unwrap());
    let project = project.variable("PATH", path).variable("DISPLAY", ":0");
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    project
}

/// Writes settings that name a server.
fn name(project: &Project, address: &str, more: &str) {
    let text = format!("version: '1'\nplugins:\n  wiki: {{type: mcp, url: '{address}/mcp'{more}}}\n");
    project.write("settings.yml", text);
}

fn login(project: &Project) {
    let shown = project.at_terminal(120, &[], &["mcp", "login", "wiki"]).succeeded();
    assert!(shown.text.contains("Logged in to `wiki` at http://127.0.0.1:"), "{}", shown.text);
}

fn call(project: &Project) -> Run {
    project.cuff(["run", "wiki.echo"])
}

/// The files with logins.
fn logins(project: &Project) -> Vec<std::path::PathBuf> {
    let mut files = files_below(&project.outside().join("home/state/cuff/logins"));
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files
}

#[test]
fn a_server_that_wants_a_login_is_named_everywhere_with_the_way_to_log_in() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    let run = call(&project).ended_with(127);
    let down = "the server wiki is down: it needs a login (HTTP 401): run `cuff mcp login wiki`";
    assert!(run.stderr.contains(down), "{run:?}");
    let test = project.cuff(["mcp", "test"]).ended_with(1);
    assert_eq!(test.stdout, "wiki  needs a login: `cuff mcp login wiki`\n");
    let json = project.cuff(["mcp", "test", "--json"]).ended_with(1).json();
    assert_eq!(json["servers"], json!([{"name": "wiki", "transport": "http", "state": "needs_login"}]));
    for (words, said) in [
        (&["list"][..], "wiki: the MCP server wiki needs a login\nhelp: `cuff mcp login wiki`"),
        (&["status"], "wiki       MCP server, needs a login: `cuff mcp login wiki`"),
        (&["doctor"], "WARN  wiki: the MCP server wiki needs a login\n      `cuff mcp login wiki`"),
        (&["mcp", "list"], "needs `cuff mcp login`"),
    ] {
        let run = project.cuff(words);
        let output = format!("{}{}", run.stdout, run.stderr);
        assert!(output.contains(said), "{words:?}: {output}");
        assert_eq!(output.matches("needs").count(), 1, "{words:?}: {output}");
    }
    assert!(server.log("authorize").is_empty() && server.log("register").is_empty());
    login(&project);
    assert!(
        project.cuff(["mcp", "test"]).succeeded().stdout.contains("works: http, protocol 2025-11-25, wiki 1")
    );
    assert!(!project.cuff(["status"]).stdout.contains("login"));
}

#[test]
fn only_a_person_at_a_terminal_logs_in() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    let asked = server.log("mcp").len();
    let alone = project.cuff(["mcp", "login", "wiki"]).ended_with(126);
    let said = "error: only a person at a terminal can log in to a server";
    assert!(alone.stderr.contains(said) && alone.stderr.contains("headers: {Authorization: "), "{alone:?}");
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    let shown = agent.at_terminal(120, &[], &["mcp", "login", "wiki"]);
    assert_eq!(shown.code, 126, "{}", shown.text);
    agent.cuff(["mcp", "logout", "wiki"]).ended_with(126);
    Project::at(&project).inside_a_run().cuff(["mcp", "logout", "wiki"]).ended_with(126);
    assert!(server.log("authorize").is_empty() && server.log("mcp").len() == asked);
}

#[test]
fn a_login_has_all_that_the_specification_wants_and_nobody_sees_its_tokens() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    login(&project);
    let resource = json!(format!("{}/mcp", server.address));
    let (authorize, token, register) = (server.log("authorize"), server.log("token"), server.log("register"));
    assert_eq!((authorize.len(), token.len(), register.len()), (1, 1, 1));
    assert_eq!((&authorize[0]["resource"], &token[0]["resource"]), (&resource, &resource));
    assert_eq!(authorize[0]["scope"], "read");
    assert_eq!(authorize[0]["redirect_uri"], register[0]["redirect_uris"][0]);
    assert_eq!(register[0]["application_type"], "native");

    let run = call(&project).succeeded();
    assert_eq!(run.stdout, "called echo with [redacted:LOGIN]\n");
    let json = project.cuff(["run", "wiki.echo", "--json"]).succeeded();
    let files = logins(&project);
    let [file] = &files[..] else { panic!("{files:?}") };
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    let kept: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    for key in ["access_token", "refresh_token"] {
        let token = kept["login"][key].as_str().unwrap();
        for run in [&run, &json, &project.cuff(["audit"]), &project.cuff(["runs", "show", "--json"])] {
            assert!(!format!("{run:?}").contains(token), "{run:?}");
        }
        let everywhere = files_below(&project.outside());
        let others = everywhere.iter().filter(|other| *other != file);
        let has = |other: &&std::path::PathBuf| {
            let bytes = fs::read(other).unwrap_or_default();
            memchr::memmem::find(&bytes, token.as_bytes()).is_some()
        };
        assert_eq!(others.filter(has).count(), 0, "{key}");
    }
    // Each session is ended, with the token.
    let ended = server.log("delete");
    assert!(!ended.is_empty() && ended.iter().all(|one| one["session"].is_string()), "{ended:?}");
    assert!(ended.iter().all(|one| one["authorization"].as_str().unwrap().starts_with("Bearer access-")));
}

#[test]
fn two_calls_that_renew_at_once_use_one_refresh_token() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    login(&project);
    call(&project).succeeded();
    for _ in 0..2 {
        let before = server.log("token").len();
        server.expire();
        thread::scope(|scope| {
            let calls: Vec<_> = (0..3).map(|_| scope.spawn(|| call(&project))).collect();
            for call in calls {
                call.join().unwrap().succeeded();
            }
        });
        let renewed = server.log("token").split_off(before);
        assert_eq!(renewed.len(), 1, "{renewed:?}");
        assert_eq!(renewed[0]["grant_type"], "refresh_token");
        assert_eq!(renewed[0]["resource"], format!("{}/mcp", server.address));
    }

    // A token that is known to have ended is renewed before it is sent.
    let Some(short) = Server::start(&json!({"lifetime": 1})) else { return };
    let project = self::project(&short);
    login(&project);
    call(&project).succeeded();
    thread::sleep(std::time::Duration::from_millis(1100));
    let before = short.log("mcp").len();
    call(&project).succeeded();
    let sent = short.log("mcp").split_off(before);
    assert!(sent.iter().all(|one| one["authorization"].is_string()), "{sent:?}");
    assert!(short.log("token").len() > 1);
}

#[test]
fn a_token_is_for_one_name_and_address() {
    let (Some(server), Some(other)) = (Server::start(&json!({})), Server::start(&json!({}))) else { return };
    let project = project(&server);
    login(&project);
    name(&project, &other.address, "");
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    call(&project).ended_with(127);
    let asked = other.log("mcp");
    assert!(!asked.is_empty() && asked.iter().all(|one| one["authorization"].is_null()), "{asked:?}");

    // A header of the settings is all that is sent, and nobody logs in beside it.
    name(&project, &other.address, ", headers: {Authorization: Bearer mine}");
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let run = call(&project).ended_with(127);
    let refused = "it refuses the `Authorization` of its `headers` in settings.yml (HTTP 401)";
    assert!(run.stderr.contains(refused), "{run:?}");
    assert_eq!(other.log("mcp").last().unwrap()["authorization"], "Bearer mine");
    let shown = project.at_terminal(120, &[], &["mcp", "login", "wiki"]);
    assert!(
        shown.code == 1 && shown.text.contains("`headers` have an `Authorization` already"),
        "{}",
        shown.text
    );
}

#[test]
fn a_call_that_needs_more_rights_says_so_and_the_next_login_asks_for_them() {
    let Some(server) = Server::start(&json!({"public": true})) else { return };
    let project = project(&server);
    call(&project).succeeded();
    let run = project.cuff(["run", "wiki.admin"]);
    assert_ne!(run.code, 0);
    let needed = "it needs a login (HTTP 401): run `cuff mcp login wiki`";
    assert!(run.stderr.contains(needed), "{run:?}");
    login(&project);
    let run = project.cuff(["run", "wiki.admin"]);
    let more = "this needs more rights than the login has (HTTP 403, admin): run `cuff mcp login wiki` again";
    assert!(run.code != 0 && run.stderr.contains(more), "{run:?}");
    login(&project);
    assert_eq!(server.log("authorize").last().unwrap()["scope"], "admin read");
    project.cuff(["run", "wiki.admin"]).succeeded();
    let registered = server.log("register");
    assert_eq!(registered.len(), 1, "the client is registered once: {registered:?}");
}

#[test]
fn logging_out_revokes_the_tokens() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    login(&project);
    let run = project.cuff(["mcp", "logout", "wiki"]).succeeded();
    assert_eq!(run.stdout, format!("Logged out of `wiki` at {}\n", server.address));
    let revoked: Vec<_> = server.log("revoke").iter().map(|one| one["token_type_hint"].clone()).collect();
    assert_eq!(revoked, ["refresh_token", "access_token"]);
    assert!(logins(&project).is_empty());
    call(&project).ended_with(127);
    let again = project.cuff(["mcp", "logout", "wiki"]).succeeded();
    assert!(again.stderr.contains("there is no login at `wiki`"), "{again:?}");

    // Also where the settings name the server no more, and where it is gone.
    login(&project);
    project.write("settings.yml", "version: '1'\nplugins: {}\n");
    drop(server);
    let run = project.cuff(["mcp", "logout", "wiki"]).succeeded();
    assert!(run.stdout.contains("Logged out of `wiki`"), "{run:?}");
    assert!(
        run.stderr.contains("the tokens are removed here, and may count there until they end"),
        "{run:?}"
    );
    assert!(logins(&project).is_empty());
}

#[test]
fn a_refused_login_leaves_nobody_logged_in() {
    let Some(server) = Server::start(&json!({"deny": true})) else { return };
    let project = project(&server);
    let shown = project.at_terminal(120, &[], &["mcp", "login", "wiki"]);
    let said = format!("cuff cannot log in to `wiki`: {} says access_denied", server.address);
    assert!(shown.code == 1 && shown.text.contains(&said), "{}", shown.text);
    assert!(server.log("token").is_empty());
}

#[test]
fn an_issuer_of_the_settings_holds_for_logins_and_for_calls() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    let named = |issuer: &str| {
        name(&project, &server.address, &format!(", oauth: {{issuer: '{issuer}'}}"));
        project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    };
    named(&format!("{}/", server.address));
    login(&project);
    call(&project).succeeded();
    named("https://login.example");
    // The login is of another authorization server than the settings want now.
    assert_ne!(call(&project).code, 0);
    let shown = project.at_terminal(120, &[], &["mcp", "login", "wiki"]);
    let said = format!(
        "its authorization server is {}, and `issuer` in the settings allows https://login.example alone",
        server.address
    );
    let text: String = shown.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.code == 1 && text.contains(&said), "{}", shown.text);
    assert_eq!(server.log("authorize").len(), 1);
}

#[test]
fn a_server_of_agents_works_as_soon_as_a_person_has_logged_in() {
    let Some(server) = Server::start(&json!({})) else { return };
    let project = project(&server);
    // An agent knows the tools of before.
    login(&project);
    call(&project).succeeded();
    project.cuff(["mcp", "logout", "wiki"]).succeeded();
    let mut session = McpSession::over_pipes(&project, &["--expose", "tools"]);
    session.initialize();
    let asked = server.log("authorize").len();
    let refused = session.call("wiki.echo", &json!({}));
    let text = refused.to_string();
    assert!(text.contains("run `cuff mcp login wiki`"), "{text}");
    login(&project);
    let answered = session.call("wiki.echo", &json!({}));
    assert!(answered.to_string().contains("called echo with [redacted:LOGIN]"), "{answered}");
    assert_eq!(server.log("authorize").len(), asked + 1, "nobody but the person has logged in");
    let ended = server.log("delete").len();
    session.leave();
    assert_eq!(server.log("delete").len(), ended + 1, "the server's session is ended");
}
