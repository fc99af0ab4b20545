//! `cuff run --recursive --on`: the packages of a workspace on a runner whose nodes fail.

use serde_json::json;

use crate::support::project::Project;

/// The client of an engine whose nodes have an npm of their own. It counts the tries of a package, and the first one of some is lost.
const CLIENT: &str = r#"#!/bin/sh
# The words are those of the shell on the node: sh -c TEXT cuff ID FOLDER npm run test
here=${0%/*}
package=${6##*/}
echo tried >>"$here/$package"
PATH=$here/node:$PATH
case $package:$(wc -l <"$here/$package" | tr -d ' ') in
core:1)
    echo "no connection" >&2
    exit 255
    ;;
ui:1)
    setsid "$@" &
    while [ ! -s "/tmp/cuff-$5" ]; do sleep 0.02; done
    sleep 0.2
    kill -9 -- "-$!"
    rm "/tmp/cuff-$5"
    exit 137
    ;;
esac
exec "$@"
"#;

/// The npm of the nodes. The first test of `slow` hangs, and that of `ui` is cut off.
const NPM: &str = r#"#!/bin/sh
package=${PWD##*/}
tries=$(wc -l <"${0%/*}/../$package" | tr -d ' ')
echo "src/index.ts(1,2): error TS1000: try $tries of $package"
case $package:$tries in
ui:1 | slow:1) sleep 60 ;;
esac
echo "$package is tested"
"#;

/// app needs ui, ui needs core, slow needs nobody; some need confirmation.
fn workspace(confirm: &str) -> Project {
    let project = Project::empty();
    for (name, needs) in
        [("core", json!({})), ("ui", json!({"core": "*"})), ("app", json!({"ui": "*"})), ("slow", json!({}))]
    {
        let manifest = json!({"name": name, "scripts": {"test": "tsc"}, "dependencies": needs});
        project.write(&format!("packages/{name}/package.json"), manifest.to_string());
    }
    project.write("package.json", json!({"name": "root", "workspaces": ["packages/*"]}).to_string());
    let engine = project.outside().join("engine");
    std::fs::create_dir_all(engine.join("node")).expect("a folder beside the project");
    for (file, text) in [("client", CLIENT), ("node/npm", NPM)] {
        project.script(&format!("../engine/{file}"), text);
    }
    let engine = engine.display();
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nrunners:\n  cluster: {{via: [{engine}/client, '{{command}}'], stop: [sh, -c, '{{kill}}']}}\n\
             plugins:\n  packagejson: {{config: {{confirm: [{confirm}]}}}}\n"
        ),
    );
    project
}

#[test]
fn a_runner_that_is_none_is_told_once_and_the_record_names_the_one_that_ran() {
    let project = workspace("");
    let run = project.cuff(["run", "-r", "test", "--on", "nosuch"]).ended_with(64);
    assert_eq!(
        run.stderr, "error: No runner is called `nosuch` [CUFF_304]\nhelp: the runners are cluster\n",
        "{run:?}"
    );
    project.cuff(["run", "-r", "test", "--on", "cluster", "-j", "64", "--timeout", "2"]).succeeded();
    let shown = project.cuff(["runs", "show", "--json"]).succeeded().json();
    assert_eq!(shown["runner"], "cluster", "{shown}");
}

