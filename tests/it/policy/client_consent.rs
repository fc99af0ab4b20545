//! A person's yes to an agent's call, through the client that the person sits at.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::mcp_session::{McpSession, newest};
use crate::support::official_client::session_with;
use crate::support::project::Project;
use crate::support::tools;

const TOOL: &str = "scripts.script_mark";

fn project() -> Project {
    let project = Project::empty();
    project.script("mark.sh", "#!/bin/sh\necho \"$1\" >> marks\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh'], confirm: true}}\n",
    );
    project
}

fn marks(project: &Project) -> String {
    if project.root().join("marks").exists() { project.read("marks") } else { String::new() }
}

/// The rules for a script that settings say nothing of.
const CONTAINED: &str = "contained: profile test, network loopback";

fn question(project: &Project) -> String {
    let script = project.root().join("mark.sh");
    let text = "  │ #!/bin/sh\n  │ echo \"$1\" >> marks";
    let command = format!("/bin/sh {} it", script.display());
    let facts = format!("  in {}\n  {CONTAINED}", project.root().display());
    format!("scripts.script_mark requires your confirmation. It runs:\n{text}\n{facts}\nRun `{command}`?")
}

/// The decisions about calls, in the order of time.
fn decisions(project: &Project) -> Vec<String> {
    let audit = project.cuff(["audit", "--json"]).json();
    let all = audit["decisions"].as_array().unwrap_or_else(|| panic!("{audit}")).clone();
    let decided = all.iter().rev().map(|one| one["decision"].as_str().unwrap_or_default().to_owned());
    decided.filter(|decision| decision != "pinned").collect()
}

fn arguments(word: &str) -> Value {
    json!({"args": [word]})
}

/// A session of a client that can ask, in the era with a handshake.
fn asking(project: &Project) -> McpSession {
    let mut spoken = McpSession::over_pipes(project, &[]);
    spoken.initialize_with(&json!({"elicitation": {}}));
    spoken
}

/// The time that a person needs at least to read a question.
const READING: Duration = Duration::from_millis(400);

/// Calls, answers the question so once it was read, and comes back with what was asked and the result.
fn answered(spoken: &mut McpSession, answer: &Value) -> (Value, Value) {
    answered_after(READING, spoken, answer)
}

fn answered_after(reading: Duration, spoken: &mut McpSession, answer: &Value) -> (Value, Value) {
    let id = spoken.begin("tools/call", json!({"name": TOOL, "arguments": arguments("it")}));
    let asked = spoken.hear();
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let mut reply = json!({"jsonrpc": "2.0", "id": asked["id"]});
    reply.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
    thread::sleep(reading);
    spoken.say(&reply);
    let result = spoken.hear();
    assert_eq!(result["id"], id, "{result}");
    (asked["params"].clone(), result["result"].clone())
}

#[test]
fn a_client_that_brings_a_yes_runs_it_once_and_is_asked_again_for_the_next() {
    let project = project();
    let mut spoken = asking(&project);
    for expected in ["it\n", "it\nit\n"] {
        let yes = json!({"result": {"action": "accept", "content": {"yes": true}}});
        let (asked, result) = answered(&mut spoken, &yes);
        assert_eq!(asked["message"], question(&project));
        assert_eq!(asked["requestedSchema"]["properties"]["yes"]["type"], "boolean");
        assert_eq!(asked["requestedSchema"]["required"], json!(["yes"]));
        assert_eq!(result["structuredContent"]["success"], true, "{result}");
        assert_eq!(marks(&project), expected);
    }
    assert_eq!(decisions(&project), ["granted", "ended", "granted", "ended"]);
    spoken.leave();
}

#[test]
fn the_question_is_the_one_that_a_terminal_shows() {
    let project = project();
    let mut spoken = asking(&project);
    let (asked, _) = answered(&mut spoken, &json!({"result": {"action": "decline"}}));
    let shown = project.answer_at_terminal("n\n", &["run", "script_mark", "it"]).text;
    // The terminal names the tool as people do, and the line of the settings.
    let (_, text) = asked["message"].as_str().unwrap().split_once("It runs:\n").unwrap();
    // A person's own run is not contained.
    let text = text.replace(CONTAINED, "not contained: it has your rights and the network");
    assert!(shown.contains(&text), "{shown} has not {asked}");
    assert!(shown.contains("mark.sh requires your confirmation (settings.yml:"), "{shown}");
    spoken.leave();
}

