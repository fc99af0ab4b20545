//! One tool for all, and the same calls however the tools are shown.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use serde_json::{Value, json};

use crate::support::mcp_session::{CUFFS_OWN, McpSession, newest};
use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty();
    let scripts = r#"{"hi": "echo six times seven", "no": "exit 3", "many": "seq 1 300"}"#;
    project.write("package.json", format!("{{\"scripts\": {scripts}}}"));
    project.script("scripts/t.sh", "#!/bin/sh\n# Greets\necho \"$@\"\n");
    project.cuff(["init", "--yes"]).succeeded();
    project
}

fn served(project: &Project, options: &[&str]) -> (McpSession, String) {
    let mut spoken = McpSession::over_pipes(project, options);
    let hello = spoken.initialize();
    (spoken, hello["result"]["instructions"].as_str().unwrap().to_owned())
}

fn data(spoken: &mut McpSession, arguments: &Value) -> Value {
    let called = spoken.call("cuff", arguments);
    assert_eq!(called["structuredContent"]["success"], true, "{arguments}: {called}");
    assert!(!called["content"][0]["text"].as_str().unwrap().is_empty());
    called["structuredContent"]["data"].clone()
}

#[test]
fn the_dispatcher_lists_describes_runs_and_prints() {
    for (spelling, dot) in [("dotted", "."), ("portable", "__")] {
        let project = project();
        let options = ["--expose", "dispatch", "--tool-names", spelling];
        let (mut spoken, instructions) = served(&project, &options);
        assert!(instructions.contains("\"action\": \"list\""), "{instructions}");
        assert_eq!(instructions.lines().count(), 3, "{instructions}");
        assert_eq!(spoken.names(), ["cuff"]);
        let [hi, greet] = [format!("packagejson{dot}npm_hi"), format!("scripts{dot}script_scripts_t")];
        let listed = data(&mut spoken, &json!({"action": "list"}));
        assert_eq!(listed["total"], 6 + CUFFS_OWN, "{listed}");
        let of_runs = data(&mut spoken, &json!({"action": "list", "tool": "runs"}))["tools"].clone();
        assert_eq!(of_runs.as_array().unwrap().len(), CUFFS_OWN, "{of_runs}");
        let stop = format!("runs{dot}stop");
        assert!(of_runs.as_array().unwrap().iter().any(|tool| tool["name"] == stop), "{of_runs}");
        let described = data(&mut spoken, &json!({"action": "describe", "tool": stop}))["tool"].clone();
        assert_eq!(described["inputSchema"]["properties"]["run"]["type"], "string", "{described}");
        let line =
            data(&mut spoken, &json!({"action": "list", "tool": hi}))["tools"][0]["description"].clone();
        assert_eq!(line, "Run hi script: echo six times seven");
        let one = data(&mut spoken, &json!({"action": "list", "tool": "GREETS"}));
        assert_eq!(one["tools"], json!([{"name": greet, "description": "Greets"}]));
        let described = data(&mut spoken, &json!({"action": "describe", "tool": greet}))["tool"].clone();
        assert_eq!(described["inputSchema"]["properties"]["args"]["type"], "array", "{described}");
        assert_eq!(described["outputSchema"]["properties"]["diagnostics"]["type"], "object");
        let arguments = json!({"action": "run", "tool": greet, "arguments": {"args": ["one", "two"]}});
        let ran = spoken.call("cuff", &arguments);
        assert_eq!(ran["structuredContent"]["data"]["stdout"], "one two\n", "{ran}");
        assert_eq!(ran["structuredContent"].get("tool"), None, "the call named it");
        let id = ran["structuredContent"]["run_id"].as_str().unwrap();
        let log = data(&mut spoken, &json!({"action": "log", "run": id}));
        assert_eq!((&log["text"], &log["lines"]), (&json!("one two\n"), &json!(1)));
        // The newest run of a tool, by its name.
        let arguments =
            json!({"action": "run", "tool": format!("runs{dot}log"), "arguments": {"run": greet}});
        assert_eq!(spoken.call("cuff", &arguments)["structuredContent"]["text"], "one two\n");
        let arguments = json!({"action": "run", "tool": greet, "arguments": {"args": "one two"}});
        let refused = spoken.call("cuff", &arguments);
        assert_eq!(
            refused["structuredContent"]["help"],
            concat!(
                r#"write it as a list, a word each: ["one", "two"]; `args` is for a list of words (`["a", "b"]`), "#,
                r#"`extra_args` for one string of them (`"a b"`)"#
            )
        );
        let failed =
            spoken.call("cuff", &json!({"action": "run", "tool": format!("packagejson{dot}npm_no")}));
        assert_eq!(failed["isError"], true);
        assert_eq!(failed["structuredContent"]["error_code"], "PKGJSON_302");
        let missing = spoken.call("cuff", &json!({"action": "run", "tool": format!("{hi}i")}));
        let help = missing["structuredContent"]["help"].as_str().unwrap();
        assert!(help.starts_with(&format!("did you mean `{hi}`? available: {hi}, ")), "{help}");
        spoken.leave();
    }
}

