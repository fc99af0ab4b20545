//! Runners of tasks that a project declares.

use super::{FAILING, UNUSED, asked, ends_with, findings, listed, names, project, sorted};
use crate::support::tools;

#[test]
fn task_runs_what_cuff_lists() {
    if tools::require("task").is_none() {
        return;
    }
    let files = [("Taskfile.yml", TASKFILE), ("more/Taskfile.yml", MORE), ("test_moon.py", FAILING)];
    let project = project(&files);
    let own = asked(&project, "task --list --json").json();
    assert_eq!(listed(&project, "taskfile"), names(&own["tasks"], "name"));
    ends_with(project.cuff(["run", "more:hello", "--", "moon"]), "hello moon");
    insta::assert_snapshot!(findings(&project, "check"), @"test_moon.py:3: test_full / assert 1 == 2 (pytest)");
}

const TASKFILE: &str = "version: '3'\nincludes: {more: ./more}\ntasks:\n  check: {desc: Check, cmds: [pytest -q]}\n  \
                        plain: [echo plain]\n";
const MORE: &str = "version: '3'\ntasks: {hello: {desc: Say hello, cmds: ['echo hello {{.CLI_ARGS}}']}}\n";

#[test]
fn mise_runs_what_cuff_lists() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || tools::require("mise").is_none() {
        return;
    }
    let project = project(&[("mise.toml", MISE), ("test_moon.py", FAILING)]);
    project.script("mise-tasks/hello", "#!/bin/sh\n#MISE description=\"Say hello\"\necho hello \"$@\"\n");
    let root = project.root().to_owned();
    let project = project.variable("MISE_TRUSTED_CONFIG_PATHS", root);
    let own = asked(&project, "mise tasks ls --json").json();
    assert_eq!(listed(&project, "mise"), names(&own, "name"));
    ends_with(project.cuff(["run", "hello", "--", "moon"]), "hello moon");
    insta::assert_snapshot!(findings(&project, "check"), @"test_moon.py:3: test_full / assert 1 == 2 (pytest)");
}

const MISE: &str =
    "[tasks.check]\ndescription = \"Check\"\nrun = \"pytest -q\"\n[tasks]\nplain = \"echo plain\"\n";

#[test]
fn deno_runs_what_cuff_lists() {
    if tools::require("deno").is_none() {
        return;
    }
    let project = project(&[("deno.jsonc", DENO), ("moon.ts", "let phase = 1;\nconsole.log(phase);\n")]);
    let project = project.variable("NO_COLOR", "1").variable("DENO_NO_UPDATE_CHECK", "1");
    // deno has no list but this text: a line with a dash for each task.
    let own = asked(&project, "deno task");
    let own = sorted(
        own.stdout
            .lines()
            .chain(own.stderr.lines())
            .filter_map(|line| Some(line.strip_prefix("- ")?.trim_end_matches(" (workspace)").to_owned())),
    );
    let usual = ["test", "lint", "fmt", "install"];
    let mut found = listed(&project, "deno");
    found.retain(|name| !usual.contains(&name.as_str()));
    assert_eq!(found, own);
    ends_with(project.cuff(["run", "both"]), "hello moon");
    insta::assert_snapshot!(findings(&project, "deno.lint"), @"moon.ts:1: `phase` is never reassigned (deno_lint)");
}

