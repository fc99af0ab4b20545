//! Runners with `files: copied`: each run has a copy of the project, and its results come back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::json;

use crate::support::engines::Engine;
use crate::support::normalize::stable;
use crate::support::project::Project;

/// A repository with an ignored folder, and tools that change a copy of it.
fn project(runners: &str) -> Project {
    let project = Project::empty();
    for (name, text) in [
        (
            "works",
            "cat secret/key 2>&1; cat; echo new >a.txt; rm b.txt; mkdir -p out/deep; echo made >out/deep/report; chmod +x out/deep/report; echo left >other",
        ),
        ("fails", "echo \"$(pwd)/src/a.c:3:5: error: bad thing\" >&2; exit 3"),
        ("meanwhile", "echo theirs >a.txt; echo mine >\"$HOME/../project/a.txt\""),
        ("lists", "for file in *; do echo \"$file\"; done; echo kept >kept"),
        ("plants", "mkdir .vscode; echo '{}' >.vscode/tasks.json"),
        ("sleeps", "ls -ld . | cut -c1-10; echo half >a.txt; exec sleep 60"),
        ("dies", "echo half >a.txt; kill -9 $$"),
        (
            "follows",
            "find . -type l | sort | while read -r name; do echo \"$name -> $(readlink \"$name\")\"; done; cat sub/link; ls .env 2>&1",
        ),
        (
            "odd",
            "echo new >a.txt; mkdir .cuff out; echo x >.cuff/settings.yml; echo x >\"$(printf 'out/a\\nb')\"; echo x >out/c",
        ),
    ] {
        project.script(&format!("{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    for (name, text) in [
        ("a.txt", "old\n"),
        ("b.txt", "old\n"),
        ("secret/key", "key\n"),
        ("src/a.c", ""),
        (".gitignore", "secret\n"),
    ] {
        project.write(name, text);
    }
    project.write(
        "settings.yml",
        format!("version: '1'\nrunners:\n{runners}plugins:\n  scripts: {{config: {{patterns: ['*.sh']}}}}\n"),
    );
    let git =
        Command::new("git").args(["init", "-q", "."]).current_dir(project.root()).status().expect("git");
    assert!(git.success());
    project
}

/// A runner whose tools start in a session of their own on this machine.
fn here(more: &str) -> String {
    format!(
        "  box: {{via: [setsid, --wait, '{{command}}'], stop: [sh, -c, '{{kill}}'], files: copied{more}}}\n"
    )
}

fn end(project: &Project, words: &[&str]) -> String {
    let run = project.cuff(words);
    format!("{}\n{}{}", run.code, stable(project, &run.stdout), stable(project, &run.stderr))
}

/// The folders of copies that runs of this project left.
fn copies(project: &Project) -> Vec<String> {
    let runs = project.cuff(["runs", "list", "--json"]).json();
    let ids = runs["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| run["run_id"].as_str().expect("an id").to_owned());
    let left = |id: &String| {
        let files = fs::read_dir("/tmp").expect("a folder of this machine").filter_map(Result::ok);
        files
            .map(|file| file.file_name().into_string().unwrap_or_default())
            .any(|name| name.starts_with(&format!("cuff-{id}")))
    };
    ids.filter(left).collect()
}

#[test]
fn a_run_has_a_copy_and_its_results_come_back() {
    let mut runners = vec![("box", None, here(", results: ['out/*']"))];
    let engines = [
        ("ssh", Engine::ssh as fn() -> Option<Engine>),
        ("docker", Engine::docker),
        ("slurm", Engine::slurm),
    ];
    for (name, engine) in engines.into_iter().filter_map(|(name, start)| Some((name, start()?))) {
        let entry = format!("  {name}: {{{}, files: copied, results: ['out/*']}}\n", engine.keys);
        runners.push((name, Some(engine), entry));
    }
    for (name, engine, entry) in runners {
        let project = project(&entry);
        let variable = engine.as_ref().and_then(|engine| engine.variable.clone());
        let project = match variable {
            Some((variable, value)) => project.variable(variable, value),
            None => project,
        };
        let run = project.cuff(["run", "works.sh", "--on", name]).succeeded();
        assert!(run.stdout.contains("secret/key: No such file"), "{run:?}");
        assert_eq!(
            run.stderr,
            format!(
                "[2 files came back from {name}: a.txt, out/deep/report]\n[1 file removed on {name} and left here: b.txt]\n"
            ),
        );
        let texts = ["a.txt", "b.txt", "out/deep/report"].map(|file| project.read(file));
        assert_eq!(texts, ["new\n", "old\n", "made\n"], "{name}");
        let mode = |file: &str| {
            fs::metadata(project.root().join(file)).expect("a file").permissions().mode() & 0o111
        };
        assert_eq!([mode("a.txt"), mode("out/deep/report")], [0, 0o111], "{name}: a program stays one");
        assert!(!project.root().join("other").exists());
        project.cuff(["run", "fails.sh", "--on", name]).ended_with(3);
        let found = project.cuff(["runs", "diagnostics", "--json"]).json();
        assert_eq!(found["diagnostics"][0]["file"], json!("src/a.c"), "{found}");
        assert_eq!(copies(&project), [""; 0]);
        drop(engine);
    }
}

#[test]
fn what_changed_here_meanwhile_stays() {
    let project = project(&here(""));
    insta::assert_snapshot!(end(&project, &["run", "meanwhile.sh", "--on", "box"]), @"
    0
    [a.txt changed here meanwhile and stays; the one of box is a.txt.from-box]
    ");
    assert_eq!(["a.txt", "a.txt.from-box"].map(|file| project.read(file)), ["mine\n", "theirs\n"]);
}

#[test]
fn a_file_that_comes_back_and_runs_later_is_named() {
    let project = project(&here(", results: ['.vscode/*']"));
    insta::assert_snapshot!(end(&project, &["run", "plants.sh", "--on", "box"]), @"
    0
    [1 file came back from box: .vscode/tasks.json]
    warning: this run changed what runs later: .vscode/tasks.json
    ");
}

#[test]
fn a_folder_of_the_runner_keeps_what_is_ignored_and_loses_what_is_gone() {
    let project = project("");
    let folder = project.outside().join("there");
    let settings = project.read("settings.yml");
    let runner = here(&format!(", folder: '{}'", folder.display()));
    project.write("settings.yml", settings.replace("runners:\n", &format!("runners:\n{runner}")));
    let listed = |project: &Project| project.cuff(["run", "lists.sh", "--on", "box"]).succeeded().stdout;
    assert!(listed(&project).contains("b.txt\n"));
    fs::remove_file(project.root().join("b.txt")).unwrap();
    let second = listed(&project);
    assert!(
        second.contains("a.txt\n") && second.contains("kept\n") && !second.contains("b.txt\n"),
        "{second}"
    );
}

#[test]
fn a_tool_that_is_ended_gives_nothing_back_and_leaves_no_copy() {
    let project = project(&here(""));
    insta::assert_snapshot!(end(&project, &["run", "sleeps.sh", "--on", "box", "--timeout", "1"]), @"
    124
    drwx------
    Terminated
    [nothing came back from box: the tool was ended]
    error: sleeps.sh: Script timed out after 1 seconds (0.1 s) [SCRIPT_303]
    help: give it more with `--timeout`, or raise `default_timeout` in settings.yml
    help: `cuff runs log RUN` prints its log again
    ");
    insta::assert_snapshot!(end(&project, &["run", "dies.sh", "--on", "box"]), @"
    137
    Killed
    [nothing came back from box: a signal ended the tool]
    dies.sh failed: exit code 137, 0.1 s; `cuff runs log RUN`
    ");
    assert_eq!(project.read("a.txt"), "old\n");
    assert_eq!(copies(&project), [""; 0]);
}

#[test]
fn links_are_sent_as_they_are_and_hidden_files_are_not() {
    let project = project(&here(""));
    let settings = project.read("settings.yml");
    project.write(
        "settings.yml",
        settings.replace("{patterns: ['*.sh']}", "{patterns: ['*.sh'], containment: {hide: [.env]}}"),
    );
    project.write(".env", "TOKEN=x\n");
    project.write("sub/file", "text of the file\n");
    for (link, target) in
        [("sub/link", "file"), ("folder", "sub"), ("up", "../../outside"), ("sub/nothing", "./nothing")]
    {
        std::os::unix::fs::symlink(target, project.root().join(link)).expect("a link");
    }
    insta::assert_snapshot!(end(&project, &["run", "follows.sh", "--on", "box"]), @"
    2
    ./folder -> sub
    ./sub/link -> file
    ./sub/nothing -> ./nothing
    text of the file
    ls: cannot access '.env': No such file or directory
    [not sent to box: .env (it is hidden), up (the link leads out of the project)]
    follows.sh failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN`
    ");
}

#[test]
fn files_that_may_not_come_are_named_and_the_others_come() {
    let project = project(&here(", results: ['*']"));
    insta::assert_snapshot!(end(&project, &["run", "odd.sh", "--on", "box"]), @r#"
    0
    [2 files came back from box: a.txt, out/c]
    [not taken from box: out/a\u{a}b (its name has a line feed or a backslash, or is not UTF-8), .cuff/settings.yml (it is none of the files that may come back)]
    "#);
    assert_eq!(["a.txt", "out/c"].map(|file| project.read(file)), ["new\n", "x\n"]);
}

#[test]
fn a_folder_of_the_runner_follows_files_that_become_folders() {
    let project = project("");
    let folder = project.outside().join("there");
    let settings = project.read("settings.yml");
    let runner = here(&format!(", folder: '{}'", folder.display()));
    project.write("settings.yml", settings.replace("runners:\n", &format!("runners:\n{runner}")));
    let mut ends = Vec::new();
    let root = project.root();
    let change = |name: &str, text: Option<&str>| {
        let _ = fs::remove_file(root.join(name));
        let _ = fs::remove_dir_all(root.join(name));
        if let Some(text) = text {
            fs::create_dir_all(root.join(name).parent().expect("a folder")).expect("a folder");
            fs::write(root.join(name), text).expect("a file");
        }
    };
    for (gone, new) in [("a.txt", "a.txt/inside"), ("a.txt", "a.txt"), ("src", "src"), ("src", "src/a.c")] {
        change(gone, None);
        change(new, Some("x\n"));
        let listed = project.cuff(["run", "lists.sh", "--on", "box"]);
        ends.push((listed.code, fs::read_to_string(folder.join(new)).expect("the file there")));
        // A run left something in the way.
        fs::create_dir_all(folder.join("src/left")).ok();
    }
    assert_eq!(ends, vec![(0, "x\n".to_owned()); 4]);
}

#[test]
fn a_project_without_a_repository_and_a_runner_without_tar_are_told() {
    let project = project(&here(""));
    fs::rename(project.root().join(".git"), project.outside().join("git")).unwrap();
    insta::assert_snapshot!(end(&project, &["run", "works.sh", "--on", "box"]), @"
    125
    error: works.sh: Script could not be started: its files cannot be copied to the runner `box`: not a git repository (or any of the parent directories): .git [SCRIPT_403]
    help: `cuff runs show RUN` has what is recorded of it
    ");
    fs::rename(project.outside().join("git"), project.root().join(".git")).unwrap();
    let few = project.outside().join("few");
    fs::create_dir(&few).unwrap();
    for program in ["sh", "ps", "mkdir", "rm"] {
        std::os::unix::fs::symlink(format!("/bin/{program}"), few.join(program)).unwrap();
    }
    let settings = project.read("settings.yml");
    let client = format!("[env, 'PATH={}',", few.display());
    project.write("settings.yml", settings.replace("[setsid, --wait,", &client));
    let run = project.cuff(["run", "works.sh", "--on", "box"]).ended_with(125);
    assert!(run.stderr.contains("tar: not found"), "{run:?}");
    assert!(run.stderr.contains("the runner `box` failed before the tool began"), "{run:?}");
    assert_eq!(copies(&project), [""; 0]);
}
