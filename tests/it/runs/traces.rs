//! Traces: the spans of calls at a collector, and the place in a trace that callers name and tools get.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::collector::Collector;
use crate::support::mcp_session::McpSession;
use crate::support::normalize::stable;
use crate::support::process::until;
use crate::support::project::{Project, files_below};

const SETTINGS: &str = "version: '1'\nrunners:\n  elsewhere: {via: [env, '-i', 'PATH=/usr/bin:/bin', '{command}'], stop: [sh, '-c', '{kill}']}\n\
                        plugins:\n  scripts: {config: {patterns: ['*.sh']}}\n";
/// The trace of a caller, and its `traceparent`.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

/// A project with a script that says where in a trace it is, and then fails with an error.
fn project() -> Project {
    let project = Project::empty();
    project.write("settings.yml", SETTINGS);
    project.script(
        "check.sh",
        "#!/bin/sh\necho \"parent $TRACEPARENT state $TRACESTATE.\"\necho 'src/a.c:3:5: error: bad thing' >&2\nexit 3\n",
    );
    project.script("pass.sh", "#!/bin/sh\necho \"parent $TRACEPARENT state $TRACESTATE.\"\n");
    project
}

/// The `traceparent` that a script has printed.
fn printed(text: &str) -> String {
    let parent = text.split("parent ").nth(1).and_then(|rest| rest.split_whitespace().next());
    parent.unwrap_or_default().to_owned()
}

/// The calls whose spans wait on a machine.
fn waiting(project: &Project) -> usize {
    let notes = files_below(&project.outside().join("home/state/cuff/unsent"));
    notes.iter().filter(|file| file.file_name().is_some_and(|name| name.len() == 36)).count()
}

#[test]
fn a_call_is_a_span_around_that_of_its_process() {
    let collector = Collector::answering(200);
    let project = collector.surround(project().variable("DEPLOY_TOKEN", "open-sesame-42"));
    let project = project.variable("TRACEPARENT", PARENT).variable("TRACESTATE", "vendor=1");
    let run = project.cuff(["run", "check.sh", "--", "--token", "open-sesame-42"]).ended_with(3);
    insta::assert_snapshot!("trace_of_a_call", stable(&project, &collector.tree(2)));
    let spans = collector.spans(2);
    let (call, process) = (&spans[0], &spans[1]);
    assert_eq!((call.text("traceId"), call.text("parentSpanId")), (TRACE, "00f067aa0ba902b7"));
    assert_eq!(printed(&run.stdout), format!("00-{TRACE}-{}-01", process.text("spanId")), "{}", run.stdout);
    assert!(run.stdout.contains("state vendor=1."), "{}", run.stdout);
    assert_eq!((call.text("traceState"), process.text("traceState")), ("vendor=1", "vendor=1"));
    let [start, end] =
        ["startTimeUnixNano", "endTimeUnixNano"].map(|key| process.text(key).parse::<u64>().unwrap());
    assert!(start < end && end - start < 60_000_000_000, "{start} to {end}");
    let all: Vec<String> = collector.requests().iter().map(|request| request.body.to_string()).collect();
    assert!(all.iter().all(|body| !body.contains("open-sesame-42")), "{all:?}");
    until("nothing waits", || waiting(&project) == 0);
}

#[test]
fn several_calls_of_a_command_are_a_pipeline() {
    let collector = Collector::answering(200);
    let project = collector.surround(project());
    project.cuff(["run", "--each", "--jobs", "1", "--keep-going", "pass.sh", "check.sh"]).ended_with(3);
    insta::assert_snapshot!("trace_of_several", stable(&project, &collector.tree(5)));
}

