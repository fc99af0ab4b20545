//! Files that are broken, huge, of another version or hostile: what is said of them, and that the rest works.

use std::fmt::Write as _;
use std::time::Instant;

use crate::support::project::{Project, Run};

/// A project with these files and without any tool of a source.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::empty().variable("PATH", "/nowhere");
    for (name, text) in files {
        project.write(name, text);
    }
    project
}

/// All that a command prints, and its exit code.
fn whole(run: &Run) -> String {
    format!("{}{}exit code {}\n", run.stdout, run.stderr, run.code)
}

const ROOT: &str =
    r#"{"name": "root", "private": true, "workspaces": ["packages/*"], "scripts": {"lint": "echo lint"}}"#;

#[test]
fn one_broken_package_is_a_warning_of_its_workspace() {
    let broken = "{\"name\": \"b\",\n\"scripts\": {";
    let project = project(&[
        ("package.json", ROOT),
        ("packages/a/package.json", r#"{"name": "a", "scripts": {"test": "echo a"}}"#),
        ("packages/b/package.json", broken),
    ]);
    insta::assert_snapshot!(whole(&project.cuff(["list"])), @r"
    package.json · npm
      lint  echo lint

    a · packages/a · npm
      a:test  echo a
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    warning: packagejson, a: npm is not installed or not on the PATH [PKGJSON_103]
    help: install Node.js, which brings npm: https://nodejs.org
    warning: packages-b: packages/b/package.json:2:12: Invalid JSON in packages/b/package.json: EOF while parsing an object [PKGJSON_102]
    help: correct the file; until then none of its scripts is offered
    exit code 0
    ");
    // Alone it is all there is.
    let alone = Project::empty();
    alone.write("package.json", broken);
    insta::assert_snapshot!(whole(&alone.cuff(["list"])), @r"
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    error: packagejson: package.json:2:12: Invalid JSON in package.json: EOF while parsing an object [PKGJSON_102]
    help: correct the file; until then none of its scripts is offered
    Nothing is offered here
    exit code 1
    ");
}

#[test]
fn changes_need_a_repository() {
    let project = project(&[
        ("package.json", ROOT),
        ("packages/a/package.json", r#"{"name": "a", "scripts": {"test": "echo"}}"#),
    ]);
    let project = project.variable("PATH", "/usr/bin:/bin");
    insta::assert_snapshot!(whole(&project.cuff(["run", "-r", "test", "--changed", "main"])), @r"
    error: --changed: not a git repository (or any of the parent directories): .git [CUFF_304]
    help: name a commit, a branch or a tag of the repository; without --changed it runs in all packages
    exit code 64
    ");
}

/// Workspaces by their root, its text, the manifest of a package and its text, where NAME needs OTHER.
const CYCLES: [[&str; 4]; 3] = [
    [
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\"]\n",
        "Cargo.toml",
        "[package]\nname = \"NAME\"\nversion = \"0.1.0\"\n[dev-dependencies]\nOTHER = {path = \"../OTHER\"}\n",
    ],
    [
        "pyproject.toml",
        "[project]\nname = \"root\"\nversion = \"0.1.0\"\n[tool.uv.workspace]\nmembers = [\"a\", \"b\"]\n",
        "pyproject.toml",
        "[project]\nname = \"NAME\"\nversion = \"0.1.0\"\ndependencies = [\"OTHER\"]\n[tool.pytest.ini_options]\n",
    ],
    [
        "go.work",
        "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n",
        "go.mod",
        "module example.com/NAME\n\nrequire example.com/OTHER v0.0.0\n",
    ],
];

#[test]
fn packages_that_need_each_other_run_in_no_order_and_say_so() {
    let mut said = String::new();
    for [root, text, manifest, of] in CYCLES {
        let project = project(&[(root, text)]);
        for (name, other) in [("a", "b"), ("b", "a")] {
            let text = of.replace("NAME", name).replace("OTHER", other);
            project.write(&format!("{name}/{manifest}"), text);
        }
        writeln!(said, "{root}\n{}", whole(&project.cuff(["run", "-r", "test", "--dry-run"])))
            .expect("a string");
    }
    insta::assert_snapshot!(said, @r"
    Cargo.toml
    a | Would execute: cargo test
    a | in: a
    b | Would execute: cargo test
    b | in: b
    note: these packages need each other, and run in no order: a, b
    2 runs: 2 ok (0.0 s)
    exit code 0

    pyproject.toml
    a | Would execute: uv run pytest
    a | in: a
    b | Would execute: uv run pytest
    b | in: b
    note: these packages need each other, and run in no order: a, b
    2 runs: 2 ok (0.0 s)
    exit code 0

    go.work
    example.com/a | Would execute: go test ./...
    example.com/a | in: a
    example.com/b | Would execute: go test ./...
    example.com/b | in: b
    note: these packages need each other, and run in no order: a, b
    2 runs: 2 ok (0.0 s)
    exit code 0
    ");
}

/// A manifest of each source that declares a task of its own, `odd`, at the place of the mark.
const MANIFESTS: [(&str, &str); 8] = [
    ("Taskfile.yml", "version: '3'\ntasks: {'NAME': {desc: Odd, cmds: ['echo odd']}}\n"),
    ("mise.toml", "[tasks.\"NAME\"]\nrun = \"echo odd\"\n"),
    ("deno.json", "{\"tasks\": {\"NAME\": \"echo odd\"}}"),
    ("composer.json", "{\"scripts\": {\"NAME\": \"echo odd\"}}"),
    ("pyproject.toml", "[tool.poe.tasks]\n\"NAME\" = \"echo odd\"\n"),
    ("turbo.json", "{\"tasks\": {\"NAME\": {}}}"),
    ("lefthook.yml", "'NAME': {jobs: [{run: echo odd}]}\n"),
    ("package.json", "{\"scripts\": {\"NAME\": \"echo odd\"}}"),
];

#[test]
fn a_byte_order_mark_hides_nothing() {
    for (file, text) in MANIFESTS {
        let project = project(&[(file, &format!("\u{feff}{}", text.replace("NAME", "odd")))]);
        let run = project.cuff(["list"]).succeeded();
        assert!(run.stdout.contains("\n  odd "), "{file}: {run:?}");
        assert!(!run.stderr.contains("cannot be"), "{file}: {run:?}");
    }
}

#[test]
fn a_manifest_of_20_mb_is_named_and_not_read() {
    let mut said = String::new();
    // The reader of package.json passes over what is no script, however large.
    for (file, text) in MANIFESTS.into_iter().take(7) {
        let project = project(&[
            ("scripts/seed.sh", "#!/bin/sh\n"),
            (file, &text.replace("NAME", &"x".repeat(20_000_000))),
        ]);
        let run = project.cuff(["list"]).ended_with(1);
        assert!(run.stdout.contains("seed.sh"), "the rest is offered: {run:?}");
        let errors: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        writeln!(said, "{}", errors.join("\n")).expect("a string");
    }
    insta::assert_snapshot!(said, @r"
    error: taskfile: Taskfile.yml: Taskfile.yml cannot be read: it has 20 MB, and cuff reads up to 4 [TASKFILE_102]
    error: mise: mise.toml: mise.toml cannot be read: it has 20 MB, and cuff reads up to 4 [MISE_102]
    error: deno: deno.json: deno.json cannot be read: it has 20 MB, and cuff reads up to 4 [DENO_102]
    error: composer: composer.json: composer.json cannot be read: it has 20 MB, and cuff reads up to 4 [COMPOSER_102]
    error: python, tox: pyproject.toml: pyproject.toml cannot be read: it has 20 MB, and cuff reads up to 4
    error: turbo: turbo.json: turbo.json cannot be read: it has 20 MB, and cuff reads up to 4 [TURBO_102]
    error: lefthook: lefthook.yml: lefthook.yml cannot be read: it has 20 MB, and cuff reads up to 4 [LEFTHOOK_102]
    ");
}

#[test]
fn names_that_are_no_words_run_nothing_when_they_are_listed() {
    let mut said = String::new();
    for (file, text) in MANIFESTS {
        for name in ["$(touch landed)", "-rf"] {
            let project = project(&[(file, &text.replace("NAME", name))]);
            let run = project.cuff(["list"]);
            assert!(!project.root().join("landed").exists(), "{file}");
            if ["lefthook.yml", "package.json"].contains(&file) {
                writeln!(said, "{name}: {}", whole(&run)).expect("a string");
            }
        }
    }
    insta::assert_snapshot!(said, @r#"
    $(touch landed): lefthook.yml
      '$(touch landed)'  Run the hook $(touch landed) by hand; `--all-files` takes all files
      install            Have git run the hooks
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    warning: lefthook: lefthook is not installed or not on the PATH [LEFTHOOK_103]
    help: install lefthook: https://lefthook.dev/install
    exit code 0

    -rf: lefthook.yml
      install  Have git run the hooks
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    warning: lefthook: lefthook.yml:1: -rf is no name of a task, since a program takes it for an option or nothing
    help: rename it; the other tasks are offered
    warning: lefthook: lefthook is not installed or not on the PATH [LEFTHOOK_103]
    help: install lefthook: https://lefthook.dev/install
    exit code 0

    $(touch landed): package.json · npm
      list_scripts  List all available npm scripts
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    note: packagejson: package.json:1: script "$(touch landed)" is not offered: its name must start with a letter or _; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts
    warning: packagejson: npm is not installed or not on the PATH [PKGJSON_103]
    help: install Node.js, which brings npm: https://nodejs.org
    exit code 0

    -rf: package.json · npm
      list_scripts  List all available npm scripts
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    note: packagejson: package.json:1: script "-rf" is not offered: its name must start with a letter or _; rename the script, or name it in exclude_scripts
    warning: packagejson: npm is not installed or not on the PATH [PKGJSON_103]
    help: install Node.js, which brings npm: https://nodejs.org
    exit code 0
    "#);
}

#[test]
fn another_version_says_so_and_a_tool_that_is_missing_has_its_advice() {
    let old = project(&[("Taskfile.yml", "version: '2'\ntasks: {odd: {desc: Odd, cmds: ['echo odd']}}\n")]);
    insta::assert_snapshot!(whole(&old.cuff(["list"])), @r"
    Taskfile.yml
      odd  Odd
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    warning: taskfile: Taskfile.yml:1: Taskfile.yml is of version 2, and task reads version 3 alone
    help: see https://taskfile.dev/migration; nothing of it runs until then
    warning: taskfile: task is not installed or not on the PATH [TASKFILE_103]
    help: install task: https://taskfile.dev/installation
    exit code 0
    ");
    let mut said = String::new();
    for (file, text) in MANIFESTS.into_iter().take(7) {
        let run = project(&[(file, &text.replace("NAME", "odd"))]).cuff(["run", "odd", "--no-tty"]);
        let help = run.stderr.lines().find(|line| line.starts_with("help: "));
        writeln!(said, "{file} {}: {}", run.code, help.unwrap_or_default()).expect("a string");
    }
    insta::assert_snapshot!(said, @r"
    Taskfile.yml 125: help: install task: https://taskfile.dev/installation
    mise.toml 125: help: install mise: https://mise.jdx.dev/installing-mise.html
    deno.json 125: help: install Deno: https://docs.deno.com/runtime
    composer.json 125: help: install Composer: https://getcomposer.org
    pyproject.toml 125: help: install the project and its tools into .venv (python3 -m venv .venv), or put it on the PATH
    turbo.json 125: help: install the packages of package.json, or turbo itself: npm install --global turbo
    lefthook.yml 125: help: install lefthook: https://lefthook.dev/install
    ");
}

#[test]
fn two_sources_with_one_name_are_told_apart() {
    let project = project(&[
        ("deno.json", "{\"tasks\": {\"odd\": \"echo\"}}"),
        ("composer.json", "{\"scripts\": {\"odd\": \"echo\"}}"),
    ]);
    insta::assert_snapshot!(whole(&project.cuff(["run", "odd"])), @r"
    error: `odd` could be any of 2 [CUFF_301]
    help: say which: deno:odd, composer:odd; each call runs one
    exit code 127
    ");
}

#[test]
fn a_workspace_of_3000_packages_is_listed_whole() {
    let project = project(&[("package.json", ROOT)]);
    for number in 0..3000 {
        let text = format!("{{\"name\": \"p{number}\", \"scripts\": {{\"test\": \"echo {number}\"}}}}");
        project.write(&format!("packages/p{number}/package.json"), text);
    }
    let began = Instant::now();
    let run = project.cuff(["list", "--json"]).succeeded();
    let took = began.elapsed();
    let tools = run.json()["tools"].as_array().expect("a list").clone();
    assert_eq!(tools.iter().filter(|tool| tool["original"] == "test").count(), 3000);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    assert!(took.as_secs() < 20, "{took:?}");
}
