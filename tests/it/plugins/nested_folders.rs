//! Folders with sources of their own below a project's root, which no workspace takes in.

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run};
use crate::support::tools::require;

/// A repository with two languages, an example, a copy of somebody else's project and a submodule.
fn mixed() -> Project {
    let project = Project::empty();
    for (path, text) in [
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("package.json", r#"{"scripts": {"format": "echo format"}}"#),
        (
            "frontend/package.json",
            r#"{"name": "@shop/web", "scripts": {"test": "echo web", "dev": "echo dev"}}"#,
        ),
        ("services/api/Makefile", "test: ## Test the service\n\t@echo api in $(notdir $(CURDIR))\n"),
        ("services/api/package.json", r#"{"scripts": {"lint": "echo lint"}}"#),
        ("services/api/docs/Makefile", "html:\n\t@echo too deep\n"),
        ("frontend/examples/small/package.json", r#"{"scripts": {"test": "echo example"}}"#),
        ("vendor/theirs/package.json", r#"{"scripts": {"test": "echo theirs"}}"#),
        ("module/package.json", r#"{"scripts": {"test": "echo module"}}"#),
        ("module/.git", "gitdir: ../.git/modules/module\n"),
    ] {
        project.write(path, text);
    }
    project
}

fn whole(run: &Run) -> String {
    format!("{}{}exit code {}\n", run.stdout, run.stderr, run.code)
}

#[test]
fn folders_with_sources_of_their_own_are_found_with_settings_and_without() {
    if require("npm").is_none() {
        return;
    }
    let project = mixed();
    insta::assert_snapshot!(whole(&project.cuff(["list"])), @r"
    package.json · npm
      format  echo format

    web · frontend · npm
      web:test  echo web
      web:dev   echo dev

    api · services/api · npm
      api:lint  echo lint

    services/api/Makefile
      make:test  Test the service
    note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    exit code 0
    ");
    insta::assert_snapshot!(whole(&project.cuff(["init", "--yes"])), @r"
    Discovering plugins...
      [+] packagejson: Found package.json with 1 script (npm)
      [+] packagejson in frontend: Found package.json with 2 scripts (npm)
      [+] packagejson in services/api: Found package.json with 1 script (npm)
      [+] makefile in services/api: Found Makefile with 1 target

    Generated settings.yml with 4 plugins
    warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    help: `cuff approve settings` lets them have it
    Next: `cuff list` shows the tools
          `cuff run lint` runs one
          `cuff install --client claude-code` offers them to an agent
    exit code 0
    ");
    insta::assert_snapshot!(project.read("settings.yml"), @r#"
    # yaml-language-server: $schema=.cuff/settings.schema.json
    # Tools for people and coding agents. Keys left out have their defaults;
    # `cuff schema` describes every key. `type` and `module` say which plugin it is.
    version: "1"

    plugins:
      # Scripts of package.json, run by npm, pnpm, yarn or bun
      packagejson:
        type: in_source
        module: opencuff.plugins.builtin.packagejson
        config:
          # Which scripts to offer: fnmatch patterns, comma-separated or a list
          scripts: '*'

      # Scripts of package.json, run by npm, pnpm, yarn or bun
      frontend:
        type: in_source
        module: opencuff.plugins.builtin.packagejson
        config:
          # The folder that package_json_path is relative to
          working_directory: frontend
          scripts: '*'

      # Scripts of package.json, run by npm, pnpm, yarn or bun
      api-packagejson:
        type: in_source
        module: opencuff.plugins.builtin.packagejson
        config:
          working_directory: services/api
          scripts: '*'

      # Targets of a Makefile, run by make
      api-makefile:
        type: in_source
        module: opencuff.plugins.builtin.makefile
        config:
          # Which targets to offer: fnmatch patterns, comma-separated or a list
          targets: '*'
          # The folder that make runs in
          working_directory: services/api
    "#);
    // The folder that somebody stands in comes first, and its names count there.
    insta::assert_snapshot!(whole(&project.cuff(["-C", "services/api", "list"])), @r"
    api · services/api · npm
      lint  echo lint

    services/api/Makefile
      test  Test the service

    package.json · npm
      format  echo format

    web · frontend · npm
      web:test  echo web
      web:dev   echo dev
    exit code 0
    ");
    insta::assert_snapshot!(project.cuff(["-C", "services/api", "test"]).succeeded().stdout, @"api in api");
    insta::assert_snapshot!(project.cuff(["-C", "frontend", "run", "-q", "test"]).succeeded().stdout, @r"
    > test
    > echo web

    web
    ");
    assert!(
        project.cuff(["init", "--merge", "--yes"]).succeeded().stdout.contains("has all of this already")
    );
}

#[test]
fn settings_that_lack_a_folder_are_told_and_completed() {
    let project = mixed();
    project.write("settings.yml", "version: '1'\nplugins:\n  packagejson: {}\n  other: {type: in_source, module: opencuff.plugins.builtin.packagejson, config: {working_directory: ./frontend/}}\n");
    let told = "note: also in this project, but not in settings.yml: packagejson in services/api, makefile in services/api; \
                `cuff init --merge` adds them\n";
    let list = project.cuff(["list"]);
    assert!(list.stderr.contains(told), "{list:?}");
    project.cuff(["init", "--merge", "--yes"]).succeeded();
    let list = project.cuff(["list"]);
    assert!(!list.stderr.contains("also in this project"), "{list:?}");
    assert!(
        project.read("settings.yml").contains("working_directory: services/api\n"),
        "{}",
        project.read("settings.yml")
    );
}

#[test]
fn agents_have_a_folders_tools_by_its_name() {
    let project = mixed();
    project.cuff(["init", "--yes", "--plugins", "makefile"]).succeeded();
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize();
    let answer = session.call("makefile.make_test", &json!({}));
    let named = session.call("api.make_test", &json!({}));
    session.leave();
    assert!(answer["isError"] == json!(true) && named["isError"] == json!(false), "{answer}\n{named}");
    assert!(named["content"][0]["text"].as_str().is_some_and(|text| text.contains("api in api")), "{named}");
}

#[test]
fn of_many_folders_the_first_are_looked_at_and_the_others_are_named() {
    let project = Project::empty();
    project.write("package.json", r#"{"workspaces": ["member-*"], "scripts": {"lint": "echo"}}"#);
    for number in 10..30 {
        project.write(&format!("member-{number}/package.json"), r#"{"scripts": {"test": "echo"}}"#);
    }
    for number in 10..50 {
        project.write(&format!("part-{number}/Makefile"), "test:\n\t@echo test\n");
    }
    let init = project.cuff(["init", "--yes"]).succeeded();
    let note = "Note: 8 more folders have files of sources and were not looked at: part-42, part-43, part-44, part-45, part-46, \
                part-47 and 2 more; `cuff -C FOLDER list` does";
    assert!(init.stdout.contains(note), "{init:?}");
    assert!(init.stdout.contains("Generated settings.yml with 33 plugins"), "{init:?}");
}

/// A path that somebody types is the file that it names there, or nothing.
#[test]
fn a_path_in_a_folder_runs_no_other_file_of_that_name() {
    let project = Project::empty();
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.script("scripts/test.sh", "#!/bin/sh\necho root\n");
    project.script("backend/scripts/test.sh", "#!/bin/sh\necho backend\n");
    project
        .write("settings.yml", "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*.sh']}}\n");
    let run = project.cuff(["-C", "backend", "run", "scripts/test.sh"]).ended_with(64);
    insta::assert_snapshot!(whole(&run), @r"
    error: `scripts/test.sh` is two files: the one in this folder is no tool, and that of the settings is scripts/test.sh [CUFF_304]
    help: `cuff run scripts.script_scripts_test` runs that of the settings; a pattern of `scripts` in the settings offers the other
    exit code 64
    ");
    insta::assert_snapshot!(project.cuff(["run", "scripts/test.sh"]).succeeded().stdout, @"root");
    // A file that a target of make makes is no other file than the target.
    let made = Project::empty();
    made.write("Makefile", "bin/tool: FORCE\n\t@echo made\nFORCE:\n.PHONY: FORCE\n");
    made.write("bin/tool", "made before\n");
    insta::assert_snapshot!(made.cuff(["run", "bin/tool"]).succeeded().stdout, @"made");
}

#[test]
fn a_server_in_a_project_without_settings_takes_no_tools_away() {
    let project = Project::empty();
    project.write("Makefile", "hello:\n\t@echo hello\n");
    insta::assert_snapshot!(whole(&project.cuff(["mcp", "add", "other", "--", "sleep", "9"])), @r"
    Added `other` to settings.yml
    note: settings.yml is new, and has the project's own tools as `cuff init` finds them
    warning: agents do not have this change before a person approves it: nobody said yes at a terminal
    help: run `cuff approve settings` in a terminal
    exit code 0
    ");
    insta::assert_snapshot!(project.cuff(["hello"]).succeeded().stdout, @"hello");
    project.cuff(["mcp", "remove", "other"]).succeeded();
    insta::assert_snapshot!(project.cuff(["hello"]).succeeded().stdout, @"hello");
}
