//! The sources of tasks: their fixtures, and real programs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cuff::model::{Parameter, Role, Values};
use cuff::plugins::ALL;
use cuff::sources::project::{self as discovery, ProjectPlace};
use cuff::sys::Environment;

use crate::support::project::Project;

/// All sources that apply to a project, with their tasks and problems.
fn listing(root: &Path) -> String {
    // No program is installed here, so that the list is the same on every machine.
    let environment = Environment::new(root, [("PATH", "/nowhere")]);
    let place = ProjectPlace::of(root, &environment);
    let mut text = String::new();
    for plugin in ALL.iter().filter(|plugin| !plugin.about().has_command) {
        let Some(suggestion) = plugin.suggest(&discovery::scout(place, *plugin)) else { continue };
        let found = discovery::discover(place, *plugin, &Values::of(suggestion.config));
        writeln!(text, "{}: {}", plugin.about().id, found.heading.words("").join(" ")).expect("a string");
        for tool in &found.tools {
            let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
            let names: Vec<&str> =
                std::iter::once(&tool.original).chain(&tool.aliases).map(String::as_str).collect();
            let takes = match tool.input.declared() {
                Some(declared) => {
                    let usages: Vec<String> = declared.iter().map(Parameter::usage).collect();
                    format!(" {}", usages.join(" "))
                }
                None if tool.input.fields().is_empty() => String::new(),
                None => " …".to_owned(),
            };
            let confirms = if tool.confirms || command.requires_confirmation { ", confirm" } else { "" };
            let profile = command.profile.name();
            let own = tool.text.as_deref().unwrap_or_default().replace('\n', "; ");
            let own = if own == command.line() { String::new() } else { format!("\n    text: {own}") };
            write!(
                text,
                "  {} [{profile}{confirms}] {}{takes}\n    {}: {}{own}\n",
                names.join(", "),
                command.line(),
                tool.source,
                tool.description
            )
            .expect("a string");
        }
        for problem in &found.problems {
            writeln!(text, "  {}: {}", problem.severity.name(), problem.sentence()).expect("a string");
        }
    }
    text
}

/// The listing of every fixture that has a source of tasks. To write it: `INSTA_UPDATE=always cargo test --test it -- sources::`.
#[test]
fn every_fixture_has_the_tasks_that_its_snapshot_shows() {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).expect("the fixtures");
    let mut fixtures: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    fixtures.sort();
    for fixture in fixtures.iter().filter(|path| path.is_dir()) {
        let text = listing(fixture);
        if !text.is_empty() {
            let name = fixture.file_name().and_then(|name| name.to_str()).expect("a name");
            insta::with_settings!({ snapshot_path => "../../../snapshots/sources", prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(name, text);
            });
        }
    }
}