#[test]
fn a_request_of_mcp_brings_its_trace_and_other_servers_get_it() {
    let collector = Collector::answering(200);
    let project = collector.surround(project());
    project.write(
        "server.py",
        "import json, sys\n\
         def say(id, result): print(json.dumps({'jsonrpc': '2.0', 'id': id, 'result': result}), flush=True)\n\
         for line in sys.stdin:\n\
         \x20   m = json.loads(line)\n\
         \x20   if m['method'] == 'initialize': say(m['id'], {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'toy', 'version': '1'}})\n\
         \x20   if m['method'] == 'tools/list': say(m['id'], {'tools': [{'name': 'echo', 'inputSchema': {'type': 'object'}}]})\n\
         \x20   if m['method'] == 'tools/call': say(m['id'], {'content': [{'type': 'text', 'text': 'parent ' + m['params']['_meta']['traceparent'] + ' state ' + m['params']['_meta']['tracestate']}]})\n",
    );
    let server = project.root().join("server.py").display().to_string();
    project.write(
        "settings.yml",
        format!("{SETTINGS}  toy: {{type: mcp, command: python3, args: ['{server}']}}\n"),
    );
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let mut agent = McpSession::begun(&project, &[]);
    agent.meta = Some(json!({"traceparent": PARENT, "tracestate": "vendor=1"}));
    let script = agent.call("scripts.script_pass", &json!({}));
    let relayed = agent.call("toy.echo", &json!({}));
    insta::assert_snapshot!("trace_of_mcp", stable(&project, &collector.tree(4)));
    let spans = collector.spans(4);
    assert!(spans.iter().all(|span| span.text("traceId") == TRACE));
    for (answer, process) in [(&script, &spans[1]), (&relayed, &spans[3])] {
        let text = answer.to_string();
        assert_eq!(printed(&text), format!("00-{TRACE}-{}-01", process.text("spanId")), "{text}");
        assert!(text.contains("state vendor=1"), "{text}");
    }
    agent.meta = Some(json!({"traceparent": "00-none", "tracestate": "x"}));
    agent.call("scripts.script_pass", &json!({}));
    let own = collector.spans(6).pop().expect("a span");
    assert_ne!(own.text("traceId"), TRACE, "a traceparent that is none is as good as absent");
    // A caller whose trace is not recorded has none here, and passes that on.
    agent.meta = Some(json!({"traceparent": PARENT.replace("-01", "-00")}));
    let text = agent.call("scripts.script_pass", &json!({})).to_string();
    assert_eq!(printed(&text), PARENT.replace("-01", "-00"), "{text}");
}

#[test]
fn a_program_is_a_pipeline_of_its_calls() {
    let collector = Collector::answering(200);
    let project = collector.surround(project());
    let mut agent = McpSession::begun(&project, &[]);
    agent.meta = Some(json!({"traceparent": PARENT}));
    agent.call("execute_code", &json!({"code": "await tools.scripts.script_pass({}); return 1"}));
    insta::assert_snapshot!("trace_of_a_program", stable(&project, &collector.tree(3)));
    assert!(collector.spans(3).iter().all(|span| span.text("traceId") == TRACE));
}

#[test]
fn nothing_is_traced_where_no_variable_names_a_collector() {
    let off: [&[(&str, &str)]; 4] = [
        &[],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"), ("OTEL_SDK_DISABLED", "true")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"), ("OTEL_TRACES_EXPORTER", "none")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")],
    ];
    for variables in off {
        let project =
            variables.iter().fold(project(), |project, (name, value)| project.variable(name, value));
        let project = project.variable("TRACEPARENT", PARENT);
        let run = project.cuff(["run", "pass.sh"]).succeeded();
        assert_eq!(printed(&run.stdout), PARENT, "{variables:?}: the caller's stays as it is");
        let there = Project::at(&project).variable("TRACESTATE", "a=b");
        let there = there.cuff(["run", "pass.sh", "--on", "elsewhere"]);
        assert_eq!(there.succeeded().stdout, format!("parent {PARENT} state a=b.\n"), "{variables:?}");
        assert!(!project.outside().join("home/state/cuff/unsent").exists(), "{variables:?}");
    }
}

