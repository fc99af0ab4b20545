//! `cuff doctor`: what it finds in projects that have something wrong, and what it mends.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::support::normalize::typed;
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
    insta::assert_snapshot!(typed(&project, &["doctor"]), @"
    $ cuff doctor
    PASS  settings.yml offers 1 tool, and 1 more that lists them
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    ");
    assert_eq!(project.cuff(["doctor", "--json"]).succeeded().json()["failed"], 0);
}

#[test]
fn doctor_agrees_with_status_and_normalizes_paths() {
    let project = with_scripts();
    project.script("node_modules/.bin/eslint", "#!/bin/sh\n");
    project.write("eslint.config.js", "module.exports = []\n");
    project.write("settings.yml", format!("{SETTINGS}  eslint: {{}}\n"));
    project.cuff(["run", "scripts/a.sh"]).succeeded();
    insta::assert_snapshot!(typed(&project, &["doctor"]), @"
    $ cuff doctor
    PASS  settings.yml offers 3 tools, and 1 more that lists them
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    PASS  2 tools need node_modules/.bin/eslint: ~/project/node_modules/.bin/eslint
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  1 run of all projects takes 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    ");
    let size = |words: &str, before: &str| {
        let text = project.cuff([words]).succeeded().stdout;
        let rest = text.split(before).nth(1).and_then(|rest| rest.split_once(" in ")).expect("a size");
        rest.0.to_owned()
    };
    let decisions = size("status", "waiting for an answer in all projects, ");
    assert_eq!(size("doctor", "decisions of all projects take "), decisions);
}

#[test]
fn doctor_finds_missing_interpreters_stale_confirm_and_broken_settings() {
    let project = with_scripts();
    project.script("scripts/b.sh", "#!/usr/bin/env no-such-interpreter\n");
    project.write("settings.yml", format!("{SETTINGS}      confirm: [\"gone_*\"]\n"));
    insta::assert_snapshot!(typed(&project, &["doctor"]), @"
    $ cuff doctor
    PASS  settings.yml offers 2 tools, and 1 more that lists them
    WARN  scripts: settings.yml: `confirm` has `gone_*`, which means no tool, so that nobody is asked because of it
          correct it, or take it out of the settings
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    FAIL  1 tool needs no-such-interpreter, which is not there
          install no-such-interpreter; or name another interpreter for `.sh` under `interpreters` in the settings
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 1
    ");
    project.write("settings.yml", "version: \"1\"\nplugins: [\n");
    insta::assert_snapshot!(typed(&project, &["doctor"]), @"
    $ cuff doctor
    FAIL  settings.yml:3:1 cannot be used: the settings are not valid YAML: did not find expected node content
          check the indentation, quotes and brackets of this line and the one above; nothing is offered until it is mended; `cuff schema` describes the file
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 1
    ");

    let foreign = Project::empty();
    foreign.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    foreign.write("yarn.lock", "");
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    type: in_source\n    config:\n      package_manager: npm\n";
    foreign.write("settings.yml", settings);
    insta::assert_snapshot!(typed(&foreign, &["doctor"]), @"
    $ cuff doctor
    PASS  settings.yml offers 1 tool, and 1 more that lists them
    PASS  1 tool needs npm: /usr/bin/npm
    WARN  packagejson: npm runs the scripts, and yarn.lock is yarn's
          say `package_manager: yarn` in the settings, or install with npm
    PASS  also in this project, but not in settings.yml: yarn; `cuff init --merge` adds it
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    ");
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
    insta::assert_snapshot!(typed(&project, &["doctor --fix"]), @"
    $ cuff doctor --fix
    FIXED settings.yml may be written by every user of this machine
          others can no longer write ~/project/settings.yml
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    ");
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
    insta::assert_snapshot!(typed(&project, &["doctor --fix"]), @"
    $ cuff doctor --fix
    FAIL  settings.yml may be written by every user of this machine
          a link leads to ~/shared/settings.yml: `chmod go-w ~/shared/settings.yml`
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 1
    ");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o666);
}

#[test]
fn runs_that_cannot_be_read_and_changed_settings_are_found() {
    let project = with_scripts();
    project.cuff(["run", "scripts/a.sh"]).succeeded();
    let runs = project.outside().join("home/data/cuff/runs");
    let run = fs::read_dir(&runs).unwrap().map(|run| run.unwrap().path()).find(|path| path.is_dir()).unwrap();
    fs::write(run.join("meta.json"), "{").unwrap();
    insta::assert_snapshot!(typed(&project, &["doctor"]), @"
    $ cuff doctor
    PASS  settings.yml offers 1 tool, and 1 more that lists them
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    WARN  1 run of all projects takes 0.1 MiB in ~/data/cuff/runs; 1 of them cannot be read
          `cuff runs list` says which; a newer cuff may have written them
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings; `cuff doctor --fix` mends some of it
    = 0
    ");
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    assert_eq!(grade(&project, "agents use the current settings"), "pass");
    project.write("settings.yml", format!("{SETTINGS}      # a remark\n"));
    assert_eq!(grade(&project, "agents use the current settings"), "pass");
    // Where a label says whom it is about, the same sentence goes on from there.
    let said = ["confirm: true", "arguments: literal"].map(|added| {
        project.write("settings.yml", format!("{SETTINGS}      {added}\n"));
        let all = typed(&project, &["doctor", "status", "why a.sh"]);
        let about = all.lines().filter(|line| line.starts_with('$') || line.contains("approve"));
        format!("# {added}\n{}\n", about.collect::<Vec<_>>().join("\n"))
    });
    insta::assert_snapshot!(said.concat(), @"
    # confirm: true
    $ cuff doctor
    WARN  agents use the current settings, which are stricter than the approved ones
          `cuff approve settings` makes that last
    $ cuff status
      agents   use the current settings, which are stricter than the approved ones; `cuff approve settings` makes that last
    $ cuff why a.sh
      settings  agents use the current settings, which are stricter than the approved ones; `cuff approve settings` makes that last
    # arguments: literal
    $ cuff doctor
    WARN  agents still use the last approved settings
          `cuff approve settings` shows the difference
    $ cuff status
      agents   still use the last approved settings; `cuff approve settings` shows the difference
    $ cuff why a.sh
      agents    `scripts` is offered as it was approved; it was changed since; a person runs `cuff approve settings` in a terminal, which shows the difference
      settings  agents still use the last approved settings; `cuff approve settings` shows the difference
    ");
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
    insta::assert_snapshot!(typed(&project, &["doctor"]), @"
    $ cuff doctor
    PASS  settings.yml offers 1 tool, and 1 more that lists them
    WARN  scripts: `tools/**/*.py` under `patterns` matches no file
          correct or remove it in the settings
    WARN  scripts: `patterns` has `tools/**/*.py`, by which nothing is offered
          correct it, or take it out of the settings
    PASS  1 tool needs /bin/sh: /usr/bin/sh
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    ");
    project.script("tools/deep/x.py", "#!/usr/bin/env python3\n");
    let found = project.cuff(["doctor"]).succeeded().stdout;
    assert!(!found.contains("WARN  scripts"), "{found}");
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
