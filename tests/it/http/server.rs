//! MCP over HTTP: the real server, tested over real sockets.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::http_server::{Answer, Endpoint, HttpServer, TOKEN, calling, listing, sleeper};
use crate::support::mcp_session::{CUFFS_OWN, newest};
use crate::support::official_client;
use crate::support::process::{is_running, until};
use crate::support::project::{Project, Run};
use crate::support::tools;

fn project() -> Project {
    let project = Project::empty();
    project.script("scripts/hi.sh", "#!/bin/sh\necho hi\n");
    project.script("scripts/no.sh", "#!/bin/sh\nexit 3\n");
    project.script("scripts/env.sh", "#!/bin/sh\nenv\n");
    project.script("scripts/slow.sh", "#!/bin/sh\nsleep 30 & echo $! > pid\nwait\n");
    project.script("scripts/short.sh", "#!/bin/sh\n: > begun\nsleep 2\necho done\n");
    project.cuff(["init", "--yes"]).succeeded();
    project
}

#[test]
fn only_those_with_access_are_let_in() {
    let project = project();
    let served = HttpServer::start(
        &project,
        &["--allow-host", "build.example.com", "--allow-origin", "https://app.example.com"],
    );
    let list = listing();
    let status = |headers: &[(&str, &str)]| served.post(headers, &list).status;
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[("host", "build.example.com")]), 200);
    assert_eq!(status(&[("host", "evil.example.com")]), 403);
    assert_eq!(status(&[("host", "")]), 400);
    assert_eq!(status(&[("origin", "http://evil.example.com")]), 403);
    assert_eq!(status(&[("origin", &format!("http://{}", served.address))]), 200, "its own");
    assert_eq!(status(&[("origin", "http://127.0.0.1:1")]), 403, "no other page, be it of this machine");
    assert_eq!(status(&[("origin", "null")]), 403);
    assert_eq!(status(&[("authorization", "")]), 401);
    assert_eq!(status(&[("authorization", "Bearer a-token-of-the-tests2")]), 401);

    let page = [("origin", "https://app.example.com")];
    let answer = served.post(&page, &list);
    assert!(answer.head.contains("access-control-allow-origin: https://app.example.com"), "{answer:?}");
    let asked = served.send(&served.head("OPTIONS", "/mcp", &[page[0], ("authorization", "")], 0));
    assert_eq!(asked.status, 204, "{asked:?}");
    assert!(asked.head.contains("access-control-allow-headers: authorization"), "{asked:?}");

    for path in ["/health", "/health/details", "/ready", "/metrics"] {
        let get = |headers: &[(&str, &str)]| served.get(path, headers).status;
        assert_eq!(get(&[("host", "evil.example.com")]), 403, "{path}");
        let without = if matches!(path, "/metrics" | "/health/details") { 401 } else { 200 };
        until(path, || get(&[("authorization", "")]) == without);
        assert_eq!(get(&[]), 200, "{path}");
    }
    assert_eq!(served.get("/", &[]).status, 404);
    assert_eq!(served.get("/mcp", &[]).status, 405);
    served.stop();
}

#[test]
fn oversized_requests_are_not_read() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let large = calling("scripts.script_scripts_hi", &json!({"extra_args": "x".repeat(5 * 1024 * 1024)}));
    let answer = served.post(&[], &large);
    assert_eq!(answer.status, 413, "{answer:?}");
    let mut chunked =
        served.head("POST", "/mcp", &[("content-length", ""), ("transfer-encoding", "chunked")], 0);
    let chunk = vec![b' '; 1024 * 1024];
    for _ in 0..5 {
        chunked.extend(b"100000\r\n");
        chunked.extend(&chunk);
        chunked.extend(b"\r\n");
    }
    assert_eq!(served.send(&chunked).status, 413);
    let head = format!("GET /health HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "x".repeat(1024 * 1024));
    assert_eq!(served.send(head.as_bytes()).status, 431);
    for (broken, code) in [
        ("{", -32700),
        ("\u{0}", -32700),
        (&"[".repeat(200_000), -32700),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}{}"#, -32700),
        ("[]", -32600),
        ("null", -32600),
        (r#"{"jsonrpc": "2.0"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": []}"#, -32600),
    ] {
        for version in ["2025-11-25", "2026-07-28"] {
            let answer = served.post(&[("mcp-protocol-version", version)], broken);
            assert_eq!(answer.status, 400, "{answer:?}");
            let error: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"));
            assert_eq!(error["error"]["code"], code, "{answer:?}");
        }
    }
    assert_eq!(served.post(&[], "").status, 400);
    assert_eq!(served.call("scripts.script_scripts_hi", &json!({}))["success"], true, "it goes on");
    served.stop();
}

