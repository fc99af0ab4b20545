//! `cuff doctor`: what it finds in projects that have something wrong, and what it mends.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::support::project::Project;

const SETTINGS: &str = "version: \"1\"\nplugins:\n  scripts:\n    type: in_source\n    config:\n      patterns: [\"scripts/*\"]\n";

fn with_scripts() -> Project {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.write("settings.yml", SETTINGS);
    project
}

/// How a finding that has these words in it is graded.
fn grade(project: &Project, words: &str) -> String {
    let found = project.cuff(["doctor", "--json"]).json();
    let checks = found["checks"].as_array().expect("a list").clone();
    let check = checks.iter().find(|check| check["what"].as_str().is_some_and(|what| what.contains(words)));
    let check = check.unwrap_or_else(|| panic!("nothing with `{words}` in\n{found:#}"));
    let is_pass = check["grade"] == "pass";
    assert!(is_pass || check["remedy"].is_string(), "a remedy for each: {check}");
    check["grade"].as_str().expect("a word").to_owned()
}

#[test]
fn a_sound_project_passes() {
    let project = with_scripts();
    let run = project.cuff(["doctor"]).succeeded();
    assert!(run.stdout.lines().all(|line| !line.starts_with("FAIL")), "{}", run.stdout);
    assert!(
        run.stdout.contains("PASS  settings.yml offers 1 tool, and 1 more that lists them"),
        "{}",
        run.stdout
    );
    assert_eq!(project.cuff(["doctor", "--json"]).succeeded().json()["failed"], 0);
    assert_eq!(grade(&Project::empty(), "there is nothing here that cuff could offer"), "fail");
}

#[test]
fn doctor_agrees_with_status_and_normalizes_paths() {
    let project = with_scripts();
    project.script("node_modules/.bin/eslint", "#!/bin/sh\n");
    project.write("eslint.config.js", "module.exports = []\n");
    project.write("settings.yml", format!("{SETTINGS}  eslint: {{}}\n"));
    project.cuff(["run", "scripts/a.sh"]).succeeded();
    let doctor = project.cuff(["doctor"]).stdout;
    assert!(doctor.contains("/project/node_modules/.bin/eslint\n"), "{doctor}");
    let status = project.cuff(["status"]).stdout;
    let size = |text: &str, before: &str| {
        let rest = text.split(before).nth(1).and_then(|rest| rest.split_once(" in ")).expect("a size");
        rest.0.to_owned()
    };
    let decisions = size(&status, "waiting for an answer in all projects, ");
    assert_eq!(size(&doctor, "decisions of all projects take "), decisions, "{doctor}{status}");
}

#[test]
fn doctor_finds_missing_interpreters_stale_confirm_and_broken_settings() {
    let project = with_scripts();
    project.script("scripts/b.sh", "#!/usr/bin/env no-such-interpreter\n");
    project.write("settings.yml", format!("{SETTINGS}      confirm: [\"gone_*\"]\n"));
    assert_eq!(grade(&project, "no-such-interpreter"), "fail");
    assert_eq!(grade(&project, "`confirm` has `gone_*`"), "warn");
    project.cuff(["doctor"]).ended_with(1);
    project.write("settings.yml", "version: \"1\"\nplugins: [\n");
    project.cuff(["doctor"]).ended_with(1);

    let foreign = Project::empty();
    foreign.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    foreign.write("yarn.lock", "");
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    type: in_source\n    config:\n      package_manager: npm\n";
    foreign.write("settings.yml", settings);
    assert_eq!(grade(&foreign, "yarn.lock is yarn's"), "warn");
    foreign.cuff(["doctor"]).succeeded();
    foreign.cuff(["doctor", "--strict"]).ended_with(1);
    fs::remove_file(foreign.root().join("yarn.lock")).expect("a file of the test's");
    foreign.cuff(["doctor", "--strict"]).succeeded();
}

