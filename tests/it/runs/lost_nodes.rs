//! A node of a Slurm that is gone while a package of a workspace runs on it.

use serde_json::json;

use crate::support::engines::Engine;
use crate::support::process::until;
use crate::support::project::{Project, Run};

/// Says where a package runs, and by which processes. It goes on until the test lets it.
const TEST: &str = "package=${PWD##*/}
cd ../..
echo tried >>tried-$package
tries=$(wc -l <tried-$package | tr -d ' ')
echo \"src/index.ts(1,2): error TS1000: try $tries of $package\"
step=$$
while [ \"$(ps -o comm= -p $step)\" != slurmstepd ]; do step=$(ps -o ppid= -p $step | tr -d ' '); done
echo \"$step $(ps -o pgid= -p $$)\" >new-$package
mv new-$package on-$SLURMD_NODENAME-$package
while [ ! -e go ]; do sleep 0.05; done
echo \"$package is tested\"
";

#[test]
fn a_package_on_a_node_that_is_gone_is_run_once_more_and_reported_once() {
    // The first node has room for one package. None comes to it afterwards, since nothing there says that the first one has ended.
    let Some(engine) = Engine::slurm_of(&[("first", 1), ("second", 8)]) else { return };
    let (name, value) = engine.variable.clone().expect("the settings of a Slurm");
    let project = Project::empty().variable(name, value);
    for package in ["core", "other", "slow"] {
        let manifest = json!({"name": package, "scripts": {"test": "sh ../../test.sh"}});
        project.write(&format!("packages/{package}/package.json"), manifest.to_string());
    }
    project.write("package.json", json!({"name": "root", "workspaces": ["packages/*"]}).to_string());
    project.write("test.sh", TEST);
    project.write(
        "settings.yml",
        "version: '1'\nrunners:\n  cluster: {type: slurm}\nplugins:\n  packagejson: {}\n",
    );
    let cuff = project.command(["run", "-r", "test", "--on", "cluster", "-j", "3", "--timeout", "15"]);
    let (run, lost) = std::thread::scope(|scope| {
        let run = scope.spawn(move || Run::of(cuff));
        let on = |node: &str| {
            let names = std::fs::read_dir(project.root()).expect("the project").filter_map(Result::ok);
            let mut names = names.map(|one| one.file_name().into_string().expect("a name"));
            names.find(|name| name.starts_with(&format!("on-{node}-")))
        };
        until("a package on each node", || on("first").is_some() && on("second").is_some());
        let lost = on("first").expect("a package");
        // All of the node goes at once: its daemon, the one of the step, and the tool.
        let kill = format!(
            "read step group <{lost}; kill -9 $(cat {}/slurmd-first.pid) $step; kill -s KILL -- -$group; : >go",
            engine.folder().display()
        );
        let killed =
            std::process::Command::new("sh").args(["-ec", &kill]).current_dir(project.root()).status();
        assert!(killed.expect("a shell").success());
        (run.join().expect("a run"), lost.replace("on-first-", ""))
    });
    let run = run.succeeded();
    assert_eq!(run.stderr.matches("is run once more").count(), 1, "{run:?}");
    assert!(
        run.stderr.contains(&format!("note: {lost} is run once more: The runner `cluster` lost the tool")),
        "{run:?}"
    );
    assert!(run.stderr.contains("3 runs: 3 ok; 1 at a second try ("), "{run:?}");
    assert_eq!(run.stdout.lines().filter(|line| line.ends_with(" is tested")).count(), 3, "{run:?}");
    let found = project.cuff(["runs", "diagnostics", "--json"]).json();
    let found = found["diagnostics"].as_array().expect("findings");
    let mut messages: Vec<&str> = found.iter().filter_map(|one| one["message"].as_str()).collect();
    messages.sort_unstable();
    let tried = |package| format!("try {} of {package}", if package == lost { 2 } else { 1 });
    let mut expected = ["core", "other", "slow"].map(tried);
    expected.sort_unstable();
    assert_eq!(messages, expected, "{found:?}");
}
