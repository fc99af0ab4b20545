//! Sentences of the specifications that other programs and people match on, word for word.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Map, Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

fn settings(plugins: &str) -> String {
    format!("version: '1'\nplugins:\n{plugins}")
}

const PLUGINS: &str = "  packagejson: {config: {package_manager: npm}}\n  \
    scripts: {config: {patterns: ['scripts/*']}}\n  makefile: {config: {extractor: simple}}\n";

fn project() -> Project {
    let project = Project::empty();
    project.write(
        "package.json",
        r#"{"scripts": {"build": "tsc && vite build", "dev": "vite", "both": "node both.js", "slow": "sleep 20",
            "no": "node both.js 3"}, "scripts-info": {"dev": "Start development server with hot reload"}}"#,
    );
    project.write(
        "both.js",
        "console.log('out'); console.error('err'); process.exit(Number(process.argv[2] || 0))\n",
    );
    project.write("Makefile", "both: ; @echo out; echo err >&2\n.PHONY: both\n");
    project.script("scripts/hi.sh", "#!/bin/sh\n# Says hi\necho hi \"$@\"\nexit ${1:-0}\n");
    project.script("scripts/direct", "\x7fnot a script\n");
    project.script("scripts/slow.sh", "#!/bin/sh\nsleep 20\n");
    project.write("settings.yml", settings(PLUGINS));
    project.cuff(["list"]).succeeded();
    project
}

fn tools(spoken: &mut McpSession) -> Map<String, Value> {
    let listed = spoken.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().iter();
    tools.map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone())).collect()
}

/// The structure of the answer to one call.
fn call(project: &Project, name: &str, arguments: &Value) -> Value {
    let mut spoken = McpSession::begun(project, &[]);
    let answer = spoken.call(name, arguments);
    spoken.leave();
    answer["structuredContent"].clone()
}

