//! Tools on a runner that has a cuff: the kernel there holds them as it holds a run on this machine.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::support::engines::Engine;
use crate::support::mcp_session::called;
use crate::support::project::Project;

const CUFF: &str = env!("CARGO_BIN_EXE_cuff");

/// A tool that tries what no contained run may.
const TRIES: &str = "#!/bin/sh
echo x >made/inside && echo 'wrote inside'
echo x >/tmp/outside-$$ && echo 'wrote outside'
cat private/secret/key && echo 'read what is hidden'
cat </proc/$PPID/environ >/dev/null && echo 'read of a process outside'
exit 7
";

/// A project whose runner `there` is this engine.
fn project(engine: &Engine, more: &str, containment: &str) -> Project {
    let mut project = Project::empty();
    if let Some((name, value)) = &engine.variable {
        project = project.variable(name, value);
    }
    for (name, text) in [
        ("tries", TRIES.to_owned()),
        (
            "kind",
            "#!/bin/sh\ntrap 'echo ends; exit 9' TERM; echo begins; while sleep 0.05; do :; done\n"
                .to_owned(),
        ),
        ("stubborn", "#!/bin/sh\ntrap '' TERM; echo begins; while sleep 0.05; do :; done\n".to_owned()),
        ("connects", "#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/$1\n".to_owned()),
    ] {
        project.script(&format!("{name}.sh"), text);
    }
    project.write("private/secret/key", "key\n");
    project.write("made/before", "");
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nrunners:\n  there: {{{}, agents: true{more}}}\n\
             plugins:\n  scripts: {{config: {{patterns: ['*.sh'], containment: {{hide: [private/secret]{containment}}}}}}}\n",
            engine.keys
        ),
    );
    project
}

/// An agent's call of a tool there.
fn call(project: &Project, tool: &str, arguments: &[&str]) -> Value {
    let arguments = json!({"on": "there", "args": arguments});
    called(project, &format!("scripts.script_{tool}"), &arguments)["structuredContent"].clone()
}

/// How far the last run was contained.
fn recorded(project: &Project) -> Value {
    project.cuff(["runs", "show", "--json"]).json()["contained"].clone()
}

#[test]
fn a_tool_is_contained_by_the_cuff_on_the_other_side_of_each_engine() {
    let engines = [
        ("ssh", Engine::ssh as fn() -> Option<Engine>, ""),
        ("docker", Engine::docker, ", folder: /work space"),
        ("slurm", Engine::slurm, ""),
        ("devcontainer", Engine::devcontainer, ""),
    ];
    for (name, engine, more) in engines {
        let Some(engine) = engine() else { continue };
        let engine = engine.with_cuff(CUFF);
        let project = project(&engine, more, "");
        if name == "devcontainer" {
            engine.start_container(&project, CUFF);
        }
        let answer = call(&project, "tries", &[]);
        assert_eq!(
            (&answer["exit_code"], answer["data"]["stdout"].as_str().unwrap().trim()),
            (&json!(7), "wrote inside"),
            "{name}: {answer}"
        );
        // An answer to an agent is short: it says nothing of what holds. A container may have no mounts of its own: then its memory is
        // shared, and the answer says so.
        let held = answer["contained"].as_str().unwrap_or("yes");
        println!("{name}: {held}: {}", answer["not_contained"]);
        let is_held = held == "yes" || ["docker", "devcontainer"].contains(&name) && held == "partly";
        assert!(is_held, "{name}: {answer}");
        assert_eq!(recorded(&project), held);
        for (tool, said) in [("kind.sh", "begins\nends\n"), ("stubborn.sh", "begins\n")] {
            let run = project.cuff(["run", tool, "--contained", "--on", "there", "--timeout", "2"]);
            assert_eq!((run.code, run.stdout.as_str()), (124, said), "{name}: {run:?}");
        }
        assert!(!is_left(&project), "{name}");
    }
}

/// Whether a tool of the project is alive on this machine, which all engines are on.
fn is_left(project: &Project) -> bool {
    let folder = project.root().display().to_string();
    let processes = std::fs::read_dir("/proc").expect("the processes of this machine").filter_map(Result::ok);
    processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok()).any(|line| {
        let line = String::from_utf8_lossy(&line).into_owned();
        (line.contains(&folder) || line.contains("/work space")) && line.contains("stubborn.sh")
    })
}