#[test]
fn doctor_fix_closes_a_settings_file_that_others_may_write() {
    let project = with_scripts();
    let file = project.root().join("settings.yml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(grade(&project, "may be written by every user"), "fail");
    let run = project.cuff(["doctor", "--fix"]).succeeded();
    assert!(run.stdout.contains("FIXED"), "{}", run.stdout);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
}

/// A repository may bring a link to anything of its user's.
#[test]
fn doctor_names_link_targets_and_leaves_them() {
    let project = with_scripts();
    let shared = project.outside().join("home/shared");
    fs::create_dir_all(&shared).unwrap();
    let (file, target) = (project.root().join("settings.yml"), shared.join("settings.yml"));
    fs::rename(&file, &target).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o666)).unwrap();
    std::os::unix::fs::symlink(&target, &file).unwrap();
    let run = project.cuff(["doctor", "--fix"]).ended_with(1);
    assert!(!run.stdout.contains("FIXED"), "{}", run.stdout);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("a link leads to {0}: `chmod go-w {0}`", target.display())), "{words}");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o666);
}

#[test]
fn runs_that_cannot_be_read_and_changed_settings_are_found() {
    let project = with_scripts();
    project.cuff(["run", "scripts/a.sh"]).succeeded();
    let runs = project.outside().join("home/data/cuff/runs");
    let run = fs::read_dir(&runs).unwrap().map(|run| run.unwrap().path()).find(|path| path.is_dir()).unwrap();
    fs::write(run.join("meta.json"), "{").unwrap();
    assert_eq!(grade(&project, "1 of them cannot be read"), "warn");
    assert_eq!(grade(&project, "agents have nothing of these settings"), "pass");
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    assert_eq!(grade(&project, "agents use the current settings"), "pass");
    project.write("settings.yml", format!("{SETTINGS}      # a remark\n"));
    assert_eq!(grade(&project, "agents use the current settings"), "pass");
    for (added, words) in [
        ("confirm: true", "agents use the current settings, which are stricter than the approved ones"),
        ("arguments: literal", "agents still use the last approved settings"),
    ] {
        project.write("settings.yml", format!("{SETTINGS}      {added}\n"));
        assert_eq!(grade(&project, words), "warn");
        for command in [&["status"][..], &["why", "a.sh"]] {
            let said = project.cuff(command).succeeded().stdout;
            // Where a label says whom it is about, the sentence goes on from there.
            assert!(said.contains(words.trim_start_matches("agents ")), "the same sentence: {said}");
        }
    }
}

#[test]
fn entries_of_clients_that_lead_nowhere_are_found_and_taken_out_after_asking() {
    let project = with_scripts();
    let cursor = project.outside().join("home/.cursor/mcp.json");
    fs::create_dir_all(cursor.parent().unwrap()).unwrap();
    let entry = |command: &str, folder: &str| {
        format!(
            "{{\"mcpServers\": {{\"shop\": {{\"command\": \"{command}\", \"args\": [\"-C\", \"{folder}\", \"serve\"]}}}}}}\n"
        )
    };
    let here = project.root().to_str().unwrap().to_owned();
    fs::write(&cursor, entry("/no/such/cuff", &here)).unwrap();
    assert_eq!(grade(&project, "starts /no/such/cuff, which is not there"), "fail");
    let other = project.script("bin/cuff", "#!/bin/sh\n");
    fs::write(&cursor, entry(other.to_str().unwrap(), &here)).unwrap();
    assert_eq!(grade(&project, "starts another cuff"), "warn");
    fs::write(&cursor, entry(env!("CARGO_BIN_EXE_cuff"), &here)).unwrap();
    assert_eq!(grade(&project, "starts this cuff"), "pass");

    let stale = entry(env!("CARGO_BIN_EXE_cuff"), "/gone/for/ever");
    fs::write(&cursor, &stale).unwrap();
    project.cuff(["doctor", "--fix"]).succeeded();
    assert_eq!(fs::read_to_string(&cursor).unwrap(), stale, "nobody was there to ask");
    project.answer_at_terminal("y\r", &["doctor", "--fix"]).succeeded();
    let after: Value = serde_json::from_str(&fs::read_to_string(&cursor).unwrap()).unwrap();
    assert_eq!(after["mcpServers"], serde_json::json!({}));
    fs::write(&cursor, "{").unwrap();
    assert_eq!(grade(&project, "may not understand"), "warn");
}

