//! The commands beside `exec`: servers, tools, types, search, status.

use serde_json::{Value, json};

use super::{project, scripts, toolscript};
use crate::support::project::Project;

#[test]
fn servers_tools_and_types_are_listed() {
    let Some(project) = project() else { return };
    let listed = toolscript(&project, &["list-tools", "--json"]).succeeded().json();
    let tools = listed["tools"].as_array().unwrap();
    let functions: Vec<&str> = tools.iter().map(|tool| tool["function"].as_str().unwrap()).collect();
    for function in ["everything.echo", "files.readTextFile", "memory.readGraph", "npm.npmGreet"] {
        assert!(functions.contains(&function), "{functions:?}");
    }
    assert!(tools.iter().all(|tool| tool["description"].is_string()));
    let of_one = toolscript(&project, &["list-tools", "memory"]).succeeded();
    assert!(of_one.stdout.contains("Read the entire knowledge graph"), "{}", of_one.stdout);
    assert!(!of_one.stdout.contains("files."));
    let servers = toolscript(&project, &["list-servers", "--json"]).succeeded().json();
    let names: Vec<&Value> =
        servers["servers"].as_array().unwrap().iter().map(|server| &server["name"]).collect();
    assert_eq!(names, ["everything", "files", "memory"]);
    let types = toolscript(&project, &["get-types", "--filter", "files__read_text_file,memory"]).succeeded();
    assert!(
        types.stdout.contains("export function readTextFile(input: ReadTextFileInput)"),
        "{}",
        types.stdout
    );
    assert!(types.stdout.contains("export function readGraph(") && !types.stdout.contains("getSum"));
    let unknown = toolscript(&project, &["list-tools", "memori"]).ended_with(1);
    assert!(unknown.stderr.contains("did you mean `memory`?"), "{}", unknown.stderr);
}

#[test]
fn debug_says_the_steps_of_a_command() {
    let project = Project::empty();
    project.script("scripts/hi.sh", "#!/bin/sh\necho hi\n");
    project.cuff(["init", "--yes"]).succeeded();
    let words = ["list-tools"];
    assert!(!toolscript(&project, &words).succeeded().stderr.contains("DEBUG"));
    let project = project.variable("DEBUG", "1");
    let said = toolscript(&project, &words).succeeded().stderr;
    for step in
        [" DEBUG The project is open; no gateway is asked root=", " DEBUG A source of tools instance=scripts"]
    {
        assert!(said.contains(step), "{said}");
    }
}

#[test]
fn words_find_tools() {
    let Some(project) = project() else { return };
    let found = toolscript(&project, &["search", "--output", "json", "read", "a", "file"]).succeeded().json();
    assert!(found["tools"][0]["function"].as_str().unwrap().starts_with("files.read"), "{found}");
    assert!(found["tools"][0]["reason"].as_str().unwrap().contains("name: "), "{found}");
    let types =
        toolscript(&project, &["search", "--output", "types", "--limit", "1", "add two numbers"]).succeeded();
    assert!(types.stdout.contains("export function getSum("), "{}", types.stdout);
    let none = toolscript(&project, &["search", "zzzzzz"]).ended_with(1);
    assert!(none.stderr.contains("no tool matches"), "{}", none.stderr);
}

#[test]
fn status_tries_each_server_and_gives_its_own_reason() {
    let Some(project) = project() else { return };
    let file: Value = serde_json::from_str(&project.read(".toolscript.json")).unwrap();
    let mut file = file;
    file["mcpServers"]["gone"] =
        json!({"command": "sh", "args": ["-c", "echo no database here >&2; exit 4"]});
    project.write(".toolscript.json", file.to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]);
    let run = toolscript(&project, &["status"]).ended_with(1);
    assert!(run.stdout.contains("no database here"), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("memory") && run.stdout.contains("works"), "{}", run.stdout);
    // A program with the others works.
    toolscript(&project, &["exec", "await tools.memory.readGraph({})"]).succeeded();
}

#[test]
fn doctor_tries_the_sandbox_and_each_server() {
    let Some(project) = project() else { return };
    let run = toolscript(&project, &["doctor"]).succeeded();
    for part in [
        "the sandbox runs programs, kept in by seccomp, Landlock, limits",
        "names no gateway",
        "memory works, with 9 tools",
    ] {
        assert!(run.stdout.contains(part), "{part}:\n{}{}", run.stdout, run.stderr);
    }
    let mut file: Value = serde_json::from_str(&project.read(".toolscript.json")).unwrap();
    file["mcpServers"]["gone"] =
        json!({"command": "sh", "args": ["-c", "echo no database here >&2; exit 4"]});
    project.write(".toolscript.json", file.to_string());
    project.answer_at_terminal("y\r", &["approve", "settings"]);
    let failed = toolscript(&project, &["doctor", "--json"]).ended_with(1).json();
    let gone = failed["checks"].as_array().unwrap().iter().find(|check| check["grade"] == "fail").unwrap();
    assert!(gone["what"].as_str().unwrap().contains("the MCP server gone failed"), "{failed}");
    assert!(gone["lines"].to_string().contains("no database here"), "{failed}");
    let lost = project.variable("TOOLSCRIPT_GATEWAY_URL", "http://127.0.0.1:1");
    let run = toolscript(&lost, &["doctor"]).ended_with(1);
    assert!(
        run.stdout.contains("unhealthy") && run.stdout.contains("toolscript gateway start"),
        "{}",
        run.stdout
    );
}

