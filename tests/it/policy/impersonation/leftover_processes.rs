//! Processes that a run leaves behind, and the folder that it starts in.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::process::is_running;
use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty();
    let away = "#!/bin/sh\nsetsid sh -c 'echo $$ > pid; exec sleep 60' > /dev/null 2>&1 &\n\
                while [ ! -s pid ]; do sleep 0.01; done\n";
    project.script("away.sh", away);
    project.script("late.sh", format!("{away}sleep 1\n"));
    project.script("deaf.sh", away.replace("echo $$", "trap \"\" TERM; echo $$"));
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  scripts: {config: {patterns: ['*.sh'], containment: 'off'}}\n",
    );
    project
}

fn pid(project: &Project) -> String {
    project.read("pid").trim().to_owned()
}

fn end(pid: &str) {
    std::process::Command::new("kill").args(["-9", pid]).status().unwrap();
}

#[test]
fn processes_that_left_the_session_of_an_agents_run_end_with_it() {
    for script in ["away", "deaf"] {
        let project = project();
        let mut spoken = McpSession::begun(&project, &[]);
        let result = spoken.call(&format!("scripts.script_{script}"), &json!({}));
        let structure = &result["structuredContent"];
        assert_eq!(
            (&structure["success"], &structure["leftovers"]["killed"]),
            (&json!(true), &json!(1)),
            "{result}"
        );
        assert_eq!(structure["leftovers"]["detached"], 0, "{result}");
        assert!(
            result["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("1 background process outlived it and was stopped"),
            "{result}"
        );
        assert!(!is_running(&pid(&project)), "{script}");
        spoken.leave();
    }
}

#[test]
fn processes_that_left_a_persons_run_stay_and_those_of_an_agents_end_in_the_background_too() {
    let project = project();
    let run = project.cuff(["run", "script_away", "--json"]).succeeded().json();
    assert_eq!(run["leftovers"]["detached"], 1, "{run}");
    assert!(is_running(&pid(&project)));
    end(&pid(&project));
    fs::remove_file(project.root().join("pid")).unwrap();

    let mut spoken = McpSession::begun(&project, &[]);
    let going = spoken.call("scripts.script_late", &json!({"wait": 0}));
    let id = going["structuredContent"]["run_id"].clone();
    let over = spoken.call("runs.status", &json!({"run": id, "wait": 20}));
    assert_eq!(over["structuredContent"]["running"], false, "{over}");
    assert!(!is_running(&pid(&project)), "{over}");
    spoken.leave();
}

#[test]
fn processes_that_left_a_run_of_an_agents_shell_end_with_it() {
    let project = project();
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    let run = agent.cuff(["run", "script_away", "--json"]).succeeded().json();
    assert_eq!(run["leftovers"]["killed"], 1, "{run}");
    assert!(!is_running(&pid(&project)));
}

/// A folder that is a link to somewhere else by the time the tool starts.
#[test]
fn a_folder_that_is_swapped_for_a_link_moves_no_run_out_of_the_project() {
    let project = Project::empty();
    // It writes down where it is, by a name that follows the folder.
    project.script("../bin/eslint", "#!/bin/sh\npwd -P >> \"$WHERE\"\necho '[]'\n");
    let path =
        format!("{}:{}", project.outside().join("bin").display(), crate::support::tools::path().display());
    let place = project.outside().join("where");
    let project = project.variable("PATH", path).variable("WHERE", &place);
    project.write("eslint.config.js", "module.exports = [];\n");
    project.write("settings.yml", "version: '1'\nplugins:\n  eslint: {config: {containment: 'off'}}\n");
    let outside = project.outside().join("elsewhere");
    fs::create_dir(&outside).unwrap();
    let (web, real) = (project.root().join("web"), project.root().join("real"));
    fs::create_dir(&web).unwrap();
    let mut spoken = McpSession::begun(&project, &[]);
    let over = AtomicBool::new(false);
    let mut answers = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                fs::rename(&web, &real).unwrap();
                symlink(&outside, &web).unwrap();
                thread::sleep(Duration::from_micros(700));
                fs::remove_file(&web).unwrap();
                fs::rename(&real, &web).unwrap();
                thread::sleep(Duration::from_micros(700));
            }
        });
        for _ in 0..200 {
            let answer = spoken.call("eslint.lint", &json!({"cwd": "web"}));
            answers.push(answer["structuredContent"]["error"].as_str().unwrap_or("ran").to_owned());
        }
        over.store(true, Ordering::Relaxed);
    });
    spoken.leave();
    let places = fs::read_to_string(&place).unwrap();
    let is_inside = |place: &str| [&web, &real].iter().any(|folder| folder.to_string_lossy() == place);
    assert!(places.lines().all(is_inside), "{places}");
    let count = |what: &str| answers.iter().filter(|answer| answer.contains(what)).count();
    assert!(count("ran") > 0 && count("leads out of the project") > 0, "{answers:?}");
    assert!(
        count("is no longer the folder that was found") > 0,
        "the check was in time for all: {answers:?}"
    );
}