/// A client with the token cannot make the server hold any amount, and keeps others out only as long as it
/// sends.
#[test]
fn bodies_have_only_so_much_room_together() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let mut started = served.head("POST", "/mcp", &[], 4 * 1024 * 1024);
    started.extend(vec![b' '; 4 * 1024 * 1024 - 1]);
    let mut large = Vec::new();
    let full = loop {
        let answer = served.post(&[], &listing());
        if answer.status != 200 {
            break answer;
        }
        let mut stream = served.connect();
        // One that is refused is not read to its end.
        let _ = stream.write_all(&started);
        large.push(stream);
    };
    assert_eq!(full.status, 503, "{full:?}");
    assert!(full.body.contains("are under way already"), "not for want of places: {full:?}");
    assert!(full.head.contains("retry-after: 1"), "{full:?}");
    assert!(large.len() < 100, "{}", large.len());
    drop(large);
    until("there is room again", || served.post(&[], &listing()).status == 200);
    served.stop();
}

/// The number of answers to a request that could be taken for two. A proxy in front must not count another
/// number than cuff does.
#[test]
fn a_request_of_an_unclear_length_is_one_or_none() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let hidden = "GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let head = |headers: &[(&str, &str)]| {
        let alive = [&[("connection", ""), ("content-length", "")], headers].concat();
        String::from_utf8(served.head("POST", "/mcp", &alive, 0)).unwrap()
    };
    for headers in [
        &[("content-length", "5"), ("transfer-encoding", "chunked")][..],
        &[("content-length", "50"), ("transfer-encoding", "chunked")],
        &[("transfer-encoding", "chunked"), ("transfer-encoding", "identity")],
        &[("transfer-encoding", "chunked, identity")],
        &[("transfer-encoding", "xchunked")],
        &[("transfer-encoding ", "chunked")],
        &[("content-length", "5"), ("content-length", "50")],
        &[("content-length", "5, 5")],
        &[("content-length", "+5")],
    ] {
        let answer = served.send(format!("{}0\r\n\r\n{hidden}", head(headers)).as_bytes());
        let answers =
            format!("{}{}", answer.head, answer.body).to_ascii_lowercase().matches("http/1.1 ").count();
        assert_eq!(answers, 1, "{headers:?}: {answer:?}");
        assert!((400..500).contains(&answer.status), "{headers:?}: {answer:?}");
    }
    served.stop();
}

#[test]
fn listeners_leave_room_for_requests() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let version = ("mcp-protocol-version", "2026-07-28");
    let params = json!({"_meta": newest(), "notifications": {"toolsListChanged": true}});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}).to_string();
    let listen = served.request(&[version, ("mcp-method", "subscriptions/listen"), ("mcp-name", "")], &body);
    let mut listeners = Vec::new();
    for number in 0..200 {
        let mut listener = served.connect();
        listener.write_all(&listen).unwrap();
        let mut line = String::new();
        BufReader::new(listener.try_clone().unwrap()).read_line(&mut line).unwrap();
        let expected = if number < 128 { "HTTP/1.1 200" } else { "HTTP/1.1 503" };
        assert!(line.starts_with(expected), "{number}: {line}");
        listeners.push(listener);
    }
    assert_eq!(
        served.call("scripts.script_scripts_hi", &json!({}))["success"],
        true,
        "questions are answered"
    );
    listeners.truncate(100);
    until("who has left makes room", || {
        let mut listener = served.connect();
        listener.write_all(&listen).unwrap();
        let mut line = String::new();
        BufReader::new(listener).read_line(&mut line).unwrap();
        line.starts_with("HTTP/1.1 200")
    });
    drop(listeners);
    served.stop();
}