#[test]
fn client_replies_other_than_yes_run_nothing() {
    for (answer, error, decision) in [
        (json!({"result": {"action": "decline"}}), "A person said no to this", "denied"),
        (
            json!({"result": {"action": "accept", "content": {"yes": false}}}),
            "A person said no to this",
            "denied",
        ),
        (
            json!({"result": {"action": "accept", "content": {"no": true}}}),
            "A person said no to this",
            "denied",
        ),
        (
            json!({"result": {"action": "accept", "content": {"yes": "true"}}}),
            "A person said no to this",
            "denied",
        ),
        (json!({"result": {"action": "accept"}}), "A person said no to this", "denied"),
        (
            json!({"result": {"action": "cancel"}}),
            "requires confirmation by a person first",
            "confirmation_required",
        ),
        (
            json!({"result": {"action": "cancel", "content": {"yes": true}}}),
            "requires confirmation",
            "confirmation_required",
        ),
        (
            json!({"result": {"yes": true}}),
            "requires confirmation by a person first",
            "confirmation_required",
        ),
        (
            json!({"error": {"code": -32601, "message": "no"}}),
            "requires confirmation",
            "confirmation_required",
        ),
    ] {
        let project = project();
        let mut spoken = asking(&project);
        let (_, result) = answered(&mut spoken, &answer);
        assert_eq!(result["isError"], true, "{answer}: {result}");
        assert!(result["structuredContent"]["error"].as_str().unwrap().contains(error), "{answer}: {result}");
        assert_eq!(marks(&project), "", "{answer}");
        assert_eq!(decisions(&project), [decision], "{answer}");
        spoken.leave();
    }
}

/// Some clients say no by themselves where nobody sits in front of them.
#[test]
fn a_no_that_nobody_can_have_read_is_no_persons() {
    let project = project();
    let mut spoken = asking(&project);
    let no = json!({"result": {"action": "decline"}});
    let (_, result) = answered_after(Duration::ZERO, &mut spoken, &no);
    let error = result["structuredContent"]["error"].as_str().unwrap();
    assert!(error.contains("requires confirmation by a person first"), "{result}");
    let id = result["structuredContent"]["approval_id"].as_str().unwrap();
    project.answer_at_terminal("y\r", &["approve", id]).succeeded();
    let (_, result) = answered_after(Duration::ZERO, &mut spoken, &no);
    assert_eq!((&result["structuredContent"]["success"], marks(&project).as_str()), (&json!(true), "it\n"));
    spoken.leave();
}

#[test]
fn without_the_capability_or_with_preferences_for_the_terminal_nobody_is_asked() {
    let no = [
        (json!({}), None),
        (json!({"elicitation": {"url": {}}}), None),
        (json!({"elicitation": {}}), Some("confirm_over: terminal\n")),
        // A slip of the pen does not open what it may have meant to close.
        (json!({"elicitation": {}}), Some("confirm_over: terminals\n")),
    ];
    for (capabilities, preferences) in no {
        for newest_too in [false, true] {
            let config = tempfile::tempdir().unwrap();
            let mut project = project();
            if let Some(preferences) = preferences {
                let folder = config.path().join("cuff");
                std::fs::create_dir(&folder).unwrap();
                std::fs::write(folder.join("preferences.yml"), preferences).unwrap();
                project = project.variable("XDG_CONFIG_HOME", config.path());
            }
            let mut spoken = McpSession::over_pipes(&project, &[]);
            if newest_too {
                spoken.meta = Some(capable(&capabilities));
            } else {
                spoken.initialize_with(&capabilities);
            }
            let result = spoken.call(TOOL, &arguments("it"));
            let help = result["structuredContent"]["help"].as_str().unwrap_or_else(|| panic!("{result}"));
            assert!(help.contains("cuff approve "), "{capabilities}: {result}");
            assert_eq!(marks(&project), "", "{capabilities}");
            spoken.leave();
        }
    }
}

