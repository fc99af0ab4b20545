//! The first minute of a person in a clone: everything works before a settings file is written, and agents wait for one.

use std::fs;

use crate::support::normalize::picture;
use crate::support::project::Project;

fn shown(project: &Project, words: &[&str]) -> String {
    picture(project, &project.cuff(words))
}

fn npm_project(scripts: &str) -> Project {
    let project = Project::empty();
    project.write("package.json", format!("{{\"scripts\": {scripts}}}"));
    project
}

#[test]
fn a_clone_works_before_any_file_is_written() {
    let project = npm_project(r#"{"test": "echo tested", "publish": "npm publish"}"#);
    project.write("Makefile", "build: ## Build it\n\t@echo built\n");
    insta::assert_snapshot!(shown(&project, &["list"]), @"
    package.json · npm
      test     echo tested
      publish  npm publish

    Makefile
      build  Build it
    ! note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    = 0
    ");
    insta::assert_snapshot!(shown(&project, &["build"]), @r"
    built
    = 0
    ");
    insta::assert_snapshot!(shown(&project, &["run", "test"]), @r"

    > test
    > echo tested

    tested
    = 0
    ");
    insta::assert_snapshot!(shown(&project, &["why", "build"]), @r"
    makefile.make_build: Build it
      from      Makefile:1 (build, by the plugin makefile)
      text
      │ echo built
      command   make build
      program   /usr/bin/make
      in        .
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  permitted: without settings a person runs whatever cuff finds
      agents    get nothing without settings; `cuff init` writes them
      errors    read from any output of a known form
    = 0
    ");
    insta::assert_snapshot!(shown(&project, &["status"]), @r"
    settings     no settings.yml yet, so agents get nothing; `cuff init` writes one
    packagejson  healthy, 2 tools, run by npm
    makefile     healthy, 1 tool
    runs         2 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions    0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 0
    ");
    let completed = project.cuff(["__complete", "fish", "cuff", ""]).succeeded().stdout;
    for candidate in ["\ntest\techo tested\n", "\nbuild\tBuild it\n", "\ninit\tFind "] {
        assert!(completed.contains(candidate), "{candidate:?}: {completed}");
    }
    assert!(!project.root().join("settings.yml").exists() && !project.root().join(".cuff").exists());
}

#[test]
fn agents_get_nothing_before_a_person_wrote_settings() {
    let project = npm_project(r#"{"test": "echo tested"}"#).variable("CLAUDECODE", "1");
    let refused = "error: no settings.yml was found [CUFF_101]\n\
                   help: run `cuff init` where a package.json, a Makefile or scripts are: it finds what they can do, and writes one\n";
    for (words, code) in [
        (&["list"][..], 1),
        (&["run", "test"], 125),
        (&["test"], 125),
        (&["packagejson", "run", "test"], 125),
    ] {
        let run = project.cuff(words);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", refused, code), "{words:?}");
    }
    let within = npm_project(r#"{"test": "echo tested"}"#).inside_a_run();
    assert_eq!(within.cuff(["test"]).ended_with(125).stderr, refused);
    let served = project.cuff(["serve", "--self-test"]);
    assert!(served.stdout.contains("FAILED  tools/list"), "{}", served.stdout);
}

#[test]
fn a_folder_below_the_root_has_the_roots_tools_or_those_of_a_project_of_its_own() {
    let project = npm_project(r#"{"test": "echo root"}"#);
    fs::create_dir_all(project.root().join(".git")).unwrap();
    project.write("src/deep/file.txt", "");
    project.write("docs/Makefile", "pages:\n\t@echo pages\n");
    project.write("docs/chapters/one.md", "");
    for (folder, tool, printed) in [
        ("src", "test", "root\n"),
        ("src/deep", "test", "root\n"),
        ("docs", "pages", "pages\n"),
        ("docs/chapters", "pages", "pages\n"),
    ] {
        let run = project.cuff(["-C", folder, tool]).succeeded();
        assert!(run.stdout.ends_with(printed), "{folder}: {}", run.stdout);
    }
    project.cuff(["-C", "docs", "test"]).ended_with(127);
}

#[test]
fn a_package_of_a_workspace_is_known_by_the_root() {
    let project = Project::empty();
    fs::create_dir_all(project.root().join(".git")).unwrap();
    project.write("package.json", r#"{"workspaces": ["packages/*"], "scripts": {"lint": "echo all"}}"#);
    project.write("packages/core/package.json", r#"{"name": "core", "scripts": {"test": "echo core"}}"#);
    insta::assert_snapshot!(shown(&project, &["-C", "packages/core", "list"]), @"
    core · packages/core · npm
      test  echo core

    package.json · npm
      lint  echo all
    ! note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    = 0
    ");
}

#[test]
fn a_folder_without_anything_says_what_is_looked_for() {
    let project = Project::empty();
    let help = "error: there is nothing here that cuff could offer [CUFF_101]\nhelp: cuff looks for package.json, a Makefile, ";
    for (words, code) in
        [(&["list"][..], 1), (&["test"], 125), (&["run", "test"], 125), (&["why", "test"], 1)]
    {
        let run = project.cuff(words).ended_with(code);
        assert!(run.stdout.is_empty() && run.stderr.starts_with(help), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn one_fault_has_one_answer_however_the_tool_is_named() {
    let ways = |project: &Project, tool: &str| {
        let ways = [vec![tool], vec!["run", tool], vec!["packagejson", "run", tool]];
        let [bare, run, of_plugin] = ways.map(|words| shown(project, &words));
        assert_eq!(bare, run);
        (bare, of_plugin)
    };
    let project = npm_project(r#"{"test": "echo tested", "test:unit": "echo unit"}"#);
    let (run, of_plugin) = ways(&project, "tst");
    insta::assert_snapshot!(run, @"
    ! error: Tool not found: tst [CUFF_301]
    ! help: did you mean `cuff run test`?
    = 127
    ");
    insta::assert_snapshot!(of_plugin, @"
    ! error: Unknown tool: tst [PKGJSON_301]
    ! help: did you mean `cuff packagejson run test`? available: test, test:unit
    = 127
    ");
    // Neither is taken for the command of servers, whose name is as near.
    assert!(!shown(&npm_project(r#"{"a": "b"}"#), &["test"]).contains("mcp"));
    let broken = npm_project(r#"{"test": "#);
    let (run, of_plugin) = ways(&broken, "test");
    assert_eq!(run, of_plugin);
    insta::assert_snapshot!(run, @"
    ! error: package.json:1:22: Invalid JSON in package.json: expected value [PKGJSON_102]
    ! help: correct the file; until then none of its scripts is offered
    = 125
    ");
    let no_npm = npm_project(r#"{"test": "echo tested"}"#).variable("PATH", "/nowhere");
    let (run, of_plugin) = ways(&no_npm, "test");
    assert_eq!(run, of_plugin);
    insta::assert_snapshot!(run, @"
    ! error: test: npm is not installed, or not on the PATH [PKGJSON_103]
    ! help: install Node.js, which brings npm: https://nodejs.org
    ! help: `cuff runs show RUN` has what is recorded of it
    = 125
    ");
    let several = Project::empty();
    several.write("package.json", r#"{"workspaces": ["packages/*"]}"#);
    for package in ["a", "b"] {
        several
            .write(&format!("packages/{package}/package.json"), r#"{"scripts": {"check": "echo checked"}}"#);
    }
    let (run, of_plugin) = ways(&several, "check");
    insta::assert_snapshot!(run, @"
    ! error: `check` could be any of 2 [CUFF_301]
    ! help: say which: a:check, b:check; each call runs one
    = 127
    ");
    assert_eq!(run, of_plugin.replace("PKGJSON_301", "CUFF_301"));
}

#[test]
fn words_that_belong_to_the_tool_are_shown_behind_the_dashes() {
    let project = npm_project(r#"{"prettier": "echo", "serve": "echo serving", "status": "echo well"}"#);
    for (line, help) in [
        ("prettier --version", "words of the tool's own go after `--`: `cuff prettier -- --version`"),
        (
            "run prettier --check src",
            "words of the tool's own go after `--`: `cuff run prettier -- --check src`",
        ),
        ("serve --port 80", "the tool `serve` of this project runs with `cuff run serve -- --port 80`"),
        ("status --all", "the tool `status` of this project runs with `cuff run status -- --all`"),
    ] {
        let run = project.cuff(line.split(' ')).ended_with(64);
        let last = run.stderr.lines().last().unwrap_or_default();
        assert_eq!(last, format!("help: {help}"), "{line}");
    }
    let printed = project.cuff(["prettier", "--", "--version"]).succeeded().stdout;
    assert!(printed.ends_with("\n--version\n"), "{printed}");
    assert_eq!(
        shown(&project, &["lst"]),
        "! error: `lst` is neither a command nor a tool [CUFF_301]\n! help: did you mean `cuff list`?\n= 127\n"
    );
}

#[test]
fn serve_at_a_terminal_says_what_it_is_and_how_the_tool_runs() {
    let project = npm_project(r#"{"serve": "echo serving"}"#);
    let shown = project.at_terminal(100, &[("runs with `cuff run serve`", "\u{4}")], &["serve"]);
    let screen = &shown.screens[0];
    assert!(screen.contains("this waits for an agent's client"), "{screen}");
    assert!(screen.contains("the tool `serve` of this project runs with `cuff run serve`"), "{screen}");
}

#[test]
fn settings_of_another_program_are_passed_over_and_never_written_to() {
    let project = npm_project(r#"{"test": "echo tested", "release": "npm publish"}"#);
    let foreign = "site: mine\ntheme: dark\n";
    project.write("settings.yml", foreign);
    insta::assert_snapshot!(shown(&project, &["list"]), @"
    package.json · npm
      test     echo tested
      release  npm publish
    ! note: no settings.yml yet, so agents get nothing; `cuff init` writes one
    = 0
    ");
    insta::assert_snapshot!(shown(&project, &["init", "--yes"]), @"
    Discovering plugins...
      [+] packagejson: Found package.json with 2 scripts (npm)

    These tools look irreversible, so cuff asks you first (`confirm` in the settings):
      packagejson: release (`npm publish` at package.json:1)
    Generated .cuff/settings.yml with 1 plugin
    ! note: settings.yml is another program's (it has neither `version`, `plugins` nor `plugin_settings`); cuff uses .cuff/settings.yml
    ! warning: agents do not have these settings before you approve them: nobody said yes at a terminal
    ! help: `cuff approve settings` lets them have it
    ! Next: `cuff list` shows the tools
    !       `cuff run test` runs one
    !       `cuff install --client claude-code` offers them to an agent
    = 0
    ");
    assert_eq!(project.read("settings.yml"), foreign);
    assert_eq!(
        project.read(".cuff/.gitignore"),
        "# Made by cuff, which makes it again where it is missing.\n*\n!settings.yml\n"
    );
    assert!(
        project
            .read(".cuff/settings.yml")
            .starts_with("# yaml-language-server: $schema=settings.schema.json\n")
    );
    // The file is found from below, its paths are seen from the folder above it, and agents have it.
    fs::create_dir_all(project.root().join(".git")).unwrap();
    project.write("src/x", "");
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    assert!(agent.cuff(["-C", "src", "run", "test"]).succeeded().stdout.ends_with("tested\n"));
    for words in [
        &["init", "--yes", "-o", "settings.yml", "--force"][..],
        &["init", "--yes", "-o", "settings.yml", "--merge"],
    ] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(shown(&project, words), @"
            ! error: settings.yml is another program's, and cuff changes nothing in it [CUFF_301]
            ! help: leave out --output: cuff writes .cuff/settings.yml beside it
            = 1
            ");
        }
    }
    let again = project.cuff(["init", "--yes", "--merge"]).succeeded();
    assert!(!again.stderr.contains("another program's"), "said once: {}", again.stderr);
    assert_eq!(project.read("settings.yml"), foreign);
}

#[test]
fn the_schema_is_no_file_to_commit_and_comes_again_by_itself() {
    let project = npm_project(r#"{"test": "echo tested"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    let schema = project.root().join(".cuff/settings.schema.json");
    let ignored = project.read(".cuff/.gitignore");
    assert!(ignored.lines().any(|line| line == "*"), "{ignored}");
    let written = fs::read_to_string(&schema).unwrap();
    for lost in [None, Some("{\"$comment\": \"Written by cuff 0.0.1, which renews it.\"}")] {
        fs::remove_dir_all(project.root().join(".cuff")).unwrap();
        if let Some(text) = lost {
            project.write(".cuff/settings.schema.json", text);
        }
        project.cuff(["list"]).succeeded();
        assert_eq!(fs::read_to_string(&schema).unwrap(), written, "{lost:?}");
        assert_eq!(project.read(".cuff/.gitignore"), ignored);
    }
    // An agent's command writes nothing.
    fs::remove_dir_all(project.root().join(".cuff")).unwrap();
    Project::at(&project).variable("CLAUDECODE", "1").cuff(["list"]).succeeded();
    assert!(!project.root().join(".cuff").exists());
}

#[test]
fn settings_of_the_user_may_name_what_a_project_has_not() {
    let project = npm_project(r#"{"test": "echo tested"}"#);
    let own = "version: '1'\nplugins: {packagejson: {}, makefile: {config: {targets: '*'}}, just: {}, npm: {}, pnpm: {}, bun: {}, \
               dotnet: {}, eslint: {}, scripts: {config: {patterns: ['scripts/*.sh']}}}\n";
    let home = project.outside().join("home/config/cuff");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("settings.yml"), own).unwrap();
    insta::assert_snapshot!(shown(&project, &["list"]), @r"
    package.json · npm
      test  echo tested

    npm
      npm:install  Install what package.json says, or add the packages that args names (npm install)

    pnpm
      pnpm:install  Install what package.json says, or add the packages that args names (pnpm install)

    bun
      bun:install  Install what package.json says, or add the packages that args names (bun install)
    = 0
    ");
}

#[test]
fn sources_that_settings_lack_are_named_with_the_command_that_adds_them() {
    let project = npm_project(r#"{"test": "echo tested"}"#);
    project.cuff(["init", "--yes"]).succeeded();
    project.write("Makefile", "build:\n\techo built\n");
    project.script("scripts/seed.sh", "#!/bin/sh\necho seeded\n");
    let note =
        "also in this project, but not in settings.yml: makefile, scripts; `cuff init --merge` adds them";
    assert_eq!(project.cuff(["list"]).succeeded().stderr, format!("note: {note}\n"));
    assert!(project.cuff(["status"]).succeeded().stdout.contains(note));
    assert!(project.cuff(["doctor"]).succeeded().stdout.contains(&format!("PASS  {note}\n")));
    project.cuff(["init", "--yes", "--merge"]).succeeded();
    let listed = project.cuff(["list"]).succeeded().stderr;
    assert!(!listed.contains("also in this project"), "{listed}");
    // An entry that is switched off says that the source is known.
    let settings = project.read("settings.yml").replace("  makefile:\n", "  makefile:\n    enabled: false\n");
    project.write("settings.yml", settings);
    let listed = project.cuff(["list"]).succeeded().stderr;
    assert!(!listed.contains("also in this project"), "{listed}");
}