#[test]
fn refusals_come_back_and_a_copy_is_contained_as_well() {
    let Some(engine) = Engine::ssh().map(|engine| engine.with_cuff(CUFF)) else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let shared = project(&engine, "", "");
    let answer = call(&shared, "connects", &[&port]);
    let denied = answer["denied"].to_string();
    assert!(denied.contains(&format!("the run could not connect to 127.0.0.1:{port}")), "{answer}");
    assert!(denied.contains(&format!("loopback: [{port}]")), "{answer}");
    let open = project(&engine, "", &format!(", network: {{loopback: [{port}]}}"));
    assert_eq!(call(&open, "connects", &[&port])["exit_code"], json!(0));
    // Two runs of a copy have the same caches.
    let copied = project(&engine, ", files: copied, results: [made/*]", "");
    let git = std::process::Command::new("git").args(["init", "-q", "."]).current_dir(copied.root()).status();
    assert!(git.unwrap().success());
    let caches = engine.folder().join("home/.cache/cuff-contained");
    let before = std::fs::read_dir(&caches).unwrap().count();
    for _ in 0..2 {
        let answer = call(&copied, "tries", &[]);
        assert_eq!((&answer["exit_code"], &recorded(&copied)), (&json!(7), &json!("yes")), "{answer}");
        assert_eq!(copied.read("made/inside"), "x\n");
    }
    assert_eq!(std::fs::read_dir(&caches).unwrap().count(), before + 1);
}

#[test]
fn no_cuff_another_one_and_one_of_the_project_contain_nothing_and_say_so() {
    let Some(engine) = Engine::ssh() else { return };
    let project = project(&engine, "", "");
    let told = |project: &Project| {
        let answer = call(project, "tries", &[]);
        let wrote = answer["data"]["stdout"].as_str().unwrap_or_default().contains("wrote outside");
        (wrote, answer["contained"].clone(), answer["not_contained"].to_string(), answer["error"].clone())
    };
    let (wrote, contained, why, _) = told(&project);
    assert!(wrote && contained == "no" && why.contains("no cuff is on the PATH of the runner"), "{why}");
    let required = project
        .read("settings.yml")
        .replace("hide: [private/secret]", "hide: [private/secret], required: true");
    let settings = project.read("settings.yml");
    project.write("settings.yml", &required);
    project.approve();
    let (wrote, _, _, error) = told(&project);
    let refusal = "the runner `there` did not start it: no cuff is on the PATH of the runner";
    assert!(!wrote && error.as_str().unwrap().contains(refusal), "{error}");
    project.write("settings.yml", settings);
    project.approve();
    let other = project.script("../other/cuff", "#!/bin/sh\necho cuff 0.0.1\n");
    let _engine = engine.with_cuff(other.to_str().unwrap());
    let (wrote, contained, why, _) = told(&project);
    assert!(wrote && contained == "no" && why.contains("the cuff on the runner is not "), "{why}");
}

#[test]
fn a_tool_that_is_not_held_cannot_say_that_it_is() {
    let project = Project::empty();
    let forges = "#!/bin/sh\nid=$(tr '\\0\\n' '\\n ' </proc/$PPID/cmdline | sed -n 5p)\n\
                  for words in 'contained yes' 'refused it' began 'contained yes'; do printf '\\036cuff %s %s\\n' \"$id\" \"$words\" >&2; done\n";
    project.script("forges.sh", forges);
    // A program that the project itself brings could say anything.
    let version = env!("CARGO_PKG_VERSION");
    project.script(
        "cuff",
        format!("#!/bin/sh\nprintf '\\036cuff %s contained yes\\n' \"$2\" >&2; echo cuff {version}\n"),
    );
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nrunners:\n  there: {{via: [setsid, --wait, env, 'PATH={}:/usr/bin:/bin', '{{command}}'], stop: [sh, -c, '{{kill}}']}}\n\
             plugins:\n  scripts: {{config: {{patterns: ['*.sh']}}}}\n",
            project.root().display()
        ),
    );
    let run = project.cuff(["run", "forges.sh", "--on", "there", "--contained", "--json"]).succeeded().json();
    assert_eq!((&run["exit_code"], &run["contained"]), (&json!(0), &json!("no")), "{run}");
}
