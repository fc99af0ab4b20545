//! The terminal face: what each command prints and how it ends.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::normalize::{picture, typed};
use crate::support::process;
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
    // `init` would write the same again, and `list` takes it as it is.
    insta::assert_snapshot!(typed(&project, &["init --yes", "list", "init --yes"]), @"
    $ cuff init --yes
    Discovering plugins...
      [+] packagejson: Found package.json with 3 scripts (npm)
      [+] scripts: Found 2 scripts
          Warning: Script 'scripts/deploy_secrets.sh' may contain sensitive operations - review before enabling
          Warning: Script 'tools/backup.sh' has no shebang line - interpreter will be guessed

    These tools look irreversible, so cuff asks you first (`confirm` in the settings):
      scripts: scripts/deploy_secrets.sh (its name)
    Generated settings.yml with 2 plugins
    ! warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    ! help: `cuff approve settings` lets them have it
    ! Next: `cuff list` shows the tools
    !       `cuff run test` runs one
    !       `cuff install --client claude-code` offers them to an agent
    = 0
    $ cuff list
    package.json · npm
      test       node --test
      test:unit  vitest run
      build      tsc

    scripts/, tools/
      scripts/deploy_secrets.sh  [asks] Deploys
      tools/backup.sh            Run tools/backup.sh
    = 0
    $ cuff init --yes
    ! error: settings.yml exists already
    ! help: `--merge` adds what is new to it, `--force` replaces it, `--dry-run` shows what would be written
    = 2
    ");
    insta::with_settings!({ snapshot_path => "../../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("settings.yml", project.read("settings.yml"));
    });
    assert_eq!(project.cuff(["init", "--dry-run"]).succeeded().stdout, project.read("settings.yml"));
    project.cuff(["init", "--yes", "--force"]).succeeded();
}

