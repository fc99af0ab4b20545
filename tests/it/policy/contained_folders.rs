//! The folders of a contained run: hidden paths in the project, shared memory, terminals, and places that are there twice.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::json;

use super::contained_runs::{called, project, text};
use crate::support::project::Project;
use crate::support::tools;

/// What the kernel says where something is hidden or held.
fn is_refused(output: &str) -> bool {
    ["Permission denied", "Device or resource busy", "No such device or address"]
        .iter()
        .any(|error| output.contains(error))
}

#[test]
fn hidden_paths_in_the_project_stay_hidden_and_new_files_are_made_beside_them() {
    let project = project(
        &json!({
            "secrets": "cat secrets/key .env.production config/deep/password; true",
            "move": "mv secrets moved; mv config moved; mv .env.production moved; rm -rf config secrets; true",
            "new": "echo made > new && cat new config/other && echo new > config/new",
        }),
        "{hide: [secrets/, .env.production, config/deep/password]}",
    );
    for (path, text) in
        [("secrets/key", "a key\n"), (".env.production", "env\n"), ("config/deep/password", "pass\n")]
    {
        project.write(path, text);
    }
    project.write("config/other", "other\n");
    if tools::has_namespaces() {
        let new = called(&project, "new");
        assert!(text(&new).contains("made\nother\n"), "{new}");
        assert_eq!(project.read("config/new"), "new\n");
    }
    for script in ["move", "secrets"] {
        let tried = called(&project, script);
        let output = text(&tried);
        for secret in ["a key\n", "env\n", "pass\n"] {
            assert!(!output.contains(secret), "{script}: {output}");
        }
        assert!(is_refused(output), "{script}: {output}");
    }
    assert_eq!(project.read("secrets/key"), "a key\n");
    assert_eq!(project.read("config/deep/password"), "pass\n");
}

/// A script starts in the folder that cuff opened; npm goes to its own by a path.
#[test]
fn paths_from_where_a_run_starts_lead_to_nothing_hidden() {
    let project = Project::empty();
    let script = "#!/bin/sh\ncat secrets/key .netrc .local/state/cuff/audit.log\ncat /proc/self/cwd/secrets/key\necho x >secrets/new\n\
                 chmod 700 secrets\nmv secrets moved\n";
    project.script("scripts/tries.sh", script);
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  scripts:\n    config:\n      patterns: ['scripts/*.sh']\n      containment: {hide: [secrets/]}\n",
    );
    // The project is the home folder too, with cuff's own files and a hidden file whose name comes behind theirs.
    for (path, text) in [("secrets/key", "a key\n"), (".netrc", "a password\n")] {
        project.write(path, text);
    }
    let at_home = Project::at(&project).variable("HOME", project.root().display().to_string());
    for _ in 0..2 {
        let tried = at_home.cuff(["run", "tries", "--contained", "--json"]);
        let report = tried.json();
        let output = format!("{}{}", report["data"]["stdout"], report["data"]["stderr"]);
        for secret in ["a key", "a password", "timestamp"] {
            assert!(!output.contains(secret), "{output}");
        }
        if tools::has_namespaces() {
            assert_eq!(report["contained"], json!("yes"), "{report}");
        }
    }
    assert!(!project.root().join("secrets/new").exists());
    assert_eq!(project.read("secrets/key"), "a key\n");
}

#[test]
fn one_file_below_a_hidden_folder_can_be_shown() {
    let project = project(
        &json!({"shown": "cat ../home/.ssh/id.pub", "hidden": "cat ../home/.ssh/id"}),
        "{show: [~/.ssh/id.pub]}",
    );
    project.write("../home/.ssh/id", "a key\n");
    project.write("../home/.ssh/id.pub", "public\n");
    assert!(text(&called(&project, "shown")).contains("public\n"));
    let hidden = called(&project, "hidden");
    assert!(!text(&hidden).contains("a key\n"), "{hidden}");
}

#[test]
fn keys_elsewhere_are_hidden_by_links_and_by_variables() {
    let project = project(
        &json!({
            "link": "cat ../vault/id",
            "variable": "cat ../clusters/admin",
            "moved": "cat ../configuration/gh/hosts.yml",
        }),
        "",
    );
    for path in ["vault/id", "clusters/admin", "configuration/gh/hosts.yml"] {
        project.write(&format!("../{path}"), "a key\n");
    }
    fs::create_dir_all(project.outside().join("home/.ssh")).unwrap();
    symlink("../../vault/id", project.outside().join("home/.ssh/id")).unwrap();
    let place = |path: &str| project.outside().join(path).display().to_string();
    let named = Project::at(&project)
        .variable("KUBECONFIG", place("clusters/admin"))
        .variable("XDG_CONFIG_HOME", place("configuration"));
    for script in ["link", "variable", "moved"] {
        let tried = named.cuff(["run", script, "--contained"]);
        assert!(!tried.stdout.contains("a key\n") && tried.code != 0, "{script}: {tried:?}");
    }
}

#[test]
fn a_run_has_shared_memory_and_terminals_of_its_own() {
    if !tools::has_namespaces() {
        return tools::impossible("this system gives a run no mounts of its own");
    }
    let project = project(
        &json!({"all": "ls /dev/shm /dev/pts; python3 -c \"import multiprocessing, pty; multiprocessing.Lock(); pty.spawn(['tty'])\""}),
        "",
    );
    let all = called(&project, "all");
    assert!(text(&all).contains("/dev/pts:\nptmx\n\n/dev/shm:\n/dev/pts/0\n"), "{}", text(&all));
}

