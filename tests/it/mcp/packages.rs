//! The packages of a workspace as agents have them: one tool for each name, with the package as an argument.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use serde_json::{Value, json};

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;
use crate::toolscript::toolscript;

fn package(project: &Project, folder: &str, name: &str, scripts: &Value) {
    project.write(&format!("{folder}/package.json"), json!({"name": name, "scripts": scripts}).to_string());
}

fn workspace() -> Project {
    let project = Project::empty();
    let root = json!({
        "name": "shop", "private": true, "workspaces": ["packages/*"],
        "scripts": {"test": "echo the root", "build": "echo built"},
    });
    project.write("package.json", root.to_string());
    package(&project, "packages/core", "@shop/core", &json!({"test": "echo core", "lint": "echo clean"}));
    package(&project, "packages/ui", "@shop/ui", &json!({"test": "echo ui", "deploy": "npm publish"}));
    project.cuff(["init", "--yes"]).succeeded();
    project
}

/// The text of an answer, its times aside.
fn said(answer: &Value) -> String {
    let text = answer["content"][0]["text"].as_str().unwrap().to_owned();
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn packages_share_a_tool() {
    let project = workspace();
    let mut spoken = McpSession::over_pipes(&project, &["--expose", "tools"]);
    spoken.initialize();
    let names = spoken.names();
    let own: Vec<&String> = names.iter().filter(|name| name.contains("npm_")).collect();
    assert_eq!(
        own,
        [
            "packagejson.npm_list_scripts",
            "packagejson.npm_test",
            "packagejson.npm_build",
            "packagejson.npm_lint",
            "packagejson.npm_deploy"
        ]
    );
    let tools = spoken.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap().clone();
    let test = tool("packagejson.npm_test");
    assert_eq!(
        test["inputSchema"]["properties"]["package"],
        json!({"type": "string", "enum": ["@shop/core", "@shop/ui"], "description": "The package of the workspace; left out, the root"})
    );
    assert_eq!(test["inputSchema"]["required"], Value::Null);
    assert_eq!(
        test["description"],
        "Run test script: echo the root (another text in other packages: `package` says which)"
    );
    assert_eq!(tool("packagejson.npm_lint")["inputSchema"]["required"], json!(["package"]));
    assert_eq!(tool("packagejson.npm_build")["inputSchema"]["properties"]["package"], Value::Null);
    spoken.leave();
}

#[test]
fn a_call_says_which_package_or_is_told_which_there_are() {
    let project = workspace();
    let mut spoken = McpSession::over_pipes(&project, &["--expose", "tools"]);
    spoken.initialize();
    for (arguments, expected) in [
        (json!({}), "the root"),
        (json!({"package": "."}), "the root"),
        (json!({"package": "@shop/core"}), "core"),
        (json!({"package": "packages/ui"}), "ui"),
        (json!({"package": null}), "the root"),
    ] {
        let answer = spoken.call("packagejson.npm_test", &arguments);
        assert_eq!(said(&answer).lines().last(), Some(expected), "{arguments}: {answer}");
    }
    for (tool, arguments, expected) in [
        (
            "packagejson.npm_lint",
            json!({}),
            "the root of the workspace has no `lint`: say which `package` [PKGJSON_304]\nhelp: these have it: @shop/core",
        ),
        (
            "packagejson.npm_test",
            json!({"package": "@shop/cor"}),
            "no package `@shop/cor` has `test` [PKGJSON_304]\nhelp: did you mean `@shop/core`?",
        ),
        (
            "packagejson.npm_test",
            json!({"package": 3}),
            "`package` must be a string [PKGJSON_304]\nhelp: give the name of a package, or leave it out for the root",
        ),
        ("packagejson.npm_build", json!({"package": "@shop/ui"}), "`package` is not known here"),
    ] {
        let answer = spoken.call(tool, &arguments);
        assert_eq!(answer["isError"], true);
        assert!(said(&answer).contains(expected), "{}", said(&answer));
    }
    // By the names of a package, too: they are those of records and of settings.
    assert_eq!(said(&spoken.call("core.npm_lint", &json!({}))).lines().last(), Some("clean"));
    let refused = spoken.call("packagejson.npm_deploy", &json!({"package": "@shop/ui"}));
    assert!(said(&refused).contains("ui.npm_deploy requires confirmation"), "{}", said(&refused));
    let listed = spoken.call("packagejson.npm_list_scripts", &json!({}));
    assert_eq!(
        listed["structuredContent"]["data"],
        json!({
            "scripts": ["test", "build"],
            "packages": {"@shop/core": ["test", "lint"], "@shop/ui": ["test", "deploy"]},
        })
    );
    spoken.leave();
}

#[test]
fn a_new_package_is_there_at_once_and_a_package_left_out_is_not() {
    let project = workspace();
    let mut spoken = McpSession::over_pipes(&project, &["--expose", "tools"]);
    spoken.initialize();
    package(&project, "packages/new", "@shop/new", &json!({"test": "echo new", "fresh": "echo fresh"}));
    assert!(spoken.names().iter().any(|name| name == "packagejson.npm_fresh"));
    let answer = spoken.call("packagejson.npm_test", &json!({"package": "@shop/new"}));
    assert_eq!(said(&answer).lines().last(), Some("new"));
    // To leave one out narrows, and holds at once; to take one in waits for a person.
    let settings = project.read("settings.yml");
    project.write("settings.yml", settings.replace("- '*'\n", "- '*'\n        exclude: ['@shop/new']\n"));
    assert!(!spoken.names().iter().any(|name| name == "packagejson.npm_fresh"));
    let answer = spoken.call("packagejson.npm_test", &json!({"package": "@shop/new"}));
    assert!(said(&answer).contains("no package `@shop/new` has `test`"), "{}", said(&answer));
    project.approve();
    project.write("settings.yml", settings);
    assert!(!spoken.names().iter().any(|name| name == "packagejson.npm_fresh"));
    project.approve();
    assert!(spoken.names().iter().any(|name| name == "packagejson.npm_fresh"));
    spoken.leave();
}

#[test]
fn programs_say_which_package() {
    let project = workspace();
    let program = "import { tools } from \"toolscript\";\n\
                   const ran = await tools.packagejson.npmTest({ package: \"@shop/core\" });\n\
                   console.log(ran.data.stdout.trim().split(\"\\n\").pop());\n";
    project.write("p.ts", program);
    let ran = toolscript(&project, &["exec", "-f", "p.ts"]).succeeded();
    assert_eq!(ran.stdout, "core\n");
}

/// `confirm` and the other rules are found by the names of instances and servers.
#[test]
fn no_package_has_the_name_of_a_server() {
    let project = workspace();
    let settings = project.read("settings.yml");
    let server = "  core:\n    type: mcp\n    command: \"false\"\n  ui: {enabled: false, type: mcp, command: \"false\"}\n";
    project.write("settings.yml", format!("{}\n{server}", settings.trim_end()));
    project.write(".toolscript.json", json!({"mcpServers": {"shop-ui": {"command": "false"}}}).to_string());
    let listed = project.cuff(["list", "--json"]).json();
    let tools = listed["tools"].as_array().unwrap();
    let mut instances: Vec<&str> = tools.iter().filter_map(|tool| tool["instance"].as_str()).collect();
    instances.dedup();
    assert_eq!(instances, ["packagejson", "shop-core", "packages-ui"]);
}
