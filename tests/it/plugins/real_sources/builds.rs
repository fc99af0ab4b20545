//! Programs that build, and those that run scripts and hooks of others.

use super::{FAILING, UNUSED, asked, ends_with, findings, listed, project, sorted};
use crate::support::project::Project;
use crate::support::tools;

#[test]
fn uv_runs_the_tools_of_its_project() {
    if tools::require("uv").is_none() || tools::require("pytest").is_none() {
        return;
    }
    let project = project(&[("pyproject.toml", UV), ("test_moon.py", FAILING)]);
    let project = project.variable("UV_OFFLINE", "1").variable("UV_PYTHON_DOWNLOADS", "never");
    asked(&project, "uv lock");
    assert_eq!(listed(&project, "python"), ["pytest", "sync"]);
    assert!(project.cuff(["run", "pytest", "--dry-run"]).succeeded().stdout.contains("uv run pytest"));
    insta::assert_snapshot!(findings(&project, "pytest"), @"test_moon.py:3: test_full / assert 1 == 2 (pytest)");
    project.write("test_moon.py", FAILING.replace("== 2", "== 1"));
    let run = project.cuff(["run", "test"]).succeeded();
    assert!(run.stdout.contains("1 passed in "), "{run:?}");
}

const UV: &str = "[project]\nname = \"moon\"\nversion = \"0.1.0\"\nrequires-python = \">=3.10\"\n[tool.uv]\npackage = false\n\
                  [tool.pytest.ini_options]\n";

#[test]
fn cmake_configures_and_ctest_tests() {
    if ["cmake", "ctest", "make"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = project(&[
        ("CMakeLists.txt", CMAKE),
        ("CMakePresets.json", PRESETS),
        ("new.cmake", "set(phase 1)\nmessage(FATAL_ERROR \"no full moon\")\n"),
    ]);
    let own = asked(&project, "cmake --list-presets");
    let own = sorted(
        own.stdout.lines().filter_map(|line| Some(line.trim().strip_prefix('"')?.split('"').next()?.into())),
    );
    let own: Vec<String> = own.into_iter().map(|preset: String| format!("configure:{preset}")).collect();
    let mut found = listed(&project, "cmake");
    found.retain(|name| name.starts_with("configure:"));
    assert_eq!(found, own);
    let run = project.cuff(["run", "configure:fast"]).succeeded();
    assert!(run.stdout.contains("Build files have been written to: "), "{run:?}");
    // The finding is the test that failed, with what it printed.
    let failed = findings(&project, "test:fast");
    insta::assert_snapshot!(failed, @":null: new / ***Failed / CMake Error at new.cmake:2 (message): / no full moon (ctest)");
    project.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(moon LANGUAGES NONE)\nfull(moon)\n",
    );
    insta::assert_snapshot!(findings(&project, "configure:fast"), @r#"CMakeLists.txt:3: Unknown CMake command "full". (cmake)"#);
}

const CMAKE: &str = "cmake_minimum_required(VERSION 3.20)\nproject(moon LANGUAGES NONE)\nenable_testing()\n\
                     add_test(NAME full COMMAND ${CMAKE_COMMAND} -E true)\n\
                     add_test(NAME new COMMAND ${CMAKE_COMMAND} -P ${CMAKE_SOURCE_DIR}/new.cmake)\n";
const PRESETS: &str = r#"{"version": 3,
"configurePresets": [{"name": "fast", "generator": "Unix Makefiles", "binaryDir": "out"}, {"name": "base", "hidden": true}],
"testPresets": [{"name": "fast", "configurePreset": "fast", "output": {"outputOnFailure": true}}]}"#;

#[test]
fn turbo_runs_what_the_root_has_no_script_for() {
    if tools::require("turbo").is_none() || tools::require("npm").is_none() {
        return;
    }
    let project = Project::of("turbo").variable("TURBO_TELEMETRY_DISABLED", "1");
    asked(&project, "npm install --offline --ignore-scripts --no-audit --no-fund");
    assert_eq!(listed(&project, "turbo"), ["deploy", "dev", "lint", "test"]);
    let plan = asked(&project, "turbo run test --dry=json").json();
    let tasks = plan["tasks"]
        .as_array()
        .expect("a plan")
        .iter()
        .map(|task| task["taskId"].as_str().expect("an id").into());
    assert_eq!(sorted(tasks), ["tides#build", "tides#test", "web#test"]);
    let run = project.cuff(["run", "test"]).succeeded();
    assert!(run.stdout.contains("3 successful, 3 total"), "{run:?}");
    assert_eq!(
        project.cuff(["run", "build", "--dry-run"]).succeeded().stdout,
        "Would execute: npm run build\n"
    );
    project.write("packages/tides/test.js", "throw new Error('ebb')\n");
    insta::assert_snapshot!(findings(&project, "test"), @"packages/tides/test.js:1: Error: ebb (node)");
}

