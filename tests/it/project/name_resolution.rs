//! Likely names: patterns of the settings and names on the command line that differ a little from those of
//! tools.

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::normalize::typed;
use crate::support::project::Project;

/// A project with these settings for its package.json, which has `deploy` and `build`.
fn deploying(config: &str) -> Project {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"deploy": "echo deployed", "build": "echo built"}}"#);
    let settings = format!(
        "version: '1'\nplugins:\n  web: {{module: packagejson, config: {{package_manager: npm, {config}}}}}\n"
    );
    project.write("settings.yml", settings);
    project
}

#[test]
fn a_pattern_that_means_no_tool_is_said_by_every_face() {
    let project = deploying("confirm: [depoly, \"gone_*\", build], exclude_scripts: biuld");
    // Each is said once, and `build`, which is there, is in no warning.
    insta::assert_snapshot!(typed(&project, &["list", "status", "doctor"]), @"
    $ cuff list
    package.json · npm
      deploy  echo deployed
      build   [asks] echo built
    ! warning: web: `exclude_scripts` has `biuld`, which means no script, so that it leaves nothing out [PKGJSON_203]
    ! help: did you mean `build`?
    ! warning: web: settings.yml: `confirm` has `depoly`, which means no tool, so that nobody is asked because of it [PKGJSON_203]
    ! help: did you mean `deploy`?
    ! warning: web: settings.yml: `confirm` has `gone_*`, which means no tool, so that nobody is asked because of it [PKGJSON_203]
    ! help: correct it, or take it out of the settings
    = 0
    $ cuff status
    settings   settings.yml
      agents   have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    web        healthy, 2 tools, run by npm
      `exclude_scripts` has `biuld`, which means no script, so that it leaves nothing out; did you mean `build`?
      settings.yml: `confirm` has `depoly`, which means no tool, so that nobody is asked because of it; did you mean `deploy`?
      settings.yml: `confirm` has `gone_*`, which means no tool, so that nobody is asked because of it; correct it, or take it out of the settings
    runs       0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 0
    $ cuff doctor
    PASS  settings.yml offers 2 tools, and 1 more that lists them
    WARN  web: `exclude_scripts` has `biuld`, which means no script, so that it leaves nothing out
          did you mean `build`?
    WARN  web: settings.yml: `confirm` has `depoly`, which means no tool, so that nobody is asked because of it
          did you mean `deploy`?
    WARN  web: settings.yml: `confirm` has `gone_*`, which means no tool, so that nobody is asked because of it
          correct it, or take it out of the settings
    PASS  2 tools need npm: /usr/bin/npm
    PASS  agents have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    PASS  0 runs of all projects take 0.1 MiB in ~/data/cuff/runs
    PASS  decisions of all projects take 0.1 MiB in ~/state/cuff
    ! N failures, N warnings
    = 0
    ");
    let warnings = project.cuff(["list"]).succeeded().stderr;
    for command in ["run", "why"] {
        assert_eq!(project.cuff([command, "deploy"]).succeeded().stderr, warnings, "{command}");
    }
    let mut spoken = McpSession::over_pipes(&project, &["--log-format", "json"]);
    let begun = spoken.initialize();
    let said = "`confirm` has `depoly`, which means no tool, so that nobody is asked because of it";
    assert!(begun["result"]["instructions"].as_str().is_some_and(|text| text.contains(said)), "{begun}");
    spoken.leave();
}

#[test]
fn a_pattern_may_mean_what_is_there_and_not_offered() {
    let project = deploying("confirm: [deploy, npm_build], exclude_scripts: deploy");
    let list = project.cuff(["list"]).succeeded();
    assert_eq!(list.stderr, "");
}

/// A script with the same name as a plugin's tool runs, and cuff names the other.
#[test]
fn an_ambiguous_name_is_reported_with_the_tool_it_resolved_to() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"ci": "echo mine", "build": "echo built"}}"#);
    project.write("package-lock.json", r#"{"lockfileVersion": 3}"#);
    let settings = "version: '1'\nplugins: {packagejson: {config: {package_manager: npm}}, npm: {}}\n";
    project.write("settings.yml", settings);
    // Once in each project.
    insta::assert_snapshot!(typed(&project, &["run ci --dry-run", "run ci --dry-run"]), @"
    $ cuff run ci --dry-run
    Would execute: npm run ci
    ! note: `ci` is the one of package.json; npm.ci is called so too
    = 0
    $ cuff run ci --dry-run
    Would execute: npm run ci
    = 0
    ");
    for words in [
        &["run", "ci", "--dry-run", "--quiet"][..],
        &["run", "ci", "--dry-run", "--json"],
        &["run", "packagejson.ci", "--dry-run"],
        &["run", "npm_ci", "--dry-run"],
        &["run", "npm.ci", "--dry-run"],
        &["run", "build", "--dry-run"],
        &["packagejson", "run", "ci", "--dry-run"],
    ] {
        assert_eq!(project.cuff(words).succeeded().stderr, "", "{words:?}");
    }
}

/// A repository with a package of its own and two below, and scripts that are files.
fn monorepo() -> Project {
    let project = Project::empty();
    let package = |script: &str| json!({"scripts": {"test": script, "only": "echo only"}}).to_string();
    project.write("package.json", r#"{"scripts": {"test": "echo root", "lint": "true"}}"#);
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write("packages/core/package.json", package("echo core"));
    project.write("packages/cli/package.json", package("echo cli"));
    project.write("packages/core/src/a.txt", "");
    project.script("scripts/seed.py", "#!/usr/bin/env python3\nprint('seeded')\n");
    project.script("scripts/a/deploy.sh", "#!/bin/sh\necho a\n");
    project.script("scripts/b/deploy.sh", "#!/bin/sh\necho b\n");
    let of = |name: &str, folder: &str| {
        format!(
            "  {name}: {{module: packagejson, config: {{package_manager: npm, working_directory: {folder}, package_json_path: package.json}}}}\n"
        )
    };
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nplugins:\n{}{}{}  scripts: {{config: {{patterns: [\"scripts/**/*.*\"]}}}}\n",
            of("web", "."),
            of("core", "packages/core"),
            of("cli", "packages/cli")
        ),
    );
    project
}

#[test]
fn an_ambiguous_name_resolves_to_the_tool_of_the_current_folder() {
    let project = monorepo();
    let said = |which: &str| format!("note: `test` is {which} in this folder\n");
    // A note is printed once.
    for (folder, expected, tool, printed) in [
        (".", "root", "web.npm_test", said("the one of package.json")),
        ("packages", "root", "web.npm_test", String::new()),
        ("packages/core", "core", "core.npm_test", said("`core:test`")),
        ("packages/core/src", "core", "core.npm_test", String::new()),
        ("packages/cli", "cli", "cli.npm_test", said("`cli:test`")),
    ] {
        let run = project.cuff(["-C", folder, "run", "test"]).succeeded();
        assert_eq!(run.stdout.lines().last(), Some(expected), "{folder}: {}", run.stdout);
        assert_eq!(run.stderr, printed, "{folder}");
        let why = project.cuff(["-C", folder, "why", "test", "--json"]).succeeded().json();
        assert_eq!(why["tool"], tool, "{folder}");
    }
    insta::assert_snapshot!(typed(&project, &["run only"]), @"
    $ cuff run only
    ! error: `only` could be any of 2 [CUFF_301]
    ! help: say which: core:only, cli:only; each call runs one
    = 127
    ");
    let completed = |folder: &str| {
        let run = project.cuff(["__complete", "fish", "cuff", "-C", folder, "run", "onl"]);
        run.succeeded().stdout
    };
    assert!(completed(".").contains("only\tone of core:only, cli:only"), "{}", completed("."));
    assert!(completed("packages/cli").contains("only\techo only"), "{}", completed("packages/cli"));
}

#[test]
fn a_script_is_called_by_the_name_of_its_file() {
    let project = monorepo();
    for name in ["seed", "seed.py", "scripts/seed.py", "scripts.seed"] {
        assert_eq!(project.cuff(["run", name]).succeeded().stdout, "seeded\n", "{name}");
    }
    let why = project.cuff(["why", "seed", "--json"]).succeeded().json();
    assert_eq!(why["tool"], "scripts.script_scripts_seed", "{why}");
    insta::assert_snapshot!(typed(&project, &["run deploy.sh", "run deploy", "__complete bash cuff run see"]), @"
    $ cuff run deploy.sh
    ! error: `deploy.sh` could be any of 2 [CUFF_301]
    ! help: say which: scripts/a/deploy.sh, scripts/b/deploy.sh; each call runs one
    = 127
    $ cuff run deploy
    ! error: `deploy` could be any of 2 [CUFF_301]
    ! help: say which: scripts/a/deploy.sh, scripts/b/deploy.sh; each call runs one
    = 127
    $ cuff __complete bash cuff run see
    nothing
    seed.py	Run scripts/seed.py
    = 0
    ");
    let mut spoken = McpSession::begun(&project, &[]);
    let exact = spoken.call("seed", &json!({}));
    assert_eq!(exact["structuredContent"]["error_code"], "CUFF_301", "agents name tools exactly: {exact}");
    spoken.leave();
}

#[test]
fn a_path_means_the_script_that_lies_there() {
    let project = monorepo();
    project.script("packages/core/seed.py", "#!/usr/bin/env python3\nprint('not offered')\n");
    for (path, code) in [("./seed.py", 127), ("./seed", 127), ("./test", 127), ("../scripts/seed.py", 126)] {
        project.cuff(["-C", "packages/core", "run", path]).ended_with(code);
    }
    for (folder, path, printed) in [
        (".", "./scripts/seed.py", "seeded\n"),
        ("scripts", "./seed.py", "seeded\n"),
        ("scripts/a", "../seed.py", "seeded\n"),
        ("packages", "../scripts/seed.py", "seeded\n"),
        ("scripts/a", "./deploy.sh", "a\n"),
        ("scripts/a", "../b/deploy.sh", "b\n"),
    ] {
        let run = project.cuff(["-C", folder, "run", path]).succeeded();
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (printed, ""), "{folder}: {path}");
    }
}

#[test]
fn near_misses_are_few_the_best_and_from_every_instance() {
    let lines = ["run lnt", "run onyl", "run tests", "run 'core tset'", "run wonderful"];
    insta::assert_snapshot!(typed(&monorepo(), &lines), @"
    $ cuff run lnt
    ! error: Tool not found: lnt [CUFF_301]
    ! help: did you mean `cuff run lint`?
    = 127
    $ cuff run onyl
    ! error: Tool not found: onyl [CUFF_301]
    ! help: did you mean one of these?
    !   core:only
    !   cli:only
    = 127
    $ cuff run tests
    ! error: Tool not found: tests [CUFF_301]
    ! help: did you mean one of these?
    !   test
    !   core:test
    !   cli:test
    = 127
    $ cuff run 'core tset'
    ! error: Tool not found: core tset [CUFF_301]
    ! help: did you mean `cuff run core:test`?
    = 127
    $ cuff run wonderful
    ! error: Tool not found: wonderful [CUFF_301]
    ! help: `cuff list` shows all 9 tools
    = 127
    ");
}

/// However many plugins there are, and in the plugin's own words where one of its names was typed.
#[test]
fn an_unknown_tool_has_one_code_and_a_slip_is_the_nearest_command() {
    let two = Project::empty();
    two.write("Makefile", "a:\n\t@echo a\n");
    two.write("package.json", r#"{"scripts": {"b": "echo b"}}"#);
    two.cuff(["init", "--yes"]).succeeded();
    insta::assert_snapshot!(typed(&two, &["run nix", "run makefile.nix"]), @"
    $ cuff run nix
    ! error: Tool not found: nix [CUFF_301]
    ! help: available: b, a
    = 127
    $ cuff run makefile.nix
    ! error: Target not found: makefile.nix [MAKE_301]
    ! help: available: a
    = 127
    ");
    let one = Project::empty();
    one.write("Makefile", "a:\n\t@echo a\n");
    one.cuff(["init", "--yes"]).succeeded();
    let lines = ["run ü", "run makefile.nix", "rnu a", "-q lsit", "makefile rnu"];
    insta::assert_snapshot!(typed(&one, &lines), @"
    $ cuff run ü
    ! error: Tool not found: ü [CUFF_301]
    ! help: available: a
    = 127
    $ cuff run makefile.nix
    ! error: Target not found: makefile.nix [MAKE_301]
    ! help: available: a
    = 127
    $ cuff rnu a
    ! error: `rnu` is neither a command nor a tool [CUFF_301]
    ! help: did you mean `cuff run a`?
    = 127
    $ cuff -q lsit
    ! error: `lsit` is neither a command nor a tool [CUFF_301]
    ! help: did you mean `cuff -q list`?
    = 127
    $ cuff makefile rnu
    ! error: unrecognized subcommand 'rnu' [CUFF_304]
    ! help: did you mean `cuff makefile run`?
    = 64
    ");
    one.write("Makefile", "test:\n\t@echo a\nlst:\n\t@echo a\n");
    for word in ["test", "lst"] {
        assert_eq!(one.cuff([word]).succeeded().stdout, "a\n", "{word}");
    }
    one.write("package.json", r#"{"scripts": {"test": "node"}}"#);
    one.write("settings.yml", "version: '1'\nplugins: {makefile: {}, packagejson: {}}\n");
    insta::assert_snapshot!(typed(&one, &["test", "version"]), @"
    $ cuff test
    ! error: `test` could be any of 2 [CUFF_301]
    ! help: say which: make:test, npm:test; each call runs one
    = 127
    $ cuff version
    ! error: Tool not found: version [CUFF_301]
    ! help: available: make:test, npm:test, lst
    = 127
    ");
    let neither = |words: &[&str]| one.cuff(words).ended_with(127).stderr;
    assert_eq!(neither(&["version"]), neither(&["run", "version"]));
}

#[test]
fn a_persons_words_reach_a_program_as_they_were_typed() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"say": "node say.js"}}"#);
    project.write("say.js", "console.log(JSON.stringify(process.argv.slice(2)))");
    project.script("scripts/say.sh", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    project.write(
        "Makefile",
        "say: ## Says\n\t@echo made\nother:\n\t@echo 'other $(A) by $(SHELL)'\n.PHONY: say other\n",
    );
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  web: {module: packagejson, config: {package_manager: npm}}\n  \
         scripts: {config: {patterns: [\"scripts/*\"]}}\n  makefile: {config: {extractor: simple}}\n",
    );
    let words = ["-t", "adds (two); a|b && c"];
    let npm = project.cuff(["run", "npm_say", "--"].iter().chain(&words)).succeeded();
    assert!(npm.stdout.ends_with("[\"-t\",\"adds (two); a|b && c\"]\n"), "{}", npm.stdout);
    let script = project.cuff(["run", "say.sh", "--", "$(id)", "msg (x) 'y' \"z\" *?"]).succeeded();
    assert_eq!(script.stdout, "$(id)\nmsg (x) 'y' \"z\" *?\n");
    let literal = project.cuff(["run", "npm_say", "--", "$(id)"]).succeeded();
    assert!(literal.stdout.ends_with("[\"$(id)\"]\n"), "{}", literal.stdout);
    // make gets them as a person could give them to it: another target, another shell.
    let made = project.cuff(["run", "make_say", "--", "A=b;c", "SHELL=/bin/bash", "other"]).succeeded();
    assert_eq!(made.stdout, "made\nother b;c by /bin/bash\n");
    let decision = |project: &Project, tool: &str| {
        project.cuff(["why", tool, "--json", "--", "a;b"]).succeeded().json()["decision"].clone()
    };
    assert_eq!(decision(&project, "say.sh"), "permitted");

    let within = project.inside_a_run();
    let lines = ["run npm_say -- a;b", "run say.sh -- a;b", "run make_say -- a;b"];
    insta::assert_snapshot!(typed(&within, &lines), @"
    $ cuff run npm_say -- a;b
    ! error: Dangerous character in arguments: ';' [PKGJSON_304]
    ! help: leave out ; | & ` $ ( ) and line breaks, in quotes as well: a shell may read them
    ! note: an agent's rules hold here: this is inside a run that no person at a terminal started
    = 126
    $ cuff run say.sh -- a;b
    ! error: Argument contains dangerous characters: ; [SCRIPT_304]
    ! help: leave them out of argument 1; settings.yml can allow them with `arguments: literal`
    ! note: an agent's rules hold here: this is inside a run that no person at a terminal started
    = 126
    $ cuff run make_say -- a;b
    ! error: Dangerous character in arguments: ';' [MAKE_304]
    ! help: leave out ; | & ` $ ( ) and line breaks, in quotes as well: a shell may read them
    ! note: an agent's rules hold here: this is inside a run that no person at a terminal started
    = 126
    ");
    for tool in ["npm_say", "say.sh", "make_say"] {
        assert_eq!(decision(&within, tool), "refused", "{tool}");
    }
}