#[test]
fn lost_nodes_and_stragglers_are_tried_once_more_and_told() {
    let project = workspace("");
    let run =
        project.cuff(["run", "-r", "test", "--on", "cluster", "-j", "64", "--timeout", "2"]).succeeded();
    for line in [
        "note: core is run once more: Script could not be started: the runner `cluster` failed before the tool began: ",
        "note: ui is run once more: The runner `cluster` lost the tool",
        "note: slow is run once more: ",
        "4 runs: 4 ok; 3 at a second try (",
    ] {
        assert!(run.stderr.contains(line), "{line}: {run:?}");
    }
    let tested: Vec<&str> = run.stdout.lines().filter(|line| line.ends_with(" is tested")).collect();
    let at = |name: &str| {
        tested.iter().position(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {run:?}"))
    };
    assert!(tested.len() == 4 && at("core") < at("ui") && at("ui") < at("app"), "{run:?}");
    // One record: the logs of both tries, and the findings of the second alone.
    let log = project.cuff(["runs", "log"]).succeeded().stdout;
    for heading in [
        "── core, first try ──\nno connection\n",
        "── ui, first try ──\n",
        "── ui ──\n",
        "── slow, first try ──\n",
    ] {
        assert!(log.contains(heading), "{heading}: {log}");
    }
    let found = project.cuff(["runs", "diagnostics", "--json"]).json();
    let mut messages: Vec<&str> =
        found["diagnostics"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
    messages.sort_unstable();
    assert_eq!(messages, ["try 1 of app", "try 2 of core", "try 2 of slow", "try 2 of ui"], "{found}");
}

#[test]
fn a_second_loss_is_the_end_and_json_has_both_tries() {
    let project = workspace("");
    let client = CLIENT.replace("core:1)", "core:*)");
    project.script("../engine/client", client);
    let run = project.cuff(["run", "-r", "test", "--on", "cluster", "-j1", "--json"]).ended_with(125);
    let json = run.json();
    assert_eq!(json["results"].as_array().unwrap().len(), 1, "{json}");
    let core = &json["results"][0];
    let why = "Script could not be started: the runner `cluster` failed before the tool began: ";
    for error in [&core["error"], &core["first_try"]["error"]] {
        assert!(error.as_str().unwrap().starts_with(why), "{core}");
    }
    assert_ne!(core["run_id"], core["first_try"]["run_id"], "{core}");
    assert_eq!(json["not_run"], json!(["app.npm_test", "slow.npm_test", "ui.npm_test"]), "{json}");
}

#[test]
fn a_tool_that_requires_confirmation_is_not_run_twice() {
    let project = workspace("'*'");
    let shown = project.at_terminal(
        400,
        &[("[y/N", "y")],
        &["run", "-r", "test", "--on", "cluster", "--filter", "core"],
    );
    assert!(
        shown.text.contains("failed before the tool began") && !shown.text.contains("once more"),
        "{}",
        shown.text
    );
}

#[test]
fn more_packages_at_once_than_the_limit_of_descriptors_allows() {
    let project = Project::empty();
    let count = 60;
    for number in 0..count {
        let manifest = json!({"name": format!("part-{number}"), "scripts": {"test": "tsc"}});
        project.write(&format!("packages/part-{number}/package.json"), manifest.to_string());
    }
    project.write("package.json", json!({"name": "root", "workspaces": ["packages/*"]}).to_string());
    // A tool waits until all others have begun.
    let all = project.outside().join("all");
    std::fs::create_dir(&all).unwrap();
    let npm = format!(
        "#!/bin/sh\nulimit -Sn\n: >{all}/$$\nuntil [ \"$(ls {all} | wc -l)\" -ge {count} ]; do sleep 0.1; done\n",
        all = all.display()
    );
    project.script("../node/npm", npm);
    let node = project.outside().join("node");
    project.write(
        "settings.yml",
        format!(
            "version: '1'\nrunners:\n  cluster: {{via: [env, 'PATH={}:/usr/bin:/bin', '{{command}}'], stop: [sh, -c, '{{kill}}']}}\n\
             plugins:\n  packagejson: {{}}\n",
            node.display()
        ),
    );
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -Sn 200; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_cuff"), "run", "-r", "test"]);
    shell.args(["--on", "cluster", "-j", "60"]);
    project.surround(&mut shell);
    let run = crate::support::project::Run::of(shell).succeeded();
    assert!(run.stderr.contains("60 runs: 60 ok ("), "{run:?}");
    // The tools have the limit that cuff was started with.
    assert_eq!(run.stdout.lines().filter(|line| line.ends_with("| 200")).count(), 60, "{run:?}");
}