/// A connection that has shown the token, and had an answer.
fn greeted(door: &Endpoint) -> TcpStream {
    let mut stream = door.connect();
    stream.write_all(&door.head("GET", "/health", &[("connection", "")], 0)).unwrap();
    let mut heard = String::new();
    let mut lines = BufReader::with_capacity(1, stream.try_clone().unwrap());
    while !heard.ends_with("ok\n") {
        assert!(lines.read_line(&mut heard).unwrap() > 0, "{heard}");
    }
    assert!(heard.starts_with("HTTP/1.1 200") && !heard.contains("close"), "{heard}");
    stream
}

#[test]
fn strangers_keep_nobody_out_who_has_the_token() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let alive = [("connection", ""), ("authorization", "")];
    for (method, path, status) in
        [("GET", "/health", 200), ("GET", "/none", 404), ("POST", "/mcp", 401), ("GET", "/metrics", 401)]
    {
        // The answer is read to the end of the connection, which the client did not ask for.
        let begun = Instant::now();
        let answer = served.send(&served.head(method, path, &alive, 0));
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.head.contains("connection: close"), "{answer:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{path}: {:?}", begun.elapsed());
    }
    let mut known = greeted(&served);
    let mut strangers = Vec::new();
    for _ in 0..300 {
        let mut stranger = served.connect();
        stranger.write_all(b"GET /health HTTP/1.1\r\n").unwrap();
        strangers.push(stranger);
    }
    for _ in 0..3 {
        assert_eq!(served.post(&[], &listing()).status, 200, "it took a stranger's place");
    }
    known.write_all(&served.request(&[], &listing())).unwrap();
    assert_eq!(Answer::read(known).status, 200, "and nobody takes this one's");
    drop(strangers);
    served.stop();
}

#[test]
fn slow_and_surplus_connections_keep_nobody_out() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let mut trickling = served.connect();
    trickling.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n").unwrap();
    let mut half = served.connect();
    half.write_all(&served.head("POST", "/mcp", &[], 1000)).unwrap();
    half.write_all(b"{\"jsonrpc\"").unwrap();
    let begun = Instant::now();
    let silent: Vec<TcpStream> = (0..255).map(|_| greeted(&served)).collect();
    until("all places are taken", || served.get("/health", &[]).status == 503);
    assert!(served.get("/health", &[]).head.contains("retry-after: 1"));
    until("who said nothing in time lost the place", || served.get("/health", &[]).status == 200);
    let waited = begun.elapsed();
    assert!(waited > Duration::from_secs(5) && waited < Duration::from_secs(20), "{waited:?}");
    drop(silent);
    let late = Answer::read(trickling);
    assert!(matches!(late.status, 0 | 408), "{late:?}");
    let late = Answer::read(half);
    assert!(late.status == 0 || late.status >= 400, "{late:?}");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert!(served.metrics().contains("cuff_http_answers_total{status=\"503\"}"));
    served.stop();
}

#[test]
fn the_token_is_made_where_none_is_given_and_gone_with_the_server() {
    let project = project();
    let mut served = HttpServer::of(project.command(["serve", "--http"]), None);
    let file = served.line("the token is in ").split_once("the token is in ").unwrap().1.to_owned();
    assert!(file.starts_with(project.outside().join("runtime/cuff").to_str().unwrap()), "{file}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(served.post(&[], &listing()).status, 401);
    served.door.token = Some(fs::read_to_string(&file).unwrap().trim().to_owned());
    assert_eq!(served.post(&[], &listing()).status, 200);
    served.stop();
    assert!(!fs::exists(&file).unwrap());

    let own = project.write("../token", "of-a-file-that-i-keep\n");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o600)).unwrap();
    let mut command = project.command(["serve", "--http", "--token-file", own.to_str().unwrap()]);
    command.env("CUFF_TOKEN", TOKEN);
    let served = HttpServer::of(command, Some("of-a-file-that-i-keep"));
    assert_eq!(served.post(&[], &listing()).status, 200);
    served.stop();
    assert!(fs::exists(&own).unwrap(), "that one is not ours to remove");

    let served = HttpServer::of(project.command(["serve", "--http", "--no-token"]), None);
    assert_eq!(served.post(&[], &listing()).status, 200);
    assert_eq!(
        served.post(&[("host", "evil.example.com")], &listing()).status,
        403,
        "still not for every page"
    );
    served.stop();
}