#[test]
fn a_call_that_is_taken_back_while_a_person_thinks_runs_nothing_whatever_he_says_then() {
    let project = project();
    let mut spoken = asking(&project);
    let id = spoken.begin("tools/call", json!({"name": TOOL, "arguments": arguments("it")}));
    let asked = spoken.hear();
    spoken.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let yes = json!({"action": "accept", "content": {"yes": true}});
    spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
    assert_eq!(spoken.ask("ping", json!({}))["result"]["isError"], Value::Null);
    assert_eq!(marks(&project), "");
    assert_eq!(decisions(&project), ["asked"]);
    spoken.leave();
}

/// The metadata of each request from a client with these capabilities, in the era without a handshake.
fn capable(capabilities: &Value) -> Value {
    let mut meta = newest();
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    meta
}

/// A call that brings a state along, and an answer.
fn bring(spoken: &mut McpSession, word: &str, state: &str, answer: &Value) -> Value {
    let params = json!({
        "name": TOOL, "arguments": arguments(word), "requestState": state, "inputResponses": {"confirm": answer},
    });
    spoken.ask("tools/call", params)
}

fn again(spoken: &mut McpSession, word: &str, state: &str, answer: &Value) -> Value {
    bring(spoken, word, state, answer)["result"].clone()
}

fn state_of(result: &Value) -> String {
    assert_eq!(result["resultType"], "input_required", "{result}");
    result["requestState"].as_str().unwrap().to_owned()
}