#[test]
fn descriptions_over_mcp_are_the_plugins_text_or_show_the_command() {
    let project = project();
    project.write(
        "settings.yml",
        settings(&PLUGINS.replace("package_manager: npm", "package_manager: npm, confirm: build")),
    );
    let mut spoken = McpSession::begun(&project, &["--expose", "tools"]);
    let tools = tools(&mut spoken);
    for (name, description) in [
        ("packagejson.npm_list_scripts", "List all available npm scripts"),
        ("packagejson.npm_build", "Run build script: tsc && vite build"),
        ("packagejson.npm_dev", "Start development server with hot reload"),
        ("scripts.script_list_scripts", "List all available scripts"),
        ("scripts.script_scripts_hi", "Says hi"),
        ("scripts.script_scripts_direct", "Run scripts/direct"),
    ] {
        assert_eq!(tools[name]["description"], description);
    }
    // The dispatcher's list tells more.
    let listed = spoken.call("cuff", &json!({"action": "list", "tool": "npm_build"}));
    let text = listed["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, "packagejson.npm_build: Run build script: tsc && vite build (a person is asked first)");
    spoken.leave();
}

#[test]
fn the_common_parameters_are_described_as_the_specifications_do() {
    let project = project();
    let mut spoken = McpSession::begun(&project, &[]);
    let tools = tools(&mut spoken);
    let about = |tool: &str, parameter: &str| tools[tool]["inputSchema"]["properties"][parameter].clone();
    let timeout = about("packagejson.npm_build", "timeout");
    assert_eq!((&timeout["type"], &timeout["minimum"]), (&json!("integer"), &json!(1)));
    assert_eq!(timeout["description"], "Execution timeout in seconds");
    let dry_run = about("packagejson.npm_build", "dry_run");
    assert_eq!((&dry_run["type"], &dry_run["default"]), (&json!("boolean"), &json!(false)));
    assert_eq!(dry_run["description"], "Print command without executing");
    let env = about("packagejson.npm_build", "env");
    assert_eq!(env["description"], "Additional environment variables");
    let timeout = about("scripts.script_scripts_hi", "timeout");
    assert_eq!(timeout["description"], "Execution timeout in seconds (overrides default)");
    let properties = tools["scripts.script_scripts_hi"]["inputSchema"]["properties"].as_object().unwrap();
    assert_eq!(properties.keys().take(2).collect::<Vec<_>>(), ["args", "timeout"]);
    assert_eq!(properties.keys().filter(|key| *key == "timeout").count(), 1);
    spoken.leave();
}

#[test]
fn a_quoted_timeout_is_understood_and_other_text_refused() {
    let project = project();
    for tool in ["packagejson.npm_both", "scripts.script_scripts_hi", "makefile.make_both"] {
        assert_eq!(call(&project, tool, &json!({"timeout": "5"}))["success"], true);
        let refused = call(&project, tool, &json!({"timeout": "5s"}));
        assert!(refused["error_code"].as_str().unwrap().ends_with("_304"), "{refused}");
        assert_eq!(refused["error"], "`timeout` must be a whole number, not the string \"5s\"");
    }
    assert_eq!(call(&project, "scripts.script_scripts_hi", &json!({"timeout": 5}))["success"], true);
}

/// Models write words as a list, as a line, and as a list in a string.
#[test]
fn words_are_understood_in_every_shape() {
    let project = Project::empty();
    let show = "#!/bin/sh\nprintf '<%s>' \"$@\"\n";
    project.script("scripts/words.sh", show);
    project.script("words.sh", show);
    project.write("package.json", r#"{"scripts": {"words": "./words.sh"}}"#);
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {config: {package_manager: npm}}, scripts: {config: {patterns: ['scripts/*']}}}\n");
    let words = [json!(["--a", "b c"]), json!("[\"--a\", \"b c\"]"), json!("--a 'b c'")];
    for (tool, name) in [
        ("packagejson.npm_words", "extra_args"),
        ("packagejson.npm_words", "args"),
        ("scripts.script_scripts_words", "extra_args"),
    ] {
        for given in &words {
            let result = call(&project, tool, &json!({name: given}));
            let printed = result["data"]["stdout"].as_str().unwrap_or_else(|| panic!("{result}"));
            assert!(printed.ends_with("<--a><b c>"), "{tool} {name} {given}: {result}");
        }
        let refused = call(&project, tool, &json!({name: [1]}));
        assert!(refused["error_code"].as_str().unwrap().ends_with("_304"), "{refused}");
    }
}

/// npm, pnpm and programs with `update-notifier` tell agents of no newer version.
#[test]
fn agents_read_no_update_notice() {
    let project = Project::empty();
    project.script("scripts/told.sh", "#!/bin/sh\necho $npm_config_update_notifier $NO_UPDATE_NOTIFIER\n");
    project.cuff(["init", "--yes"]).succeeded();
    let project = project.variable("npm_config_update_notifier", "").variable("NO_UPDATE_NOTIFIER", "");
    let told = call(&project, "scripts.script_scripts_told", &json!({}));
    assert_eq!(told["data"]["stdout"], "false 1\n", "{told}");
    assert_eq!(project.cuff(["run", "scripts/told.sh"]).succeeded().stdout, "\n", "a person is told as ever");
}

#[test]
fn a_timeout_is_worded_as_in_the_specifications() {
    let project = project();
    for (tool, code) in
        [("packagejson.npm_slow", "PKGJSON_303"), ("scripts.script_scripts_slow", "SCRIPT_303")]
    {
        let ended = call(&project, tool, &json!({"timeout": 1}));
        assert_eq!(ended["error"], "Script timed out after 1 seconds");
        assert_eq!(ended["error_code"], code);
    }
}

#[test]
fn results_have_both_streams_and_the_exit_code_whatever_ran() {
    let project = project();
    for tool in ["packagejson.npm_both", "makefile.make_both"] {
        let result = call(&project, tool, &json!({}));
        let data = &result["data"];
        assert!(data["stdout"].as_str().unwrap().ends_with("out\n"), "{tool}: {data}");
        assert_eq!((&data["stderr"], &result["exit_code"]), (&json!("err\n"), &json!(0)), "{tool}: {result}");
    }
    let failed = call(&project, "packagejson.npm_no", &json!({}));
    assert_eq!((&failed["data"]["exit_code"], &failed["exit_code"]), (&json!(3), &json!(3)), "{failed}");
    assert!(failed["data"]["stdout"].is_string() && failed["data"]["stderr"].is_string(), "{failed}");
    let run = project.cuff(["run", "packagejson.npm_both", "--json"]).succeeded().json();
    assert_eq!(run["data"]["stderr"], "err\n");
    // They are bounded like the output.
    project.write("both.js", "for (let i = 0; i < 20000; i++) console.log('line ' + i)\n");
    let long = call(&project, "packagejson.npm_both", &json!({}));
    let stdout = long["data"]["stdout"].as_str().unwrap();
    assert!(stdout.len() < 6_000 && stdout.contains(" bytes left out …]"), "{} bytes", stdout.len());
}

#[test]
fn entries_of_direct_scripts_have_an_interpreter_too() {
    let project = project();
    let listed = call(&project, "scripts.script_list_scripts", &json!({}));
    let scripts = listed["data"]["scripts"].as_array().unwrap();
    for (path, interpreter) in [("scripts/direct", ""), ("scripts/hi.sh", "/bin/sh")] {
        let entry = scripts.iter().find(|entry| entry["path"] == path).unwrap();
        assert_eq!(entry["interpreter"], interpreter, "{entry}");
        assert!(entry["name"].is_string() && entry["description"].is_string(), "{entry}");
    }
}

#[test]
fn call_plugin_tool_takes_a_tool_name_and_list_plugins_answers_in_its_shape() {
    let project = project();
    project.write(
        "settings.yml",
        settings(&format!(
            "{PLUGINS}  off: {{module: scripts, enabled: false, config: {{patterns: ['*.sh']}}}}\n  \
            gone: {{module: packagejson, config: {{working_directory: gone}}}}\n"
        )),
    );
    project.answer_at_terminal("y\r", &["approve", "settings"]);
    let mut spoken = McpSession::begun(&project, &["--expose", "tools"]);
    let tools = tools(&mut spoken);
    let schema = &tools["call_plugin_tool"]["inputSchema"];
    assert_eq!(schema["required"], json!(["tool_name"]));
    assert_eq!(schema["properties"]["tool_name"]["type"], "string");
    assert_eq!(schema["properties"]["arguments"]["type"], "object");
    assert_eq!(tools["list_plugins"]["inputSchema"]["properties"], json!({}));
    for named in ["tool_name", "tool"] {
        let called = spoken.call(
            "call_plugin_tool",
            &json!({named: "packagejson.npm_both", "arguments": {"dry_run": true}}),
        );
        assert_eq!(called["structuredContent"]["output"], "Would execute: npm run both\n", "{called}");
    }
    let unnamed = spoken.call("call_plugin_tool", &json!({"arguments": {}}));
    assert_eq!(unnamed["structuredContent"]["error"], "`tool_name` is missing", "{unnamed}");

    let listed = spoken.call("list_plugins", &json!({}));
    let answer = &listed["structuredContent"];
    assert_eq!(listed["content"][0]["text"], answer.to_string());
    let plugins = answer["plugins"].as_object().unwrap();
    let states = plugins.iter().map(|(name, plugin)| (&**name, plugin["state"].as_str().unwrap()));
    assert_eq!(
        states.collect::<BTreeMap<_, _>>(),
        BTreeMap::from([
            ("packagejson", "active"),
            ("scripts", "active"),
            ("makefile", "active"),
            ("off", "disabled"),
            ("gone", "error")
        ])
    );
    assert_eq!(plugins["makefile"]["tools"], json!(["makefile.make_list_targets", "makefile.make_both"]));
    assert_eq!(plugins["off"], json!({"state": "disabled", "tools": []}));
    let count: usize = plugins.values().map(|plugin| plugin["tools"].as_array().unwrap().len()).sum();
    assert_eq!(answer["total_tools"], count);
    spoken.leave();
    for expose in ["auto", "dispatch"] {
        let mut spoken = McpSession::begun(&project, &["--expose", expose]);
        let names = self::tools(&mut spoken);
        assert!(!names.contains_key("call_plugin_tool") && !names.contains_key("list_plugins"), "{expose}");
        spoken.leave();
    }
}

#[test]
fn a_confirmation_is_structured() {
    let project = project();
    project.write("settings.yml", settings("  scripts: {config: {patterns: ['scripts/*'], confirm: '*'}}\n"));
    project.answer_at_terminal("y\r", &["approve", "settings"]);
    for answer in [
        call(&project, "scripts.script_scripts_hi", &json!({})),
        call(&project, "cuff", &json!({"action": "run", "tool": "scripts.script_scripts_hi"})),
        call(&project, "call_plugin_tool", &json!({"tool_name": "scripts.script_scripts_hi"})),
        project.cuff(["run", "scripts.script_scripts_hi", "--json"]).json(),
    ] {
        assert_eq!(answer["confirmation_required"], true, "{answer}");
        let id = answer["approval_id"].as_str().unwrap();
        assert_eq!(answer["approve_command"], format!("cuff approve {id}"));
        assert_eq!(answer["error_code"], "SCRIPT_307");
    }
    let unconfirmed = call(&project, "scripts.script_list_scripts", &json!({}));
    assert!(unconfirmed.get("confirmation_required").is_none(), "{unconfirmed}");
}

#[test]
fn an_unknown_tool_names_the_code_of_its_plugin_and_what_is_there() {
    let project = project();
    for words in [&["run", "packagejson.npm_buld"][..], &["packagejson", "run", "buld"]] {
        let unknown = project.cuff([words, &["--json"]].concat()).ended_with(127).json();
        assert_eq!(unknown["error_code"], "PKGJSON_301", "{words:?}");
        assert_eq!(unknown["error"], format!("Unknown tool: {}", words.last().unwrap()));
        let help = unknown["help"].as_str().unwrap();
        let all = "available: build, ";
        assert!(help.starts_with("did you mean `") && help.contains(all), "{help}");
        let shown = project.cuff(words).ended_with(127).stderr;
        assert!(shown.contains("[PKGJSON_301]") && shown.contains(all), "{shown}");
    }
    let unknown = call(&project, "packagejson.npm_buld", &json!({}));
    assert_eq!(
        (&unknown["error"], &unknown["error_code"]),
        (&json!("Unknown tool: packagejson.npm_buld"), &json!("PKGJSON_301"))
    );
    let script = project.cuff(["scripts", "run", "scripts/none.sh", "--json"]).ended_with(127).json();
    assert_eq!(
        (&script["error"], &script["error_code"]),
        (&json!("Script not found: scripts/none.sh"), &json!("SCRIPT_301"))
    );
    assert!(script["help"].as_str().unwrap().contains("available: scripts/"), "{script}");
}

#[test]
fn an_unknown_tool_lists_the_nearest_fifty() {
    let project = Project::empty();
    let scripts: Map<String, Value> = (0..70)
        .map(|number| (format!("task{number:02}"), json!("true")))
        .chain([("zebra".to_owned(), json!("true"))])
        .collect();
    project.write("package.json", json!({"scripts": scripts}).to_string());
    project.cuff(["init", "--yes"]).succeeded();
    let unknown = project.cuff(["run", "packagejson.npm_zzzzzebraz", "--json"]).ended_with(127).json();
    let help = unknown["help"].as_str().unwrap();
    let (_, list) = help.split_once("available: ").unwrap();
    let (names, rest) = list.split_once(", and ").unwrap();
    let names: Vec<&str> = names.split(", ").collect();
    assert_eq!((names.len(), names[0]), (50, "zebra"), "{help}");
    assert!(rest.starts_with("21 more"), "{help}");
}

#[test]
fn an_invalid_package_manager_has_its_own_code() {
    let project = project();
    project.write("settings.yml", settings("  packagejson: {config: {package_manager: yran}}\n"));
    let listed = project.cuff(["list"]);
    assert!(listed.stderr.contains("Invalid package manager: yran"), "{}", listed.stderr);
    assert!(listed.stderr.contains("PKGJSON_202"), "{}", listed.stderr);
    assert!(
        listed.stderr.contains("did you mean `yarn`? it takes npm, pnpm, yarn, bun, auto"),
        "{}",
        listed.stderr
    );
    let ran = project.cuff(["run", "packagejson.npm_build", "--json"]).json();
    assert_eq!(ran["error_code"], "PKGJSON_202", "{ran}");
    assert!(ran["help"].as_str().unwrap().contains("Invalid package manager: yran"), "{ran}");
}

#[test]
fn a_working_directory_without_the_package_warns() {
    let project = Project::empty();
    project.write("web/package.json", r#"{"scripts": {"where": "pwd"}}"#);
    let at = |config: &str| {
        project.write(
            "settings.yml",
            settings(&format!("  packagejson: {{config: {{package_manager: npm, {config}}}}}\n")),
        );
        let listed = project.cuff(["list", "--json"]).succeeded().json();
        listed["problems"].as_array().cloned().unwrap_or_default()
    };
    let problems = at("working_directory: ., package_json_path: web/package.json");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0]["severity"], "warning");
    assert_eq!(
        problems[0]["message"],
        "npm will not find web/package.json from working_directory \".\"; scripts run in web instead"
    );
    assert_eq!(problems[0]["help"], "set `working_directory: web` and leave package_json_path out");
    let ran = project.cuff(["run", "where"]).succeeded().stdout;
    assert!(ran.trim_end().ends_with("/project/web"), "{ran}");
    for right in [
        "package_json_path: web/package.json",
        "working_directory: web",
        "working_directory: ./web/, package_json_path: ./package.json",
    ] {
        assert_eq!(at(right), Vec::<Value>::new(), "{right}");
    }
}