#[test]
fn all_tools_can_be_called_however_they_are_exposed() {
    let project = project();
    for options in [["--expose", "dispatch"], ["--expose", "tools"], ["--expose", "auto"]] {
        let (mut spoken, _) = served(&project, &options);
        for meta in [None, Some(newest())] {
            spoken.meta = meta;
            let hi = json!({"tool": "packagejson.npm_hi", "arguments": {"timeout": 20}});
            for (name, arguments) in [
                ("packagejson.npm_hi", json!({})),
                ("call_plugin_tool", hi.clone()),
                ("cuff", json!({"action": "run", "tool": "packagejson.npm_hi"})),
            ] {
                let called = spoken.call(name, &arguments);
                let output = called["structuredContent"]["data"]["stdout"]
                    .as_str()
                    .unwrap_or_else(|| panic!("{called}"));
                assert!(output.contains("six times seven"), "{name}: {called}");
            }
            let listed = spoken.call("packagejson.npm_list_scripts", &json!({}));
            assert_eq!(listed["structuredContent"]["data"], json!({"scripts": ["hi", "no", "many"]}));
            let runs = spoken.call("runs.list", &json!({"number": 1}))["structuredContent"].clone();
            assert_eq!(runs["runs"][0]["tool"], "packagejson.npm_hi", "{runs}");
            let plugins = spoken.call("list_plugins", &json!({}))["structuredContent"].clone();
            assert_eq!(plugins["plugins"]["scripts"]["state"], "active", "{plugins}");
            assert_eq!(plugins["plugins"]["packagejson"]["tools"].as_array().unwrap().len(), 4);
        }
        spoken.leave();
    }
}

#[test]
fn a_wrong_call_of_the_dispatcher_says_which_property_is_wrong() {
    let project = project();
    let (mut spoken, _) = served(&project, &["--expose", "dispatch"]);
    let tool = "packagejson.npm_hi";
    for (name, arguments, message) in [
        ("cuff", json!({}), "`action` is missing"),
        ("cuff", json!({"action": "lst"}), "`action` must be one of list, describe, run, log"),
        ("cuff", json!({"action": 5}), "`action` must be a string"),
        ("cuff", json!({"action": "run"}), "`tool` is missing"),
        ("cuff", json!({"action": "describe"}), "`tool` is missing"),
        ("cuff", json!({"action": "log"}), "`run` is missing"),
        ("cuff", json!({"action": "log", "run": "zz"}), "no run was recorded yet"),
        ("cuff", json!({"action": "run", "tool": tool, "arguments": "{}"}), "`arguments` must be a mapping"),
        (
            "cuff",
            json!({"action": "run", "tool": tool, "arguments": {"timeout": "soon"}}),
            "`timeout` must be",
        ),
        ("cuff", json!({"action": "run", "tool": tool, "timeout": 5}), "`timeout` is not known here"),
        ("call_plugin_tool", json!({"arguments": {}}), "`tool_name` is missing"),
        ("list_plugins", json!({"all": true}), "`all` is not known here"),
    ] {
        let called = spoken.call(name, &arguments);
        assert_eq!(called["isError"], true, "{arguments}: {called}");
        let error = called["structuredContent"]["error"].as_str().unwrap();
        assert!(error.contains(message), "{arguments}: {error}");
    }
    assert!(!project.root().join("pid").exists());
    spoken.leave();
}

