//! `cuff why` and `cuff run` ask one gate: of some hundreds of calls, of every caller, they say the same.

use std::collections::BTreeMap;
use std::thread;

use serde_json::Value;

use crate::support::project::Project;

/// Calls that are made of each tool.
const TOOLS: [&str; 7] = [
    "m.make_build",
    "m.make_deploy",
    "s.script_hello_sh",
    "s.script_sub_link_sh",
    "p.make_build",
    "p.make_loose",
    "n.make_build",
];
const WORDS: [&[&str]; 11] = [
    &[],
    &["-n"],
    &["A=1"],
    &["A=$(id)"],
    &["SHELL=/x/evil"],
    &["deploy"],
    &["--eval=x"],
    &["plain"],
    &["a;b"],
    &["-c", "evil.js"],
    &["--", "x"],
];
const VARIABLES: [&str; 7] =
    ["", "MODE=dev", "NODE_OPTIONS=--require=x", "A=`id`", "=1", "CI=true", "LD_PRELOAD=x"];
const FOLDERS: [&str; 5] = ["", "sub", "out", "../elsewhere", "nowhere"];
const CALLS: usize = 360;

fn project() -> Project {
    let project = Project::empty();
    let makefile = "build:\n\t@echo built $(A)\ndeploy:\n\t@echo deployed\n";
    project.write("Makefile", makefile);
    project.write("pinned/Makefile", format!("{makefile}loose:\n\t@echo loose\n"));
    project.script("scripts/hello.sh", "#!/bin/sh\necho hello \"$@\"\n");
    project.script("scripts/sub/link.sh", "#!/bin/sh\nexec node \"$@\"\n");
    project.write("sub/.keep", "");
    std::fs::create_dir(project.outside().join("elsewhere")).expect("a folder outside");
    std::os::unix::fs::symlink("../elsewhere", project.root().join("out")).expect("a link that leads out");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  \
         m: {module: makefile, config: {confirm: [deploy]}}\n  \
         n: {module: makefile, config: {words: none, env: [MODE]}}\n  \
         p: {module: makefile, config: {makefile_path: pinned/Makefile, trust: pinned}}\n  \
         s: {module: scripts, config: {patterns: [scripts/**/*.sh]}}\n",
    );
    project
}

/// The callers, each with the environment that marks it.
fn callers(project: &Project) -> [(&'static str, Project); 3] {
    [
        ("human", Project::at(project)),
        ("agent", Project::at(project).variable("CLAUDECODE", "1")),
        ("run", Project::at(project).inside_a_run()),
    ]
}

/// Numbers that look like chance and are the same each time.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    }
}

/// The outcome of a call, in the same words for both commands.
fn verdict(answer: &Value, is_why: bool) -> String {
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    if is_why && answer["decision"].is_string() {
        return match answer["decision"].as_str() {
            Some("refused") => format!("refused: {}", text("rule")),
            decision => decision.unwrap_or_default().to_owned(),
        };
    }
    if answer["confirmation_required"] == true {
        return "confirmation_required".to_owned();
    }
    if answer["run_id"].is_string() {
        return "permitted".to_owned();
    }
    format!("refused: {} [{}]", text("error"), text("error_code"))
}

#[test]
fn why_and_run_say_the_same_of_every_call() {
    let project = project();
    // The first look of an agent pins the settings and the texts; then one text changes, and another does not.
    Project::at(&project).variable("CLAUDECODE", "1").cuff(["list"]).succeeded();
    let makefile = project.read("pinned/Makefile").replace("@echo loose", "@echo changed");
    project.write("pinned/Makefile", makefile);

    let mut next = numbers(20_261_123);
    let calls: Vec<(usize, Vec<String>)> = (0..CALLS)
        .map(|_| {
            let mut words = vec![TOOLS[next(TOOLS.len())].to_owned(), "--json".to_owned()];
            let (variable, folder) = (VARIABLES[next(VARIABLES.len())], FOLDERS[next(FOLDERS.len())]);
            // Most calls have few oddities, so that each of them is what decides.
            if next(3) == 0 && !variable.is_empty() {
                words.extend(["--env".to_owned(), variable.to_owned()]);
            }
            if next(3) == 0 && !folder.is_empty() {
                words.extend(["--cwd".to_owned(), folder.to_owned()]);
            }
            if next(2) == 0 {
                words.push("--".to_owned());
                words.extend(WORDS[next(WORDS.len())].iter().map(|word| (*word).to_owned()));
            }
            (next(3), words)
        })
        .collect();
    let verdicts: Vec<String> = thread::scope(|scope| {
        let (project, halves) = (&project, calls.chunks(CALLS.div_ceil(2)));
        let threads: Vec<_> = halves.map(|calls| scope.spawn(move || compared(project, calls))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that compared")).collect()
    });
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for verdict in &verdicts {
        *counts.entry(verdict.split(':').next().unwrap_or_default()).or_default() += 1;
    }
    for kind in ["permitted", "confirmation_required", "refused"] {
        assert!(counts.get(kind).is_some_and(|count| *count >= 20), "too few of {kind}: {counts:?}");
    }
}

/// The verdict on each call, after both commands agreed on it.
fn compared(project: &Project, calls: &[(usize, Vec<String>)]) -> Vec<String> {
    let callers = callers(project);
    let compare = |(caller, words): &(usize, Vec<String>)| {
        let (name, project) = &callers[*caller];
        let ask = |command: &str| {
            let words = std::iter::once(command.to_owned()).chain(words.iter().cloned());
            let run = project.cuff(words);
            let text = if run.stdout.trim().is_empty() { &run.stderr } else { &run.stdout };
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {name}: {run:?}"))
        };
        let (why, ran) = (verdict(&ask("why"), true), verdict(&ask("run"), false));
        assert_eq!(why, ran, "{name}: {words:?}");
        why
    };
    calls.iter().map(compare).collect()
}
