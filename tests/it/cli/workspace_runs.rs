//! `cuff run --recursive`: one tool in every package of a workspace, in the order of their needs.

use std::process::Command;

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;
use crate::support::tools;

/// A workspace: app needs ui, ui needs core, side needs nobody, and none of them is installed.
fn workspace() -> Project {
    let project = Project::empty();
    let packages = [
        ("core", json!({})),
        ("ui", json!({"@x/core": "*"})),
        ("app", json!({"@x/ui": "*"})),
        ("side", json!({})),
    ];
    for (name, needs) in packages {
        let manifest = json!({
            "name": format!("@x/{name}"),
            "version": "1.0.0",
            "scripts": {"test": format!("node -e \"console.log('{name} is tested')\" --"), "only": format!("echo {name}")},
            "dependencies": needs,
        });
        project.write(&format!("packages/{name}/package.json"), manifest.to_string());
    }
    let root = json!({"name": "root", "private": true, "workspaces": ["packages/*"], "scripts": {"test": "npm test -ws"}});
    project.write("package.json", root.to_string());
    project
}

/// The lines that the tools printed, in their order, without those of the package manager.
fn tested(output: &str) -> Vec<String> {
    let lines = output.lines().filter(|line| line.ends_with(" is tested"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn packages_run_after_those_that_they_need() {
    for manager in ["npm", "pnpm"] {
        if tools::require(manager).is_none() {
            continue;
        }
        let project = workspace();
        if manager == "pnpm" {
            project.write("pnpm-workspace.yaml", "packages: ['packages/*']\n");
        }
        for jobs in ["1", "4"] {
            let run = project.cuff(["run", "-r", "test", "-j", jobs]).succeeded();
            let tested = tested(&run.stdout);
            let at = |name: &str| {
                let line = format!("@x/{name} | {name} is tested");
                tested.iter().position(|tested| *tested == line).unwrap_or_else(|| panic!("{name}: {run:?}"))
            };
            assert!(tested.len() == 4 && at("core") < at("ui") && at("ui") < at("app"), "{manager}: {run:?}");
            assert!(run.stderr.contains("4 runs: 4 ok ("), "{run:?}");
        }
    }
}

#[test]
fn a_failure_stops_what_needs_it_and_the_summary_says_so() {
    let project = workspace();
    let manifest = json!({"name": "@x/ui", "scripts": {"test": "node -e 'process.exit(3)'"}, "dependencies": {"@x/core": "*"}});
    project.write("packages/ui/package.json", manifest.to_string());
    let run = project.cuff(["run", "-rk", "-j1", "test"]).ended_with(3);
    assert_eq!(tested(&run.stdout), ["@x/core | core is tested", "@x/side | side is tested"], "{run:?}");
    assert!(run.stderr.contains("ui:test failed: exit code 3, "), "{run:?}");
    let (_, summary) = run.stderr.split_once("4 runs: 2 ok, 1 failed, 1 not run (").expect("a summary");
    let lines: Vec<&str> = summary.lines().skip(1).collect();
    assert_eq!(lines[0], "  @x/app   not run: it needs @x/ui", "{summary}");
    assert!(lines[1].starts_with("  @x/ui    failed (3), "), "{summary}");
    // Without `-k` nothing starts after the failure: with one job side comes behind ui.
    let run = project.cuff(["run", "-r", "-j1", "--json", "test"]).ended_with(3);
    let json = run.json();
    let of: Vec<&str> =
        json["results"].as_array().unwrap().iter().map(|one| one["of"].as_str().unwrap()).collect();
    assert_eq!(json["exit_code"], json!(3));
    assert!(of.contains(&"@x/core") && of.contains(&"@x/ui") && !of.contains(&"@x/app"), "{json}");
    assert!(json["not_run"].as_array().unwrap().contains(&json!("app.npm_test")), "{json}");
}

#[test]
fn filters_and_changes_choose_packages() {
    let project = workspace();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=b"]).args(words).current_dir(project.root());
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "-q", "."]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "all"]);
    let run = |words: &[&str]| {
        let run = project.cuff([&["run", "-r", "test", "-j1"], words].concat()).succeeded();
        tested(&run.stdout).iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(run(&["--filter", "@x/*i*"]), ["@x/side", "@x/ui"]);
    assert_eq!(run(&["--filter", "packages/core", "--filter", "@x/app"]), ["@x/core", "@x/app"]);
    assert_eq!(run(&["--changed", "HEAD"]), [""; 0]);
    project.write("packages/ui/new.js", "1\n");
    assert_eq!(run(&["--changed", "HEAD"]), ["@x/ui", "@x/app"]);
    assert_eq!(run(&["--changed", "HEAD", "--filter", "@x/app"]), ["@x/app"]);
    // A file that was written again is read as it is: the project's configuration names programs for that, which nobody starts.
    git(&["config", "filter.x.clean", "sh -c 'echo started > ../started; cat'"]);
    project.write(".gitattributes", "* filter=x\n");
    let manifest = project.read("packages/core/package.json");
    project.write("packages/core/package.json", &manifest);
    assert_eq!(run(&["--changed", "HEAD", "--filter", "@x/core"]), [""; 0]);
    project.write("packages/core/package.json", format!("{manifest}\n"));
    assert_eq!(run(&["--changed", "HEAD", "--filter", "@x/core"]), ["@x/core"]);
    assert!(!project.root().join("../started").exists());
    let unknown = project.cuff(["run", "-r", "test", "--changed", "nope"]).ended_with(64);
    assert!(unknown.stderr.contains("--changed: ") && unknown.stderr.contains("nope"), "{unknown:?}");
    let words = project.cuff(["run", "-r", "test", "--filter", "@x/core", "--", "--more"]).succeeded();
    assert!(words.stdout.contains("--more"), "{words:?}");
    let nobody = project.cuff(["run", "-r", "nope"]).ended_with(127);
    assert_eq!(
        nobody.stderr.lines().next(),
        Some("error: no package of the workspace has `nope` [CUFF_301]"),
        "{nobody:?}"
    );
}

#[test]
fn packages_that_need_each_other_run_in_no_order_and_that_is_said() {
    let project = workspace();
    let manifest =
        json!({"name": "@x/core", "scripts": {"test": "echo core"}, "devDependencies": {"@x/app": "*"}});
    project.write("packages/core/package.json", manifest.to_string());
    let run = project.cuff(["run", "-r", "test"]).succeeded();
    let note =
        "note: these packages need each other, and run in no order: packages/app, packages/core, packages/ui";
    assert!(run.stderr.contains(note) && run.stderr.contains("4 runs: 4 ok"), "{run:?}");
}

#[test]
fn any_tools_run_side_by_side() {
    let project = workspace();
    let run = project.cuff(["run", "--each", "-j", "2", "core:only", "side:only"]).succeeded();
    assert!(
        run.stdout.contains("core:only | core\n") && run.stdout.contains("side:only | side\n"),
        "{run:?}"
    );
    assert!(run.stderr.contains("2 runs: 2 ok ("), "{run:?}");
}

#[test]
fn a_package_that_cannot_be_read_is_named() {
    let project = workspace();
    project.cuff(["init", "--yes"]).succeeded();
    project.write("packages/side/package.json", "{");
    let run = project.cuff(["run", "-r", "test", "--filter", "@x/core"]);
    assert!(run.stderr.contains("Invalid JSON in packages/side/package.json"), "{run:?}");
}

/// The words of each package's run, in their order.
fn planned(project: &Project, words: &[&str]) -> Vec<String> {
    let all = [&["run", "-r", "--dry-run", "-j", "1"], words].concat();
    let run = project.cuff(all).succeeded();
    let lines = run.stdout.lines().filter(|line| line.contains("Would execute"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn crates_of_a_cargo_workspace_are_tested_in_their_order() {
    let project = Project::empty();
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/old\"]\nresolver = \"2\"\n",
    );
    for (name, needs) in [
        ("base", ""),
        ("app", "[dependencies]\nb = { path = \"../base\", package = \"base\" }\n"),
        ("old", ""),
    ] {
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{needs}");
        project.write(&format!("crates/{name}/Cargo.toml"), manifest);
        let test = format!("#[test]\nfn of_{name}() {{\n    println!(\"{name} is tested\");\n}}\n");
        project.write(&format!("crates/{name}/src/lib.rs"), test);
    }
    assert_eq!(
        planned(&project, &["test"]),
        ["base | Would execute: cargo test", "app | Would execute: cargo test"]
    );
    let home = std::env::var("HOME").unwrap_or_default();
    let of_home = |name: &str, below: &str| std::env::var(name).unwrap_or_else(|_| format!("{home}/{below}"));
    let project = project
        .variable("PATH", std::env::var_os("PATH").expect("a search path"))
        .variable("CARGO_HOME", of_home("CARGO_HOME", ".cargo"))
        .variable("RUSTUP_HOME", of_home("RUSTUP_HOME", ".rustup"));
    let run = project.cuff(["run", "-r", "test", "--", "--", "--nocapture"]).succeeded();
    let tests: Vec<&str> = run.stdout.lines().filter(|line| line.ends_with(" is tested")).collect();
    assert_eq!(tests, ["base | base is tested", "app  | app is tested"], "{run:?}");
    assert!(run.stderr.contains("2 runs: 2 ok ("), "{run:?}");
    assert_eq!(planned(&project, &["test", "--filter", "a*"]), ["app | Would execute: cargo test"]);
}

#[test]
fn the_members_of_a_cargo_workspace_are_those_that_cargo_takes_in() {
    let project = Project::empty();
    let manifest =
        |name: &str, more: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n{more}");
    let root = "[dependencies]\nneeded = { path = \"./libs/needed\" }\nskipped = { path = \"libs/skipped\" }\n\
                [workspace]\nmembers = [\"apps/*\", \"./libs/skipped/listed/\"]\nexclude = [\"libs/skipped\", \"libs/n*\"]\n[workspace.dependencies]\n\
                also = { path = \"libs/also\" }\nunused = { path = \"libs/unused\" }\n";
    project.write("Cargo.toml", manifest("root", root));
    project.write(
        "apps/app/Cargo.toml",
        manifest("app", "[target.'cfg(unix)'.dependencies]\nback = { path = \"../../libs/back\" }\n[dependencies]\nalso.workspace = true\n"),
    );
    project.write(
        "libs/needed/Cargo.toml",
        manifest("needed", "[dev-dependencies]\ndeep = { path = \"deep\" }\n"),
    );
    project.write(
        "libs/needed/deep/Cargo.toml",
        manifest("deep", "[dependencies]\nroot = { path = \"../../..\" }\n"),
    );
    for name in ["skipped", "skipped/listed", "also", "unused", "back"] {
        project
            .write(&format!("libs/{name}/Cargo.toml"), manifest(name.rsplit('/').next().unwrap_or(name), ""));
    }
    for folder in [
        "",
        "apps/app/",
        "libs/needed/",
        "libs/needed/deep/",
        "libs/skipped/",
        "libs/skipped/listed/",
        "libs/also/",
        "libs/unused/",
        "libs/back/",
    ] {
        project.write(&format!("{folder}src/lib.rs"), "");
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(project.root());
    let told: serde_json::Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let mut members: Vec<&str> =
        told["packages"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    members.sort_unstable();
    assert_eq!(members, ["also", "app", "back", "deep", "listed", "needed", "root"]);
    let planned = planned(&project, &["fmt"]);
    let mut taken: Vec<&str> = planned.iter().filter_map(|line| line.split(" | ").next()).collect();
    taken.push("root");
    taken.sort_unstable();
    assert_eq!(taken, members, "{planned:?}");
}

#[test]
fn a_long_chain_of_crates_is_taken_in_and_one_outside_is_named() {
    let project = Project::empty();
    let manifest =
        |name: &str, more: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n{more}");
    project.write("Cargo.toml", "[workspace]\nmembers = [\"crates/c29\", \"../other\"]\n");
    project.write("crates/c0/Cargo.toml", manifest("c0", ""));
    for at in 1..30 {
        let needs = format!("[build_dependencies]\nc{0} = {{ path = \"../c{0}\" }}\n", at - 1);
        project.write(&format!("crates/c{at}/Cargo.toml"), manifest(&format!("c{at}"), &needs));
    }
    let planned = planned(&project, &["fmt"]);
    let names: Vec<&str> = planned.iter().filter_map(|line| line.split(" | ").next()).collect();
    let expected: Vec<String> = (0..30).map(|at| format!("c{at}")).collect();
    assert_eq!(names, expected);
    insta::assert_snapshot!(project.cuff(["list", "--no-color"]).stderr, @"
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    warning: cargo: Cargo.toml: the package in ../other is left out: it is outside of the workspace's folder
    help: its own folder offers its tools
    ");
}

/// The lines that `cuff list` prints in a folder, with single blanks.
fn listed_in(project: &Project, folder: &str) -> String {
    let list = project.cuff(["-C", folder, "list"]).succeeded();
    let lines = list.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_person_in_a_crate_has_its_tools_first_and_those_of_the_workspace() {
    let project = Project::empty();
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\nlow = { path = \"crates/zero\", package = \"zero\" }\n",
    );
    let manifest =
        |name: &str, needs: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n{needs}");
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write("crates/zero/Cargo.toml", manifest("zero", ""));
    project.write(
        "crates/core/Cargo.toml",
        manifest("core", "[target.'cfg(unix)'.dependencies]\nlow = { workspace = true }\n"),
    );
    project.write("crates/core/Makefile", "gen:\n\techo gen\n");
    insta::assert_snapshot!(listed_in(&project, "crates/core"), @"
    core · crates/core/Cargo.toml
    build Build everything
    test Build and run the tests
    clippy Find problems with clippy
    fmt Format the code; `--check` only looks
    doc Build the documentation
    fetch Download the crates that the other tasks need

    crates/core/Makefile
    gen echo gen

    Cargo.toml
    cargo.build Build everything
    cargo.test Build and run the tests
    cargo.clippy Find problems with clippy
    cargo.fmt Format the code; `--check` only looks
    cargo.doc Build the documentation
    cargo.fetch Download the crates that the other tasks need
    ");
    let said = |folder: &str, words: &[&str]| {
        let run = project.cuff([&["-C", folder], words].concat());
        format!(
            "{}{}",
            run.stdout,
            run.stderr
                .lines()
                .filter(|line| !line.contains("no settings.yml") && !line.contains(" runs: "))
                .collect::<Vec<_>>()
                .join("\n")
        )
    };
    let all = [
        said("crates/core", &["run", "test", "--dry-run"]),
        said("crates/core", &["run", "zero:test", "--dry-run"]),
        said("crates/core", &["run", "-r", "test", "--dry-run", "-j", "1"]),
        said(".", &["run", "core:test", "--dry-run"]),
        said(".", &["run", "core:tset"]),
        said(".", &["run", "-r", "tset"]),
    ];
    insta::assert_snapshot!(all.join("\n---\n"), @"
    Would execute: cargo test
    in: crates/core
    note: `test` is `core:test` in this folder
    ---
    Would execute: cargo test
    in: crates/zero

    ---
    zero | Would execute: cargo test
    zero | in: crates/zero
    core | Would execute: cargo test
    core | in: crates/core

    ---
    Would execute: cargo test
    in: crates/core

    ---
    error: Tool not found: core:tset [CUFF_301]
    help: did you mean `cuff run core:test`?
    ---
    error: no package of the workspace has `tset` [CUFF_301]
    help: did you mean `test`?
    ");
}

#[test]
fn the_workspace_around_counts_and_no_neighbour() {
    let project = Project::empty();
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write("package.json", r#"{"name": "root", "scripts": {"lint": "echo root"}}"#);
    project.write("rust/Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n");
    for name in ["a", "b"] {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
        project.write(&format!("rust/{name}/Cargo.toml"), manifest);
    }
    project.write("rust/a/Makefile", "test:\n\techo of a\n");
    let planned = |folder: &str, words: &[&str]| {
        let run = project.cuff([&["-C", folder, "run", "--dry-run"], words].concat());
        run.stdout.lines().collect::<Vec<_>>().join(" ")
    };
    let all = [
        planned("rust/b", &["test"]),
        planned("rust/b", &["-r", "clippy", "-j", "1"]),
        planned("rust/b", &["a:clippy"]),
        planned("rust", &["test"]),
        planned("rust/a", &["test"]),
        planned(".", &["-r", "clippy", "-j", "1"]),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    Would execute: cargo test in: b
    a | Would execute: cargo clippy --all-targets a | in: a b | Would execute: cargo clippy --all-targets b | in: b
    Would execute: cargo clippy --all-targets in: a
    Would execute: cargo test
    Would execute: make test in: a
    a | Would execute: cargo clippy --all-targets a | in: rust/a b | Would execute: cargo clippy --all-targets b | in: rust/b
    ");
    let why = project.cuff(["-C", "rust/b", "why", "a:clippy"]).succeeded();
    assert!(why.stdout.contains("\n  in        a\n"), "{why:?}");
}

#[test]
fn settings_take_in_the_packages_of_other_workspaces_and_name_their_tools() {
    let project = Project::empty();
    project.write("deno.json", r#"{"workspace": ["./a", "./b"]}"#);
    project.write("a/deno.json", r#"{"name": "@x/a", "tasks": {"gen": "echo a"}}"#);
    project.write("b/deno.json", r#"{"name": "@x/b", "tasks": {"gen": "echo b"}}"#);
    let settings = "version: 1\nplugins:\n  deno:\n    type: in_source\n    module: deno\n    config:\n      tasks: ['*gen']\n      \
                    packages: {include: '*'}\n      confirm: ['a:gen', 'c:gen']\n";
    project.write("settings.yml", settings);
    let list = project.cuff(["list"]).succeeded();
    let lines = list.stdout.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(format!("{lines}\n{}", list.stderr), @"
    a · a/deno.json
      a:gen  [asks] echo a

    b · b/deno.json
      b:gen  echo b
    warning: deno: settings.yml: `confirm` has `c:gen`, which means no tool, so that nobody is asked because of it [DENO_203]
    help: correct it, or take it out of the settings
    ");
    let mut spoken = McpSession::over_pipes(&project, &["--expose", "tools"]);
    spoken.initialize();
    let tools = spoken.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tool =
        tools.as_array().into_iter().flatten().find(|tool| tool["name"] == "deno.gen").expect("a tool");
    assert_eq!(tool["inputSchema"]["properties"]["package"]["enum"], json!(["@x/a", "@x/b"]), "{tool}");
    let refused = spoken.call("deno.gen", &json!({}));
    assert_eq!(refused["structuredContent"]["tool"], "deno.gen", "{refused}");
    spoken.leave();
}

#[test]
fn packages_of_uv_and_modules_of_go_are_known_with_their_needs() {
    let project = Project::empty();
    project
        .write("pyproject.toml", "[project]\nname = \"root\"\n[tool.uv.workspace]\nmembers = [\"libs/*\"]\n");
    project.write("uv.lock", "");
    for (name, needs) in [("alpha", "\"My_Zeta>=1\""), ("zeta", "")] {
        let own = if name == "zeta" { "my-zeta" } else { name };
        let manifest =
            format!("[project]\nname = \"{own}\"\ndependencies = [{needs}]\n[tool.pytest.ini_options]\n");
        project.write(&format!("libs/{name}/pyproject.toml"), manifest);
    }
    assert_eq!(
        planned(&project, &["pytest"]),
        ["my-zeta | Would execute: uv run pytest", "alpha | Would execute: uv run pytest"]
    );
    let project = Project::empty();
    project.write("go.work", "go 1.22\n\nuse (\n\t./api\n\t./core // the base\n)\n");
    project.write("core/go.mod", "module example.com/core\n");
    project.write(
        "api/go.mod",
        "module example.com/api\n\nrequire (\n\texample.com/core v0.0.0\n\tgolang.org/x/net v0.1.0\n)\n",
    );
    assert_eq!(
        planned(&project, &["test"]),
        ["example.com/core | Would execute: go test ./...", "example.com/api | Would execute: go test ./..."]
    );
}
