//! The run store as an agent sees it: the runs of its own project, in replies of bounded size.

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::official_client::session;
use crate::support::process::{is_running, until};
use crate::support::project::Project;
use crate::support::tools;

const SETTINGS: &str = "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh']}}\n";

fn project() -> Project {
    let project = Project::empty();
    project.script(
        "talk.sh",
        "#!/bin/sh\nfor n in 1 2 3 4 5; do echo \"line $n\"; done\nsleep 0.3\necho 'An ERROR' >&2\nsleep 0.3\n\
         printf '\\033[31mred\\377\\n'\n",
    );
    project.script("flood.sh", "#!/bin/sh\nseq 1 20000\n");
    project.script("check.sh", "#!/bin/sh\ncat found\nexit 1\n");
    project.script("long.sh", "#!/bin/sh\necho $$ >> pids\necho begun\nexec sleep 60\n");
    project.script("nap.sh", "#!/bin/sh\nsleep 1\necho awake\n");
    project.write("settings.yml", SETTINGS);
    project
}

/// Calls one of the tools; comes back with the structure and the text.
fn ask(spoken: &mut McpSession, tool: &str, arguments: &Value) -> (Value, String) {
    let result = spoken.call(&format!("runs.{tool}"), arguments);
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned();
    (result["structuredContent"].clone(), text)
}

fn run(spoken: &mut McpSession, script: &str, arguments: &Value) -> Value {
    spoken.call(&format!("scripts.script_{script}"), arguments)["structuredContent"].clone()
}

#[test]
fn a_log_is_read_by_lines_by_stream_by_words_and_by_bytes() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    run(&mut spoken, "talk", &json!({}));
    let text = |spoken: &mut McpSession, arguments: Value| {
        let (shape, text) = ask(spoken, "log", &arguments);
        assert!(text.ends_with(shape["text"].as_str().unwrap()), "{text}");
        assert_eq!(shape["lines"], 7, "{shape}");
        shape["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text(&mut spoken, json!({"from_line": 2, "to_line": 3})), "line 2\nline 3\n");
    assert_eq!(text(&mut spoken, json!({"to_line": 3, "tail": 1})), "line 3\n");
    assert_eq!(text(&mut spoken, json!({"stream": "stderr"})), "An ERROR\n");
    assert_eq!(text(&mut spoken, json!({"containing": "error"})), "6: An ERROR\n");
    assert_eq!(text(&mut spoken, json!({"tail": 1})), "red\u{fffd}\n");
    assert_eq!(text(&mut spoken, json!({"from_line": 99})), "");
    let (raw, _) = ask(&mut spoken, "raw", &json!({"start": 44}));
    assert_eq!((&raw["text"], &raw["replaced"]), (&json!("\\u{1b}[31mred\u{fffd}\n"), &json!(true)), "{raw}");
    assert_eq!(raw["base64"], "G1szMW1yZWT/Cg==", "the bytes as they are");
    assert_eq!((&raw["start"], &raw["end"], &raw["bytes"]), (&json!(44), &json!(54), &json!(54)));
    let (raw, _) = ask(&mut spoken, "raw", &json!({"start": 5, "length": 1}));
    assert_eq!((&raw["text"], &raw["end"]), (&json!("1"), &json!(6)));
    assert_eq!((&raw["replaced"], raw.get("base64")), (&json!(false), None), "{raw}");
    let (raw, _) = ask(&mut spoken, "raw", &json!({"start": 1_000_000}));
    assert_eq!((&raw["text"], &raw["start"]), (&json!(""), &json!(54)));
    spoken.leave();
}

#[test]
fn a_long_log_comes_in_pages_that_join_into_the_whole() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let flooded = run(&mut spoken, "flood", &json!({}));
    let see = flooded["output_omitted"]["see"].as_str().unwrap();
    let id = flooded["run_id"].as_str().unwrap();
    assert!(see.starts_with("runs.log, from_line ") && id.len() == 8, "{see}, {id}");
    let (mut all, mut from, mut pages) = (String::new(), 1, 0);
    loop {
        let (page, text) = ask(&mut spoken, "log", &json!({"run": id, "from_line": from}));
        assert!(text.len() < 30_000, "{}", text.len());
        all.push_str(page["text"].as_str().unwrap());
        pages += 1;
        let Some(next) = page["next_line"].as_u64() else { break };
        from = next;
    }
    let expected: String = (1..=20_000).map(|number| number.to_string() + "\n").collect();
    assert!(all == expected && pages > 3, "{pages} pages");
    spoken.leave();
}

