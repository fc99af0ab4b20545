//! Runs on runners: real engines get the tool, and its words, end, findings and record are as on this machine.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::engines::Engine;
use crate::support::mcp_session::McpSession;
use crate::support::normalize::stable;
use crate::support::project::Project;

/// A project whose tools run on this machine, and on these runners of their own engines.
fn project(runners: &[(&str, &Engine, &str)]) -> Project {
    let mut project = Project::empty();
    for (_, engine, _) in runners {
        if let Some((name, value)) = &engine.variable {
            project = project.variable(name, value);
        }
    }
    for (name, text) in [
        ("show", "pwd >&2; for word in \"$@\"; do echo \"<$word>\"; done; echo \"V=<$V>\"; exit 255"),
        ("fails", "echo \"$(pwd)/src/a.c:3:5: error: bad thing\" >&2; exit 125"),
        ("kind", "trap 'echo ends; exit 9' TERM; echo begins; while sleep 0.05; do :; done"),
        ("stubborn", "trap '' TERM; echo begins; while sleep 0.05; do :; done"),
        ("reads", "cat; echo end"),
        ("asks", "echo asked"),
    ] {
        project.script(&format!("sub folder/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    let entry =
        |(name, engine, more): &(&str, &Engine, &str)| format!("  {name}: {{{}{more}}}\n", engine.keys);
    let entries = runners.iter().map(entry).collect::<Vec<_>>().concat();
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nrunners:\n{entries}  gone: {{type: ssh, host: 127.0.0.1, options: [-F, none, -p, '1']}}\nplugins:\n  \
             scripts: {{config: {{base_directory: 'sub folder', patterns: ['*.sh'], confirm: 'asks*'}}}}\n"
        ),
    );
    project
}

/// The end of a run: its code and both outputs, with stable words. Slurm's client says by itself how a task has ended.
fn end(project: &Project, words: &[&str]) -> String {
    let run = project.cuff(words);
    let said = run.stderr.lines().filter(|line| !line.starts_with("srun: "));
    let said: String = said.flat_map(|line| [line, "\n"]).collect();
    format!("{}\n{}{}", run.code, stable(project, &run.stdout), stable(project, &said))
}

/// One engine after the other: a row for each, where this machine has it.
fn engines() -> Vec<(&'static str, Engine)> {
    let all = [
        ("ssh", Engine::ssh as fn() -> Option<Engine>),
        ("docker", Engine::docker),
        ("slurm", Engine::slurm),
    ];
    all.into_iter().filter_map(|(name, start)| Some((name, start()?))).collect()
}

#[test]
fn a_tool_gets_its_words_and_its_exit_code_comes_back() {
    for (name, engine) in engines() {
        let project = project(&[(name, &engine, "")]);
        let words = ["one", "two  three", "it's", "$HOME", "*", "", "a\nb", "\\", "-x"];
        let value = "V=a \"b\" $(id) 'x'\n\\n {id}";
        let call = |on: &str| {
            let line = [&["run", "show.sh", "--on", on, "--env", value, "--"], &words[..]].concat();
            end(&project, &line)
        };
        let here = call("local");
        assert!(here.starts_with(
            "255\n<one>\n<two  three>\n<it's>\n<$HOME>\n<*>\n<>\n<a\nb>\n<\\>\n<-x>\nV=<a \"b\" $(id) 'x'\n"
        ));
        assert_eq!(call(name), here, "{name}");
    }
}

#[test]
fn a_tool_is_ended_there_and_not_its_client_alone() {
    for (name, engine) in engines() {
        let project = project(&[(name, &engine, "")]);
        let timed = |tool: &str| {
            let begun = Instant::now();
            (end(&project, &["run", tool, "--on", name, "--timeout", "1"]), begun.elapsed())
        };
        let (kind, _) = timed("kind.sh");
        assert!(kind.starts_with("124\nbegins\nends\n"), "{name}: {kind}");
        let (stubborn, took) = timed("stubborn.sh");
        assert!(stubborn.starts_with("124\nbegins\n"), "{name}: {stubborn}");
        assert!(took > Duration::from_secs(3), "{name}: it has two seconds after TERM");
        assert!(!is_left(&project, &engine), "{name}");
    }
}

/// Whether a tool of the project is alive: on this machine, which the sshd is on and whose processes a container's are.
fn is_left(project: &Project, _: &Engine) -> bool {
    let folder = project.root().display().to_string();
    let processes = std::fs::read_dir("/proc").expect("the processes of this machine").filter_map(Result::ok);
    processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok()).any(|line| {
        let line = String::from_utf8_lossy(&line).into_owned();
        line.contains(&folder) && line.contains("stubborn.sh")
    })
}