#[test]
fn health_has_the_fields_of_the_specification_beside_ours() {
    let project = project();
    let instances = |project: &Project| project.cuff(["status", "--json"]).json()["instances"].clone();
    let health = instances(&project);
    let of = |health: &Value, name: &str| {
        health.as_array().unwrap().iter().find(|one| one["instance"] == name).unwrap().clone()
    };
    let package = of(&health, "packagejson");
    for (field, expected) in [
        ("healthy", json!(true)),
        ("initialized", json!(true)),
        ("package_json_exists", json!(true)),
        ("source_exists", json!(true)),
        ("package_manager", json!("npm")),
        ("script_count", json!(5)),
        ("cache_valid", json!(true)),
    ] {
        assert_eq!(package[field], expected, "{field}: {package}");
    }
    let milliseconds = package["last_extraction_ms"].as_f64().unwrap();
    assert!((package["last_extraction"].as_f64().unwrap() * 1000.0 - milliseconds).abs() < 1.0, "{package}");
    assert_eq!(of(&health, "makefile")["makefile_exists"], true);
    assert!(of(&health, "scripts").get("package_json_exists").is_none());
    fs::remove_file(project.root().join("package.json")).unwrap();
    let package = of(&instances(&project), "packagejson");
    assert_eq!(
        (&package["package_json_exists"], &package["healthy"]),
        (&json!(false), &json!(false)),
        "{package}"
    );
}

