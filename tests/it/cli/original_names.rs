//! The names that people see are those of the files they wrote, and each can be typed.

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// A workspace whose packages have the same scripts, a Makefile with one of their names, and scripts.
fn workspace() -> Project {
    let project = Project::empty();
    let write = |path: &str, name: &str, scripts: serde_json::Value| {
        let text = json!({"name": name, "private": true, "workspaces": ["packages/*"], "scripts": scripts});
        project.write(path, text.to_string());
    };
    write("package.json", "shop", json!({"test:unit": "echo root unit", "build": "echo root build"}));
    write(
        "packages/core/package.json",
        "@shop/core",
        json!({"test": "echo core test", "build": "echo core build"}),
    );
    write("packages/ui/package.json", "@shop/ui", json!({"test": "echo ui test"}));
    project.write(
        "Makefile",
        ".PHONY: build check\nbuild: ## Builds all\n\t@echo made\ncheck:\n\t@echo checked\n",
    );
    project.script("scripts/seed.py", "#!/bin/sh\n# Fills the database\necho seeded\n");
    let package = |folder: &str| {
        format!("  {folder}: {{module: packagejson, config: {{working_directory: packages/{folder}}}}}\n")
    };
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nplugins:\n  packagejson: {{config: {{confirm: ['test:unit']}}}}\n{}{}  makefile: {{}}\n  \
             scripts: {{config: {{patterns: ['scripts/*']}}}}\n",
            package("core"),
            package("ui"),
        ),
    );
    std::fs::create_dir(project.root().join(".git")).expect("a repository");
    project
}

#[test]
fn the_list_shows_original_names_under_a_heading_for_each_source() {
    let project = workspace();
    insta::assert_snapshot!(project.cuff(["list"]).succeeded().stdout, @r"
    package.json · npm
      test:unit  [asks] echo root unit
      npm:build  echo root build

    core · packages/core · npm
      core:test   echo core test
      core:build  echo core build

    ui · packages/ui · npm
      ui:test  echo ui test

    Makefile
      make:build  Builds all
      check       echo checked

    scripts/
      scripts/seed.py  Fills the database
    ");
    // In a package's folder that package is first, and its scripts need no words before them.
    let within = project.cuff(["-C", "packages/core", "list"]).succeeded().stdout;
    assert!(within.starts_with("core · packages/core · npm\n  test   echo core test\n  build  "), "{within}");
    let long = project.cuff(["list", "--long", "core:test"]).succeeded().stdout;
    assert!(long.starts_with("core.npm_test\n"), "{long}");
    let tools = project.cuff(["list", "--json"]).succeeded().json()["tools"].clone();
    let named = |name: &str| tools.as_array().expect("tools").iter().any(|tool| tool["name"] == name);
    assert!(named("core.npm_test") && named("makefile.make_list_targets"), "{tools}");
}

/// Every name of the list is typed, from the root and from a package.
#[test]
fn each_name_of_the_list_means_the_tool_that_it_is_beside() {
    let project = workspace();
    for folder in [".", "packages/core", "packages/ui"] {
        let list = project.cuff(["-C", folder, "list"]).succeeded().stdout;
        let mut lines = 0;
        for line in list.lines().filter(|line| line.starts_with("  ") && !line.contains("[asks]")) {
            let (name, about) = line.trim().split_once("  ").expect("a name and a text");
            let said = match about.trim() {
                "Builds all" => "made",
                "Fills the database" => "seeded",
                about => about.strip_prefix("echo ").expect("what it runs"),
            };
            let run = project.cuff(["-C", folder, "--quiet", "run", name]).succeeded();
            assert!(run.stdout.ends_with(&format!("{said}\n")), "{folder}: {name}: {}", run.stdout);
            lines += 1;
        }
        assert_eq!(lines, 7, "{list}");
    }
}

#[test]
fn a_package_is_named_by_its_name_its_whole_name_or_its_folder() {
    let project = workspace();
    for name in ["core:test", "@shop/core:test", "packages/core:test", "core.test", "core.npm_test"] {
        let run = project.cuff(["run", name]).succeeded();
        assert!(run.stdout.ends_with("core test\n"), "{name}: {}", run.stdout);
    }
    let which = project.cuff(["run", "test"]).ended_with(127).stderr;
    assert!(which.contains("say which: core:test, ui:test;"), "{which}");
    let runs = project.cuff(["runs", "list"]).succeeded().stdout;
    assert!(runs.lines().count() == 5 && runs.lines().all(|line| line.ends_with("  core:test")), "{runs}");
    let log = project.cuff(["runs", "log", "core:test"]).succeeded().stdout;
    assert!(log.ends_with("core test\n"), "{log}");
    // In the package it is listed by the same name as at the root.
    project.cuff(["-C", "packages/ui", "run", "test"]).succeeded();
    assert!(project.cuff(["runs", "list"]).succeeded().stdout.contains("  ui:test\n"));
}

/// Agents see qualified names; a name that they read in the files is understood where it means one tool.
#[test]
fn an_agent_calls_a_tool_by_its_original_name_where_that_is_unambiguous() {
    let project = workspace();
    let mut session = McpSession::begun(&project, &["--expose", "tools"]);
    let mut call = |name: &str, arguments: serde_json::Value| {
        session.ask("tools/call", json!({"name": name, "arguments": arguments}))["result"].clone()
    };
    for (name, arguments, tool) in [
        ("check", json!({}), "makefile.make_check"),
        ("scripts/seed.py", json!({}), "scripts.script_scripts_seed"),
        ("call_plugin_tool", json!({"tool_name": "check", "arguments": {}}), "makefile.make_check"),
    ] {
        let result = call(name, arguments);
        let ran = &result["structuredContent"];
        assert_eq!((&ran["success"], &ran["tool"]), (&json!(true), &json!(tool)), "{result}");
    }
    let which = call("test", json!({}))["content"][0]["text"].to_string();
    assert!(which.contains("say which: core.npm_test, ui.npm_test;"), "{which}");
    let mut session = McpSession::begun(&project, &["--expose", "dispatch"]);
    let mut ask = |arguments: serde_json::Value| {
        session.ask("tools/call", json!({"name": "cuff", "arguments": arguments}))["result"].clone()
    };
    let ran = ask(json!({"action": "run", "tool": "check"}));
    assert_eq!(ran["structuredContent"]["tool"], "makefile.make_check", "{ran}");
    let described = ask(json!({"action": "describe", "tool": "check"}))["content"][0]["text"].to_string();
    assert!(described.contains("makefile.make_check"), "{described}");
}