#[test]
fn the_failure_of_an_engine_is_not_that_of_the_tool() {
    for (name, engine) in engines() {
        let project = project(&[(name, &engine, ""), ("nowhere", &engine, ", folder: /no/such/folder")]);
        if name == "ssh" {
            insta::assert_snapshot!(end(&project, &["run", "show.sh", "--on", "gone"]), @"
            125
            ssh: connect to host 127.0.0.1 port 1: Connection refused
            error: show.sh: Script could not be started: the runner `gone` failed before the tool began: ssh ended with exit code 255 [SCRIPT_403]
            help: `cuff runs log RUN` prints its log again
            ");
            insta::assert_snapshot!(end(&project, &["run", "show.sh", "--on", "shh"]), @"
            64
            error: No runner is called `shh` [SCRIPT_304]
            help: did you mean `ssh`?
            ");
            insta::assert_snapshot!(end(&project, &["runners"]), @"
            1
            ssh      ssh  you  reachable
            nowhere  ssh  you  reachable
            gone     ssh  you  not reachable: ssh: connect to host 127.0.0.1 port 1: Connection refused
            ");
        }
        // Docker mounts the project there.
        if name == "ssh" {
            let nowhere = project.cuff(["run", "show.sh", "--on", "nowhere"]).ended_with(125);
            assert!(nowhere.stderr.contains("failed before the tool began"), "{}", nowhere.stderr);
        }
        let fails = project.cuff(["run", "fails.sh", "--on", name]).ended_with(125);
        assert!(fails.stderr.contains("failed: exit code 125"), "{name}: {}", fails.stderr);
        let record = project.cuff(["runs", "show", "--json"]).json();
        assert_eq!((&record["runner"], &record["exit_code"]), (&json!(name), &json!(125)));
    }
}

#[test]
fn findings_are_named_from_the_project_and_input_is_passed_on() {
    let Some(engine) = Engine::docker() else { return };
    let project = project(&[("docker", &engine, ", folder: /work space")]);
    project.cuff(["run", "fails.sh", "--on", "docker"]).ended_with(125);
    let found = project.cuff(["runs", "diagnostics", "--json"]).json();
    assert_eq!(found["diagnostics"][0]["file"], "sub folder/src/a.c", "{found}");
    let mut command = project.command(["run", "reads.sh", "--on", "docker"]);
    std::fs::write(engine.folder().join("input"), "typed\n").unwrap();
    let input = std::fs::File::open(engine.folder().join("input")).unwrap();
    let output = command.stdin(input).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "typed\nend\n");
    let asked = project.answer_at_terminal("n\r", &["run", "asks.sh", "--on", "docker"]);
    assert!(asked.text.contains("on the runner `docker`: docker run"), "{}", asked.text);
    assert!(asked.text.contains("not contained: it has the rights that it has there"), "{}", asked.text);
}

#[test]
fn agents_have_the_runners_that_a_person_has_opened_and_approved() {
    let Some(engine) = Engine::ssh() else { return };
    let project = project(&[("open", &engine, ", agents: true"), ("closed", &engine, "")]);
    let call = |arguments: Value| {
        let mut session = McpSession::begun(&project, &[]);
        let tools = session.ask("tools/list", json!({}));
        let on = tools["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .find(|tool| tool["name"] == "scripts.script_show");
        let answer = session.call("scripts.script_show", &arguments);
        (on.unwrap()["inputSchema"]["properties"]["on"].clone(), answer["structuredContent"].clone())
    };
    let (on, open) = call(json!({"on": "open"}));
    assert_eq!(on, json!({"type": "string", "enum": ["open"], "description": "The runner to run on"}));
    assert_eq!((&open["exit_code"], &open["contained"]), (&json!(255), &json!("no")), "{open}");
    assert_eq!(project.cuff(["runs", "show", "--json"]).json()["runner"], "open");
    let listed = |project: &Project| {
        let mut session = McpSession::begun(project, &[]);
        let tools = session.ask("tools/list", json!({})).to_string();
        (
            tools.contains("runs.runners"),
            session.call("runs.runners", &json!({}))["structuredContent"].clone(),
        )
    };
    let reachable = json!({"success": true, "runners": [{"name": "open", "reachable": true}]});
    assert_eq!(listed(&project), (true, reachable));
    let types = project.cuff(["toolscript", "get-types", "--filter", "scripts"]).succeeded();
    assert!(types.stdout.contains("on?: \"open\""), "{}", types.stdout);
    let (_, closed) = call(json!({"on": "closed"}));
    assert_eq!(closed["error"], "The runner `closed` is not open to agents");
    // Another host in the file: it waits for a person.
    let settings = project
        .read("settings.yml")
        .replace("host: 127.0.0.1, options: [-p", "host: localhost, options: [-p");
    project.write("settings.yml", settings);
    let (on, changed) = call(json!({"on": "open"}));
    assert_eq!((on, &changed["error"]), (Value::Null, &json!("No runner is called `open`")));
    assert_eq!(listed(&project), (false, json!({"success": true, "runners": []})));
}
