//! Likely names: patterns of the settings and names on the command line that differ a little from those of
//! tools.

use serde_json::json;

use crate::support::mcp_session::McpSession;
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
    let said = "`confirm` has `depoly`, which means no tool, so that nobody is asked because of it";
    let stderrs = [
        project.cuff(["list"]).succeeded().stderr,
        project.cuff(["run", "deploy"]).succeeded().stderr,
        project.cuff(["why", "deploy"]).succeeded().stderr,
    ];
    for stderr in stderrs {
        assert_eq!(stderr.matches(said).count(), 1, "{stderr}");
        assert!(stderr.contains("did you mean `deploy`?"), "{stderr}");
        assert!(stderr.contains("`exclude_scripts` has `biuld`, which means no script"), "{stderr}");
        assert_eq!(stderr.matches("which means no tool").count(), 2, "what is there is meant: {stderr}");
    }
    let status = project.cuff(["status"]).succeeded().stdout;
    assert!(status.contains(said) && status.contains("did you mean `deploy`?"), "{status}");
    let doctor = project.cuff(["doctor"]).stdout;
    assert_eq!(doctor.matches(said).count(), 1, "{doctor}");

    let mut spoken = McpSession::over_pipes(&project, &["--log-format", "json"]);
    let begun = spoken.initialize();
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
    let note = "note: `ci` is the one of package.json; npm.ci is called so too\n";
    let run = project.cuff(["run", "ci", "--dry-run"]).succeeded();
    assert_eq!((run.stdout.contains("npm run ci"), run.stderr.as_str()), (true, note));
    // Once in each project.
    assert_eq!(project.cuff(["run", "ci", "--dry-run"]).succeeded().stderr, "");
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
        let why = project.cuff(["-C", folder, "why", "test"]).succeeded().stdout;
        assert!(why.starts_with(&format!("{tool}: ")), "{folder}: {why}");
    }
    let none = project.cuff(["run", "only"]).ended_with(127);
    assert!(none.stderr.contains("could be any of 2"), "nobody is in either: {}", none.stderr);
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
    let why = project.cuff(["why", "seed"]).succeeded().stdout;
    assert!(why.starts_with("scripts.script_scripts_seed: "), "{why}");
    for name in ["deploy.sh", "deploy"] {
        let several = project.cuff(["run", name]).ended_with(127);
        let which = "say which: scripts/a/deploy.sh, scripts/b/deploy.sh; each call runs one";
        assert!(several.stderr.contains(which), "{}", several.stderr);
    }
    let completed = project.cuff(["__complete", "bash", "cuff", "run", "see"]).succeeded().stdout;
    assert!(completed.contains("\nseed.py\t"), "{completed}");
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
    for (folder, path) in [
        (".", "./scripts/seed.py"),
        ("scripts", "./seed.py"),
        ("scripts/a", "../seed.py"),
        ("packages", "../scripts/seed.py"),
    ] {
        let run = project.cuff(["-C", folder, "run", path]).succeeded();
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("seeded\n", ""), "{folder}: {path}");
    }
    let run = |folder: &str, path: &str| project.cuff(["-C", folder, "run", path]).succeeded().stdout;
    assert_eq!(
        (run("scripts/a", "./deploy.sh"), run("scripts/a", "../b/deploy.sh")),
        ("a\n".into(), "b\n".into())
    );
}

#[test]
fn near_misses_are_few_the_best_and_from_every_instance() {
    let project = monorepo();
    let help = |name: &str| {
        let stderr = project.cuff(["run", name]).ended_with(127).stderr;
        stderr.split_once("help: ").expect("help").1.trim_end().to_owned()
    };
    assert_eq!(help("lnt"), "did you mean `cuff run lint`?");
    assert_eq!(help("onyl"), "did you mean one of these?\n  core:only\n  cli:only");
    assert_eq!(help("tests"), "did you mean one of these?\n  test\n  core:test\n  cli:test");
    assert_eq!(help("core tset"), "did you mean `cuff run core:test`?");
    assert_eq!(help("wonderful"), "`cuff list` shows all 9 tools");
}

/// However many plugins there are, and in the plugin's own words where one of its names was typed.
#[test]
fn an_unknown_tool_has_one_code_and_a_slip_is_the_nearest_command() {
    let two = Project::empty();
    two.write("Makefile", "a:\n\t@echo a\n");
    two.write("package.json", r#"{"scripts": {"b": "echo b"}}"#);
    let one = Project::empty();
    one.write("Makefile", "a:\n\t@echo a\n");
    for project in [&one, &two] {
        project.cuff(["init", "--yes"]).succeeded();
        for name in ["nix", "ü"] {
            let stderr = project.cuff(["run", name]).ended_with(127).stderr;
            let expected = format!("error: Tool not found: {name} [CUFF_301]\n");
            assert!(stderr.starts_with(&expected) && !stderr.contains("did you mean"), "{stderr}");
        }
        let stderr = project.cuff(["run", "makefile.nix"]).ended_with(127).stderr;
        assert!(stderr.starts_with("error: Target not found: makefile.nix [MAKE_301]\n"), "{stderr}");
    }
    for (words, code, meant) in [
        (&["rnu", "a"][..], 127, "cuff run a"),
        (&["-q", "lsit"], 127, "cuff -q list"),
        (&["makefile", "rnu"], 64, "cuff makefile run"),
    ] {
        let stderr = one.cuff(words).ended_with(code).stderr;
        assert!(stderr.contains(&format!("did you mean `{meant}`?")), "{words:?}: {stderr}");
    }
    one.write("Makefile", "test:\n\t@echo a\nlst:\n\t@echo a\n");
    for word in ["test", "lst"] {
        assert_eq!(one.cuff([word]).succeeded().stdout, "a\n", "{word}");
    }
    one.write("package.json", r#"{"scripts": {"test": "node"}}"#);
    one.write("settings.yml", "version: '1'\nplugins: {makefile: {}, packagejson: {}}\n");
    let stderr = one.cuff(["test"]).ended_with(127).stderr;
    assert!(stderr.contains("\nhelp: say which: make:test, npm:test; each call runs one\n"), "{stderr}");
    let neither = one.cuff(["version"]).ended_with(127).stderr;
    assert_eq!(neither, one.cuff(["run", "version"]).ended_with(127).stderr);
    assert!(!neither.contains("did you mean"), "{neither}");
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
    assert!(made.stdout.contains("made\nother b;c by /bin/bash\n"), "{}", made.stdout);
    let why = project.cuff(["why", "say.sh", "--", "a;b"]).succeeded().stdout;
    assert!(why.contains("decision  permitted"), "{why}");

    let within = project.inside_a_run();
    for tool in ["npm_say", "say.sh", "make_say"] {
        within.cuff(["run", tool, "--", "a;b"]).ended_with(126);
        let why = within.cuff(["why", tool, "--", "a;b"]).succeeded().stdout;
        assert!(why.contains("decision  refused"), "{why}");
    }
}