#[test]
fn a_workspace_of_deno_offers_the_tasks_of_its_members() {
    if tools::require("deno").is_none() {
        return;
    }
    let project = project(&[
        ("deno.json", r#"{"workspace": ["./libs/add", "more/*"], "tasks": {"hello": "echo hello moon"}}"#),
        (
            "libs/add/deno.json",
            r#"{"name": "@moon/add", "exports": "./m.ts", "tasks": {"hello": "echo hello add"}}"#,
        ),
        ("libs/add/m.ts", "let phase = 1;\nconsole.log(phase);\n"),
        ("more/add/deno.jsonc", "{\"tasks\": {\"hello\": \"echo hello more\"}, /* one */ }"),
        ("more/map/deno.json", r#"{"tasks": {"where": "pwd"}}"#),
        ("more/plain/readme.md", "no member\n"),
    ]);
    let project = project.variable("NO_COLOR", "1").variable("DENO_NO_UPDATE_CHECK", "1");
    insta::assert_snapshot!(listed(&project, "deno").join(" "), @"fmt hello install libs/add:hello lint map:where more/add:hello test");
    ends_with(project.cuff(["run", "hello"]), "hello moon");
    ends_with(project.cuff(["run", "libs_add__hello"]), "hello add");
    ends_with(project.cuff(["run", "more/add:hello"]), "hello more");
    ends_with(project.cuff(["run", "map:where"]), "more/map");
    let all = project.cuff(["run", "-r", "hello"]).succeeded();
    insta::assert_snapshot!(sorted(all.stdout.lines().map(str::to_owned)).join("\n"), @r"
    @moon/add | hello add
    more/add  | hello more
    ");
}

const DENO: &str =
    "{\"tasks\": {\"hello\": \"echo hello moon\", // one\n\"both\": {\"dependencies\": [\"hello\"]},}}";

#[test]
fn tox_and_nox_run_what_cuff_lists() {
    if tools::require("tox").is_none() || tools::require("nox").is_none() {
        return;
    }
    let files = [
        ("tox.ini", TOX),
        ("noxfile.py", NOX),
        ("test_moon.py", FAILING),
        ("moon.py", "PHASE = 1\n"),
        ("bad.py", UNUSED),
    ];
    let project = project(&files);
    let own = asked(&project, "tox list --no-desc -q");
    assert_eq!(listed(&project, "tox"), sorted(own.stdout.lines().map(str::to_owned)));
    let run = project.cuff(["run", "lint"]).succeeded();
    assert!(run.stdout.contains("congratulations :)"), "{run:?}");
    insta::assert_snapshot!(findings(&project, "tox.py"), @"test_moon.py:3: test_full / assert 1 == 2 (pytest)");
    let own = asked(&project, "nox --list --json").json();
    assert_eq!(listed(&project, "nox"), names(&own, "session"));
    let run = project.cuff(["run", "hello", "--", "moon"]).succeeded();
    assert!(run.stdout.contains("hello moon") && run.stderr.contains("successful"), "{run:?}");
    insta::assert_snapshot!(findings(&project, "nox.style"), @"bad.py:1: `os` imported but unused (ruff)");
}

#[test]
fn invoke_runs_what_cuff_lists() {
    if tools::require("invoke").is_none() {
        return;
    }
    let project = project(&[("tasks.py", INVOKE), ("test_moon.py", FAILING)]);
    let own = asked(&project, "invoke --list --list-format=json").json();
    assert_eq!(listed(&project, "invoke"), names(&own["tasks"], "name"));
    ends_with(project.cuff(["run", "say-hello", "--", "--name", "moon"]), "hello moon");
    insta::assert_snapshot!(findings(&project, "check"), @"test_moon.py:3: test_full / assert 1 == 2 (pytest)");
    let collection =
        "\ndocs = Collection('docs')\ndocs.add_task(run_tests)\nns = Collection(say_hello, docs)\n";
    project.write("tasks.py", format!("{INVOKE}{collection}"));
    assert_eq!(listed(&project, "invoke"), ["say-hello"], "its text names no task of another collection");
    project.write("settings.yml", "version: '1'\nplugins: {invoke: {config: {ask_tool: true}}}\n");
    assert_eq!(listed(&project, "invoke"), ["docs.check", "say-hello"]);
}

const INVOKE: &str = "from invoke import Collection, task\n\n\n@task\ndef say_hello(c, name='sun'):\n    \"\"\"Say hello.\"\"\"\n    \
                      c.run(f'echo hello {name}')\n\n\n@task(name='check')\ndef run_tests(c):\n    c.run('pytest -q')\n";

const TOX: &str = "[tox]\nenvlist = py, lint\n[testenv]\nskip_install = true\nallowlist_externals =\n    pytest\n    ruff\n\
                   commands = pytest -q\n[testenv:lint]\ncommands = ruff check moon.py\n";
const NOX: &str = "import nox\n\n\n@nox.session(venv_backend=\"none\")\ndef hello(session):\n    \"\"\"Say hello.\"\"\"\n    \
                   session.run(\"echo\", \"hello\", *session.posargs, external=True)\n\n\n\
                   @nox.session(venv_backend=\"none\")\ndef style(session):\n    \
                   session.run(\"ruff\", \"check\", \"--output-format\", \"concise\", \"bad.py\", external=True)\n";

#[test]
fn poe_pytest_and_ruff_run_what_cuff_lists() {
    if ["poe", "pytest", "ruff"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = project(&[("pyproject.toml", POE), ("test_moon.py", FAILING), ("bad.py", UNUSED)]);
    let own = asked(&project, "poe _list_tasks");
    let mut found = listed(&project, "python");
    found.retain(|name| !["pytest", "ruff", "format"].contains(&name.as_str()));
    assert_eq!(found, sorted(own.stdout.split_whitespace().map(str::to_owned)));
    ends_with(project.cuff(["run", "hello", "--", "moon"]), "hello moon");
    insta::assert_snapshot!(findings(&project, "pytest"), @"test_moon.py:3: test_full / assert 1 == 2 (pytest)");
    insta::assert_snapshot!(findings(&project, "ruff"), @"bad.py:1: `os` imported but unused (ruff)");
    project.write("test_moon.py", FAILING.replace("== 2", "== 1"));
    let run = project.cuff(["run", "check"]).succeeded();
    assert!(run.stdout.contains("1 passed in "), "{run:?}");
}

const POE: &str = "[tool.poe.tasks]\nhello = \"echo hello\"\ncheck = {cmd = \"pytest -q --no-header\", help = \"Check\"}\n_inner = \
                   \"echo inner\"\n[tool.pytest.ini_options]\n[tool.ruff]\n";