#[test]
fn without_configuration_everything_works_and_a_sentence_says_what_to_create() {
    let bare = Project::empty();
    for words in [&["list-servers"][..], &["list-tools"], &["get-types"]] {
        let run = toolscript(&bare, words).succeeded();
        assert!(
            run.stderr.contains(".toolscript.json") && run.stderr.contains("mcpServers"),
            "{words:?}: {}",
            run.stderr
        );
    }
    assert_eq!(toolscript(&bare, &["list-servers", "--json"]).json()["servers"], json!([]));
    assert_eq!(toolscript(&bare, &["exec", "return 1 + 1"]).succeeded().stdout, "2\n");
    let own = toolscript(&scripts(), &["list-tools"]).succeeded();
    assert!(own.stdout.contains("npm.npmGreet"), "the project's own tools: {}", own.stdout);
}

#[test]
fn a_broken_entry_is_named_and_the_others_work() {
    let Some(project) = project() else { return };
    let text = project.read(".toolscript.json");
    let broken = text.replacen("{\"mcpServers\":{", "{\"mcpServers\":{\"bad\":{\"command\":7},\n", 1);
    assert_ne!(text, broken);
    project.write(".toolscript.json", broken);
    for words in [
        &["list-servers"][..],
        &["list-tools"],
        &["get-types"],
        &["search", "graph"],
        &["exec", "return await tools.memory.readGraph({})"],
    ] {
        let run = toolscript(&project, words).succeeded();
        assert!(
            run.stderr.contains(".toolscript.json:1:") && run.stderr.contains("command"),
            "{words:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn a_server_that_is_silent_is_named_with_its_reason() {
    let project = scripts();
    let asleep = "{type: mcp, command: sleep, args: ['1001'], config: {connect_timeout: 1}}";
    let settings = project.read("settings.yml");
    project.write("settings.yml", format!("{}\n  asleep: {asleep}\n", settings.trim_end()));
    project.approve();
    let says =
        |said: &str| said.contains("asleep are not known: ") && said.contains("did not answer within 1 s");
    let listed = toolscript(&project, &["list-tools", "asleep"]).ended_with(1);
    assert!(listed.stdout.is_empty() && says(&listed.stderr), "{listed:?}");
    let run = project.cuff(["run", "asleep.nap"]).ended_with(127);
    assert!(says(&run.stderr) && run.stderr.contains("`cuff mcp test asleep`"), "{run:?}");
}

#[test]
fn flags_are_read_for_a_server_beside_settings_that_cannot_be_used() {
    let Some(project) = project() else { return };
    project.write("settings.yml", "version: '1'\nplugins: [[[\n");
    let run = project.cuff(["run", "everything.echo", "--message", "hello"]).succeeded();
    assert_eq!(run.stdout, "Echo: hello\n", "{run:?}");
}

#[test]
fn types_of_results_are_observed_where_a_server_declares_none() {
    let Some(project) = project() else { return };
    // This tool of `everything` answers with JSON in a text, and declares no shape.
    let before = toolscript(&project, &["get-types", "--filter", "everything"]).succeeded().stdout;
    let run = toolscript(
        &project,
        &["exec", "--json", "const r = await tools.everything.getEnv({}); return typeof r"],
    );
    assert_eq!(run.succeeded().json()["result"], "object");
    let after = toolscript(&project, &["get-types", "--filter", "everything"]).succeeded().stdout;
    assert_ne!(before, after);
    assert!(after.contains("observed in earlier results"), "{after}");
    assert!(
        !after.contains(&std::env::var("HOME").unwrap_or_else(|_| "/nowhere".into())),
        "no value is in a type"
    );
}

#[test]
fn filtered_types_are_what_was_asked_for_and_a_filter_without_a_match_is_an_error() {
    let project = scripts();
    let types = toolscript(&project, &["get-types", "--filter", "npm.npmGreet"]).succeeded().stdout;
    assert!(types.contains("npmGreet") && !types.contains("declare const console"), "{types}");
    assert!(!types.contains("npmCount"), "{types}");
    assert!(types.contains("interface RunResult") && !types.contains("class ToolError"), "{types}");
    for name in ["npm__npm_greet", "npm_greet", "npmGreet"] {
        assert_eq!(
            toolscript(&project, &["get-types", "--filter", name]).succeeded().stdout,
            types,
            "{name}"
        );
    }
    for (wanted, said, near) in [
        ("npm.npmGret", "there is no tool `npm.npmGret`", "there are npm.npmGreet, "),
        ("npn", "there is no server `npn`", "there are npm"),
    ] {
        let run = toolscript(&project, &["get-types", "--filter", wanted]);
        assert!(run.code != 0 && run.stderr.contains(said) && run.stderr.contains(near), "{run:?}");
    }
}