#[test]
fn hooks_run_by_hand() {
    if ["lefthook", "pre-commit", "ruff", "git"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = project(&[
        ("lefthook.yml", LEFTHOOK),
        (".pre-commit-config.yaml", PRECOMMIT),
        ("moon.py", "PHASE = 1\n"),
    ]);
    asked(&project, "git init --quiet");
    asked(&project, "git add --all");
    asked(&project, "git -c user.name=moon -c user.email=moon@example.com commit --quiet --message Begin");
    let own = asked(&project, "lefthook dump --format json").json();
    let hooks = own.as_object().expect("a mapping").keys().filter(|key| key.starts_with("pre-")).cloned();
    assert_eq!(listed(&project, "lefthook"), [vec!["install".to_owned()], sorted(hooks)].concat());
    for task in ["lefthook.pre-commit", "precommit.pre-commit"] {
        project
            .cuff(["run", task, "--", if task.starts_with('l') { "--all-files" } else { "ruff" }])
            .succeeded();
    }
    project.write("moon.py", UNUSED);
    insta::assert_snapshot!(findings(&project, "precommit.pre-commit"), @"moon.py:1: `os` imported but unused (ruff)");
    insta::assert_snapshot!(findings(&project, "lefthook.pre-push"), @"moon.py:1: `os` imported but unused (ruff)");
}

const LEFTHOOK: &str = "pre-commit:\n  jobs:\n    - {run: 'ruff check {all_files}', glob: '*.py'}\npre-push:\n  commands:\n    \
                        style: {run: ruff check --output-format concise moon.py}\n";
const PRECOMMIT: &str = "repos:\n  - repo: local\n    hooks:\n      - {id: ruff, name: ruff, language: system, \
                         entry: ruff check --output-format concise, types: [python]}\n";

#[test]
fn go_tests_a_module() {
    if !tools::of_system("go", "golang-go") {
        return;
    }
    let test = |sum: &str| {
        format!(
            "package moon\n\nimport \"testing\"\n\nfunc TestFull(t *testing.T) {{\n\tif 1+1 != {sum} {{\n\t\tt.Errorf(\"no full moon\")\n\t}}\n}}\n"
        )
    };
    let project =
        project(&[("go.mod", "module example.com/moon\n\ngo 1.19\n"), ("moon_test.go", &test("2"))]);
    assert!(project.cuff(["run", "go.test"]).succeeded().stdout.contains("ok  \texample.com/moon"));
    project.write("moon_test.go", test("3"));
    insta::assert_snapshot!(findings(&project, "go.test"), @"moon_test.go:7: TestFull / no full moon (go_test)");
}

#[test]
fn rake_runs_what_cuff_lists() {
    if !tools::of_system("rake", "rake") {
        return;
    }
    let rakefile = "desc 'Say hello'\ntask(:hello) { puts 'hello moon' }\nnamespace :moon do\n  desc 'Check'\n  task :check do\n    \
                    ruby '-c', 'moon.rb'\n  end\nend\n";
    let project = project(&[("Rakefile", rakefile), ("moon.rb", "def full(\n  1 +\nend\n")]);
    let own = asked(&project, "rake -AT");
    let own =
        own.stdout.lines().filter_map(|line| Some(line.strip_prefix("rake ")?.split(' ').next()?.to_owned()));
    assert_eq!(listed(&project, "rake"), sorted(own));
    ends_with(project.cuff(["run", "hello"]), "hello moon");
    // Rubies word it in several ways.
    let found = findings(&project, "moon:check");
    assert!(found.starts_with("moon.rb:2: syntax error"), "{found}");
}

#[test]
fn dune_and_rebar3_build_and_test() {
    if !tools::of_system("dune", "ocaml-dune") || !tools::of_system("rebar3", "rebar3") {
        return;
    }
    let ocaml = project(&[
        ("dune-project", "(lang dune 2.9)\n"),
        ("test/dune", "(test (name moon))\n"),
        ("test/moon.ml", "let () = print_endline \"hello moon\"\n"),
    ]);
    assert_eq!(listed(&ocaml, "dune"), ["build", "test"]);
    assert!(ocaml.cuff(["run", "dune.test"]).succeeded().stderr.contains("hello moon"));
    ocaml.write("test/moon.ml", "let () = print_int \"a\"\n");
    let expected =
        "test/moon.ml:1: This expression has type string but an expression was expected of type int (ocaml)";
    assert_eq!(findings(&ocaml, "dune.build"), expected);
    let erlang = "-module(moon).\n-export([full/0]).\nfull() -> 1.\n-include_lib(\"eunit/include/eunit.hrl\").\nfull_test() -> ?assertEqual(1, full()).\n";
    let erlang = project(&[
        ("rebar.config", "{alias, [{check, [compile, {eunit, \"-v\"}]}]}.\n"),
        (
            "src/moon.app.src",
            "{application, moon, [{vsn, \"1\"}, {modules, []}, {applications, [kernel, stdlib]}]}.\n",
        ),
        ("src/moon.erl", erlang),
    ]);
    assert_eq!(listed(&erlang, "rebar"), ["check", "compile", "dialyzer", "eunit", "get-deps", "xref"]);
    erlang.cuff(["run", "check"]).succeeded();
    erlang.write("src/sun.erl", "-module(sun).\n-export([day/0]).\nday() -> x +.\n");
    let found = findings(&erlang, "check");
    assert!(found.starts_with("src/sun.erl:3: syntax error"), "{found}");
}

#[test]
fn composer_runs_what_cuff_lists() {
    if !tools::of_system("composer", "composer") {
        return;
    }
    let scripts = r#"{"scripts": {"hello": "echo hello moon", "check": "@php -l moon.php"}}"#;
    let project = project(&[("composer.json", scripts), ("moon.php", "<?php\nfunction full( {\n")]);
    let project = project.variable("COMPOSER_ALLOW_SUPERUSER", "1");
    let own = asked(&project, "composer run-script --list --no-ansi");
    let own =
        own.stdout.lines().filter_map(|line| Some(line.strip_prefix("  ")?.split(' ').next()?.to_owned()));
    let mut found = listed(&project, "composer");
    found.retain(|name| name != "install");
    assert_eq!(found, sorted(own));
    ends_with(project.cuff(["run", "hello"]), "hello moon");
    let found = findings(&project, "check");
    assert!(found.contains("moon.php:2: syntax error"), "{found}");
}

#[test]
fn gradle_runs_what_cuff_lists() {
    if !tools::of_system("gradle", "gradle") || !tools::of_system("javac", "default-jdk-headless") {
        return;
    }
    let build = "apply plugin: 'java'\ntask hello {\n    group 'moon'\n    description 'Say hello'\n    doLast { println 'hello moon' }\n}\n\
                 ['north', 'south'].each { station -> task(\"measure_$station\") { doLast { println station } } }\n";
    let moon = "class Moon {\n    int full() { return \"a\"; }\n}\n";
    let files = [("build.gradle", build), ("settings.gradle", "rootProject.name = 'moon'\n")];
    let project = project(&files).variable("GRADLE_OPTS", "-Dorg.gradle.daemon=false");
    let own = asked(&project, "gradle --quiet --offline tasks --all");
    let own: Vec<&str> = own.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    let found = listed(&project, "gradle");
    assert_eq!(
        found,
        ["build", "check", "clean", "fetch", "hello", "measure_north", "measure_south", "test"]
    );
    assert!(found.iter().all(|name| name == "fetch" || own.contains(&&**name)), "{own:?}");
    let run = project.cuff(["run", "hello"]).succeeded();
    assert!(run.stdout.contains("\nhello moon\n"), "{run:?}");
    project.write("src/main/java/Moon.java", moon);
    insta::assert_snapshot!(findings(&project, "build"), @"
    src/main/java/Moon.java:2: incompatible types: String cannot be converted to int (javac)
    ");
}

/// Settings that have a source ask its tool.
fn asking(source: &str) -> String {
    format!("version: '1'\nplugins: {{{source}: {{config: {{ask_tool: true}}}}}}\n")
}

#[test]
fn rake_is_asked_for_tasks_that_its_text_does_not_name() {
    if !tools::of_system("rake", "rake") {
        return;
    }
    let rakefile = "'north south'.split.each do |station|\n  desc \"Measure #{station}\"\n  task(\"measure:#{station}\") { puts station }\n\
                    end\nputs 'read'\nFile.write('asked', 'x', mode: 'a')\n";
    let project = project(&[("Rakefile", rakefile), ("settings.yml", &asking("rake"))]);
    assert_eq!(listed(&project, "rake"), ["measure:north", "measure:south"]);
    let run = project.cuff(["run", "measure:north"]).succeeded();
    assert!(run.stdout.ends_with("north\n"), "{run:?}");
    // The answer is kept: one question for the list, one start for the run.
    assert_eq!((listed(&project, "rake").len(), project.read("asked").len()), (2, 2));
    project.write("Rakefile", format!("raise 'no moon'\n{rakefile}"));
    let run = project.cuff(["list"]);
    insta::assert_snapshot!(format!("{}{}", run.stdout, run.stderr), @r"
    warning: rake: Rakefile: rake did not list its tasks, so its files were read as text: no moon [RAKE_102]
    help: try `rake --all --tasks`, or take `ask_tool` out of the settings
    Nothing is offered here
    ");
    project.write("settings.yml", "version: '1'\nplugins: {rake: {}}\n");
    project.cuff(["list"]);
    assert_eq!(project.read("asked").len(), 2, "without `ask_tool` nothing runs");
}

#[test]
fn mix_is_asked_for_tasks_that_its_text_does_not_name() {
    if !tools::of_system("mix", "elixir") {
        return;
    }
    let mix = "defmodule Moon.MixProject do\n  use Mix.Project\n\n  def project do\n    [app: :moon, version: \"0.1.0\", aliases: \
               Enum.map([:north, :south], &{&1, \"test\"})]\n  end\nend\n";
    let project = project(&[("mix.exs", mix), ("settings.yml", &asking("mix"))]);
    assert_eq!(listed(&project, "mix"), ["compile", "deps.get", "format", "north", "south", "test"]);
}
