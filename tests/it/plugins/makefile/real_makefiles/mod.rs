//! Real Makefiles: cuff reads the same targets from them as make, and runs nothing.

mod make_database;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::project::{Project, Run};
use crate::support::tools;

/// Listing a Makefile of the corpus that takes longer does not end: a debug build on a busy machine needs a tenth of it.
const LONGEST: Duration = Duration::from_secs(100);

/// A Makefile as `tests/projects/fetch makefiles` unpacked it.
#[derive(Debug)]
struct Makefile {
    /// `redis/src/Makefile`.
    name: String,
    file: PathBuf,
}

/// The output of `cuff makefile list --json`, as far as these tests need it.
#[derive(Debug)]
struct Listed {
    /// Targets, without the list tool.
    offered: BTreeSet<String>,
    /// Those of them that are there only under a condition.
    unsure: BTreeSet<String>,
    /// All texts about a problem, joined for each.
    problems: Vec<String>,
}

fn cache() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".cache/makefiles")
}

/// The Makefiles in the lock that are there.
///
/// Those from Debian may be missing where there is no apt; the others only where someone asked for that.
fn makefiles() -> Vec<Makefile> {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects/makefiles.lock.json");
    let lock = fs::read_to_string(lock).expect("the lock");
    let lock: BTreeMap<String, Value> = serde_json::from_str(&lock).expect("the lock, as fetch wrote it");
    let mut makefiles = Vec::new();
    for (name, project) in &lock {
        let folder = cache().join(name);
        if !folder.is_dir() {
            let may_skip =
                tools::may_skip() || (project["kind"] == "debian" && std::env::var_os("CI").is_none());
            assert!(
                may_skip,
                "{name} is missing: run tests/projects/fetch makefiles, or without a network set CUFF_TEST_OFFLINE=1"
            );
            // Past the capture of the test runner, which discards the output of passing tests.
            writeln!(std::io::stderr(), "SKIPPED the Makefiles of {name}, which is missing")
                .expect("standard error");
            continue;
        }
        for path in project["makefiles"].as_array().expect("a list of paths") {
            let path = path.as_str().expect("a path");
            makefiles.push(Makefile { name: format!("{name}/{path}"), file: folder.join(path) });
        }
    }
    makefiles
}

/// Lists a Makefile at its place, on a machine without programs but a make that reports its use: reading
/// needs none.
fn listed(makefile: &Makefile) -> Listed {
    // The settings are in the folder of the projects, outside of this repository, so that paths in them are
    // within the project.
    let (folder, file) = makefile.name.rsplit_once('/').expect("a file in its project's folder");
    let config =
        json!({ "working_directory": folder, "makefile_path": file, "extractor": "simple", "targets": "*" });
    let settings = json!({
        "version": "1",
        "plugins": { "makefile": { "enabled": true, "type": "in_source", "config": config } },
    });
    let file = tempfile::Builder::new().suffix(".yml").tempfile_in(cache()).expect("the cache");
    // JSON is YAML.
    fs::write(file.path(), settings.to_string()).expect("a file of ours");
    let project = Project::empty();
    project.script("make", "#!/bin/sh\n: > \"$0.ran\"\n");
    let root = project.root().to_owned();
    let project = project.variable("PATH", &root);
    let start = Instant::now();
    let run = project
        .cuff(["makefile", "list", "--json", "--config", file.path().to_str().expect("a path of ours")])
        .succeeded();
    assert!(start.elapsed() < LONGEST, "{} took {:?}", makefile.name, start.elapsed());
    assert!(!root.join("make.ran").exists(), "{}: make was started", makefile.name);
    read(&run)
}

fn read(run: &Run) -> Listed {
    let said = run.json();
    let list =
        |key: &str| said[key].as_array().unwrap_or_else(|| panic!("no list {key:?} in {said}")).clone();
    let mut tools = list("tools");
    tools.retain(|tool| tool["local"] != "make_list_targets");
    let text = |tool: &Value, key: &str| {
        tool[key].as_str().unwrap_or_else(|| panic!("no {key} in {tool}")).to_owned()
    };
    let offered: Vec<String> = tools.iter().map(|tool| text(tool, "original")).collect();
    let unsure = tools.iter().filter(|tool| text(tool, "description").contains(" (only if "));
    let unsure = unsure.map(|tool| text(tool, "original")).collect();
    let names: BTreeSet<String> = offered.iter().cloned().collect();
    assert_eq!(names.len(), offered.len(), "each target is offered once: {offered:?}");
    Listed { offered: names, unsure, problems: list("problems").iter().map(ToString::to_string).collect() }
}

#[test]
fn real_makefiles_are_read_as_make_reads_them() {
    let makefiles = makefiles();
    let scratch = Project::empty();
    let (mut compared, mut offered, mut missed) = (0, 0, Vec::new());
    for makefile in &makefiles {
        let listed = listed(makefile);
        let Some(explicit) = make_database::targets(&makefile.file, &scratch) else { continue };
        // A rule such as `%: common-% ;` forwards `lint` to `common-lint`, which make knows.
        // A target that redis needs and has no rule for is made by its `.DEFAULT`.
        let is_caught = |name: &str| (makefile.name.as_str(), name) == ("redis/Makefile", "all");
        let is_known = |name: &&String| {
            explicit.contains_key(*name)
                || explicit.contains_key(&format!("common-{name}"))
                || is_caught(name.as_str())
        };
        let invented = listed.offered.difference(&listed.unsure).filter(|name| !is_known(name));
        let invented: Vec<_> = invented.collect();
        assert!(
            invented.is_empty(),
            "{}: {invented:?} are offered, and make knows none of them",
            makefile.name
        );
        compared += 1;
        offered += listed.offered.len();
        for (name, target) in &explicit {
            if target.phony && target.does && !listed.offered.contains(name) && listed.problems.is_empty() {
                missed.push(format!("{}: {name}", makefile.name));
            }
        }
    }
    assert!(missed.is_empty(), "neither offered nor is anything said:\n  {}", missed.join("\n  "));
    // Should the projects in the lock change, the variety must not go with them.
    if makefiles.len() >= 60 {
        assert!(compared >= 50 && offered >= 400, "{compared} compared, {offered} offered");
    }
}

/// `confirm` is suggested for little, and for reasons that a person shares: a list that names everything is not read.
#[test]
fn few_targets_of_real_makefiles_look_irreversible() {
    for (name, expected) in [
        (
            "prometheus",
            "docker-manifest docker-publish docker-publish-amd64 \
             docker-publish-arm64 docker-publish-armv7 docker-publish-ppc64le \
             docker-publish-s390x",
        ),
        ("git", ""),
        ("fzf", "release"),
        ("skopeo", ""),
        ("git-lfs", ""),
        ("debug", ""),
        ("toybox", ""),
        ("musl", ""),
        ("libpod", "localsystem remotesystem"),
        ("psutil", "git-tag-release release"),
    ] {
        let folder = cache().join(name);
        if !folder.join("Makefile").is_file() {
            continue;
        }
        let words = [
            "-C",
            folder.to_str().expect("a path of ours"),
            "init",
            "--yes",
            "--dry-run",
            "--plugins",
            "makefile",
        ];
        let written = Project::empty().cuff(words).succeeded().stdout;
        let confirmed = written.lines().map(str::trim).skip_while(|line| *line != "confirm:").skip(1);
        let mut names: Vec<&str> = confirmed.map_while(|line| line.strip_prefix("- ")).collect();
        names.sort_unstable();
        assert_eq!(
            names.join(" "),
            expected.split_whitespace().collect::<Vec<_>>().join(" "),
            "{name}: {written}"
        );
    }
}