/// A path that is not there has no cover, and a run must not make it: that would be cuff's preferences.
#[test]
fn a_run_makes_none_of_cuffs_own_files_where_they_are_not_there() {
    let forges =
        "mkdir -p config/cuff && echo 'noninteractive_yes: true' > config/cuff/preferences.yml; ls config";
    let project =
        project(&json!({"forge": forges, "hidden": "echo x > .env.later; true"}), "{hide: [.env.later]}");
    fs::create_dir_all(project.root().join("config")).unwrap();
    let place = project.root().join("config").display().to_string();
    let moved = Project::at(&project).variable("XDG_CONFIG_HOME", place);
    let tried = moved.cuff(["run", "forge", "--contained"]);
    assert!(is_refused(&tried.stderr), "{tried:?}");
    assert!(!project.root().join("config/cuff").exists(), "{tried:?}");
    let hidden = moved.cuff(["run", "hidden", "--contained"]);
    assert!(is_refused(&hidden.stderr) && !project.root().join(".env.later").exists(), "{hidden:?}");
}

/// Another mount of a hidden folder's files hides them, too.
#[test]
fn a_bind_mount_of_a_hidden_folder_is_hidden() {
    let project = project(&json!({"keys": "cat ../mounted/id"}), "");
    project.write("../home/.ssh/id", "a key\n");
    fs::create_dir_all(project.outside().join("mounted")).unwrap();
    let (keys, place) = (project.outside().join("home/.ssh"), project.outside().join("mounted"));
    if !nix::unistd::geteuid().is_root() || !tools::has_namespaces() {
        return tools::impossible("only root mounts");
    }
    let cuff = project.command(["run", "keys", "--contained"]);
    let mut shell = Command::new("unshare");
    shell.args([
        "-m",
        "sh",
        "-c",
        "mount --bind \"$1\" \"$2\" && cat \"$2/id\" && shift 2 && exec \"$@\"",
        "sh",
    ]);
    shell.args([&keys, &place]).arg(cuff.get_program()).args(cuff.get_args());
    shell.current_dir(project.root()).env_clear();
    shell.envs(cuff.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = shell.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.matches("a key\n").count(), 1, "{output:?}");
    assert!(is_refused(&String::from_utf8_lossy(&output.stderr)), "{output:?}");
}

/// cuff reads more than a run may, and a run may make links and edit sources.
#[test]
fn sources_tell_nothing_of_files_that_a_run_may_not_read() {
    let project = Project::empty();
    for (path, text) in [
        ("../home/.ssh/id", "private_line: a-key\n"),
        ("../home/.config/gh/package.json", r#"{"scripts": {"oauth-token": "x"}}"#),
        ("secrets/rules", ".PHONY: hidden-rule\nhidden-rule:\n"),
        ("Makefile", "include secrets/rules\n.PHONY: build\nbuild:\n\ttrue\n"),
    ] {
        project.write(path, text);
    }
    symlink("../home/.ssh/id", project.root().join("GNUmakefile.out")).unwrap();
    symlink("../home/.config/gh", project.root().join("web")).unwrap();
    symlink("../home/.ssh/id", project.root().join("deploy.sh")).unwrap();
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  commands: {config: {commands: {deploy: {run: [sh, deploy.sh], confirm: true}}}}\n  makefile: {config: {containment: {hide: [secrets/]}}}\n  \
         linked: {type: in_source, module: makefile, config: {makefile_path: GNUmakefile.out}}\n  \
         web: {type: in_source, module: packagejson, config: {working_directory: web}}\n",
    );
    let listed = project.cuff(["list"]);
    let why = project.cuff(["why", "deploy"]);
    assert!(why.stdout.contains("sh deploy.sh"), "{why:?}");
    let all = format!("{}{}{}{}", listed.stdout, listed.stderr, why.stdout, why.stderr);
    for secret in ["private_line", "a-key", "oauth", "hidden-rule"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    assert!(listed.stdout.contains("build"), "{all}");
    assert!(all.contains("a link leads out of the project, to "), "{all}");
}

#[test]
fn settings_name_no_place_within_another_that_a_run_can_lead_away() {
    let project = project(
        &json!({"first": "rm -r ../shared/sub && ln -s ../victim ../shared/sub", "second": "echo x > ../shared/sub/new; cat keys/pub.pem"}),
        "{write: [../shared/sub/, ../shared/], show: [keys/pub.pem]}",
    );
    for folder in ["shared/sub", "victim", "home/.ssh"] {
        fs::create_dir_all(project.outside().join(folder)).unwrap();
    }
    project.write("keys/pub.pem", "public\n");
    let first = called(&project, "first");
    assert!(text(&first).contains("succeeded"), "{first}");
    let second = called(&project, "second");
    assert!(text(&second).contains("by a link in a folder that runs write"), "{second}");
    assert!(!project.outside().join("victim/new").exists());
    // A path that is shown is looked at in the same way.
    fs::remove_file(project.outside().join("shared/sub")).unwrap();
    fs::remove_file(project.root().join("keys/pub.pem")).unwrap();
    project.write("../home/.ssh/id", "a key\n");
    symlink("../../home/.ssh/id", project.root().join("keys/pub.pem")).unwrap();
    let shown = called(&project, "second");
    assert!(!text(&shown).contains("a key"), "{shown}");
    assert!(text(&shown).contains("by a link in a folder that runs write"), "{shown}");
}