#[test]
fn a_run_is_waited_for_listed_and_known_by_the_beginning_of_its_id() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let id = run(&mut spoken, "nap", &json!({"wait": 0}))["run_id"].as_str().unwrap().to_owned();
    let (now, _) = ask(&mut spoken, "status", &json!({}));
    assert_eq!((&now["running"], &now["run"]["run_id"]), (&json!(true), &json!(id)), "{now}");
    let whole =
        project.cuff(["runs", "list", "--json"]).json()["runs"][0]["run_id"].as_str().unwrap().to_owned();
    assert!(whole.ends_with(&id), "{whole} is {id}");
    let (then, text) = ask(&mut spoken, "status", &json!({"run": whole[..20], "wait": 60}));
    assert_eq!((&then["running"], &then["run"]["exit_code"]), (&json!(false), &json!(0)), "{then}");
    assert!(text.contains("scripts.script_nap: ok ("), "{text}");
    run(&mut spoken, "talk", &json!({}));
    let (all, _) = ask(&mut spoken, "list", &json!({}));
    let tools: Vec<&str> =
        all["runs"].as_array().unwrap().iter().map(|run| run["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["scripts.script_talk", "scripts.script_nap"]);
    let keys: Vec<&String> = all["runs"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["run_id", "tool", "started_ms", "exit_code", "duration_ms"], "nothing repeats");
    let (one, _) = ask(&mut spoken, "list", &json!({"filter": "NAP", "number": 1}));
    assert_eq!(one["runs"].as_array().unwrap().len(), 1);
    spoken.leave();
}

#[test]
fn run_tools_report_findings_and_their_changes() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let error = |line: u32, what: &str| format!("src/a.ts({line},1): error TS2345: {what}\n");
    project.write("found", error(1, "old") + &error(2, "stays"));
    run(&mut spoken, "check", &json!({}));
    let (none, _) = ask(&mut spoken, "diff", &json!({}));
    assert_eq!(none["error"], "scripts.script_check has no earlier run to compare with");
    // The log is longer than the text that replaces it.
    project.write("found", error(2, "stays") + &error(3, "fresh") + &"and so on\n".repeat(40));
    let failed = spoken.call("scripts.script_check", &json!({}));
    let text = failed["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(": runs.log with run ") && !text.contains("cuff runs"), "{text}");
    let (found, text) = ask(&mut spoken, "diagnostics", &json!({"number": 1}));
    let shown = json!({"src/a.ts": ["2:1 TS2345 stays"]});
    assert_eq!((&found["errors"], &found["diagnostics"]), (&json!(2), &shown), "{found}");
    assert!(text.contains("src/a.ts:2:1 TS2345 stays") && text.ends_with("… 1 more"), "{text}");
    let (diff, text) = ask(&mut spoken, "diff", &json!({}));
    for (kind, line) in
        [("new", "3:1 TS2345 fresh"), ("fixed", "1:1 TS2345 old"), ("still", "2:1 TS2345 stays")]
    {
        let by_file = json!({"src/a.ts": [line]});
        assert_eq!((&diff[kind], &diff[format!("{kind}_total")]), (&by_file, &json!(1)), "{diff}");
        assert!(text.contains(&format!("{kind}: 1")), "{text}");
    }
    assert!(text.contains("fixed: 1 (or not looked at)") && !text.contains("note:"), "{text}");
    let (_, text) = ask(&mut spoken, "diff", &json!({"earlier": "latest"}));
    assert!(text.contains("note: this is one run, compared with itself"), "{text}");
    spoken.leave();
}

#[test]
fn a_run_is_stopped_whether_the_server_or_a_person_started_it() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    run(&mut spoken, "long", &json!({"wait": 0}));
    until("it runs", || project.root().join("pids").exists());
    let (stopped, _) = ask(&mut spoken, "stop", &json!({}));
    assert_eq!(
        (&stopped["stopped"], &stopped["run"]["cancelled"]),
        (&json!(true), &json!(true)),
        "{stopped}"
    );
    let (again, text) = ask(&mut spoken, "stop", &json!({}));
    assert_eq!((&again["stopped"], &again["success"]), (&json!(false), &json!(true)), "{again}");
    assert!(text.starts_with("not stopped, it did not run"), "{text}");

    let mut person = project.command(["run", "script_long"]).spawn().unwrap();
    until("theirs runs", || project.read("pids").lines().count() == 2);
    let (stopped, _) = ask(&mut spoken, "stop", &json!({}));
    let end = (&stopped["stopped"], &stopped["run"]["cancelled"]);
    assert_eq!(end, (&json!(true), &json!(true)), "{stopped}");
    person.wait().unwrap();
    assert!(project.read("pids").lines().all(|pid| !is_running(pid)));
    spoken.leave();
}