#[test]
fn cargo_builds_and_tests_a_package() {
    let project = Project::empty();
    project.write("Cargo.toml", "[package]\nname = \"moon\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    project.write("src/lib.rs", "#[test]\nfn full() {\n    assert_eq!(1, 1);\n}\n");
    let project = with_machine(project);
    let listed = project.cuff(["list", "--plugin", "cargo"]).succeeded().stdout;
    assert!(listed.contains("Cargo.toml\n") && !listed.contains("  run "), "{listed}");
    let run = project.cuff(["run", "test", "--", "full"]).succeeded();
    assert!(run.stdout.contains("test full ... ok"), "{run:?}");

    project.write("src/lib.rs", "#[test]\nfn full() {\n    assert_eq!(1, 2);\n}\n");
    let run = project.cuff(["run", "cargo.test", "--json"]).ended_with(101);
    assert!(run.stdout.contains("\"file\": \"src/lib.rs\"") && run.stdout.contains("\"line\": 3"), "{run:?}");

    project.cuff(["init", "--yes"]).succeeded();
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    let asks = agent.cuff(["run", "fetch"]).ended_with(126);
    assert!(asks.stderr.contains("cuff approve "), "{}", asks.stderr);
    project.write("Cargo.toml", "[package]\nname = \n");
    let broken = project.cuff(["list"]).stderr;
    assert!(broken.contains("Cargo.toml:2"), "{broken}");
}

/// The project, with the programs of this machine and the places where cargo keeps its own.
fn with_machine(project: Project) -> Project {
    let home = std::env::var("HOME").unwrap_or_default();
    let of_home = |name: &str, below: &str| std::env::var(name).unwrap_or_else(|_| format!("{home}/{below}"));
    project
        .variable("PATH", std::env::var_os("PATH").expect("a search path"))
        .variable("CARGO_HOME", of_home("CARGO_HOME", ".cargo"))
        .variable("RUSTUP_HOME", of_home("RUSTUP_HOME", ".rustup"))
}

#[test]
fn manifests_that_cannot_be_parsed_hide_nothing_else() {
    let project = Project::empty();
    project.write("composer.json", "{\n\"scripts\": {\"test\": ,}\n}");
    project.write("mise.toml", "[tasks]\na = \n");
    project.write("deno.json", "{\"tasks\": {\"dev\": \"deno run main.ts\"}}");
    let run = project.cuff(["list"]).ended_with(1);
    assert!(run.stdout.contains("  dev      deno run main.ts"), "{}", run.stdout);
    for place in ["composer: composer.json:2: ", "mise: mise.toml:2: "] {
        assert!(run.stderr.contains(place), "{}", run.stderr);
    }
}

/// The list, as a person reads it.
fn listed(project: &Project) -> String {
    project.cuff(["list"]).succeeded().stdout
}

#[test]
fn files_and_folders_that_mise_includes_have_tasks() {
    let project = Project::empty();
    project.write(
        "mise.toml",
        "[tasks.a]\nrun = 'echo a'\n[task_config]\nincludes = ['tasks.toml', 'xt', '../outside.toml']\n",
    );
    project
        .write("tasks.toml", "[build]\ndescription = 'Build it'\nrun = 'echo build'\nlint = 'echo lint'\n");
    project.script("xt/docs/serve.sh", "#!/bin/sh\n#MISE description=\"Serve the pages\"\n");
    project.script("mise-tasks/unread", "#!/bin/sh\n");
    let list = listed(&project);
    for expected in ["  a ", "  build  ", "Build it", "docs:serve", "Serve the pages"] {
        assert!(list.contains(expected), "{expected}: {list}");
    }
    let run = project.cuff(["list"]).succeeded();
    assert!(run.stderr.contains("includes from ../outside.toml are left out"), "{}", run.stderr);
    assert!(!list.contains("unread"), "included folders stand for the usual ones: {list}");
}

/// A project without `PHPStan`, whatever configures it.
const COMPOSER: &str = r#"{"require-dev": {"phpunit/phpunit": "^11"}, "scripts": {"all": ["@cs", "phpunit --testdox"], "cs": "phpcs"}}"#;

#[test]
fn composer_offers_what_is_configured_and_shows_each_command_once() {
    let project = Project::empty();
    project.write("composer.json", COMPOSER);
    project.write("phpunit.xml.dist", "<phpunit/>");
    project.write("phpstan.neon", "parameters: {}");
    let list = listed(&project);
    for expected in ["composer run-script cs; phpunit --testdox", "Run the tests with PHPUnit"] {
        assert!(list.contains(expected), "{expected}: {list}");
    }
    assert!(!list.contains("phpstan"), "nothing brings it: {list}");
    project.script("vendor/bin/phpstan", "#!/usr/bin/env php\n");
    assert!(listed(&project).contains("Find problems with PHPStan"));
    assert!(!list.contains("run-script all") && !list.contains("pint"), "{list}");
}

#[test]
fn a_test_that_npm_wrote_is_none_and_a_script_of_that_name_is() {
    let project = Project::empty();
    let placeholder = r#"echo \"Error: no test specified\" && exit 1"#;
    project.write("package.json", format!(r#"{{"scripts": {{"test": "{placeholder}", "dev": "vite"}}}}"#));
    project.write("pytest.ini", "[pytest]\n");
    project.script("scripts/test", "#!/bin/sh\necho mine\n");
    let list = listed(&project);
    assert!(list.contains("dev") && !list.contains("no test specified"), "{list}");
    let run = project.cuff(["run", "test"]).succeeded();
    assert!(run.stdout.contains("mine"), "{run:?}");
    assert!(run.stderr.contains("called so too"), "the other is named: {run:?}");
}

#[test]
fn a_slip_of_the_pen_starts_no_rule_for_any_target() {
    let project = Project::empty();
    project.write("Makefile", ".PHONY: build\nbuild:\n\t@echo built\n%:\n\t@echo any $@\n");
    let run = project.cuff(["run", "buidl"]);
    assert!(run.stderr.contains("build") && !run.stdout.contains("any"), "{run:?}");
    assert!(project.cuff(["run", "other"]).succeeded().stdout.contains("any other"));
}

#[test]
fn odd_files_run_nothing_and_hide_nothing() {
    // Without the tools, so that the advice is there to read.
    let project = Project::empty().variable("PATH", "/usr/bin:/bin");
    project.write(
        "Taskfile.yml",
        "version: '3'\nincludes: {again: ./more.yml}\nvars: {X: {sh: touch landed}}\ntasks:\n  \
         go: {desc: 'Go {{.X}}', cmds: ['echo {{.X}}']}\n  'odd; touch landed': {desc: Odd, cmds: [echo]}\n",
    );
    let more =
        "version: '3'\nincludes: {back: ./Taskfile.yml}\ntasks: {inner: {desc: Inner, cmds: [echo]}}\n";
    project.write("more.yml", more);
    let run = "\"{{exec(command='touch landed')}}\"";
    project.write("mise.toml", format!("\u{feff}[tasks.deep]\ndescription = {run}\nrun = {run}\n"));
    project.write("deno.json", format!("{{\"tasks\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000)));
    let listed = project.cuff(["list"]);
    for expected in ["  go ", "again:inner ", "  'odd; touch landed' ", "  deep "] {
        assert!(listed.stdout.contains(expected), "{expected}: {}", listed.stdout);
    }
    for expected in ["it includes itself", "deno: deno.json:1: "] {
        assert!(listed.stderr.contains(expected), "{expected}: {}", listed.stderr);
    }
    let run = project.cuff(["run", "go"]);
    assert!(run.stderr.contains("install task: https://taskfile.dev/installation"), "{}", run.stderr);
    assert!(!project.root().join("landed").exists(), "listing ran a command");
}
