//! Commands that settings.yml declares, as people and agents get them.

use serde_json::{Value, json};

use crate::support::landing::Landing;
use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// Settings with these lines under `commands`.
fn settings(commands: &str) -> String {
    let lines: String = commands.lines().flat_map(|line| ["        ", line, "\n"]).collect();
    format!("version: '1'\nplugins:\n  commands:\n    config:\n      commands:\n{lines}")
}

const COMMANDS: &str = r#"test: sh -c 'echo tested "$@"' --
greet: {run: [./greet.sh, "a | b"], description: "Say it", env: {WHO: world}, cwd: tools}
deploy: {run: [sh, deploy.sh], confirm: true}
"#;

fn project() -> Project {
    let project = Project::empty();
    project.script("tools/greet.sh", "#!/bin/sh\necho \"$WHO in ${PWD##*/}: $*\"\n");
    project.write("deploy.sh", "echo DEPLOYED\n");
    project.write("settings.yml", settings(COMMANDS));
    project
}

fn structure(answer: &Value) -> &Value {
    &answer["structuredContent"]
}

#[test]
fn commands_are_listed_run_and_explained_like_all_tools() {
    let project = project();
    project.approve();
    insta::assert_snapshot!(project.cuff(["list"]).succeeded().stdout, @r#"
    settings.yml
      test    sh -c 'echo tested "$@"' --
      greet   Say it
      deploy  [asks] sh deploy.sh
    "#);
    let names = project.cuff(["list", "--json"]).succeeded().json();
    let names: Vec<&str> =
        names["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["commands.test", "commands.greet", "commands.deploy"]);
    for (words, printed) in [
        (&["test"][..], "tested\n"),
        (&["run", "test", "more words"], "tested more words\n"),
        (&["run", "commands.greet", "x"], "world in tools: a | b x\n"),
        (&["commands", "run", "greet"], "world in tools: a | b\n"),
    ] {
        let run = project.cuff(words).succeeded();
        assert!(run.stdout.ends_with(printed), "{words:?}: {run:?}");
    }
    let planned = project.cuff(["run", "greet", "--dry-run", "--", "$X"]).succeeded();
    assert_eq!(planned.stdout, "Would execute: ./greet.sh 'a | b' '$X'\nin: tools\n");
    let why = project.cuff(["why", "deploy"]).succeeded().stdout;
    let why: Vec<&str> = why.lines().filter(|line| !line.starts_with("  program ")).collect();
    insta::assert_snapshot!(why.join("\n"), @"
    commands.deploy: sh deploy.sh
      from      settings.yml (deploy, by the plugin commands)
      text
      │ echo DEPLOYED
      command   sh deploy.sh
      in        .
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  requires confirmation: settings.yml:8  confirm: true
      agents    have it, and you are asked each time
      errors    read from the output of shell; any other output of a known form as well
    ");
}

#[test]
fn a_command_that_requires_confirmation_asks_everybody() {
    let project = project();
    let unasked = project.cuff(["run", "deploy"]);
    assert_ne!(unasked.code, 0, "{unasked:?}");
    assert!(!unasked.stdout.contains("DEPLOYED"), "{unasked:?}");
    let asked = project.answer_at_terminal("y", &["run", "deploy"]);
    asked.succeeded();
    let mut agent = McpSession::begun(&project, &[]);
    let asked = agent.call("commands.deploy", &json!({}));
    assert_eq!(structure(&asked)["confirmation_required"], true, "{asked}");
    let tested = agent.call("commands.test", &json!({}));
    assert_eq!(structure(&tested)["success"], true, "{tested}");
    agent.leave();
}

#[test]
fn a_yes_is_for_the_script_as_it_was() {
    let project = project();
    let mut agent = McpSession::begun(&project, &[]);
    let mut call = || agent.call("commands.deploy", &json!({}));
    let waiting = || {
        let waits = project.cuff(["approvals", "--json"]).succeeded().json();
        let waits = waits["approvals"].as_array().unwrap().clone();
        waits.into_iter().find(|one| one["state"] == "waiting").unwrap()["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(call()["isError"], true);
    project.answer_at_terminal("y", &["approve", &waiting()]).succeeded();
    project.write("deploy.sh", "echo EVIL\n");
    let changed = call();
    assert_eq!(structure(&changed)["confirmation_required"], true, "{changed}");
    project.write("deploy.sh", "echo DEPLOYED\n");
    let ran = call();
    assert!(ran.to_string().contains("DEPLOYED"), "{ran}");
    agent.leave();
}

#[test]
fn what_is_wrong_points_into_the_settings() {
    let project = Project::empty();
    project.write(
        "settings.yml",
        settings("test: cargo test | tee log\nlint: {run: cargo clippy, confrim: true}\n"),
    );
    let run = project.cuff(["list"]);
    insta::assert_snapshot!(run.stderr, @"
    error: settings.yml:6:15: `commands.test` must be a program and its words, and no line for a shell [COMMANDS_201]
       ,-[settings.yml:6:15]
     5 |       commands:
     6 |         test: cargo test | tee log
       :               ^^^^^^^^^^|^^^^^^^^^
       :                         `-- a program and its words, and no line for a shell
     7 |         lint: {run: cargo clippy, confrim: true}
       `----
    help: cuff starts programs without a shell, and `|` is for one: put the line into a script and name that, or write `run: [...]`, whose words are taken as they stand
    error: settings.yml:7:44: `commands.lint.confrim` must be one of run, description, confirm, env and cwd, the keys of a command [COMMANDS_201]
       ,-[settings.yml:7:44]
     6 |         test: cargo test | tee log
     7 |         lint: {run: cargo clippy, confrim: true}
       :                                            ^^|^
       :                                              `-- one of run, description, confirm, env and cwd, the keys of a command
       `----
    help: did you mean `confirm`?
    Nothing is offered here
    ");
}

#[test]
fn a_missing_program_is_named() {
    let project = Project::empty();
    project.write(
        "settings.yml",
        settings("a: no-such-program x\nb: {run: ./gone.sh, cwd: x}\nc: ./plain.txt\n"),
    );
    project.write("x/there", "");
    project.write("plain.txt", "text\n");
    let said = |tool: &str| {
        let run = project.cuff(["run", tool]);
        // The last line names the record of the run.
        let (answer, record) = run.stderr.trim_end().rsplit_once('\n').unwrap();
        assert!(record.starts_with("help: `cuff runs show "), "{record}");
        format!("{}: {answer}\n", run.code)
    };
    insta::assert_snapshot!(["a", "b", "c"].map(said).join("\n"), @"
    125: error: a: no-such-program is not installed, or not on the PATH [COMMANDS_103]
    help: install no-such-program, or put it on the PATH

    125: error: b: ./gone.sh does not exist, or is no program [COMMANDS_103]
    help: create x/gone.sh, or correct `run` of `b` in settings.yml

    125: error: c: ./plain.txt does not exist, or is no program [COMMANDS_103]
    help: make it executable: chmod +x plain.txt
    ");
}

/// The words and variables of an agent are judged by the text of the command, as those of a script of package.json.
#[test]
fn an_agent_cannot_get_around_the_rules_of_a_wrapped_program() {
    let project = Project::empty();
    let landing = Landing::beside(&project);
    let evil = format!("require('fs').writeFileSync('{}', '');module.exports = [];\n", landing.path());
    project.write("evil.js", evil);
    project.write(
        "package.json",
        json!({"scripts": {"test": "node -p 1", "evil": landing.touch()}}).to_string(),
    );
    project.script("runs.sh", "#!/bin/sh\nexec \"$@\"\n");
    project.write("Makefile", "a:\n\t@echo $(A)\n");
    project.write(
        "settings.yml",
        settings(
            "npm: npm run\nnpmtest: npm test\nnode: node\nshell: sh\nmake: make a\n\
             lint: node_modules/.bin/eslint .\nenv: env\n\
             free: {run: [echo, hello]}\n",
        ),
    );
    let mut agent = McpSession::begun(&project, &[]);
    let touch = landing.touch();
    for (tool, arguments) in [
        ("npm", json!({"args": ["evil"]})),
        ("npmtest", json!({"args": ["--script-shell=./runs.sh"]})),
        ("npmtest", json!({"env": {"NODE_OPTIONS": "--require ./evil.js"}})),
        ("node", json!({"args": ["evil.js"]})),
        ("shell", json!({"args": ["-c", touch]})),
        ("make", json!({"args": ["SHELL=./runs.sh"]})),
        ("make", json!({"args": ["b"]})),
        ("lint", json!({"args": ["-c", "evil.js"]})),
        ("env", json!({"args": ["node", "evil.js"]})),
        ("free", json!({"args": ["$(touch x)"]})),
        ("free", json!({"env": {"PATH": "."}})),
    ] {
        let result = agent.call(&format!("commands.{tool}"), &arguments);
        assert!(!landing.happened(), "{tool} {arguments} landed: {result}");
        assert_eq!(structure(&result)["error_code"], "COMMANDS_304", "{tool} {arguments}: {result}");
    }
    let ran = agent.call("commands.free", &json!({"args": ["you"], "env": {"MODE": "x"}}));
    assert!(structure(&ran)["data"]["stdout"].as_str().unwrap().ends_with("hello you\n"), "{ran}");
    agent.leave();
}

#[test]
fn a_new_or_changed_command_waits_for_a_person_and_a_removed_one_is_gone_at_once() {
    let project = Project::empty();
    let commands = "a: echo a\nb: echo b\nc: {run: echo c, confirm: true}\n";
    project.write("settings.yml", settings(commands));
    project.cuff(["list"]).succeeded();
    let mut agent = McpSession::begun(&project, &[]);
    let instructions = || {
        let mut fresh = McpSession::over_pipes(&project, &[]);
        let said = fresh.initialize()["result"]["instructions"].as_str().unwrap().to_owned();
        fresh.leave();
        said.contains("as far as it was approved")
    };
    let out = |answer: &Value| structure(answer)["data"]["stdout"].as_str().unwrap_or_default().to_owned();
    for (changed, names, waits) in [
        // Narrower: fewer, another order, and a further question.
        ("b: echo b\na: echo a\nc: {run: echo c, confirm: true}\n", "a b c?", false),
        ("c: {run: echo c, confirm: true}\nb: {run: echo b, confirm: true}\n", "b? c?", false),
        ("a: {run: [echo, a]}\n", "a", false),
        // Looser: new, changed, and a question less.
        ("a: echo a\nb: echo b\nc: {run: echo c, confirm: true}\nd: echo d\n", "a b c?", true),
        ("a: echo EVIL\nb: {run: echo b, env: {X: y}}\n", "a b", true),
        ("c: echo c\n", "c?", true),
        (commands, "a b c?", false),
    ] {
        project.write("settings.yml", settings(changed));
        let mut offered = Vec::new();
        for name in agent.names().into_iter().filter(|name| name.starts_with("commands.")) {
            let ran = agent.call(&name, &json!({}));
            let name = name.strip_prefix("commands.").unwrap();
            if structure(&ran)["confirmation_required"] == true {
                offered.push(format!("{name}?"));
            } else {
                assert_eq!(out(&ran).trim_end(), name, "as it was approved: {ran}");
                offered.push(name.to_owned());
            }
        }
        assert_eq!((offered.join(" ").as_str(), instructions()), (names, waits), "{changed}");
    }
    project.write("settings.yml", settings("a: echo EVIL\n"));
    project.answer_at_terminal("y\r", &["approve", "settings"]).succeeded();
    let approved = agent.call("commands.a", &json!({}));
    assert_eq!(out(&approved).trim_end(), "EVIL", "{approved}");
    agent.leave();
}

#[test]
fn init_shows_what_to_write_where_it_finds_nothing() {
    let project = Project::empty();
    let run = project.cuff(["init", "--yes"]).ended_with(1);
    let example = run.stderr.split_once("by hand:\n").unwrap().1;
    let lines: Vec<&str> = example.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    insta::assert_snapshot!(run.stderr, @r#"
    error: there is nothing here that cuff could offer
    help: cuff looks for package.json, a Makefile, a justfile, Taskfile.yml, mise.toml, Cargo.toml, pyproject.toml, tox.ini and 31 more kinds of files; add one, or name another folder with -C
    or write settings.yml by hand:
        version: "1"
        plugins:
          commands: {config: {commands: {hello: echo hello}}}
    "#);
    project.write("settings.yml", lines.join("\n"));
    assert_eq!(project.cuff(["hello"]).succeeded().stdout, "hello\n");
}