#[test]
fn options_that_expose_the_server_too_far_are_refused() {
    let project = project();
    for (words, sentence) in [
        (&["--http", "0.0.0.0:0"][..], "0.0.0.0 can be reached from other machines"),
        (&["--http", "[::]:0"], ":: can be reached from other machines"),
        (&["--http", "--host", "0.0.0.0", "--no-token"], "`--no-token` would let every machine in"),
        (&["--http", "nonsense"], "it is no address and port"),
        (&["--http", "127.0.0.1:0", "--host", "0.0.0.0"], "`--http` says 127.0.0.1, and `--host` 0.0.0.0"),
        (&["--http", "--allow-host", "a b"], "`a b` is no host"),
        (&["--http", "--allow-origin", "*"], "`*` is no origin"),
        (&["--http", "--token-file", "none"], "none: there is no such file"),
        (&["--no-token"], "--http"),
    ] {
        let run = project.cuff([&["serve"], words].concat()).ended_with(64);
        assert!(run.stderr.contains(sentence), "{words:?}: {}", run.stderr);
    }
    let mut short = project.command(["serve", "--http"]);
    short.env("CUFF_TOKEN", "hunter2");
    let run = Run::of(short).ended_with(64);
    assert!(
        run.stderr.contains("CUFF_TOKEN: it is no token") && !run.stderr.contains("hunter2"),
        "{}",
        run.stderr
    );
    let served = HttpServer::start(&project, &[]);
    let port = served.address.rsplit_once(':').unwrap().1;
    let run = project.cuff(["serve", "--http", port]).ended_with(1);
    assert!(run.stderr.contains("cannot be listened on"), "{}", run.stderr);
    served.stop();
    let served = HttpServer::start(&project, &["--host", "0.0.0.0"]);
    assert_eq!(served.post(&[], &listing()).status, 403, "0.0.0.0 is nobody's name");
    assert!(served.line("note: ").contains("`--allow-host"));
    served.stop();
}

#[test]
fn the_token_reaches_no_tool_and_no_log() {
    let project = project().variable("SECRET_KEY", "this-is-the-secret");
    let served = HttpServer::start(&project, &["--log-format", "json", "--log-level", "debug"]);
    let run = served.call("scripts.script_scripts_env", &json!({"env": {"MY_TOKEN": "given-with-the-call"}}));
    let output = run["data"]["stdout"].as_str().unwrap();
    assert!(!output.contains("CUFF_TOKEN") && !output.contains(TOKEN), "{output}");
    served.call("scripts.script_scripts_given-with-the-call", &json!({}));
    served.call("scripts.script_this-is-the-secret", &json!({}));
    served.call("scripts.script_scripts_hi", &json!({}));
    served.signal("TERM");
    let lines: Vec<String> = served.said.iter().collect();
    assert!(lines.iter().any(|line| line.contains("[redacted:SECRET_KEY]")), "{lines:#?}");
    for line in &lines {
        let read: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        assert!(read["timestamp"].is_string() && read["level"].is_string() && read["message"].is_string());
        assert!(!line.contains(TOKEN) && !line.contains("this-is-the-secret"), "{line}");
    }
    assert_eq!(served.end(), 143);
}