/// Every name that a list or an answer shows of a tool means its newest run.
#[test]
fn a_run_is_named_by_its_tool() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let id = run(&mut spoken, "talk", &json!({}))["run_id"].clone();
    run(&mut spoken, "nap", &json!({}));
    for name in ["scripts.script_talk", "scripts__script_talk", "script_talk", "talk.sh"] {
        for tool in ["status", "log", "diagnostics"] {
            let (answer, text) = ask(&mut spoken, tool, &json!({"run": name}));
            let named = if tool == "status" { &answer["run"]["run_id"] } else { &answer["run_id"] };
            assert_eq!(named, &id, "{tool} {name}: {text}");
        }
        let log = spoken.call("cuff", &json!({"action": "log", "run": name}));
        assert_eq!(log["structuredContent"]["data"]["run_id"], id, "{name}: {log}");
    }
    let (none, _) = ask(&mut spoken, "log", &json!({"run": "script_none"}));
    assert_eq!(none["success"], false, "{none}");
    let (quoted, _) = ask(&mut spoken, "log", &json!({"run": "script_talk", "tail": "1"}));
    assert_eq!(quoted["text"], "red\u{fffd}\n", "{quoted}");
    spoken.leave();
}

#[test]
fn runs_of_other_projects_are_as_if_they_were_not_there() {
    let data = tempfile::tempdir().unwrap();
    let theirs = project().variable("XDG_DATA_HOME", data.path());
    let ours = project().variable("XDG_DATA_HOME", data.path());
    let mut others = McpSession::begun(&theirs, &[]);
    let mut spoken = McpSession::begun(&ours, &[]);
    let none = ask(&mut spoken, "status", &json!({})).0;
    assert_eq!((&none["success"], &none["error"]), (&json!(false), &json!("no run was recorded yet")));
    run(&mut spoken, "talk", &json!({}));
    let id = run(&mut others, "long", &json!({"wait": 0}))["run_id"].as_str().unwrap().to_owned();
    until("it runs", || theirs.root().join("pids").exists());
    for tool in ["status", "log", "raw", "diagnostics", "diff", "stop"] {
        let (refused, text) = ask(&mut spoken, tool, &json!({"run": id}));
        assert_eq!(refused["error"], format!("no run has an id that begins or ends with {id}"), "{tool}");
        assert!(!text.contains(&*theirs.root().to_string_lossy()), "{tool}: {text}");
    }
    assert_eq!(
        ask(&mut spoken, "status", &json!({})).0["run"]["tool"],
        "scripts.script_talk",
        "the latest of ours"
    );
    assert_eq!(ask(&mut spoken, "list", &json!({})).0["runs"].as_array().unwrap().len(), 1);
    assert_eq!(ask(&mut others, "status", &json!({})).0["running"], true, "nobody stopped it");
    spoken.leave();
    others.leave();
}