#[test]
fn the_newest_protocol_asks_back_and_a_state_is_for_one_plan_once() {
    let project = project();
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.meta = Some(capable(&json!({"elicitation": {"form": {}}})));
    let yes = json!({"action": "accept", "content": {"yes": true}});

    let asked = spoken.call(TOOL, &arguments("it"));
    let state = state_of(&asked);
    let request = &asked["inputRequests"]["confirm"];
    assert_eq!(request["method"], "elicitation/create", "{asked}");
    assert_eq!(request["params"]["message"], question(&project));
    assert_eq!(marks(&project), "");
    let done = again(&mut spoken, "it", &state, &yes);
    assert_eq!(done["structuredContent"]["success"], true, "{done}");
    assert_eq!(marks(&project), "it\n");

    // Replayed and of another plan: asked afresh each time, and nothing runs.
    state_of(&again(&mut spoken, "it", &state, &yes));
    let fresh = state_of(&spoken.call(TOOL, &arguments("it")));
    // Tampered with and invented: that is no answer to anything.
    let flipped = if fresh.starts_with('0') { "1" } else { "0" };
    for wrong in
        [&format!("{flipped}{}", &fresh[1..]), "", &format!("{fresh}-TAMPERED"), &"0".repeat(fresh.len())]
    {
        let refused = bring(&mut spoken, "it", wrong, &yes);
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    state_of(&again(&mut spoken, "other", &fresh, &yes));
    state_of(&again(&mut spoken, "it", &fresh, &yes));
    assert_eq!(marks(&project), "it\n");

    // A right state without a yes.
    for (answer, error) in [
        (json!({"action": "decline"}), "A person said no to this"),
        (json!({"action": "accept", "content": {}}), "A person said no to this"),
        (json!({"action": "cancel"}), "requires confirmation by a person first"),
        (json!(null), "requires confirmation by a person first"),
    ] {
        let state = state_of(&spoken.call(TOOL, &arguments("it")));
        let refused = again(&mut spoken, "it", &state, &answer);
        assert!(
            refused["structuredContent"]["error"].as_str().unwrap().contains(error),
            "{answer}: {refused}"
        );
    }
    assert_eq!(marks(&project), "it\n");
    spoken.leave();
}

/// When used answers are no longer remembered, a person is asked as if the client could not.
#[test]
fn too_many_answers_of_late_leave_a_person_another_way() {
    let project = project();
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.meta = Some(capable(&json!({"elicitation": {}})));
    let yes = json!({"action": "accept", "content": {"yes": true}});
    let state = state_of(&spoken.call(TOOL, &arguments("it")));
    let used: serde_json::Map<String, Value> =
        (0..4096).map(|number| (format!("{number:032x}"), json!(9_000_000_000_000_000_u64))).collect();
    let full = json!({"format": 1, "used": used}).to_string();
    std::fs::write(project.outside().join("home/state/cuff/states.json"), full).unwrap();
    let waits = again(&mut spoken, "it", &state, &yes);
    let structure = &waits["structuredContent"];
    assert!(
        structure["error"].as_str().unwrap().contains("requires confirmation by a person first"),
        "{waits}"
    );
    assert!(waits.to_string().contains("cuff approve"), "{waits}");
    assert_eq!(marks(&project), "");
    let waiting = project.cuff(["approvals", "--json"]).succeeded().json();
    let id = waiting["approvals"][0]["id"].as_str().unwrap();
    project.answer_at_terminal("y\n", &["approve", id]).succeeded();
    let state = state_of(&spoken.call(TOOL, &arguments("it")));
    assert_eq!(again(&mut spoken, "it", &state, &yes)["structuredContent"]["success"], true);
    assert_eq!(marks(&project), "it\n");
    spoken.leave();
}

/// An answer may reach another server than the one that asked. A copied state gives nothing more, and it
/// gives another user nothing at all.
#[test]
fn a_state_is_worth_as_much_to_another_server_of_this_user_and_nothing_to_a_stranger() {
    let project = project();
    let yes = json!({"action": "accept", "content": {"yes": true}});
    let meta = Some(capable(&json!({"elicitation": {}})));
    let mut first = McpSession::over_pipes(&project, &[]);
    first.meta.clone_from(&meta);
    let state = state_of(&first.call(TOOL, &arguments("it")));
    let home = tempfile::tempdir().unwrap();
    let mut command = project.command(["serve"]);
    command.env("XDG_STATE_HOME", home.path());
    let mut stranger = McpSession::of(command);
    stranger.meta.clone_from(&meta);
    assert_eq!(bring(&mut stranger, "it", &state, &yes)["error"]["code"], -32602);
    state_of(&stranger.call(TOOL, &arguments("it")));
    assert_eq!(
        bring(&mut stranger, "it", &state, &yes)["error"]["code"],
        -32602,
        "it has a key of its own now"
    );
    assert_eq!(marks(&project), "");
    let mut second = McpSession::over_pipes(&project, &[]);
    second.meta = meta;
    assert_eq!(again(&mut second, "it", &state, &yes)["structuredContent"]["success"], true);
    state_of(&again(&mut first, "it", &state, &yes));
    assert_eq!(marks(&project), "it\n");
    for spoken in [first, second, stranger] {
        spoken.leave();
    }
}

#[test]
fn the_official_client_asks_its_person() {
    if tools::require("tsc").is_none() {
        return;
    }
    let calls = json!([{"name": TOOL, "arguments": arguments("it"), "progress": true}]);
    for (answer, expected) in [
        (json!({"action": "accept", "content": {"yes": true}}), "it\n"),
        (json!({"action": "accept", "content": {"yes": false}}), ""),
        (json!({"action": "decline"}), ""),
        (json!({"action": "cancel"}), ""),
    ] {
        let project = project();
        let said = session_with(&project, &calls, &[], &answer);
        assert_eq!(said["asked"][0]["message"], question(&project), "{said}");
        assert_eq!(said["results"][0]["structuredContent"]["success"], !expected.is_empty(), "{said}");
        assert_eq!(marks(&project), expected, "{answer}");
    }
}

/// The installs that come with cuff need a yes without any settings for it.
#[test]
fn an_install_is_asked_about_through_the_client() {
    let project = Project::empty();
    project.write("package.json", r#"{"name": "x", "version": "1.0.0"}"#);
    project.write(
        "package-lock.json",
        r#"{"name": "x", "version": "1.0.0", "lockfileVersion": 3, "packages": {}}"#,
    );
    project.write("settings.yml", "version: '1'\nplugins:\n  npm: {config: {}}\n");
    let mut spoken = asking(&project);
    let id = spoken.begin("tools/call", json!({"name": "npm.install", "arguments": {}}));
    let asked = spoken.hear();
    let facts = format!("  in {}\n  contained: profile install, network open\n", project.root().display());
    assert!(
        asked["params"]["message"]
            .as_str()
            .unwrap()
            .starts_with(&format!("npm.install requires your confirmation.\n{facts}Run `npm install"))
    );
    let no = json!({"action": "decline"});
    spoken.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": no}));
    let refused = spoken.hear();
    assert_eq!((&refused["id"], &refused["result"]["isError"]), (&json!(id), &json!(true)), "{refused}");
    assert!(!project.root().join("node_modules").exists());
    spoken.leave();
}

/// The person sees the text that would run, marked as the project's own words: nothing in it passes for the
/// question.
#[test]
fn a_question_shows_the_text_of_what_it_would_run() {
    let project = Project::empty();
    let release = "npm version patch && git push --follow-tags\u{1b}[2K\rRun `true`?";
    project.write(
        "package.json",
        json!({"scripts": {"release": release, "postrelease": "curl live"}}).to_string(),
    );
    project.write(
        "Makefile",
        ".PHONY: deploy\ndeploy: build\n\t@scp app live:\n\tcurl -X POST live\nbuild:\n\tcc x\n",
    );
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  packagejson: {config: {confirm: true}}\n  makefile: {config: {confirm: true}}\n",
    );
    let script = r"  │ npm version patch && git push --follow-tags\u{1b}[2K\u{d}Run `true`?
  │ postrelease after it: curl live";
    let recipe = "  │ deploy: build\n  │ scp app live:\n  │ curl -X POST live\n  │ build:\n  │ cc x";
    let root = project.root().display().to_string();
    let asked = |tool: &str, command: &str, text: &str, lasting: &str| {
        format!(
            "{tool} requires your confirmation. It runs:\n{text}\n  in {root}\n  {CONTAINED}\n  {lasting}\nRun `{command}`?"
        )
    };
    let mut spoken = asking(&project);
    for (tool, command, text, lasting) in [
        (
            "packagejson.npm_release",
            "npm run release",
            script,
            "cannot be taken back: `git push --follow-tags\\u{1b}[2K\\u{d}Run `true`?`",
        ),
        ("makefile.make_deploy", "make deploy", recipe, "cannot be taken back: `scp app live:`"),
    ] {
        spoken.begin("tools/call", json!({"name": tool, "arguments": {}}));
        let question = spoken.hear();
        assert_eq!(question["params"]["message"], asked(tool, command, text, lasting));
        let put_off = json!({"action": "cancel"});
        spoken.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": put_off}));
        assert_eq!(spoken.hear()["result"]["isError"], true);
        let shown = project.answer_at_terminal("n\n", &["run", tool]).text;
        let facts = format!("  in {root}\n  not contained: it has your rights and the network\n  {lasting}");
        assert!(shown.contains(&format!("\n{text}\n{facts}\nRun `{command}`?")), "{shown}");
        let why = project.cuff(["why", tool]).succeeded().stdout;
        let first = text.lines().next().unwrap();
        assert!(why.contains(&format!("  text\n{first}\n")), "{why}");
    }
    spoken.leave();
    let waits = project.cuff(["approvals"]).succeeded().stdout;
    assert!(waits.contains(&format!("          in {root}\n          {CONTAINED}\n")), "{waits}");
    assert!(waits.contains(&format!("Run `true`?`\n{script}\n")), "{waits}");
    assert!(waits.ends_with(&format!("{recipe}\n")), "{waits}");
    let waits = project.cuff(["approvals", "--json"]).succeeded().json();
    assert_eq!(waits["approvals"][0]["text"], format!("{release}\npostrelease after it: curl live"));
}

/// A person reads the whole call before saying yes to it.
#[test]
fn approve_by_id_shows_the_whole_call_above_its_question() {
    let project = project();
    let mut spoken = McpSession::over_pipes(&project, &[]);
    spoken.initialize_with(&json!({}));
    for word in ["it", "other"] {
        assert_eq!(spoken.call(TOOL, &arguments(word))["isError"], true);
    }
    let approvals = || project.cuff(["approvals", "--json"]).succeeded().json()["approvals"].clone();
    let ids: Vec<String> =
        approvals().as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    let script = project.root().join("mark.sh");
    let text = |word: &str| {
        let (script, root) = (script.display(), project.root().display());
        format!(
            "by agent\n          {TOOL}: /bin/sh {script} {word}\n          in {root}\n          {CONTAINED}\n\
             \x20 │ #!/bin/sh\n  │ echo \"$1\" >> marks\n"
        )
    };
    let (id, begins) = (&ids[0], &ids[0][..4]);
    let asks = format!("{}Approve {TOOL} once, for the next 15 minutes? [y/N] ", text("it"));
    let approve =
        |key: &str, words: &[&str]| project.answer_at_terminal(key, &[&["approve"], words].concat());
    for no in ["n", "\r"] {
        let left = approve(no, &[begins]).ended_with(1).text;
        assert!(left.starts_with(&format!("{id}  waiting, asked ")), "{left}");
        assert!(left.contains(&format!("{asks}no\nNothing was approved\n")), "{left}");
        assert!(left.contains(&format!("`cuff deny {id}`")), "{left}");
    }
    approve("\u{3}", &[begins]).ended_with(130);
    assert_eq!(approvals()[0]["state"], "waiting");
    let approved = approve("y", &[begins]).succeeded().text;
    assert!(
        approved.ends_with(&format!("{asks}yes\napproved once, for the next 15 minutes\n")),
        "{approved}"
    );
    // Without a question it is shown all the same.
    let approved = approve("", &[&ids[1], "--yes"]).succeeded().text;
    let shown = format!("{}approved once, for the next 15 minutes\n", text("other"));
    assert!(approved.starts_with(&ids[1]) && approved.ends_with(&shown), "{approved}");
    assert_eq!((&approvals()[0]["state"], &approvals()[1]["state"]), (&json!("granted"), &json!("granted")));
    assert_eq!(spoken.call(TOOL, &arguments("it"))["structuredContent"]["success"], true);
    spoken.leave();
}

/// No guess decides about a call: `confirm` does, and what the plugin declares.
#[test]
fn a_tool_that_looks_irreversible_asks_nobody_unless_confirm_names_it() {
    let project = Project::empty();
    let makefile = "cache := .cache\n.PHONY: build wipe\nbuild:\n\techo built >> marks\n\
                    wipe:\n\techo wiped >> marks; rm -rf ~/.no-such-folder\n";
    project.write("Makefile", makefile);
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {}\n");
    let mut spoken = asking(&project);
    let mut call = |tool: &str| {
        let id = spoken.begin("tools/call", json!({"name": tool, "arguments": {}}));
        let heard = spoken.hear();
        if heard["method"] != "elicitation/create" {
            return heard["result"]["structuredContent"]["success"].clone();
        }
        spoken.say(&json!({"jsonrpc": "2.0", "id": heard["id"], "result": {"action": "decline"}}));
        assert_eq!(spoken.hear()["id"], id);
        json!("asked")
    };
    assert_eq!(call("makefile.make_build"), true);
    assert_eq!(call("makefile.make_wipe"), true);
    assert_eq!(marks(&project), "built\nwiped\n");
    let doctor = project.cuff(["doctor", "--strict"]).succeeded().stdout;
    let listed = "makefile: these tools look irreversible and `confirm` does not cover them: wipe (`rm -rf ~/.no-such-folder` at Makefile:";
    assert!(doctor.contains(listed), "{doctor}");
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {config: {confirm: [wipe]}}\n");
    assert_eq!(call("makefile.make_wipe"), "asked", "a new `confirm` holds at once");
    assert!(!project.cuff(["doctor"]).stdout.contains("look irreversible"));
    spoken.leave();
}
