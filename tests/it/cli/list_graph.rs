//! `cuff list --graph`: which tools start which others.

use serde_json::json;

use crate::support::project::Project;

#[test]
fn tools_that_start_others_are_shown_as_trees() {
    let project = Project::empty();
    let scripts = json!({
        "prebuild": "rm -rf dist",
        "build": "tsc",
        "lint": "eslint .",
        "check": "npm run lint && npm t && make unit",
        "test": "run-s lint build",
        "ping": "npm run pong",
        "pong": "npm run ping",
    });
    project.write("package.json", json!({"name": "x", "scripts": scripts}).to_string());
    let makefile = "all: pack test\n\npack: gen\n\tcc -o pack x.c\n\ngen:\n\t./gen.sh\n\ntest: pack\n\t$(MAKE) unit\n\
                    \tnpm run lint\n\nunit:\n\techo unit\n.PHONY: all pack gen test unit\n";
    project.write("Makefile", makefile);
    let shown = project.cuff(["list", "--graph"]).succeeded();
    insta::assert_snapshot!(shown.stdout, @r"
    check
    ├─ lint
    ├─ npm:test
    │  ├─ lint
    │  └─ build
    │     └─ prebuild
    └─ unit
    all
    ├─ pack
    │  └─ gen
    └─ make:test
       ├─ pack …
       ├─ unit
       └─ lint
    ping
    └─ pong
       └─ ping …
    ");
    let json = project.cuff(["list", "--graph", "--json", "make_test"]).succeeded().json();
    let calls = json!(["makefile.make_pack", "makefile.make_unit", "packagejson.npm_lint"]);
    assert_eq!(json, json!({"tools": [{"name": "makefile.make_test", "calls": calls}]}));
    let none = project.cuff(["list", "--graph", "make_gen"]).succeeded();
    assert_eq!(
        (none.stdout.as_str(), none.stderr.lines().next()),
        ("", Some("no tool here starts another by its own text"))
    );
}

/// Each source says what its tasks start, and commands lead to tools by their names: not by doing the same, and not in another folder.
#[test]
fn tools_of_all_sources_start_each_other() {
    let project = Project::empty();
    for (name, text) in [
        (
            "package.json",
            r#"{"name": "x", "scripts": {
                "compile": "tsc -b", "watch": "tsc -b --watch", "lint:js": "eslint .", "lint:css": "stylelint .",
                "all": "npm run compile && echo done", "yarn": "yarn compile", "node": "node --run compile",
                "rows": "concurrently \"npm:lint:*\" \"npm run compile\"", "just": "just ship", "task": "task deploy",
                "inner": "make -C sub all && cd sub && make all", "core": "npm run build -w core"}}"#,
        ),
        (
            "Makefile",
            ".PHONY: all build test\nall: build\n\t@$(MAKE) --no-print-directory V=1 test clean\n\t$(MAKE) -C sub build\n\
             build:\n\tnpm run compile\ntest: ; npm run all\nclean: ; rm -rf x\n",
        ),
        ("sub/Makefile", "all: ; echo\n"),
        (
            "justfile",
            "ship: pack && notify\n    just check\npack:\n    make build\nnotify:\n    echo\ncheck: (unit \"x\")\nunit x:\n    echo\n",
        ),
        (
            "Taskfile.yml",
            "version: '3'\ntasks:\n  deploy:\n    deps: [one, {task: two}]\n    cmds:\n      - task: x-{{.ITEM}}\n      \
             - defer: {task: last}\n  one: echo\n  two: task one\n  last: echo\n  x-a: echo\n",
        ),
        (
            "deno.json",
            r#"{"tasks": {"da": "echo", "db": {"command": "deno task da", "dependencies": ["dc"]}, "dc": "echo"}}"#,
        ),
        (
            "composer.json",
            r#"{"scripts": {"cs": "phpcs", "stan": "phpstan", "ci": ["@cs", "@composer run-script stan"]}}"#,
        ),
        (
            "mise.toml",
            "[tasks.mo]\nrun = 'echo'\n[tasks.mi]\ndepends = ['mo']\nrun = ['mise run me', {task = 'mu'}]\n\
                       [tasks.me]\nrun = 'echo'\n[tasks.mu]\nrun = 'echo'\n",
        ),
        ("pyproject.toml", "[tool.poe.tasks]\npa = 'pytest'\npb = ['pa', 'pc']\npc.ref = 'pa'\n"),
    ] {
        project.write(name, text);
    }
    let shown = project.cuff(["list", "--graph"]).succeeded();
    insta::assert_snapshot!(shown.stdout, @r"
    yarn
    └─ compile
    node
    └─ compile
    rows
    ├─ compile
    ├─ lint:js
    └─ lint:css
    just
    └─ ship
       ├─ pack
       │  └─ build
       │     └─ compile
       ├─ notify
       └─ check
          └─ unit
    task
    └─ deploy
       ├─ one
       ├─ two
       │  └─ one
       ├─ x-a
       └─ last
    make:all
    ├─ build …
    ├─ test
    │  └─ npm:all
    │     └─ compile
    └─ clean
    mi
    ├─ mo
    ├─ mu
    └─ me
    pb
    ├─ pa
    └─ pc
       └─ pa
    db
    ├─ dc
    └─ da
    ci
    ├─ cs
    └─ stan
    ");
}

#[test]
fn scripts_of_packages_are_started_by_the_options_that_name_them() {
    let project = Project::empty();
    let scripts = json!({
        "lint": "eslint .", "one": "npm run lint --workspace=a --if-present", "all": "npm run lint --workspaces", "rec": "pnpm -r run lint",
        "filter": "pnpm --filter ./p/a lint", "there": "cd p/a && npm run lint", "yarn": "yarn workspace @s/b lint", "out": "cd .. && npm run lint",
        "words": "npm run lint -- -w a",
    });
    project.write(
        "package.json",
        json!({"name": "root", "workspaces": ["p/*"], "scripts": scripts}).to_string(),
    );
    project.write("p/a/package.json", r#"{"name": "a", "scripts": {"lint": "echo a"}}"#);
    project.write("p/b/package.json", r#"{"name": "@s/b", "scripts": {"lint": "echo b"}}"#);
    let shown = project.cuff(["list", "--graph"]).succeeded();
    insta::assert_snapshot!(shown.stdout, @"
    one
    └─ a:lint
    all
    ├─ a:lint
    └─ b:lint
    rec
    ├─ a:lint
    └─ b:lint
    filter
    └─ a:lint
    there
    └─ a:lint
    yarn
    └─ b:lint
    words
    └─ lint
    ");
}

/// Each command could be any of the tools: compared one by one that took minutes.
#[test]
fn the_graph_of_thousands_of_scripts_takes_seconds() {
    let project = Project::empty();
    let scripts: serde_json::Map<String, serde_json::Value> = (0..2_000)
        .map(|at| {
            let next = if at % 100 == 99 { format!("echo {at}") } else { format!("npm run step{}", at + 1) };
            (format!("step{at}"), json!(next))
        })
        .collect();
    project.write("package.json", json!({"name": "x", "scripts": scripts}).to_string());
    let begun = std::time::Instant::now();
    let json = project.cuff(["list", "--graph", "--json"]).succeeded().json();
    let took = begun.elapsed();
    let tools = json["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 1_980);
    let calls = json!(["packagejson.npm_step1"]);
    assert_eq!(tools[0], json!({"name": "packagejson.npm_step0", "calls": calls}));
    assert!(took.as_secs() < 30, "{took:?}");
}