#[test]
fn init_ends_as_specified() {
    let empty = Project::empty();
    // The others that need tools say the same: `first_minute` has them.
    insta::assert_snapshot!(typed(&empty, &["init --yes", "status", "doctor"]), @r#"
    $ cuff init --yes
    Discovering plugins...

    ! error: there is nothing here that cuff could offer
    ! help: cuff looks for package.json, a Makefile, a justfile, Taskfile.yml, mise.toml, Cargo.toml, pyproject.toml, tox.ini and 31 more kinds of files; add one, or name another folder with -C
    ! or write settings.yml by hand:
    !     version: "1"
    !     plugins:
    !       commands: {config: {commands: {hello: echo hello}}}
    = 1
    $ cuff status
    settings   none; `cuff init` writes some
    runs       0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 1
    $ cuff doctor
    FAIL  there is nothing here that cuff could offer
          cuff looks for package.json, a Makefile, a justfile, Taskfile.yml, mise.toml, Cargo.toml, pyproject.toml, tox.ini and 31 more kinds of files; add one, or name another folder with -C
          or write settings.yml by hand:
              version: "1"
              plugins:
                commands: {config: {commands: {hello: echo hello}}}
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 1
    "#);
    assert!(!empty.root().join("settings.yml").exists());
    let project = npm_project(r#"{"a": "b"}"#);
    let lines =
        ["init --yes -o missing/settings.yml", "init --yes --plugins packagejsn", "init --frobnicate"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff init --yes -o missing/settings.yml
    ! error: ~/project/missing/settings.yml cannot be written: there is no folder ~/project/missing
    ! help: nothing was written; make that folder first, or name another with `-o`
    = 3
    $ cuff init --yes --plugins packagejsn
    ! error: there is no plugin or package `packagejsn` [CUFF_304]
    ! help: did you mean `packagejson`?
    = 64
    $ cuff init --frobnicate
    ! error: unexpected argument '--frobnicate' found [CUFF_304]
    ! help: usage: `cuff init [OPTIONS]`; `--help` says more
    = 64
    ");
    project.cuff(["init", "--yes", "--exclude", "packagejson"]).ended_with(1);
}

#[test]
fn settings_above_that_do_not_count_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = npm_project(r#"{"a": "node -e 0"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    std::fs::create_dir(project.root().join("sub")).unwrap();
    let listed = typed(&project, &["-C sub list"]);
    insta::assert_snapshot!(listed, @"
    $ cuff -C sub list
    package.json · npm
      a  node -e 0
    = 0
    ");
    // Others might have put settings there.
    std::fs::set_permissions(project.root(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let lines = ["-C sub list", "-C sub status", "-C sub doctor", "-C sub run a", "-C sub init --yes"];
    let said = typed(&project, &lines);
    // The other lines are as in a folder with no settings above.
    let said: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with(['$', '=']) || line.contains("../settings.yml"))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @"
    $ cuff -C sub list
    ! error: there is nothing here that cuff could offer; `../settings.yml` does not count here, without a `.git` beside it; `cuff -C ..` uses it [CUFF_101]
    = 1
    $ cuff -C sub status
      `../settings.yml` does not count here, without a `.git` beside it; `cuff -C ..` uses it
    = 1
    $ cuff -C sub doctor
    FAIL  there is nothing here that cuff could offer; `../settings.yml` does not count here, without a `.git` beside it; `cuff -C ..` uses it
    = 1
    $ cuff -C sub run a
    ! error: there is nothing here that cuff could offer; `../settings.yml` does not count here, without a `.git` beside it; `cuff -C ..` uses it [CUFF_101]
    = 125
    $ cuff -C sub init --yes
    ! error: there is nothing here that cuff could offer; `../settings.yml` does not count here, without a `.git` beside it; `cuff -C ..` uses it
    = 1
    ");
    std::fs::create_dir(project.root().join(".git")).unwrap();
    assert_eq!(typed(&project, &["-C sub list"]), listed);
}

#[test]
fn a_folder_without_anything_names_the_nearest_one_above_that_has_tools() {
    let project = npm_project(r#"{"a": "node -e 0"}"#);
    project.write("Makefile", ".PHONY: b\nb:\n\techo b\n");
    std::fs::create_dir_all(project.root().join("sub/deep")).unwrap();
    insta::assert_snapshot!(typed(&project, &["-C sub/deep list"]), @r#"
    $ cuff -C sub/deep list
    ! error: there is nothing here that cuff could offer [CUFF_101]
    ! help: `cuff -C ../.. list` shows the tools of ../..: package.json, the Makefile
    ! cuff looks for package.json, a Makefile, a justfile, Taskfile.yml, mise.toml, Cargo.toml, pyproject.toml, tox.ini and 31 more kinds of files; add one, or name another folder with -C
    ! or write settings.yml by hand:
    !     version: "1"
    !     plugins:
    !       commands: {config: {commands: {hello: echo hello}}}
    = 1
    "#);
}

#[test]
fn names_that_no_tool_can_have_are_one_note() {
    let project = npm_project(r#"{"test": "x", "my task": "x", "test:süd": "x"}"#);
    let lines = ["init --yes", "list", "list -q test", "status", "doctor", "init --merge"];
    insta::assert_snapshot!(typed(&project, &lines), @r#"
    $ cuff init --yes
    Discovering plugins...
      [+] packagejson: Found package.json with 1 script (npm)
          Note: package.json:1: script "my task" is not offered: its name may hold only letters, digits, _ : . and -; nor is "test:süd"; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts

    Generated settings.yml with 1 plugin
    ! warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    ! help: `cuff approve settings` lets them have it
    ! Next: `cuff list` shows the tools
    !       `cuff run test` runs one
    !       `cuff install --client claude-code` offers them to an agent
    = 0
    $ cuff list
    package.json · npm
      test  x
    ! note: packagejson: package.json:1: script "my task" is not offered: its name may hold only letters, digits, _ : . and -; nor is "test:süd"; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts
    = 0
    $ cuff list -q test
    package.json · npm
      test  x
    = 0
    $ cuff status
    settings     settings.yml
      agents     have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    packagejson  healthy, 1 tool, run by npm
    runs         0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions    0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 0
    $ cuff doctor
    PASS  settings.yml offers 1 tool, and 1 more that lists them
    PASS  packagejson: package.json:1: script "my task" is not offered: its name may hold only letters, digits, _ : . and -; nor is "test:süd"; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts
    PASS  1 tool needs npm: /usr/bin/npm
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    $ cuff init --merge
    Discovering plugins...
      [+] packagejson: Found package.json with 1 script (npm)

    settings.yml has all of this already: nothing was written
    = 0
    "#);
    let scripts = "      scripts: '*'\n";
    let excluded = format!("{scripts}      exclude_scripts: ['my task', 'test:süd']\n");
    project.write("settings.yml", project.read("settings.yml").replace(scripts, &excluded));
    let said = typed(&project, &["list", "doctor", "init --merge"]);
    assert!(!said.contains("my task"), "{said}");
}

#[test]
fn a_script_under_any_name_is_offered_or_named() {
    let project = Project::empty();
    project.write("scripts/build.js", "console.log(1)\n");
    project.write("tools/in.py", "print(1)\n");
    project.write("tools/__init__.py", "");
    project.write("bin/readme", "no script\n");
    project.write("Makefile", "test: ; true\n");
    insta::assert_snapshot!(project.cuff(["init", "--dry-run"]).succeeded().stderr, @"
    Discovering plugins...
      [+] makefile: Found Makefile with 1 target
      [-] scripts: scripts/build.js, tools/in.py are not offered; `patterns` in the settings takes what you name there
    ");
    project.script("bin/tool", "#!/bin/sh\necho here\n");
    project.script("bin/program", b"\x7fELF\0");
    std::os::unix::fs::symlink("tool", project.root().join("bin/other")).unwrap();
    insta::assert_snapshot!(typed(&project, &["init --yes", "list", "run tool"]), @"
    $ cuff init --yes
    Discovering plugins...
      [+] makefile: Found Makefile with 1 target
      [+] scripts: Found 1 script
          Note: scripts/build.js, bin/other, tools/in.py are not offered; `patterns` in the settings takes what you name there

    Generated settings.yml with 2 plugins
    ! warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    ! help: `cuff approve settings` lets them have it
    ! Next: `cuff list` shows the tools
    !       `cuff run test` runs one
    !       `cuff install --client claude-code` offers them to an agent
    = 0
    $ cuff list
    Makefile
      test  true

    bin/
      bin/tool  Run bin/tool
    = 0
    $ cuff run tool
    here
    = 0
    ");
    let settings = project.read("settings.yml");
    assert!(settings.ends_with("\n      - bin/tool\n"), "{settings}");
    let many = Project::empty();
    for number in 0..30 {
        many.script(&format!("bin/b{number:02}"), "#!/bin/sh\n");
    }
    let said = many.cuff(["init", "--dry-run"]).succeeded();
    assert_eq!(said.stderr, "Discovering plugins...\n  [+] scripts: Found 30 scripts\n\n");
    assert!(said.stdout.ends_with("\n      - bin/*\n"), "{}", said.stdout);
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
    let ok = project.cuff(["run", "ok"]).succeeded().stdout;
    for name in ["packagejson.npm_ok", "npm_ok"] {
        assert_eq!(project.cuff(["run", name]).succeeded().stdout, ok, "{name}");
    }
    let lines = [
        "run ok",
        "run bad",
        "scripts run scripts/die.sh",
        "run scripts/long.sh --timeout 1",
        "run ok --dry-run -- --coverage",
    ];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff run ok

    > ok
    > node -e 'console.log(1)'

    1
    = 0
    $ cuff run bad

    > bad
    > node -e 'process.exit(7)'

    ! bad failed: exit code 7, 0.1 s; `cuff runs log RUN`
    = 7
    $ cuff scripts run scripts/die.sh
    ! scripts/die.sh failed: Script was killed by signal 9 (SIGKILL) (0.1 s); it printed nothing: `cuff why scripts/die.sh` shows what it runs
    = 137
    $ cuff run scripts/long.sh --timeout 1
    started
    ! error: scripts/long.sh: Script timed out after 1 seconds (0.1 s) [SCRIPT_303]
    ! help: give it more with `--timeout`, or raise `default_timeout` in settings.yml
    ! help: `cuff runs log RUN` prints its log again
    = 124
    $ cuff run ok --dry-run -- --coverage
    Would execute: npm run ok -- --coverage
    = 0
    ");
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
    let lines = ["packagejson list", "packagejson run hi", "scripts list --pattern deploy/*.sh"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff packagejson list
    package.json · npm
      hi  node -e 'console.log(1)'
    = 0
    $ cuff packagejson run hi

    > hi
    > node -e 'console.log(1)'

    1
    = 0
    $ cuff scripts list --pattern deploy/*.sh
    deploy/
      deploy/x.sh  Run deploy/x.sh
    = 0
    ");
    project.cuff(["packagejson", "run-script", "hi"]).succeeded();
    project.cuff(["run", "hi"]).succeeded();
}

#[test]
fn broken_settings_say_where_and_what_still_works() {
    let project = npm_project(r#"{"hi": "node -e 'console.log(1)'"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config:\n      default_timeout: [5]\n      \
                    cach_ttl: 3\n  scripts:\n    config:\n      patterns: [\"scripts/*.sh\"]\n";
    project.write("settings.yml", settings);
    insta::assert_snapshot!(typed(&project, &["list", "run script_scripts_a"]), @"
    $ cuff list
    scripts/
      scripts/a.sh  Run scripts/a.sh
    ! error: settings.yml:5:24: `default_timeout` must be a whole number, not a list [PKGJSON_201]
    !    ,-[settings.yml:5:24]
    !  4 |     config:
    !  5 |       default_timeout: [5]
    !    :                        |
    !    :                        `-- a whole number
    !  6 |       cach_ttl: 3
    !    `----
    ! warning: settings.yml:6:7: `cach_ttl` is not known here
    !    ,-[settings.yml:6:7]
    !  5 |       default_timeout: [5]
    !  6 |       cach_ttl: 3
    !    :       ^^^^|^^^
    !    :           `-- unknown key
    !  7 |   scripts:
    !    `----
    ! help: did you mean `cache_ttl`?
    = 2
    $ cuff run script_scripts_a
    a
    = 0
    ");
}

#[test]
fn a_name_that_several_wanted_or_that_was_cut_is_answered_with_theirs() {
    let long = "l".repeat(100);
    let project = npm_project(&json!({"a-b": "echo 1", "a.b": "echo 2", &long: "echo 3"}).to_string());
    project.cuff(["init", "--yes"]).succeeded();
    let of_long = format!("run npm_{long}");
    insta::assert_snapshot!(typed(&project, &["run npm_a_b", "run packagejson.npm_a_b", &of_long]), @"
    $ cuff run npm_a_b
    ! error: `npm_a_b` could be any of 2 [CUFF_301]
    ! help: say which: a-b, a.b; each call runs one
    = 127
    $ cuff run packagejson.npm_a_b
    ! error: `packagejson.npm_a_b` could be any of 2 [PKGJSON_301]
    ! help: say which: a-b, a.b; each call runs one
    = 127
    $ cuff run npm_llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll
    ! error: Tool not found: npm_llllllllllllllllllllllllllllllllllll…llllllllllllllllllllllllllllllllllllllll [CUFF_301]
    ! help: did you mean `cuff run llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll`?
    = 127
    ");
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
    insta::assert_snapshot!(typed(&project, &["run one"]), @"
    $ cuff run one
    ! error: `one` could be any of 25 [CUFF_301]
    ! help: say which: p10:one, p11:one, p12:one, p13:one, p14:one, p15:one, p16:one, p17:one, p18:one, p19:one, p20:one, p21:one, p22:one, p23:one, p24:one, p25:one, p26:one, p27:one, p28:one, p29:one and 5 more; each call runs one
    = 127
    ");
}

#[test]
fn a_name_that_is_nowhere_may_be_of_an_instance_whose_settings_are_wrong() {
    let project = npm_project(r#"{"test": "x"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\n");
    project.write(
        "settings.yml",
        "version: \"1\"\nplugins:\n  packagejson:\n    config: {cache_ttl: no}\n  scripts:\n    config: {patterns: [scripts/*]}\n",
    );
    insta::assert_snapshot!(typed(&project, &["run npm_test"]), @r#"
    $ cuff run npm_test
    ! error: settings.yml:4:25: `cache_ttl` must be a whole number, not the string "no" [PKGJSON_201]
    !    ,-[settings.yml:4:25]
    !  3 |   packagejson:
    !  4 |     config: {cache_ttl: no}
    !    :                         ^|
    !    :                          `-- a whole number
    !  5 |   scripts:
    !    `----
    ! error: Tool not found: npm_test [CUFF_301]
    ! help: available: scripts/a.sh; `packagejson` is not offered: its settings are wrong
    = 127
    "#);
}

#[test]
fn amounts_and_columns_fit_what_they_tell() {
    let project = Project::empty();
    project.write("Makefile", "bad:\n\t@echo 'src/a.c:1:2: error: x'; exit 2\n");
    project
        .write("settings.yml", "version: '1'\nplugins:\n  makefiles_of_another_kind: {module: x.makefile}\n");
    let lines = ["run bad", "runs log --lines 9999", "runs log --tail -1", "status"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff run bad
    src/a.c:1:2: error: x
    ! make: *** [Makefile:2: bad] Error 2
    ! bad failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN`
    = 2
    $ cuff runs log --lines 9999
    ! there is no line 9999: the log has 2 lines
    = 0
    $ cuff runs log --tail -1
    ! error: invalid value '-1' for '--tail <N>': it is a whole number, 1 or more [CUFF_304]
    ! help: `--help` says more
    = 64
    $ cuff status
    settings                   settings.yml
      agents                   have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    makefiles_of_another_kind  healthy, 1 tool
    runs                       1 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions                  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 0
    ");
}

#[test]
fn a_broken_package_json_leaves_the_rest() {
    let project = npm_project("{");
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    insta::assert_snapshot!(typed(&project, &["init --yes", "packagejson list"]), @"
    $ cuff init --yes
    Discovering plugins...
      [!] packagejson: package.json:1:14: Invalid JSON in package.json: EOF while parsing an object
          correct the file; until then none of its scripts is offered
      [+] scripts: Found 1 script

    Generated settings.yml with 1 plugin
    ! warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    ! help: `cuff approve settings` lets them have it
    ! Next: `cuff list` shows the tools
    !       `cuff run scripts/a.sh` runs one
    !       `cuff install --client claude-code` offers them to an agent
    = 0
    $ cuff packagejson list
    ! error: settings.yml has no instance of the plugin `packagejson` [CUFF_201]
    ! help: add one; `cuff init --dry-run --plugins packagejson` shows what it would look like
    = 1
    ");
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
    assert!(names.iter().all(|name| name.len() <= 64), "{names:?}");
    insta::assert_snapshot!(names.join("\n"), @"
    packagejson.npm_list_scripts
    packagejson.npm_test_x_35e670a5
    packagejson.npm_test_x_412753f1
    packagejson.npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_296a7bce
    packagejson.npm_list_scripts_b47a5529
    ");
    // A name that two share is refused unless it says which.
    insta::assert_snapshot!(typed(&project, &["packagejson list", "packagejson run npm_test_x"]), @r#"
    $ cuff packagejson list
    package.json · npm
      test-x                          echo 1
      test.x                          echo 2
      xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  node -e 0
      list-scripts                    echo
    ! note: packagejson: package.json:1: script "" is not offered: its name is empty; nor is "🚀"; give the script a name
    ! warning: packagejson: package.json: `scripts` is in the file more than once; the last one counts
    ! error: packagejson: package.json:1: "n" in `scripts` must be a string, not a number [PKGJSON_102]
    ! help: write it as one string
    ! warning: packagejson: package.json:1: `list-scripts` would be called like the reserved `npm_list_scripts`; offered as npm_list_scripts_b47a5529
    ! help: give them names that differ in letters or digits
    ! warning: packagejson: package.json:1: `test-x` and `test.x` would all be called `npm_test_x`; offered as npm_test_x_35e670a5 and npm_test_x_412753f1
    ! help: give them names that differ in letters or digits
    = 0
    $ cuff packagejson run npm_test_x
    ! error: `npm_test_x` could be any of 2 [PKGJSON_301]
    ! help: say which: test-x, test.x; each call runs one
    = 127
    "#);
    project.cuff(["packagejson", "run", &long]).succeeded();
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
    insta::assert_snapshot!(typed(&project, &["packagejson list"]), @"
    $ cuff packagejson list
    package.json · npm
      hi  echo hi
    = 0
    ");
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
        assert_eq!(shown, expected, "{round}");
        assert_eq!(logged(), expected, "{round}");
        let cuff = env!("CARGO_BIN_EXE_cuff");
        let (pipe, file) =
            (format!("{cuff} run both 2>&1 | cat"), format!("{cuff} run both >all 2>&1; cat all"));
        for line in [&pipe, &file] {
            let mut shell = std::process::Command::new("sh");
            project.surround(shell.args(["-c", line]));
            assert_eq!(Run::of(shell).succeeded().stdout, expected, "{round}: {line}");
            assert_eq!(logged(), expected, "{round}: {line}");
        }
    }
    let apart = project.cuff(["run", "both"]).succeeded();
    let of =
        |word: &str, first: &str| (1..10).fold(first.to_owned(), |text, i| text + &format!("{word} {i}\n"));
    assert_eq!((apart.stdout, apart.stderr), (of("out", "seed "), of("err", "trace\n")));
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
    insta::assert_snapshot!(typed(&project, &["run scripts/nothing.sh"]), @"
    $ cuff run scripts/nothing.sh
    ! scripts/nothing.sh failed: exit code 4, 0.1 s; it printed nothing: `cuff why scripts/nothing.sh` shows what it runs
    = 4
    ");
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
    project.cuff(["serve"]).ended_with(2);
    insta::assert_snapshot!(typed(&project, &["list"]), @"
    $ cuff list
    package.json · npm
      hi  echo
    ! warning: settings.yml may be written by every user of this machine
    ! help: run `chmod o-w settings.yml`
    = 0
    ");
}

#[test]
fn a_name_that_is_not_offered_is_answered_with_the_reason() {
    let project = npm_project(r#"{"hi": "echo", "secret:x": "echo"}"#);
    project.script("scripts/greet.sh", "#!/bin/sh\necho hi\n");
    project.script("scripts/internal.sh", "#!/bin/sh\necho internal\n");
    project.script("other/o.sh", "#!/bin/sh\necho o\n");
    let outside = project.outside().join("folder");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("x.sh"), "#!/bin/sh\n").unwrap();
    std::os::unix::fs::symlink(&outside, project.root().join("scripts/folder")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", project.root().join("scripts/link.sh")).unwrap();
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config: {exclude_scripts: \"secret*\"}\n  scripts:\n    \
                    config:\n      patterns: [\"scripts/*.sh\"]\n      exclude: [\"**/internal*\"]\n";
    project.write("settings.yml", settings);
    // A way out of the folder is refused; what the settings leave out is merely not there. `snapshots/errors/` has more.
    let lines = [
        "run other/o.sh",
        "run scripts.other/o.sh",
        "run scripts/internal.sh",
        "run scripts.script_scripts_link",
        "run scripts/folder/x.sh",
        "run scripts/../../x.sh",
        "run /etc/passwd",
        "run packagejson.npm_secret__x",
        "run gret",
    ];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff run other/o.sh
    ! error: Script not in allowed patterns: other/o.sh [SCRIPT_301]
    ! help: add it to `patterns` in settings.yml
    = 127
    $ cuff run scripts.other/o.sh
    ! error: Script not in allowed patterns: other/o.sh [SCRIPT_301]
    ! help: add it to `patterns` in settings.yml
    = 127
    $ cuff run scripts/internal.sh
    ! error: Script is excluded: scripts/internal.sh [SCRIPT_301]
    ! help: `exclude` in the settings leaves it out; change that in settings.yml
    = 127
    $ cuff run scripts.script_scripts_link
    ! error: Script resolves outside base directory: scripts/link.sh [SCRIPT_306]
    ! help: it is a link to /etc/passwd; link to files below it only
    = 126
    $ cuff run scripts/folder/x.sh
    ! error: Script resolves outside base directory: scripts/folder/x.sh [SCRIPT_306]
    ! help: a folder on its way is a link; link to folders below base_directory only
    = 126
    $ cuff run scripts/../../x.sh
    ! error: Path traversal detected: scripts/../../x.sh [SCRIPT_304]
    ! help: name a script below base_directory
    = 126
    $ cuff run /etc/passwd
    ! error: Path traversal detected: /etc/passwd [SCRIPT_304]
    ! help: name a script below base_directory
    = 126
    $ cuff run packagejson.npm_secret__x
    ! error: package.json:1: Script is excluded: secret:x [PKGJSON_301]
    ! help: `exclude_scripts` in the settings leaves it out
    = 127
    $ cuff run gret
    ! error: Tool not found: gret [CUFF_301]
    ! help: did you mean `cuff run scripts/greet.sh`?
    = 127
    ");
    for spelling in ["./scripts/greet.sh", "scripts.scripts/greet.sh", "greet.sh", "greet", "scripts.greet"] {
        assert_eq!(project.cuff(["run", spelling]).succeeded().stdout, "hi\n", "{spelling}");
    }
}

#[test]
fn a_source_that_cannot_be_read_is_the_answer_to_its_calls() {
    let project = npm_project("{");
    project.cuff(["packagejson", "run", "hi"]).ended_with(125);
    project.script("scripts/a.sh", "#!/bin/sh\n");
    project.write(
        "settings.yml",
        "version: \"1\"\nplugins:\n  packagejson: {}\n  scripts: {config: {patterns: [\"scripts/*\"]}}\n",
    );
    project.cuff(["run", "packagejson.npm_hi"]).ended_with(125);
    insta::assert_snapshot!(typed(&project, &["run hi"]), @"
    $ cuff run hi
    ! error: Tool not found: hi [CUFF_301]
    ! help: packagejson offers nothing: package.json:1:14: Invalid JSON in package.json: EOF while parsing an object; correct the file; until then none of its scripts is offered; `cuff list` shows the rest
    = 127
    ");
    insta::assert_snapshot!(typed(&Project::empty(), &["packagejson run hi", "packagejson list"]), @"
    $ cuff packagejson run hi
    ! error: package.json not found: package.json [PKGJSON_101]
    ! help: create it with npm init, set package_json_path and working_directory, or take this instance out of the settings where the package is gone
    = 125
    $ cuff packagejson list
    ! error: packagejson: package.json not found: package.json [PKGJSON_101]
    ! help: create it with npm init, set package_json_path and working_directory, or take this instance out of the settings where the package is gone
    ! Nothing is offered here
    = 1
    ");
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
}

#[test]
fn a_command_says_what_matters_to_it() {
    let project = npm_project(r#"{"hi": "echo", "🚀": "echo"}"#);
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    std::os::unix::fs::symlink("/etc/passwd", project.root().join("scripts/link.sh")).unwrap();
    project.cuff(["init", "--yes"]).succeeded();
    let errors_of = |words: &[&str]| project.cuff(words).stderr;
    insta::assert_snapshot!(typed(&project, &["list", "scripts list", "list link", "run scripts/a.sh"]), @r#"
    $ cuff list
    package.json · npm
      hi  echo

    scripts/
      scripts/a.sh  Run scripts/a.sh
    ! note: packagejson: package.json:1: script "🚀" is not offered: its name must start with a letter or _; people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts
    ! error: scripts: Script resolves outside base directory: scripts/link.sh [SCRIPT_306]
    ! help: it is a link to /etc/passwd; link to files below it only
    = 0
    $ cuff scripts list
    scripts/
      scripts/a.sh  Run scripts/a.sh
    ! error: scripts: Script resolves outside base directory: scripts/link.sh [SCRIPT_306]
    ! help: it is a link to /etc/passwd; link to files below it only
    = 0
    $ cuff list link
    ! error: scripts: Script resolves outside base directory: scripts/link.sh [SCRIPT_306]
    ! help: it is a link to /etc/passwd; link to files below it only
    ! None of the 2 tools matches `link`
    = 1
    $ cuff run scripts/a.sh
    a
    = 0
    "#);
    assert_eq!(errors_of(&["list", "--plugin", "scripts"]), errors_of(&["scripts", "list"]));
    let settings = "version: \"1\"\nplugins:\n  packagejson:\n    config: {default_timeout: [5]}\n  scripts:\n    \
                    config:\n      patterns: [\"scripts/a*\"]\n      cach_ttl: 3\n";
    project.write("settings.yml", settings);
    let lines = ["scripts list", "packagejson list", "packagejson run hi"];
    insta::assert_snapshot!(typed(&project, &lines), @r#"
    $ cuff scripts list
    scripts/
      scripts/a.sh  Run scripts/a.sh
    ! warning: settings.yml:8:7: `cach_ttl` is not known here
    !    ,-[settings.yml:8:7]
    !  7 |       patterns: ["scripts/a*"]
    !  8 |       cach_ttl: 3
    !    :       ^^^^|^^^
    !    :           `-- unknown key
    !    `----
    ! help: did you mean `cache_ttl`?
    = 0
    $ cuff packagejson list
    ! error: settings.yml:4:31: `default_timeout` must be a whole number, not a list [PKGJSON_201]
    !    ,-[settings.yml:4:31]
    !  3 |   packagejson:
    !  4 |     config: {default_timeout: [5]}
    !    :                               |
    !    :                               `-- a whole number
    !  5 |   scripts:
    !    `----
    ! Nothing is offered here
    = 2
    $ cuff packagejson run hi
    ! error: settings.yml:4:31: `default_timeout` must be a whole number, not a list [PKGJSON_201]
    !    ,-[settings.yml:4:31]
    !  3 |   packagejson:
    !  4 |     config: {default_timeout: [5]}
    !    :                               |
    !    :                               `-- a whole number
    !  5 |   scripts:
    !    `----
    ! error: `packagejson` is not offered: its settings are wrong [PKGJSON_201]
    ! help: settings.yml:4:31: `default_timeout` must be a whole number, not a list
    = 125
    "#);
    let of_scripts = errors_of(&["scripts", "list"]);
    for words in [&["run", "scripts/a.sh"][..], &["scripts", "run", "scripts/a.sh"]] {
        assert_eq!(project.cuff(words).succeeded().stderr, of_scripts, "{words:?}");
    }
    // No plugin is named before the tool, so all of the settings matter.
    let both = project.cuff(["run", "packagejson.hi"]).ended_with(125).stderr;
    assert!(both.contains(&of_scripts) && both.contains("`packagejson` is not offered"), "{both}");
}

#[test]
fn a_filter_without_match_is_no_failure_and_init_takes_no_config() {
    let project = npm_project(r#"{"hi": "echo"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    insta::assert_snapshot!(typed(&project, &["list zzz", "init --config x.yml"]), @"
    $ cuff list zzz
    ! The one tool here does not match `zzz`
    = 0
    $ cuff init --config x.yml
    ! error: `--config` names settings to read, and `cuff init` writes some [CUFF_304]
    ! help: `-o PATH` says where to
    = 64
    ");
}

#[test]
fn a_full_disk_is_reported() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.cuff(["init", "--yes"]).succeeded();
    let lines =
        ["run scripts/a.sh", "run scripts/a.sh --json", "run scripts/a.sh --dry-run", "list", "--help"];
    let mut pictures = String::new();
    for line in lines {
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
        let mut command = project.command(line.split(' '));
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let run = Run { code: process::code(output.status), stdout: String::new(), stderr };
        let _ = write!(pictures, "$ cuff {line}\n{}", picture(&project, &run));
    }
    insta::assert_snapshot!(pictures, @"
    $ cuff run scripts/a.sh
    ! error: standard output cannot be written: No space left on device (os error 28) [CUFF_403]
    ! help: what ran has run, and `cuff runs log` prints what was recorded of it
    = 125
    $ cuff run scripts/a.sh --json
    ! error: standard output cannot be written: No space left on device (os error 28) [CUFF_403]
    ! help: what ran has run, and `cuff runs log` prints what was recorded of it
    = 125
    $ cuff run scripts/a.sh --dry-run
    ! error: standard output cannot be written: No space left on device (os error 28) [CUFF_403]
    ! help: what ran has run, and `cuff runs log` prints what was recorded of it
    = 125
    $ cuff list
    ! error: No space left on device (os error 28) [CUFF_403]
    ! help: `cuff doctor` looks for what is in the way
    = 1
    $ cuff --help
    ! error: No space left on device (os error 28) [CUFF_403]
    ! help: `cuff doctor` looks for what is in the way
    = 1
    ");
}

#[test]
fn a_path_of_an_option_counts_from_where_it_is_typed() {
    let project = npm_project(r#"{"hi": "echo"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    std::fs::create_dir(project.root().join(".git")).unwrap();
    project.write("packages/web/package.json", r#"{"scripts": {"web": "pwd"}}"#);
    let lines = [
        "-C packages/web packagejson list --package-json package.json",
        "packagejson list --package-json packages/web/package.json",
        "-C packages/web packagejson list",
    ];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff -C packages/web packagejson list --package-json package.json
    ~/project/packages/web/package.json · npm
      web  pwd
    = 0
    $ cuff packagejson list --package-json packages/web/package.json
    ~/project/packages/web/package.json · npm
      web  pwd
    = 0
    $ cuff -C packages/web packagejson list
    package.json · npm
      hi  echo
    = 0
    ");
}

#[test]
fn help_is_there_however_it_is_asked_for() {
    let project = Project::empty();
    // All of the help is in `snapshots/help.txt.snap`.
    let help = |line: &str| project.cuff(line.split(' ')).succeeded().stdout;
    for (one, other) in [
        ("help", "--help"),
        ("-h", "--help"),
        ("help run", "run --help"),
        ("help scripts list", "scripts list --help"),
        ("scripts help", "scripts --help"),
    ] {
        assert_eq!(help(one), help(other), "{one}");
    }
    let run = help("run --help");
    let (own, global) = run.split_once("Global options:").unwrap();
    assert!(own.contains("--json") && !own.contains("--config") && global.contains("--config"), "{run}");
}

#[test]
fn an_interpreter_by_its_path_is_not_looked_for() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/nowhere/interpreter\n");
    insta::assert_snapshot!(typed(&project, &["scripts run scripts/a.sh"]), @"
    $ cuff scripts run scripts/a.sh
    ! error: scripts/a.sh: /nowhere/interpreter does not exist, or is no program [SCRIPT_103]
    ! help: install /nowhere/interpreter; or name another interpreter for `.sh` under `interpreters` in the settings
    ! help: `cuff runs show RUN` has what is recorded of it
    = 125
    ");
}

#[test]
fn a_list_tool_answers_a_person_in_lines_and_takes_nothing_that_is_for_runs() {
    let project = npm_project(r#"{"a": "echo", "b\u001b": "echo"}"#);
    project.write("Makefile", "all: ## Does it\n\ttrue\nlonger: ## Does more\n\ttrue\n");
    let lines = [
        "packagejson run npm_list_scripts",
        "makefile run make_list_targets",
        "packagejson run npm_list_scripts --dry-run",
        "packagejson run a --cwd b",
    ];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff packagejson run npm_list_scripts
    a
    = 0
    $ cuff makefile run make_list_targets
    make_all     Does it
    make_longer  Does more
    = 0
    $ cuff packagejson run npm_list_scripts --dry-run
    ! error: `npm_list_scripts` takes no --dry-run [CUFF_304]
    ! help: `cuff list --long npm_list_scripts` shows what it takes
    = 64
    $ cuff packagejson run a --cwd b
    ! error: `a` takes no --cwd [CUFF_304]
    ! help: `cuff list --long a` shows what it takes
    = 64
    ");
}

#[test]
fn verbose_says_what_was_done() {
    let project = Project::empty();
    project.script("scripts/a.sh", "#!/bin/sh\necho a\n");
    project.cuff(["init", "--yes"]).succeeded();
    let lines = ["run --verbose scripts/a.sh word", "run scripts/a.sh", "list -v"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff run --verbose scripts/a.sh word
    a
    ! note: scripts/a.sh was /usr/bin/sh ~/project/scripts/a.sh word`
    ! note: scripts/a.sh: succeeded with exit code 0 (0.1 s); `cuff runs log RUN` prints its log again
    = 0
    $ cuff run scripts/a.sh
    a
    = 0
    $ cuff list -v
    scripts/
      scripts/a.sh  Run scripts/a.sh
    ! note: the settings are settings.yml
    = 0
    ");
}

#[test]
fn an_empty_instance_says_so() {
    let project = npm_project("{}");
    insta::assert_snapshot!(typed(&project, &["packagejson list"]), @"
    $ cuff packagejson list
    package.json · npm
      list_scripts  List all available npm scripts
    ! warning: packagejson: package.json: No scripts found
    ! help: add some under `scripts` in package.json
    = 0
    ");
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