#[test]
fn the_variables_of_the_standard_hold() {
    let collector = Collector::answering(200);
    let project = project()
        .variable("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
        .variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", format!("{}/own/path", collector.address()))
        .variable("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
        .variable("OTEL_EXPORTER_OTLP_HEADERS", "x-key=open%20sesame")
        .variable("OTEL_SERVICE_NAME", "builds")
        .variable("OTEL_RESOURCE_ATTRIBUTES", "team=red,service.name=other");
    project.cuff(["run", "pass.sh"]).succeeded();
    collector.spans(2);
    let request = &collector.requests()[0];
    assert_eq!(request.line, "POST /own/path");
    assert_eq!(request.headers["x-key"], "open sesame");
    assert_eq!(request.headers["content-type"], "application/json");
    let attributes = request.body["resourceSpans"][0]["resource"]["attributes"].clone();
    let value = |name: &str| {
        let found = attributes.as_array().unwrap().iter().find(|one| one["key"] == name);
        found.map(|one| one["value"]["stringValue"].clone()).unwrap_or_default()
    };
    assert_eq!([value("service.name"), value("team")], [json!("builds"), json!("red")]);

    let collector = Collector::answering(200);
    let project =
        collector.surround(self::project()).variable("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    project.cuff(["run", "pass.sh"]).succeeded();
    until("a request arrives", || !collector.requests().is_empty());
    let request = &collector.requests()[0];
    assert_eq!(request.headers["content-type"], "application/x-protobuf");
    assert_eq!((request.line.as_str(), &request.body), ("POST /v1/traces", &Value::Null));
}

#[test]
fn a_collector_that_fails_delays_no_run_and_doctor_says_so() {
    // It takes connections, and answers none.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("an address"));
    let project = project().variable("OTEL_EXPORTER_OTLP_ENDPOINT", address);
    let begun = Instant::now();
    project.cuff(["run", "pass.sh"]).succeeded();
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert_eq!(waiting(&project), 1);
    let project = project.variable("OTEL_EXPORTER_OTLP_TIMEOUT", "300");
    let push = || {
        let push = project.cuff(["runs", "push"]).ended_with(1);
        push.stderr.replace(&silent.local_addr().expect("an address").to_string(), "COLLECTOR")
    };
    insta::assert_snapshot!(push(), @"
    error: the spans of 1 call still waiting: the collector http://COLLECTOR/v1/traces: no answer within 300ms
    ");
    let refused = silent.local_addr().expect("an address").to_string();
    drop(silent);
    let push = project.cuff(["runs", "push"]).ended_with(1).stderr.replace(&refused, "COLLECTOR");
    insta::assert_snapshot!(push, @"
    error: the spans of 1 call still waiting: the collector http://COLLECTOR/v1/traces: Connection refused (os error 111)
    ");

    for (status, name, left) in [(503, "unavailable", 1), (400, "refused", 0)] {
        let collector = Collector::answering(status);
        let project = collector.surround(self::project());
        project.cuff(["run", "check.sh"]).ended_with(3);
        until("it was tried", || !collector.requests().is_empty());
        until("it is noted", || project.cuff(["doctor"]).stdout.contains("HTTP status"));
        let doctor = project.cuff(["doctor"]).stdout;
        let about: Vec<&str> =
            doctor.lines().skip_while(|line| !line.contains("HTTP status")).take(2).collect();
        let text = stable(&project, &about.join("\n")).replace(collector.address(), "COLLECTOR");
        insta::assert_snapshot!(format!("doctor_of_a_collector_that_is_{name}"), text);
        assert_eq!(waiting(&project), left, "{status}");
    }
}

#[test]
fn spans_that_wait_are_sent_by_runs_push() {
    let collector = Collector::answering(200);
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let gone = project().variable("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://127.0.0.1:{port}"));
    gone.cuff(["run", "pass.sh"]).succeeded();
    let text = gone.cuff(["runs", "push"]);
    assert!(text.stderr.contains("the spans of 1 call still waiting"), "{}", text.stderr);
    assert_eq!(waiting(&gone), 1);
    let project = collector.surround(project());
    project.cuff(["run", "pass.sh"]).succeeded();
    project.cuff(["runs", "push"]).succeeded();
    assert_eq!((waiting(&project), collector.spans(2).len()), (0, 2));
}
