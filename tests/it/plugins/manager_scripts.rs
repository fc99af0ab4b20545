//! The scripts that the real package managers run along with others, and names that only people run.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::process::Command;

use serde_json::json;

use crate::support::mcp_session::called;
use crate::support::project::Project;
use crate::support::tools;

const HOOKS: &str = r#"{"name": "p", "version": "1.0.0", "private": true,
    "scripts": {"prebuild": "echo PRE", "build": "echo MAIN", "postbuild": "echo POST"}}"#;

/// The `runs also` lines of `cuff why build`, then the script's output.
fn of_build(installed: &str, manager: &str, files: &[(&str, &str)]) -> Option<String> {
    tools::require(installed)?;
    let folder = tempfile::tempdir().unwrap();
    let path = if installed == manager {
        tools::path()
    } else {
        tools::path_with(installed, manager, folder.path())
    };
    let project = Project::empty().variable("PATH", path);
    project.write("package.json", HOOKS);
    for (name, text) in files {
        project.write(name, text);
    }
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    if installed == "yarn4" {
        let mut install = Command::new(folder.path().join("yarn"));
        project.surround(&mut install);
        install.arg("install").env("PATH", tools::path());
        assert!(install.output().unwrap().status.success());
    }
    let why = project.cuff(["why", "build"]).succeeded().stdout;
    let also: Vec<&str> = why.lines().filter_map(|line| line.trim().strip_prefix("runs also")).collect();
    let out = project.cuff(["run", "build"]).succeeded().stdout;
    let ran: Vec<&str> = out.lines().filter(|line| ["PRE", "MAIN", "POST"].contains(line)).collect();
    let also: Vec<&str> = also.iter().map(|line| line.trim()).collect();
    Some(format!("{} | {}", also.join(", "), ran.join(" ")))
}

#[test]
fn why_names_the_scripts_that_run_along() {
    const PNPM: (&str, &str) = ("pnpm-lock.yaml", "lockfileVersion: '9.0'\n");
    const BOTH: &str = "prebuild before it: echo PRE, postbuild after it: echo POST | PRE MAIN POST";
    const NONE: &str = " | MAIN";
    for (installed, manager, files, expected) in [
        ("npm", "npm", &[][..], BOTH),
        ("npm", "npm", &[(".npmrc", "ignore-scripts = true\n")], NONE),
        ("bun", "bun", &[("bun.lock", "{}")], BOTH),
        (
            "pnpm",
            "pnpm",
            &[PNPM],
            "prebuild before it: echo PRE (by pnpm 9 and later), postbuild after it: echo POST (by pnpm 9 and later) | PRE MAIN POST",
        ),
        ("pnpm", "pnpm", &[PNPM, ("pnpm-workspace.yaml", "enablePrePostScripts: false # no\n")], NONE),
        (
            "pnpm",
            "pnpm",
            &[PNPM, ("pnpm-workspace.yaml", "packages: []\nenablePrePostScripts: true\n")],
            BOTH,
        ),
        (
            "yarn",
            "yarn",
            &[("yarn.lock", "")],
            "prebuild before it: echo PRE (by yarn 1), postbuild after it: echo POST (by yarn 1) | PRE MAIN POST",
        ),
        ("yarn4", "yarn", &[("yarn.lock", ""), (".yarnrc.yml", "enableTelemetry: false\n")], NONE),
    ] {
        let Some(found) = of_build(installed, manager, files) else { return };
        assert_eq!(found, expected, "{installed} {files:?}");
    }
}

#[test]
fn a_person_runs_a_script_of_any_name() {
    for manager in ["npm", "pnpm", "yarn", "bun"] {
        if tools::require(manager).is_none() {
            return;
        }
        let project = Project::empty();
        let names = ["with space", "a/b", "test@ci", "x+y", "tëst", "#hash", "!bang", "?help"];
        let scripts: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), json!(format!("echo it is '{name}'")))).collect();
        project
            .write("package.json", json!({"name": "p", "version": "1.0.0", "scripts": scripts}).to_string());
        project.write("settings.yml", format!("version: '1'\nplugins: {{packagejson: {{config: {{package_manager: {manager}, confirm: ['x+y']}}}}}}\n"));
        for name in names.iter().filter(|name| **name != "x+y") {
            let run = project.cuff(["run", name, "--", "yes"]).succeeded();
            assert!(run.stdout.contains(&format!("it is {name} yes")), "{manager} {name}: {run:?}");
        }
        let run = project.cuff(["run", "x+y"]).ended_with(126);
        assert!(run.stderr.contains("requires confirmation by a person"), "{run:?}");
        let refused = project.inside_a_run().cuff(["run", "a/b"]).ended_with(127);
        insta::allow_duplicates! {
            insta::assert_snapshot!(refused.stderr, @r#"
            error: package.json:1: script "a/b" is not offered: its name may hold only letters, digits, _ : . and - [PKGJSON_301]
            help: people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts
            "#);
        }
    }
}

#[test]
fn agents_get_the_reason_why_a_name_is_not_offered() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"a b": "echo landed", "c": "echo c"}}"#);
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    for name in ["packagejson.a b", "a b", "packagejson.npm_a b", "packagejson.npm_a_b"] {
        let answer = called(&project, name, &json!({})).to_string();
        assert!(!answer.contains("landed") && answer.contains("error"), "{name}: {answer}");
    }
}

#[test]
fn comments_between_scripts_are_no_scripts() {
    let project = Project::empty();
    project.write(
        "package.json",
        "{\"scripts\": {\n\"//\": \"About all\",\n\"// build\": [\"Builds\", \"it\"],\n\"//\": \"again\",\n\"---- tests ----\": \"\",\n\
         \"\\n# Tools:\": \"\\r# > both\",\n\"build\": \"echo one\",\n\"build\": \"echo two\",\n\"a/b\": \"echo slash\"}}",
    );
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    let run = project.cuff(["list"]).succeeded();
    insta::assert_snapshot!(run.stdout + &run.stderr, @r#"
    package.json · npm
      build  echo two
    note: packagejson: package.json:9: script "a/b" is not offered: its name may hold only letters, digits, _ : . and -; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts
    warning: packagejson: package.json:8: "build" is in `scripts` more than once; the last one counts
    "#);
}

#[test]
fn a_list_of_managers_names_the_first_that_cuff_knows() {
    for (field, expected) in [
        (json!([{"name": "yarn", "version": "4.x"}, {"name": "npm"}]), "yarn run t"),
        (json!([{"name": "vlt"}, {"name": "pnpm", "onFail": "ignore"}]), "pnpm run t"),
        (json!({"name": "bun"}), "bun run t"),
        (json!([]), "npm run t"),
    ] {
        let project = Project::empty();
        let manifest = json!({"scripts": {"t": "echo t"}, "devEngines": {"packageManager": field}});
        project.write("package.json", manifest.to_string());
        project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
        let run = project.cuff(["run", "t", "--dry-run"]).succeeded();
        assert!(run.stdout.contains(expected), "{manifest}: {run:?}");
        assert!(!run.stderr.contains("not known here"), "{manifest}: {run:?}");
    }
    let project = Project::empty();
    project.write(
        "package.json",
        r#"{"scripts": {"t": "echo t"}, "devEngines": {"packageManager": [{"name": "vlt"}]}}"#,
    );
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    let said = project.cuff(["list"]).succeeded().stderr;
    assert!(said.contains("`devEngines.packageManager` asks for \"vlt\", which is not known here"), "{said}");
}