#[test]
fn calls_are_counted_and_logged() {
    let project = project();
    let served = HttpServer::start(&project, &["--log-format", "json", "--log-level", "info"]);
    let extracted: Value = serde_json::from_str(&served.line("Scripts extracted")).unwrap();
    assert_eq!(extracted["plugin_name"], "scripts");
    assert_eq!((&extracted["script_count"], &extracted["cache_hit"]), (&json!(5), &json!(false)));
    let hi = served.call("scripts.script_scripts_hi", &json!({}));
    let line: Value = serde_json::from_str(&served.line("Script completed")).unwrap();
    assert_eq!(line["correlation_id"], line["run_id"]);
    assert!(line["run_id"].as_str().unwrap().ends_with(hi["run_id"].as_str().unwrap()), "{line}: {hi}");
    assert_eq!((&line["instance_name"], &line["script_name"]), (&json!("scripts"), &json!("scripts/hi.sh")));

    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    let mut body: Value = serde_json::from_str(&calling("scripts.script_scripts_no", &json!({}))).unwrap();
    body["params"]["_meta"] = json!({"traceparent": parent});
    assert_eq!(served.post(&[], &body.to_string()).status, 200);
    let line: Value = serde_json::from_str(&served.line("Script execution failed")).unwrap();
    assert_eq!((&line["correlation_id"], &line["level"]), (&json!(trace), &json!("ERROR")));
    assert_eq!((&line["error_code"], &line["exit_code"]), (&json!("SCRIPT_302"), &json!(3)));
    let nothing = calling("scripts.script_none", &json!({}));
    assert_eq!(served.post(&[("traceparent", &parent)], &nothing).status, 200);
    let line: Value = serde_json::from_str(&served.line("Call refused")).unwrap();
    assert_eq!((&line["correlation_id"], &line["error_code"]), (&json!(trace), &json!("SCRIPT_301")));

    let metrics = served.metrics();
    for line in [
        "scripts_script_executions_total{instance=\"scripts\"} 2",
        "scripts_script_failures_total{instance=\"scripts\"} 1",
        "scripts_scripts_discovered{instance=\"scripts\"} 5",
        "scripts_cache_misses_total{instance=\"scripts\"} 1",
        "scripts_cache_hits_total{instance=\"scripts\"} 3",
        "scripts_extraction_duration_seconds_count{instance=\"scripts\"} 1",
        "scripts_script_execution_duration_seconds_bucket{instance=\"scripts\",le=\"+Inf\"} 2",
        "cuff_calls_total{caller=\"agent\"} 3",
        "cuff_refusals_total{error_code=\"SCRIPT_301\"} 1",
        "cuff_runs_in_progress 0",
        "cuff_ready 1",
    ] {
        assert!(metrics.lines().any(|known| known == line), "no `{line}` in\n{metrics}");
    }
    served.stop();
}

#[test]
fn a_server_becomes_ready_with_its_settings_and_counts_what_people_decide() {
    let project = Project::empty();
    project.script("scripts/hi.sh", "#!/bin/sh\necho hi\n");
    let served = HttpServer::start(&project, &[]);
    assert_eq!(served.get("/health", &[]).status, 200);
    assert_eq!(served.get("/ready", &[]).status, 503, "there is nothing to list yet");
    assert!(served.metrics().contains("cuff_ready 0\n"));
    project.at_terminal(80, &[], &["init", "--yes"]).succeeded();
    until("it is ready", || served.get("/ready", &[]).status == 200);

    served.stop();

    let more =
        "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*.sh', '*.py'], confirm: true}}\n";
    project.write("settings.yml", more);
    let served = HttpServer::start(&project, &[]);
    served.post(&[], &listing());
    project.answer_at_terminal("y\n", &["approve", "settings"]).succeeded();
    let waits = served.call("scripts.script_scripts_hi", &json!({}));
    assert_eq!(waits["error_code"], "SCRIPT_307", "{waits}");
    let metrics = served.metrics();
    for line in [
        "cuff_confirmations_total{answer=\"confirmation_required\"} 1",
        "cuff_refusals_total{error_code=\"SCRIPT_307\"} 1",
        "scripts_script_executions_total{instance=\"scripts\"} 0",
    ] {
        assert!(metrics.lines().any(|known| known == line), "no `{line}` in\n{metrics}");
    }
    assert!(metrics.contains("\ncuff_reloads_total{result=\"success\"} "), "{metrics}");
    served.stop();
}