/// The lines that a server logs as JSON while these calls are made.
fn logged(project: &Project, calls: &[(&str, Value)]) -> Vec<Value> {
    let log = project.outside().join("log");
    let mut command = project.command(["serve", "--log-format", "json", "--log-level", "debug"]);
    command.stderr(fs::File::create(&log).unwrap());
    let mut spoken = McpSession::of(command);
    spoken.initialize();
    spoken.names();
    for (name, arguments) in calls {
        spoken.call(name, arguments);
    }
    spoken.leave();
    fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn line<'a>(lines: &'a [Value], message: &str, field: (&str, &str)) -> &'a Value {
    let found = lines.iter().find(|line| line["message"] == message && line[field.0] == field.1);
    found.unwrap_or_else(|| panic!("no {message:?} with {field:?}: {lines:#?}"))
}

#[test]
fn each_log_line_of_an_instance_has_the_standard_fields() {
    let project = project();
    let lines = logged(
        &project,
        &[
            ("packagejson.npm_both", json!({})),
            ("packagejson.npm_no", json!({})),
            ("packagejson.npm_none", json!({})),
        ],
    );
    let of_it: Vec<&Value> = lines.iter().filter(|line| line["plugin_name"] == "packagejson").collect();
    assert!(of_it.len() >= 6, "{lines:#?}");
    for line in &of_it {
        assert_eq!(line["instance_name"], "packagejson", "{line}");
        assert_eq!(line["package_json_path"], "./package.json", "{line}");
        assert_eq!(line["package_manager"], "npm", "{line}");
        assert!(line.as_object().unwrap().contains_key("correlation_id"), "{line}");
    }
    let extracted = line(&lines, "Scripts extracted from package.json", ("plugin_name", "packagejson"));
    assert_eq!(
        (&extracted["level"], &extracted["script_count"], &extracted["cache_hit"]),
        (&json!("INFO"), &json!(5), &json!(false))
    );
    assert!(extracted["duration_ms"].is_number(), "{extracted}");
    let again = of_it.iter().find(|line| line["cache_hit"] == true).unwrap();
    assert_eq!(again["message"], "Scripts extracted from package.json");
    assert!(again["duration_ms"].is_number(), "{again}");
    let failed = line(&lines, "Script execution failed", ("script_name", "no"));
    assert_eq!(
        (&failed["level"], &failed["error_code"], &failed["exit_code"]),
        (&json!("ERROR"), &json!("PKGJSON_302"), &json!(3))
    );
    assert!(failed["duration_ms"].is_number() && failed["correlation_id"].is_string(), "{failed}");
    line(&lines, "Call refused", ("plugin_name", "packagejson"));
    assert!(!lines.iter().any(|line| line["level"] == "ERROR" && line["script_name"] == "both"));
}