#[test]
fn wrong_arguments_are_named() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    for (tool, arguments, error) in [
        ("status", json!({"wait": 301}), "`wait` must be from 0 to 300"),
        ("log", json!({"from": 1}), "`from` is not known here"),
        ("log", json!({"stream": "out"}), "`stream` must be one of both, stdout, stderr"),
        ("raw", json!({"length": 1_000_000}), "`length` must be from 1 to 24576"),
        ("stop", json!({"run": 5}), "`run` must be a string, not the number 5"),
    ] {
        let (refused, _) = ask(&mut spoken, tool, &arguments);
        assert_eq!((&refused["error"], &refused["error_code"]), (&json!(error), &json!("CUFF_304")));
        assert_eq!(refused["tool"], format!("runs.{tool}"));
    }
    spoken.leave();
}

/// The official client checks each structure against the schema that the tool was listed with.
#[test]
fn the_official_client_takes_their_answers_and_their_annotations_tell_the_truth() {
    if tools::require("tsc").is_none() {
        return;
    }
    let project = project();
    project.write("found", "src/a.ts(1,1): error TS2345: wrong\n");
    let calls = json!([
        {"name": "scripts__script_check", "arguments": {}},
        {"name": "scripts__script_check", "arguments": {}},
        {"name": "scripts__script_long", "arguments": {"wait": 0}},
        {"name": "runs__list", "arguments": {}},
        {"name": "runs__status", "arguments": {}},
        {"name": "runs__log", "arguments": {}},
        {"name": "runs__raw", "arguments": {}},
        {"name": "runs__stop", "arguments": {}},
        {"name": "runs__diagnostics", "arguments": {}},
        {"name": "runs__diff", "arguments": {"run": "nonsense"}},
    ]);
    let said = session(&project, &calls, &["--tool-names", "portable"]);
    let results = said["results"].as_array().unwrap();
    for (at, result) in results.iter().enumerate() {
        assert_eq!(result["thrown"], Value::Null, "{}", calls[at]);
        assert_eq!(result["structuredContent"]["success"], ![0, 1, 9].contains(&at), "{result}");
    }
    assert!(results[2]["structuredContent"]["help"].as_str().unwrap().starts_with("runs__status with run "));
    let listed = said["tools"].as_array().unwrap();
    let own: Vec<&Value> =
        listed.iter().filter(|tool| tool["name"].as_str().unwrap().starts_with("runs__")).collect();
    assert_eq!(own.len(), 7);
    for tool in own {
        let hints = &tool["annotations"];
        let stops = tool["name"] == "runs__stop";
        assert_eq!(
            (&hints["readOnlyHint"], &hints["destructiveHint"]),
            (&json!(!stops), &json!(stops)),
            "{tool}"
        );
        assert_eq!((&hints["idempotentHint"], &hints["openWorldHint"]), (&json!(true), &json!(false)));
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
    }
}

/// npm prints the text of the script first, and that may say what the server will say.
#[test]
fn the_readiness_line_is_in_the_first_answer() {
    if ["node", "npm"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = Project::empty();
    let dev = "node -e \"setTimeout(() => { console.log('listening on http://localhost:1'); setInterval(() => {}, 1000) }, 1200)\"";
    project.write("package.json", json!({"scripts": {"dev": dev}}).to_string());
    project.cuff(["init", "--yes"]).succeeded();
    let mut spoken = McpSession::begun(&project, &[]);
    let result = spoken.call("packagejson.npm_dev", &json!({}))["structuredContent"].clone();
    let output = result["output"].as_str().unwrap_or_else(|| panic!("{result}"));
    assert!(result["ready"] == true && output.ends_with("\nlistening on http://localhost:1\n"), "{result}");
    ask(&mut spoken, "stop", &json!({"run": result["run_id"]}));
    spoken.leave();
}