#[test]
fn a_server_tells_how_each_instance_is() {
    let project = project();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    project.at_terminal(80, &[], &["init", "--yes", "--force"]).succeeded();
    let served = HttpServer::start(&project, &[]);
    let details = || {
        let answer = served.get("/health/details", &[]);
        assert!(answer.head.contains("content-type: application/json"), "{answer:?}");
        (answer.status, serde_json::from_str::<Value>(&answer.body).unwrap_or_else(|_| panic!("{answer:?}")))
    };
    let (status, all) = details();
    assert_eq!((status, &all["healthy"]), (200, &json!(true)), "{all}");
    let web = &all["instances"][0];
    assert_eq!((&web["instance"], &web["package_manager"]), (&json!("packagejson"), &json!("npm")), "{all}");
    assert_eq!([&web["initialized"], &web["cache_valid"], &web["source_exists"]], [&json!(true); 3], "{all}");
    assert_eq!(web["script_count"], 1, "{all}");
    // It was read once, and the second answer repeats that.
    let read = web["last_extraction_ms"].as_u64().unwrap();
    assert!(details().1["instances"][0]["last_extraction_ms"].as_u64().unwrap().abs_diff(read) < 1000);
    fs::remove_file(project.root().join("package.json")).unwrap();
    let (status, all) = details();
    assert_eq!((status, &all["healthy"]), (503, &json!(false)), "{all}");
    let web = &all["instances"][0];
    assert_eq!([&web["healthy"], &web["source_exists"]], [&json!(false); 2], "{all}");
    assert!(web["problems"][0]["message"].is_string(), "{all}");
    assert_eq!(all["instances"][1]["healthy"], true, "the others are as they were: {all}");
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let (status, all) = details();
    assert_eq!((status, &all["error_code"]), (503, &json!("CUFF_401")), "{all}");
    assert_eq!(served.get("/health", &[]).status, 200, "the process is up all the same");
    served.stop();
}

#[test]
fn a_stopping_server_lets_calls_end_and_cancels_those_that_do_not() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let mut short = served.connect();
    short.write_all(&served.request(&[], &calling("scripts.script_scripts_short", &json!({})))).unwrap();
    until("it runs", || project.root().join("begun").exists());
    let address = served.address.clone();
    served.signal("TERM");
    until("nobody is let in any more", || TcpStream::connect(&address).is_err());
    let answer = Answer::read(short).message();
    assert_eq!(answer["result"]["structuredContent"]["data"]["stdout"], "done\n", "{answer}");
    assert_eq!(served.end(), 143);

    let served = HttpServer::start(&project, &[]);
    let mut slow = served.connect();
    slow.write_all(&served.request(&[], &calling("scripts.script_scripts_slow", &json!({})))).unwrap();
    let pid = sleeper(&project);
    assert!(served.metrics().contains("cuff_runs_in_progress 1\n"));
    let stopped_at = Instant::now();
    served.signal("INT");
    let answer = Answer::read(slow).message();
    assert_eq!(answer["result"]["structuredContent"]["cancelled"], true, "{answer}");
    assert_eq!(served.end(), 130);
    assert!(stopped_at.elapsed() < Duration::from_secs(10), "{:?}", stopped_at.elapsed());
    assert!(!is_running(&pid));
}

/// Each request comes by a connection of its own, and all of them see the same runs.
#[test]
fn a_run_goes_on_between_requests_and_ends_with_the_server() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let going = |tool: &str| served.call(tool, &json!({"wait": 0}));
    let first = going("scripts.script_scripts_slow");
    assert_eq!(first["running"], true, "{first}");
    let pid = sleeper(&project);
    let run = json!({"run": first["run_id"]});
    assert_eq!(served.call("runs.status", &run)["running"], true);
    assert_eq!(served.call("runs.stop", &run)["stopped"], true);
    assert!(!is_running(&pid));
    project.write("pid", "");
    let second = going("scripts.script_scripts_slow");
    let pid = sleeper(&project);
    served.stop();
    assert!(!is_running(&pid));
    let status = project.cuff(["runs", "status", second["run_id"].as_str().unwrap(), "--json"]).json();
    assert_eq!((&status["state"], &status["cancelled"]), (&json!("ended"), &json!(true)), "{status}");
}

#[test]
fn a_client_that_hangs_up_ends_its_call() {
    let project = project();
    let served = HttpServer::start(&project, &[]);
    for complete in [false, true] {
        let mut body: Value =
            serde_json::from_str(&calling("scripts.script_scripts_slow", &json!({}))).unwrap();
        let version = ("mcp-protocol-version", "2026-07-28");
        let named = ("mcp-name", "scripts.script_scripts_slow");
        let headers: &[(&str, &str)] =
            if complete { &[version, ("mcp-method", "tools/call"), named] } else { &[] };
        if complete {
            body["params"]["_meta"] = newest();
        }
        let mut slow = served.connect();
        slow.write_all(&served.request(headers, &body.to_string())).unwrap();
        let pid = sleeper(&project);
        drop(slow);
        until("the tree is gone", || !is_running(&pid));
        fs::remove_file(project.root().join("pid")).unwrap();
    }
    served.stop();
}