#[test]
fn the_events_of_a_script_are_logged_with_their_fields() {
    let project = project();
    let arguments = json!({"args": ["7", "two words"], "timeout": 9});
    let lines =
        logged(&project, &[("scripts.script_scripts_hi", arguments), ("packagejson.npm_both", json!({}))]);
    let begun = line(&lines, "Executing script", ("script", "scripts/hi.sh"));
    assert_eq!(begun["level"], "INFO");
    assert_eq!(begun["args"], json!(["7", "two words"]));
    assert_eq!((&begun["timeout"], &begun["working_directory"]), (&json!(9), &json!(".")));
    let ended = line(&lines, "Script completed", ("script", "scripts/hi.sh"));
    assert_eq!((&ended["level"], &ended["exit_code"]), (&json!("INFO"), &json!(7)));
    assert!(ended["duration_seconds"].as_f64().unwrap() < 9.0, "{ended}");
    assert_eq!(begun["run_id"], ended["run_id"]);
    assert!(begun["run_id"].is_string() && begun["correlation_id"] == begun["run_id"], "{begun}");
    line(&lines, "Script execution failed", ("script_name", "scripts/hi.sh"));
    let completed = line(&lines, "Script completed", ("script", "both"));
    assert_eq!(completed["exit_code"], 0);
}