#[test]
fn a_long_log_is_read_in_parts_and_another_projects_not_at_all() {
    let project = project();
    let (mut spoken, _) = served(&project, &["--expose", "dispatch"]);
    let ran = spoken.call("cuff", &json!({"action": "run", "tool": "packagejson.npm_many"}));
    let id = ran["structuredContent"]["run_id"].clone();
    let tail = data(&mut spoken, &json!({"action": "log", "run": id}));
    assert!(tail["text"].as_str().unwrap().ends_with("299\n300\n"), "{tail}");
    assert_eq!(tail["text"].as_str().unwrap().lines().count(), 100);
    let all = data(&mut spoken, &json!({"action": "log", "run": id, "from_line": 1}));
    assert!(all["text"].as_str().unwrap().contains("\n1\n2\n3\n"), "{all}");
    assert!(all.get("next_line").is_none(), "{all}");
    project.write("package.json", r#"{"scripts": {"long": "seq 1 30000"}}"#);
    let ran = spoken.call("cuff", &json!({"action": "run", "tool": "packagejson.npm_long"}));
    let id = ran["structuredContent"]["run_id"].clone();
    let (mut text, mut from) = (String::new(), json!(1));
    while !from.is_null() {
        let part = data(&mut spoken, &json!({"action": "log", "run": id, "from_line": from}));
        assert!(part["text"].as_str().unwrap().len() <= 16 * 1024);
        text += part["text"].as_str().unwrap();
        from = part["next_line"].clone();
    }
    let numbers = text.lines().filter_map(|line| line.parse().ok());
    assert_eq!(numbers.collect::<Vec<u32>>(), (1..=30_000).collect::<Vec<_>>());
    spoken.leave();
    let elsewhere = project.root().join("elsewhere");
    project.write("elsewhere/package.json", "{\"scripts\": {}}");
    project.write("elsewhere/settings.yml", "version: '1'\nplugins:\n  packagejson: {config: {}}\n");
    let mut other = McpSession::of({
        let mut command = project.command(["serve"]);
        command.current_dir(elsewhere);
        command
    });
    other.initialize();
    let refused = other.call("cuff", &json!({"action": "log", "run": id}));
    assert_eq!(refused["structuredContent"]["error"], "this run is another project's", "{refused}");
    other.leave();
}

#[test]
fn more_than_forty_tools_are_shown_as_one() {
    for (scripts, shown) in [(39, 40), (40, 1)] {
        let project = Project::with_scripts(scripts);
        let (mut spoken, instructions) = served(&project, &[]);
        assert_eq!(spoken.names().len(), shown);
        assert_eq!(instructions.contains("\"action\""), shown == 1, "{instructions}");
        spoken.leave();
    }
    // The cost of the list: four bytes a token is little for JSON.
    let size = |options: &[&str]| {
        let (mut spoken, _) = served(&Project::with_scripts(59), options);
        let size = spoken.ask("tools/list", json!({}))["result"].to_string().len();
        spoken.leave();
        size
    };
    assert!(size(&["--expose", "dispatch"]) < 1500);
    assert!(size(&["--expose", "tools"]) < 60 * 1000);
}
