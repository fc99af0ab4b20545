//! The terminal face: what each command prints and how it ends.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::project::{Project, Run};

fn npm_project(scripts: &str) -> Project {
    let project = Project::empty();
    project.write("package.json", format!("{{\"scripts\": {scripts}}}"));
    project
}

#[test]
fn init_says_what_it_found_and_writes_it() {
    let project = npm_project(r#"{"test": "node --test", "test:unit": "vitest run", "build": "tsc"}"#);
    project.script("scripts/deploy_secrets.sh", "#!/bin/sh\n# Deploys\nsleep 0\n");
    project.script("tools/backup.sh", "echo\n");
    let run = project.cuff(["init", "--yes"]).succeeded();
    insta::assert_snapshot!(run.stdout, @r"
    Discovering plugins...
      [+] packagejson: Found package.json with 3 scripts (npm)
      [+] scripts: Found 2 scripts
          Warning: Script 'scripts/deploy_secrets.sh' may contain sensitive operations - review before enabling
          Warning: Script 'tools/backup.sh' has no shebang line - interpreter will be guessed

    These tools look irreversible, so cuff asks you first (`confirm` in the settings):
      scripts: scripts/deploy_secrets.sh (its name)
    Generated settings.yml with 2 plugins
    ");
    insta::with_settings!({ snapshot_path => "../../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("settings.yml", project.read("settings.yml"));
    });
    // `init` would write the same again, and `list` takes it as it is.
    let list = project.cuff(["list"]).succeeded();
    assert_eq!(list.stderr, "");
    insta::assert_snapshot!(list.stdout, @r"
    package.json · npm
      test       node --test
      test:unit  vitest run
      build      tsc

    scripts/, tools/
      scripts/deploy_secrets.sh  [asks] Deploys
      tools/backup.sh            Run tools/backup.sh
    ");
    let again = project.cuff(["init", "--yes"]).ended_with(2);
    assert!(again.stderr.contains("settings.yml exists already"), "{}", again.stderr);
    assert_eq!(project.cuff(["init", "--dry-run"]).succeeded().stdout, project.read("settings.yml"));
    project.cuff(["init", "--yes", "--force"]).succeeded();
}

#[test]
fn init_ends_as_specified() {
    let empty = Project::empty();
    let run = empty.cuff(["init", "--yes"]).ended_with(1);
    assert!(run.stderr.contains("nothing here that cuff could offer"), "{}", run.stderr);
    for file in [
        "package.json, a Makefile, a justfile, Taskfile.yml",
        "Cargo.toml",
        " more kinds of files; add one, or name another folder with -C",
    ] {
        assert!(run.stderr.contains(file), "what is looked for: {}", run.stderr);
    }
    assert!(!empty.root().join("settings.yml").exists());
    for (words, code) in
        [(&["list"][..], 1), (&["status"], 1), (&["doctor"], 1), (&["why", "x"], 1), (&["run", "x"], 125)]
    {
        let said = empty.cuff(words).ended_with(code);
        let all = format!("{}{}", said.stdout, said.stderr);
        let is_said = all.contains("there is nothing here that cuff could offer")
            || all.contains("`cuff init` writes some");
        assert!(is_said, "{words:?}: {all}");
    }
    let project = npm_project(r#"{"a": "b"}"#);
    let missing = project.cuff(["init", "--yes", "-o", "missing/settings.yml"]).ended_with(3);
    assert!(missing.stdout.is_empty(), "nothing is said about a file that cannot come: {}", missing.stdout);
    assert!(missing.stderr.contains(": there is no folder ") && !missing.stderr.contains(" link "));
    project.cuff(["init", "--yes", "--plugins", "packagejsn"]).ended_with(64);
    project.cuff(["init", "--yes", "--exclude", "packagejson"]).ended_with(1);
    project.cuff(["init", "--frobnicate"]).ended_with(64);
}

#[test]
fn settings_above_that_do_not_count_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = npm_project(r#"{"a": "node -e 0"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    std::fs::create_dir(project.root().join("sub")).unwrap();
    assert!(project.cuff(["-C", "sub", "list"]).succeeded().stdout.contains("\n  a  "));
    // Others might have put settings there.
    std::fs::set_permissions(project.root(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let here = "`../settings.yml` does not count here, without a `.git` beside it; `cuff -C ..` uses it";
    for (words, code) in [
        (&["list"][..], 1),
        (&["status"], 1),
        (&["doctor"], 1),
        (&["run", "a"], 125),
        (&["init", "--yes"], 1),
    ] {
        let said = project.cuff([&["-C", "sub"], words].concat()).ended_with(code);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(all.contains(here), "{words:?}: {all}");
    }
    std::fs::create_dir(project.root().join(".git")).unwrap();
    assert!(project.cuff(["-C", "sub", "list"]).succeeded().stdout.contains("\n  a  "));
}

#[test]
fn a_folder_without_anything_names_the_nearest_one_above_that_has_tools() {
    let project = npm_project(r#"{"a": "node -e 0"}"#);
    project.write("Makefile", ".PHONY: b\nb:\n\techo b\n");
    std::fs::create_dir_all(project.root().join("sub/deep")).unwrap();
    let said = project.cuff(["-C", "sub/deep", "list"]).ended_with(1).stderr;
    let first = "error: there is nothing here that cuff could offer [CUFF_101]\nhelp: `cuff -C ../.. list` shows the \
                 tools of ../..: package.json, the Makefile\n";
    assert!(said.starts_with(first), "{said}");
}

#[test]
fn names_that_no_tool_can_have_are_one_note() {
    let project = npm_project(r#"{"test": "x", "my task": "x", "test:süd": "x"}"#);
    let note = "package.json:1: script \"my task\" is not offered: its name may hold only letters, digits, _ : . and -; \
                nor is \"test:süd\"; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts";
    let said = project.cuff(["init", "--yes"]).succeeded().stdout;
    assert!(said.contains(&format!("      Note: {note}\n")) && !said.contains("Warning"), "{said}");
    assert_eq!(project.cuff(["list"]).succeeded().stderr, format!("note: packagejson: {note}\n"));
    assert_eq!(project.cuff(["list", "-q", "test"]).succeeded().stderr, "");
    assert!(project.cuff(["status"]).succeeded().stdout.contains("packagejson  healthy, 1 tool"));
    let doctor = project.cuff(["doctor"]).succeeded().stdout;
    assert!(doctor.contains(&format!("PASS  packagejson: {note}\n")), "{doctor}");
    let merged = project.cuff(["init", "--merge"]).succeeded().stdout;
    assert!(merged.contains("has all of this already") && !merged.contains("my task"), "{merged}");
    let settings = project.read("settings.yml");
    let scripts = "      scripts: '*'\n";
    let excluded = format!("{scripts}      exclude_scripts: ['my task', 'test:süd']\n");
    assert!(settings.contains(scripts), "{settings}");
    project.write("settings.yml", settings.replace(scripts, &excluded));
    for words in [&["list"][..], &["doctor"], &["init", "--merge"]] {
        let said = project.cuff(words).succeeded();
        assert!(!format!("{}{}", said.stdout, said.stderr).contains("my task"), "{words:?}");
    }
}

#[test]
fn a_script_under_any_name_is_offered_or_named() {
    let project = Project::empty();
    project.write("scripts/build.js", "console.log(1)\n");
    project.write("tools/in.py", "print(1)\n");
    project.write("tools/__init__.py", "");
    project.write("bin/readme", "no script\n");
    project.write("Makefile", "test: ; true\n");
    let note = "scripts/build.js, tools/in.py are not offered; `patterns` in the settings takes what you name there\n";
    let said = project.cuff(["init", "--dry-run"]).succeeded();
    assert!(said.stderr.contains(&format!("  [-] scripts: {note}")), "{}", said.stderr);
    project.script("bin/tool", "#!/bin/sh\necho here\n");
    project.script("bin/program", b"\x7fELF\0");
    std::os::unix::fs::symlink("tool", project.root().join("bin/other")).unwrap();
    let said = project.cuff(["init", "--yes"]).succeeded().stdout;
    assert!(said.contains("[+] scripts: Found 1 script\n"), "{said}");
    assert!(
        said.contains("Note: scripts/build.js, bin/other, tools/in.py are not offered; `patterns`"),
        "{said}"
    );
    assert!(
        project.read("settings.yml").contains("\n      - bin/tool\n"),
        "{}",
        project.read("settings.yml")
    );
    assert_eq!(project.cuff(["run", "tool"]).succeeded().stdout, "here\n");
    let many = Project::empty();
    for number in 0..30 {
        many.script(&format!("bin/b{number:02}"), "#!/bin/sh\n");
    }
    let said = many.cuff(["init", "--yes"]).succeeded().stdout;
    assert!(said.contains("[+] scripts: Found 30 scripts\n"), "{said}");
    assert!(many.read("settings.yml").contains("\n      - bin/*\n"), "{}", many.read("settings.yml"));
}

#[test]
fn init_elsewhere_still_means_this_project() {
    let project = npm_project(r#"{"hi": "echo hi"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\npwd\n");
    std::fs::create_dir(project.root().join("conf")).unwrap();
    project.cuff(["init", "--yes", "-o", "conf/cuff.yml"]).succeeded();
    let run = project.cuff(["--config", "conf/cuff.yml", "run", "script_scripts_a"]).succeeded();
    assert_eq!(run.stdout.trim(), project.root().display().to_string());
    project.cuff(["run", "--config", "conf/cuff.yml", "hi"]).succeeded();
}

#[test]
fn a_run_streams_and_ends_as_its_tool_does() {
    let project = npm_project(r#"{"ok": "node -e 'console.log(1)'", "bad": "node -e 'process.exit(7)'"}"#);
    project.script("scripts/die.sh", "#!/bin/sh\nkill -9 $$\n");
    project.script("scripts/long.sh", "#!/bin/sh\necho started\nsleep 60\n");
    project.cuff(["init", "--yes"]).succeeded();
    for name in ["packagejson.npm_ok", "npm_ok", "ok"] {
        assert!(project.cuff(["run", name]).succeeded().stdout.ends_with("1\n"), "{name}");
    }
    let bad = project.cuff(["run", "bad"]).ended_with(7);
    assert!(bad.failed("bad", "exit code 7, "), "{}", bad.stderr);
    let died = project.cuff(["scripts", "run", "scripts/die.sh"]).ended_with(137);
    assert!(died.stderr.contains("killed by signal 9"), "{}", died.stderr);
    let late = project.cuff(["run", "scripts/long.sh", "--timeout", "1"]).ended_with(124);
    assert!(late.said("Script timed out after 1 seconds", "SCRIPT_303"), "{}", late.stderr);
    assert_eq!(late.stdout, "started\n", "what was printed until then is there");
    let unknown = project.cuff(["run", "okk"]).ended_with(127);
    assert!(unknown.stderr.contains("did you mean `cuff run ok`?"), "{}", unknown.stderr);
    let dry = project.cuff(["run", "ok", "--dry-run", "--", "--coverage"]).succeeded();
    assert_eq!(dry.stdout, "Would execute: npm run ok -- --coverage\n");
}

#[test]
fn json_is_json_and_nothing_else() {
    let project = npm_project(r#"{"loud": "node -e 'console.log(1);console.error(2);process.exit(3)'"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    let result = project.cuff(["run", "loud", "--json"]).ended_with(3).json();
    assert_eq!(result["tool"], "packagejson.npm_loud");
    assert_eq!(result["exit_code"], 3);
    assert_eq!(result["metadata"]["command"], json!(["npm", "run", "loud"]));
    assert_eq!(result["metadata"]["package_manager"], "npm");
    assert!(result["output"].as_str().unwrap().contains('2'));
    let unknown = project.cuff(["run", "nope", "--json"]).ended_with(127).json();
    assert_eq!(unknown["success"], false);
    let list = project.cuff(["list", "--json"]).succeeded().json();
    assert_eq!(list["tools"][1]["original"], "loud");
    assert_eq!(list["tools"][1]["text"], "node -e 'console.log(1);console.error(2);process.exit(3)'");
    let schema = project.cuff(["schema"]).succeeded().json();
    assert!(schema["$schema"].as_str().unwrap().contains("2020-12"));
}

#[test]
fn a_plugin_works_without_settings() {
    let project = npm_project(r#"{"hi": "node -e 'console.log(1)'"}"#);
    project.script("deploy/x.sh", "#!/bin/sh\necho \"x $1\"\n");
    assert!(project.cuff(["packagejson", "list"]).succeeded().stdout.contains("\n  hi  "));
    assert!(project.cuff(["packagejson", "run", "hi"]).succeeded().stdout.ends_with("1\n"));
    project.cuff(["packagejson", "run-script", "hi"]).succeeded();
    let list = project.cuff(["scripts", "list", "--pattern", "deploy/*.sh"]).succeeded();
    assert!(list.stdout.contains("deploy/\n  deploy/x.sh  "), "{}", list.stdout);
    project.cuff(["run", "hi"]).succeeded();
}

#[test]
fn broken_settings_say_where_and_what_still_works() {
    let project = npm_project(r#"{"hi": "node -e 'console.log(1)'"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config:\n      default_timeout: [5]\n      \
                    cach_ttl: 3\n  scripts:\n    config:\n      patterns: [\"scripts/*.sh\"]\n";
    project.write("settings.yml", settings);
    let list = project.cuff(["list"]).ended_with(2);
    assert!(list.stdout.contains("scripts/\n  scripts/a.sh  "), "{}", list.stdout);
    assert!(list.stderr.contains("settings.yml:5:24"), "{}", list.stderr);
    assert!(list.stderr.contains("cache_ttl"), "the nearest key: {}", list.stderr);
    project.cuff(["run", "script_scripts_a"]).succeeded();
    let run = project.cuff(["run", "packagejson.npm_hi"]).ended_with(125);
    assert!(run.stderr.contains("its settings are wrong"), "{}", run.stderr);
    project.write("settings.yml", "plugins: [\n  - a: {\n");
    let list = project.cuff(["list"]).ended_with(2);
    assert!(list.stderr.contains("settings.yml:"), "{}", list.stderr);
    project.cuff(["run", "hi"]).ended_with(125);
}

#[test]
fn a_name_that_several_wanted_or_that_was_cut_is_answered_with_theirs() {
    let long = "l".repeat(100);
    let project = npm_project(&json!({"a-b": "echo 1", "a.b": "echo 2", &long: "echo 3"}).to_string());
    project.cuff(["init", "--yes"]).succeeded();
    for name in ["npm_a_b", "packagejson.npm_a_b"] {
        let run = project.cuff(["run", name]).ended_with(127);
        let which = "say which: a-b, a.b;";
        assert!(run.stderr.contains("could be any of 2") && run.stderr.contains(which), "{}", run.stderr);
    }
    let run = project.cuff(["run", &format!("npm_{long}")]).ended_with(127);
    assert!(run.stderr.contains("did you mean `cuff run llll"), "{}", run.stderr);
}

#[test]
fn long_lists_of_candidates_are_cut() {
    let project = Project::empty();
    let instances: Vec<String> = (10..35)
        .map(|number| {
            project.write(&format!("p{number}/package.json"), r#"{"scripts": {"one": "true"}}"#);
            format!("  p{number}: {{module: packagejson, config: {{working_directory: p{number}}}}}\n")
        })
        .collect();
    project.write("settings.yml", format!("version: '1'\nplugins:\n{}", instances.concat()));
    let run = project.cuff(["run", "one"]).ended_with(127);
    assert!(run.stderr.contains("`one` could be any of 25"), "{}", run.stderr);
    let help = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("p29:one and 5 more") && !help.contains("p30:one"), "{help}");
}

#[test]
fn a_name_that_is_nowhere_may_be_of_an_instance_whose_settings_are_wrong() {
    let project = npm_project(r#"{"test": "x"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\n");
    project.write(
        "settings.yml",
        "version: \"1\"\nplugins:\n  packagejson:\n    config: {cache_ttl: no}\n  scripts:\n    config: {patterns: [scripts/*]}\n",
    );
    let run = project.cuff(["run", "npm_test"]).ended_with(127);
    let said = "Tool not found: npm_test [CUFF_301]\nhelp: available: scripts/a.sh; \
                `packagejson` is not offered: its settings are wrong";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

/// All errors look alike, in every part of cuff: a message with its code, and the next step.
#[test]
fn error_messages_have_one_format() {
    let project = npm_project(r#"{"hi": "node -e 0"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    for (words, expected) in [
        (
            "run hi --patience 2",
            "error: unexpected argument '--patience' found [CUFF_304]\nhelp: words of the tool's own go after `--`: `cuff run hi -- --patience 2`\n",
        ),
        (
            "run hi --wait 2",
            "error: the following required arguments were not provided: --background [CUFF_304]\n",
        ),
        (
            "run hi --timeout 1x",
            "error: invalid value '1x' for '--timeout <TIME>': use a time from 1s to 30d, such as 90, 90s, 1m or 1h30m \
             [CUFF_304]\nhelp: `--help` says more\n",
        ),
        ("runs log --tail -1", "error: invalid value '-1' for '--tail <N>': it is a whole number, 1 or more"),
        ("run hi --timeout 0", "error: invalid value '0' for '--timeout <TIME>': use a time from 1s"),
        (
            "runs log --lines 5..2",
            "error: invalid value '5..2' for '--lines <A..B>': it runs backwards; `2..5` has these lines [CUFF_304]\n",
        ),
    ] {
        let wrong = project.cuff(words.split(' ')).ended_with(64).stderr;
        assert!(wrong.starts_with(expected), "{words}: {wrong}");
    }
    project.write("settings.yml", "plugins: [\n");
    let broken = project.cuff(["list"]).ended_with(2).stderr;
    let beginning = "error: settings.yml:2:1: the settings are not valid YAML";
    assert!(
        broken.starts_with(beginning) && broken.contains(" [CUFF_201]\n") && broken.contains("\nhelp: check")
    );
    assert!(broken.contains(" 1 | plugins: [\n"), "{broken}");
}

#[test]
fn amounts_and_columns_fit_what_they_tell() {
    let project = Project::empty();
    project.write("Makefile", "bad:\n\t@echo 'src/a.c:1:2: error: x'; exit 2\n");
    project
        .write("settings.yml", "version: '1'\nplugins:\n  makefiles_of_another_kind: {module: x.makefile}\n");
    let bad = project.cuff(["run", "bad"]).ended_with(2).stderr;
    assert!(
        bad.contains("bad failed: exit code 2, ") && bad.contains(", 1 error; `cuff runs diagnostics "),
        "{bad}"
    );
    let none = project.cuff(["runs", "log", "--lines", "9999"]).succeeded();
    assert!(none.stdout.is_empty() && none.stderr.starts_with("there is no line 9999: the log has "));
    let status = project.cuff(["status"]).succeeded().stdout;
    let place = "makefiles_of_another_kind".len() + 2;
    for line in status.lines() {
        let (label, rest) = line.split_at(place);
        assert!(label.ends_with("  ") && !rest.starts_with(' '), "{status}");
    }
    assert!(
        status.contains("1 tool\n") && (status.contains(" bytes in ") || status.contains(" KiB in ")),
        "{status}"
    );
    assert!(
        !status.contains("agents agents") && !status.contains("agents                     agents"),
        "{status}"
    );
}

#[test]
fn a_broken_package_json_leaves_the_rest() {
    let project = npm_project("{");
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    let init = project.cuff(["init", "--yes"]).succeeded();
    assert!(
        init.stdout.contains("[!] packagejson: ") && init.stdout.contains("package.json:1:"),
        "{}",
        init.stdout
    );
    assert!(init.stdout.contains("Generated settings.yml with 1 plugin\n"), "{}", init.stdout);
    let list = project.cuff(["packagejson", "list"]).ended_with(1);
    assert!(list.stderr.contains("has no instance of the plugin `packagejson`"), "{list:?}");
}

#[test]
fn odd_scripts_are_offered_or_reported() {
    let long = "x".repeat(300);
    let scripts = json!({
        "test-x": "echo 1", "test.x": "echo 2", "": "echo", "🚀": "echo", long.clone(): "node -e 0", "n": 5,
        "list-scripts": "echo", "postinstall": "echo",
    });
    let project = Project::empty();
    let text = format!("\u{feff}{{\"scripts\": {scripts}, \"scripts\": {scripts}}}");
    project.write("package.json", text);
    let list = project.cuff(["packagejson", "list", "--json"]).succeeded().json();
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    let unique: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
    assert!(names.iter().all(|name| name.len() <= 64), "{names:?}");
    assert_eq!(names.len(), 5, "{names:?}");
    let problems = list["problems"].as_array().unwrap();
    for reason in ["🚀", "\"n\"", "`test-x`", "`list-scripts`", "more than once", "\"\""] {
        let said = problems.iter().any(|problem| problem["message"].as_str().unwrap().contains(reason));
        assert!(said, "{reason}: {problems:?}");
    }
    project.cuff(["packagejson", "run", &long]).succeeded();
    // A name that two share is refused unless it says which.
    project.cuff(["packagejson", "run", "npm_test_x"]).ended_with(127);
}

#[test]
fn a_package_json_of_20_mb_is_read() {
    let project = Project::empty();
    let mut text = String::from("{\"scripts\": {\"hi\": \"echo hi\"}, \"filler\": [");
    while text.len() < 20_000_000 {
        let _ = write!(text, "{{\"key\": \"{}\"}}, ", text.len());
    }
    text.push_str("0]}");
    project.write("package.json", text);
    let list = project.cuff(["packagejson", "list"]).succeeded();
    assert!(list.stdout.contains("\n  hi  "), "{list:?}");
}

#[test]
fn merged_stdout_and_stderr_keep_their_order() {
    let project = Project::empty();
    let lines =
        "printf 'seed '; echo trace >&2; for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    project.script("scripts/both.sh", format!("#!/bin/sh\n{lines}\n"));
    project.cuff(["init", "--yes"]).succeeded();
    let expected: String =
        (1..10).fold("seed trace\n".to_owned(), |text, i| text + &format!("out {i}\nerr {i}\n"));
    let logged = || project.cuff(["runs", "log", "both"]).succeeded().stdout;
    for round in 0..5 {
        let shown = project.at_terminal(80, &[], &["run", "both"]).succeeded().text;
        assert!(shown.contains(&expected), "{round}: {shown}");
        assert_eq!(logged(), expected, "{round}");
        let cuff = env!("CARGO_BIN_EXE_cuff");
        let (pipe, file) =
            (format!("{cuff} run both 2>&1 | cat"), format!("{cuff} run both >all 2>&1; cat all"));
        for line in [&pipe, &file] {
            let mut shell = std::process::Command::new("sh");
            project.surround(shell.args(["-c", line]));
            assert!(Run::of(shell).succeeded().stdout.contains(&expected), "{round}: {line}");
            assert_eq!(logged(), expected, "{round}: {line}");
        }
    }
    let apart = project.cuff(["run", "both"]).succeeded();
    let of =
        |word: &str, first: &str| (1..10).fold(first.to_owned(), |text, i| text + &format!("{word} {i}\n"));
    assert_eq!(apart.stdout, of("out", "seed "));
    assert!(apart.stderr.starts_with(&of("err", "trace\n")), "{}", apart.stderr);
    let json = project.cuff(["run", "both", "--json"]).succeeded().json();
    assert_eq!(json["data"]["stderr"].as_str().unwrap().lines().count(), 10, "{json}");
}

#[test]
fn output_of_any_kind_passes() {
    let project = Project::empty();
    project.script("scripts/bytes.sh", "#!/bin/sh\nprintf 'a\\377\\000b\\n'\n");
    project.script("scripts/nothing.sh", "#!/bin/sh\nexit 4\n");
    project
        .script("scripts/much.py", "#!/usr/bin/env -S python3 -u\nprint(('x' * 99 + '\\n') * 1_000_000)\n");
    project.cuff(["init", "--yes"]).succeeded();
    assert_eq!(project.cuff(["run", "scripts/bytes.sh"]).succeeded().stdout, "a\u{fffd}\0b\n");
    let nothing = project.cuff(["run", "scripts/nothing.sh"]).ended_with(4);
    assert!(nothing.failed("scripts/nothing.sh", "exit code 4, "), "{}", nothing.stderr);
    let much = project.cuff(["run", "scripts/much.py", "--json"]).succeeded().json();
    assert_eq!(much["output_truncated"], true);
    assert_eq!(much["output_bytes"], 100_000_001);
    assert!(much["output"].as_str().unwrap().len() < 30_000);
    assert_eq!(project.cuff(["run", "scripts/much.py"]).succeeded().stdout.len(), 100_000_001);
}

#[test]
fn ctrl_c_stops_the_tool_and_leaves_nothing() {
    let project = Project::empty();
    project.script("scripts/wait.sh", "#!/bin/sh\nsleep 300 &\necho $!\nwait\n");
    project.cuff(["init", "--yes"]).succeeded();
    let mut cuff = project.command(["run", "scripts/wait.sh"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = cuff.stdout.take().unwrap();
    let mut text = String::new();
    let mut byte = [0];
    while !text.ends_with('\n') {
        output.read_exact(&mut byte).unwrap();
        text.push(byte[0].into());
    }
    let sleeper = Pid::from_raw(text.trim().parse().unwrap());
    assert!(kill(sleeper, None).is_ok(), "it runs");
    kill(Pid::from_raw(cuff.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(cuff.wait().unwrap().code(), Some(130));
    let deadline = Instant::now() + Duration::from_secs(5);
    while kill(sleeper, None).is_ok() {
        assert!(Instant::now() < deadline, "the sleeper lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_reader_that_leaves_stops_the_run_silently() {
    let project = Project::empty();
    project.script("scripts/yes.sh", "#!/bin/sh\nyes\n");
    project.cuff(["init", "--yes"]).succeeded();
    let mut cuff = project.command(["run", "scripts/yes.sh"]);
    let mut cuff = cuff.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 1000];
    cuff.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = cuff.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn settings_that_everyone_may_write_are_not_served() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = npm_project(r#"{"hi": "echo"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    let file = project.root().join("settings.yml");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    let serve = project.cuff(["serve"]).ended_with(2);
    assert!(serve.stderr.contains("may be written by every user"), "{}", serve.stderr);
    let list = project.cuff(["list"]).succeeded();
    assert!(list.stderr.contains("may be written by every user"), "{}", list.stderr);
}

#[test]
fn a_name_that_is_not_offered_is_answered_with_the_reason() {
    let project =
        npm_project(r#"{"hi": "echo", "postinstall": "echo", "/x y": "echo", "n": 5, "secret:x": "echo"}"#);
    project.script("scripts/greet.sh", "#!/bin/sh\necho hi\n");
    project.script("scripts/internal.sh", "#!/bin/sh\necho internal\n");
    project.script("other/o.sh", "#!/bin/sh\necho o\n");
    project.write("scripts/plain.sh", "#!/bin/sh\n");
    let outside = project.outside().join("folder");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("x.sh"), "#!/bin/sh\n").unwrap();
    std::os::unix::fs::symlink(&outside, project.root().join("scripts/folder")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", project.root().join("scripts/link.sh")).unwrap();
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config: {exclude_scripts: \"secret*\"}\n  scripts:\n    \
                    config:\n      patterns: [\"scripts/*.sh\"]\n      exclude: [\"**/internal*\"]\n      \
                    require_executable: true\n";
    project.write("settings.yml", settings);
    for (name, reason) in [
        ("other/o.sh", "error: Script not in allowed patterns: other/o.sh [SCRIPT_301]"),
        ("scripts.other/o.sh", "error: Script not in allowed patterns: other/o.sh [SCRIPT_301]"),
        ("scripts/internal.sh", "error: Script is excluded: scripts/internal.sh [SCRIPT_301]"),
        ("scripts/plain.sh", "error: Permission denied: scripts/plain.sh [SCRIPT_403]"),
        ("scripts/link.sh", "error: Script resolves outside base directory: scripts/link.sh [SCRIPT_306]"),
        ("scripts.script_scripts_link", "error: Script resolves outside base directory: scripts/link.sh"),
        ("scripts/folder/x.sh", "error: Script resolves outside base directory: scripts/folder/x.sh"),
        ("../x.sh", "error: Path traversal detected: ../x.sh [SCRIPT_304]"),
        ("scripts/../../x.sh", "error: Path traversal detected: scripts/../../x.sh"),
        ("/etc/passwd", "error: Path traversal detected: /etc/passwd"),
        ("scripts.nope", "error: Script not found: scripts.nope [SCRIPT_301]"),
        ("postinstall", "error: package.json:1: Script is excluded: postinstall [PKGJSON_301]"),
        ("packagejson.npm_secret__x", "error: package.json:1: Script is excluded: secret:x [PKGJSON_301]"),
        ("/x y", "error: package.json:1: script \"/x y\" is not offered: its name must start with a letter"),
        ("n", "error: package.json:1: \"n\" in `scripts` must be a string, not a number"),
    ] {
        // A way out of the folder is refused; what the settings leave out is merely not there.
        let refused = reason.contains("traversal") || reason.contains("outside base");
        let run = project.cuff(["run", name]).ended_with(if refused { 126 } else { 127 });
        assert!(run.stderr.starts_with(reason), "{name}: {}", run.stderr);
        assert_eq!(run.stderr.matches("error:").count(), 1, "reported once: {}", run.stderr);
    }
    for spelling in ["./scripts/greet.sh", "scripts.scripts/greet.sh", "greet.sh", "greet", "scripts.greet"] {
        assert_eq!(project.cuff(["run", spelling]).succeeded().stdout, "hi\n", "{spelling}");
    }
    let near = project.cuff(["run", "gret"]).ended_with(127);
    assert!(near.stderr.contains("did you mean `cuff run scripts/greet.sh`?"), "{}", near.stderr);
}

#[test]
fn a_source_that_cannot_be_read_is_the_answer_to_its_calls() {
    let project = npm_project("{");
    let run = project.cuff(["packagejson", "run", "hi"]).ended_with(125);
    assert!(
        run.stderr.starts_with("error: package.json:1:") && run.stderr.contains("[PKGJSON_102]"),
        "{}",
        run.stderr
    );
    project.script("scripts/a.sh", "#!/bin/sh\n");
    project.write(
        "settings.yml",
        "version: \"1\"\nplugins:\n  packagejson: {}\n  scripts: {config: {patterns: [\"scripts/*\"]}}\n",
    );
    let run = project.cuff(["run", "packagejson.npm_hi"]).ended_with(125);
    assert!(run.stderr.contains("[PKGJSON_102]"), "{}", run.stderr);
    let run = project.cuff(["run", "hi"]).ended_with(127);
    assert!(run.stderr.contains("packagejson offers nothing: package.json:1:"), "{}", run.stderr);
    let empty = Project::empty().cuff(["packagejson", "run", "hi"]).ended_with(125);
    assert!(empty.stderr.contains("package.json not found: package.json [PKGJSON_101]"), "{}", empty.stderr);
}

#[test]
fn json_is_json_when_nothing_works_as_well() {
    let project = npm_project(r#"{"hi": "echo"}"#);
    let empty = Project::empty();
    let says = |words: &[&str], code: i32, error_code: &str| {
        let place = if error_code == "CUFF_101" && code != 2 { &empty } else { &project };
        let run = place.cuff(words).ended_with(code);
        let shape = run.json();
        assert_eq!(
            (&shape["success"], &shape["error_code"]),
            (&json!(false), &json!(error_code)),
            "{words:?}"
        );
        assert!(shape["error"].as_str().is_some_and(|error| !error.is_empty()), "{words:?}");
        assert_eq!(run.stderr, "", "{words:?}");
        shape
    };
    says(&["run", "hi", "--json"], 125, "CUFF_101");
    says(&["list", "--json"], 1, "CUFF_101");
    says(&["-C", "nowhere", "list", "--json"], 64, "CUFF_304");
    says(&["--config", "nowhere.yml", "list", "--json"], 2, "CUFF_101");
    says(&["packagejson", "run", "hi", "--json", "--env", "A"], 64, "CUFF_304");
    says(&["packagejson", "run", "npm_list_scripts", "word", "--json"], 64, "CUFF_304");
    says(&["packagejson", "run", "hi", "--json", "--timeout", "0"], 64, "CUFF_304");
    says(&["run", "hi", "--json", "--frobnicate"], 64, "CUFF_304");
    project.write("settings.yml", "plugins: [\n");
    let shape = says(&["list", "--json"], 2, "CUFF_201");
    assert_eq!(shape["problems"][0]["line"], 2);
    says(&["run", "hi", "--json"], 125, "CUFF_201");
    let plain = project.cuff(["list"]).ended_with(2);
    assert_eq!(plain.stderr.matches("not valid YAML").count(), 1, "reported once: {}", plain.stderr);
}

#[test]
fn a_command_says_what_matters_to_it() {
    let project = npm_project(r#"{"hi": "echo", "🚀": "echo"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    std::os::unix::fs::symlink("/etc/passwd", project.root().join("scripts/link.sh")).unwrap();
    project.cuff(["init", "--yes"]).succeeded();
    let errors_of = |words: &[&str]| project.cuff(words).stderr;
    let both = errors_of(&["list"]);
    assert!(both.contains("🚀") && both.contains("link.sh"), "{both}");
    for words in [&["list", "--plugin", "scripts"][..], &["scripts", "list"], &["list", "link"]] {
        let one = errors_of(words);
        assert!(!one.contains("🚀") && one.contains("link.sh"), "{words:?}: {one}");
    }
    assert_eq!(errors_of(&["run", "scripts/a.sh"]), "");
    let unknown = project.cuff(["list", "--plugin", "scrpts"]).ended_with(64);
    assert!(unknown.stderr.contains("did you mean `scripts`?"), "{}", unknown.stderr);
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config: {default_timeout: [5]}\n  scripts:\n    \
                    config:\n      patterns: [\"scripts/a*\"]\n      cach_ttl: 3\n";
    project.write("settings.yml", settings);
    for words in [&["run", "scripts/a.sh"][..], &["scripts", "list"], &["scripts", "run", "scripts/a.sh"]] {
        let run = project.cuff(words).succeeded();
        assert!(
            run.stderr.contains("cache_ttl") && !run.stderr.contains("PKGJSON"),
            "{words:?}: {}",
            run.stderr
        );
    }
    for words in [&["packagejson", "run", "hi"][..], &["run", "packagejson.hi"]] {
        let run = project.cuff(words).ended_with(125);
        assert!(run.stderr.contains("`packagejson` is not offered"), "{words:?}: {}", run.stderr);
    }
    let run = project.cuff(["packagejson", "list"]).ended_with(2);
    assert!(run.stderr.contains("PKGJSON_201") && !run.stderr.contains("cach_ttl"), "{}", run.stderr);
}

#[test]
fn a_plugin_without_its_file_fails_and_a_filter_without_match_does_not() {
    let empty = Project::empty();
    assert!(empty.cuff(["packagejson", "list"]).ended_with(1).stderr.contains("PKGJSON_101"));
    let project = npm_project(r#"{"hi": "echo"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    assert!(
        project.cuff(["list", "zzz"]).succeeded().stderr.contains("The one tool here does not match `zzz`")
    );
    let both = project.cuff(["init", "--config", "x.yml"]).ended_with(64);
    assert!(both.stderr.contains("`-o PATH`"), "{}", both.stderr);
}

#[test]
fn a_full_disk_is_reported() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.cuff(["init", "--yes"]).succeeded();
    for (words, code) in [
        (&["run", "scripts/a.sh"][..], 125),
        (&["run", "scripts/a.sh", "--json"], 125),
        (&["run", "scripts/a.sh", "--dry-run"], 125),
        (&["list"], 1),
        (&["--help"], 1),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let Ok(full) = full else { return };
        let run = project.command(words).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(
            (run.status.code(), stderr.matches("No space left").count()),
            (Some(code), 1),
            "{words:?}: {stderr}"
        );
    }
}

#[test]
fn a_path_of_an_option_counts_from_where_it_is_typed() {
    let project = npm_project(r#"{"hi": "echo"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    std::fs::create_dir(project.root().join(".git")).unwrap();
    project.write("packages/web/package.json", r#"{"scripts": {"web": "pwd"}}"#);
    let list = |words: &[&str]| project.cuff(words).succeeded().stdout;
    let here = list(&["-C", "packages/web", "packagejson", "list", "--package-json", "package.json"]);
    assert!(here.contains("\n  web  pwd"), "{here}");
    let there = list(&["packagejson", "list", "--package-json", "packages/web/package.json"]);
    assert!(there.contains("\n  web  pwd"), "{there}");
    let above = list(&["-C", "packages/web", "packagejson", "list"]);
    assert!(above.contains("\n  hi  echo"), "{above}");
}

#[test]
fn help_is_there_however_it_is_asked_for() {
    let project = Project::empty();
    for words in [
        &["help"][..],
        &["--help"],
        &["-h"],
        &["help", "run"],
        &["help", "scripts", "list"],
        &["scripts", "help"],
    ] {
        let run = project.cuff(words).succeeded();
        assert!(run.stdout.contains("Usage: cuff"), "{words:?}: {}", run.stdout);
    }
    let run = project.cuff(["run", "--help"]).succeeded();
    let (own, global) = run.stdout.split_once("Global options:").unwrap();
    assert!(
        own.contains("--json") && !own.contains("--config") && global.contains("--config"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_interpreter_by_its_path_is_not_looked_for() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/nowhere/interpreter\n");
    let run = project.cuff(["scripts", "run", "scripts/a.sh"]).ended_with(125);
    assert!(
        run.stderr.contains("/nowhere/interpreter does not exist, or is no program [SCRIPT_103]"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("PATH="), "{}", run.stderr);
}

#[test]
fn a_list_tool_answers_a_person_in_lines_and_takes_nothing_that_is_for_runs() {
    let project = npm_project(r#"{"a": "echo", "b\u001b": "echo"}"#);
    project.write("Makefile", "all: ## Does it\n\ttrue\nlonger: ## Does more\n\ttrue\n");
    let list = |words: &[&str]| project.cuff(words).succeeded().stdout;
    assert_eq!(list(&["packagejson", "run", "npm_list_scripts"]), "a\n");
    assert_eq!(
        list(&["makefile", "run", "make_list_targets"]),
        "make_all     Does it\nmake_longer  Does more\n"
    );
    for (words, option) in [
        (&["packagejson", "run", "npm_list_scripts", "--dry-run"][..], "--dry-run"),
        (&["packagejson", "run", "npm_list_scripts", "--timeout", "3"], "--timeout"),
        (&["packagejson", "run", "a", "--cwd", "b"], "--cwd"),
    ] {
        let run = project.cuff(words).ended_with(64);
        assert!(run.stderr.contains(&format!("` takes no {option} [CUFF_304]")), "{}", run.stderr);
    }
}

#[test]
fn verbose_says_what_was_done() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.cuff(["init", "--yes"]).succeeded();
    let run = project.cuff(["run", "--verbose", "scripts/a.sh", "word"]).succeeded();
    assert_eq!(run.stdout, "a\n");
    let [command, status] = run.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{}", run.stderr) };
    assert!(command.ends_with("scripts/a.sh word`"), "{command}");
    assert!(status.starts_with("note: scripts/a.sh: succeeded with exit code 0 (0."), "{status}");
    assert!(status.ends_with("` prints its log again"), "{status}");
    assert_eq!(project.cuff(["run", "scripts/a.sh"]).succeeded().stderr, "", "success is the tool's own");
    assert!(project.cuff(["list", "-v"]).succeeded().stderr.contains("the settings are settings.yml"));
}

#[test]
fn disabled_and_empty_instances_say_so() {
    let project = npm_project("{}");
    let run = project.cuff(["packagejson", "list"]).succeeded();
    assert!(run.stderr.contains("warning: packagejson: package.json: No scripts found"), "{}", run.stderr);
    project.write("settings.yml", "version: \"1\"\nplugins: {packagejson: {enabled: false}}\n");
    let run = project.cuff(["packagejson", "list"]).ended_with(1);
    assert!(run.stderr.contains("settings.yml switches `packagejson` off"), "{}", run.stderr);
    let run = project.cuff(["run", "packagejson.npm_hi"]).ended_with(127);
    assert!(run.stderr.contains("`enabled: true` switches it on"), "{}", run.stderr);
}

#[test]
fn ctrl_c_at_the_question_gives_the_cursor_back() {
    let project = npm_project(r#"{"hi": "echo", "ho": "echo"}"#).variable("TERM", "xterm");
    let steps = [("Write settings.yml?", "c"), ("[y/N", "\u{3}")];
    let shown = project.at_terminal(80, &steps, &["init"]).ended_with(130);
    assert!(shown.text.contains("\u{1b}[?25l"), "before the cursor is hidden there is none to give back");
    assert!(shown.restored, "{}", shown.text);
    assert!(!project.root().join("settings.yml").exists());
}