#[test]
fn a_missing_package_json_is_a_logged_warning() {
    let project = project();
    fs::remove_file(project.root().join("package.json")).unwrap();
    let lines = logged(&project, &[("packagejson.npm_both", json!({}))]);
    let warned = line(&lines, "package.json not found: package.json", ("plugin_name", "packagejson"));
    assert_eq!((&warned["level"], &warned["error_code"]), (&json!("WARN"), &json!("PKGJSON_101")));
    assert_eq!(warned["package_manager"], "npm", "the settings say so");
    let called = call(&project, "packagejson.npm_both", &json!({}));
    assert_eq!(called["error_code"], "PKGJSON_101", "{called}");
}

#[test]
fn the_record_of_a_run_has_start_end_and_the_absolute_directory() {
    let project = Project::empty();
    project.write("web/package.json", r#"{"scripts": {"pause": "sleep 0.3"}}"#);
    project.write(
        "settings.yml",
        settings("  packagejson: {config: {package_manager: npm, working_directory: web}}\n"),
    );
    project.cuff(["run", "pause"]).succeeded();
    let runs = project.outside().join("home/data/cuff/runs");
    let folder = fs::read_dir(runs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.join("meta.json").exists());
    let text = fs::read(folder.unwrap().join("meta.json")).unwrap();
    let documents = serde_json::Deserializer::from_slice(&text).into_iter::<Value>();
    let documents = documents.map(|document| document.unwrap().as_object().unwrap().clone());
    let meta = Value::Object(documents.flatten().collect());
    assert_eq!(meta["absolute_directory"], project.root().join("web").display().to_string());
    assert_eq!(meta["directory"], "web");
    let (started, ended) = (meta["started_ms"].as_u64().unwrap(), meta["end"]["ended_ms"].as_u64().unwrap());
    assert!((300..60_000).contains(&(ended - started)), "{meta}");
    let shown = project.cuff(["runs", "show", "latest", "--json"]).succeeded().json();
    assert_eq!((&shown["started_ms"], &shown["ended_ms"]), (&json!(started), &json!(ended)), "{shown}");
}