/// One session of the official client.
fn session(project: &Project, served: &HttpServer, mut words: Value) -> Value {
    (words["server"], words["token"]) = (json!(served.address), json!(TOKEN));
    official_client::run(project, "node", "client.mjs", &words)
}

#[test]
fn the_official_client_lists_and_calls_over_http() {
    if tools::require("tsc").is_none() {
        return;
    }
    let project = project();
    let served = HttpServer::start(&project, &[]);
    let calls = json!([
        {"name": "scripts.script_scripts_hi", "arguments": {}},
        {"name": "scripts.script_scripts_no", "arguments": {}},
        {"name": "scripts.script_scripts_slow", "arguments": {}, "cancelAfter": 1000},
    ]);
    let said = session(&project, &served, json!({"calls": calls}));
    let pid = sleeper(&project);
    until("the call that the client gave up is gone", || !is_running(&pid));
    assert_eq!(said["server"]["name"], "cuff");
    assert_eq!(said["tools"].as_array().unwrap().len(), 6 + CUFFS_OWN);
    assert_eq!(said["results"][0]["structuredContent"]["data"]["stdout"], "hi\n");
    assert_eq!(said["results"][1]["structuredContent"]["exit_code"], 3);
    served.stop();
}

/// What a session brings: questions to the person at the client, and news of the list.
#[test]
fn a_session_over_http_asks_and_tells_of_changes() {
    if tools::require("tsc").is_none() {
        return;
    }
    let project = project();
    project
        .script("scripts/make.sh", "#!/bin/sh\necho '#!/bin/sh' > scripts/new.sh\nchmod +x scripts/new.sh\n");
    let settings = fs::read_to_string(project.root().join("settings.yml")).unwrap();
    let confirm = "    config:\n      confirm: ['*_hi']\n";
    project.write("settings.yml", settings.replace("    config:\n", confirm));
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let served = HttpServer::start(&project, &[]);
    let calls = json!([
        {"name": "scripts.script_scripts_hi", "arguments": {}},
        {"name": "scripts.script_scripts_make", "arguments": {}},
    ]);
    let elicit = json!({"action": "accept", "content": {"yes": true}});
    let said = session(&project, &served, json!({"calls": calls, "elicit": elicit, "await": true}));
    assert_eq!(said["asked"].as_array().unwrap().len(), 1, "{said}");
    assert_eq!(said["results"][0]["structuredContent"]["success"], true, "{said}");
    let has_new = |list: &Value| {
        list.as_array().unwrap().iter().any(|tool| tool["name"] == "scripts.script_scripts_new")
    };
    assert_eq!((has_new(&said["tools"]), has_new(&said["later"])), (false, true), "{said}");
    served.stop();
}

#[test]
fn a_session_is_of_the_server_that_it_began_at_until_it_ends() {
    let project = project();
    let (one, other) = (HttpServer::start(&project, &[]), HttpServer::start(&project, &[]));
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    }});
    let begun = one.post(&[], &hello.to_string());
    let name = begun.header("mcp-session-id").expect("a session").to_owned();
    let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let headers: &[(&str, &str)] = &[("mcp-session-id", &name), ("mcp-protocol-version", "2025-11-25")];
    assert_eq!(one.post(headers, &said).status, 202);
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string();
    assert_eq!(one.post(headers, &list).status, 200);
    assert_eq!(other.post(headers, &list).status, 404);
    let wrong = [("mcp-session-id", "nobody"), ("mcp-protocol-version", "2025-11-25")];
    assert_eq!(one.post(&wrong, &list).status, 404);
    assert_eq!(one.post(&[], &list).status, 200, "it is complete by itself");
    assert_eq!(one.send(&one.head("DELETE", "/mcp", headers, 0)).status, 202);
    assert_eq!(one.post(headers, &list).status, 404);
    one.stop();
    other.stop();
}