#[test]
fn patterns_that_offer_nothing_are_found() {
    let project = with_scripts();
    project.write("settings.yml", SETTINGS.replace("[\"scripts/*\"]", "[\"scripts/*\", \"tools/**/*.py\"]"));
    assert_eq!(
        grade(&project, "scripts: `patterns` has `tools/**/*.py`, by which nothing is offered"),
        "warn"
    );
    project.script("tools/deep/x.py", "#!/usr/bin/env python3\n");
    let found = project.cuff(["doctor", "--json"]).succeeded().stdout;
    assert!(!found.contains("by which nothing"), "{found}");
}

/// A pnpm that is found on the PATH and says of itself which one it is, as a package manager's own folder does.
fn with_pnpm(name: &str, version: &str) -> Project {
    let project = Project::empty();
    let folder = project.outside().join("tools/node_modules/pnpm");
    fs::create_dir_all(folder.join("bin")).expect("a folder of ours");
    fs::write(folder.join("package.json"), format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}"))
        .expect("a folder of ours");
    let program = folder.join("bin/pnpm.cjs");
    fs::write(&program, "#!/bin/sh\nexit 1\n").expect("a folder of ours");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a folder of ours");
    let bin = project.outside().join("bin");
    fs::create_dir(&bin).expect("a folder of ours");
    std::os::unix::fs::symlink(&program, bin.join("pnpm")).expect("a folder of ours");
    let project = project.variable("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    project.write("pnpm-lock.yaml", "");
    project.write("settings.yml", "version: \"1\"\nplugins:\n  packagejson: {}\n");
    project
}

#[test]
fn the_manager_is_compared_with_the_one_that_package_json_asks_for() {
    let asks = |project: &Project, manager: &str| {
        let package = format!("{{\"packageManager\": \"{manager}\", \"scripts\": {{\"hi\": \"echo hi\"}}}}");
        project.write("package.json", package);
    };
    let project = with_pnpm("pnpm", "9.1.0");
    asks(&project, "pnpm@9.1.0+sha512.abc");
    assert_eq!(grade(&project, "pnpm 9.1.0 is the one that package.json asks for"), "pass");
    asks(&project, "pnpm@8.15.9");
    assert_eq!(grade(&project, "package.json asks for pnpm 8.15.9, and 9.1.0 is installed"), "warn");
    asks(&project, "yarn@4.0.0");
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config: {package_manager: pnpm}\n";
    project.write("settings.yml", settings);
    assert_eq!(grade(&project, "package.json asks for yarn, and pnpm runs the scripts"), "warn");
    project.write("yarn.lock", "");
    assert_eq!(grade(&project, "pnpm-lock.yaml and yarn.lock lie side by side"), "warn");

    let shim = with_pnpm("corepack", "0.29.0");
    asks(&shim, "pnpm@8.15.9");
    assert_eq!(grade(&shim, "corepack brings pnpm 8.15.9"), "pass");
    let silent = with_pnpm("something-else", "1.0.0");
    asks(&silent, "pnpm@8.15.9");
    let found = silent.cuff(["doctor", "--json"]).stdout;
    assert!(!found.contains("8.15.9"), "what is not known is not said: {found}");
}

#[test]
fn doctor_says_which_of_two_cuffs_a_name_starts() {
    let project = with_scripts();
    let (first, second) = (project.outside().join("first"), project.outside().join("second"));
    for folder in [&first, &second] {
        fs::create_dir(folder).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_cuff"), folder.join("cuff")).unwrap();
    }
    // A link to a file that was seen is no third one.
    let third = project.outside().join("third");
    fs::create_dir(&third).unwrap();
    std::os::unix::fs::symlink(first.join("cuff"), third.join("cuff")).unwrap();
    let path = |folders: &[&std::path::Path]| std::env::join_paths(folders).unwrap();
    let one = Project::at(&project).variable("PATH", path(&[&first, &third]));
    assert!(!one.cuff(["doctor"]).stdout.contains("cuffs on the PATH"));
    let two = Project::at(&project).variable("PATH", path(&[&first, &third, &second]));
    let words = format!(
        "there are 2 cuffs on the PATH; shells and agents start {}, and not {}",
        first.join("cuff").display(),
        second.join("cuff").display()
    );
    assert_eq!(grade(&two, &words), "warn");
}
