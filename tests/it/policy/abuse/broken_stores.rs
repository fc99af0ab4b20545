//! A store that is full, read-only, broken, huge, or used by several at once.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{ledger, names, newest, scripts, store};
use crate::support::project::{Project, Run};
use crate::support::tools;

const LITTLE: &str = "scripts.script_scripts_little";
const SLOW: &str = "scripts.script_scripts_slow";

fn project() -> Project {
    scripts(&[
        ("little", "echo one; sleep 0.3; echo two >&2; exit 3"),
        ("much", "yes 0123456789abcdef | head -c 4000000; exit 3"),
        ("slow", "echo begun; sleep 60"),
    ])
}

/// Runs shell words where `$DATA` is a file system of half a megabyte that nobody else sees. `None`, said aloud, where
/// this user cannot have one.
fn on_a_small_disk(project: &Project, words: &str) -> Option<Run> {
    let data = project.outside().join("home/data");
    fs::create_dir_all(&data).unwrap();
    let script = format!("mount -t tmpfs -o size=512k tmpfs \"$DATA\" || exit 99\n{words}");
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
    project.surround(&mut command);
    command.env("DATA", &data).env("CUFF", env!("CARGO_BIN_EXE_cuff"));
    let run = Run::of(command);
    if run.code == 99 || run.stderr.contains("unshare failed") {
        // Some build servers let nobody mount anything.
        tools::impossible(&format!("no disk of its own: {}", run.stderr.trim()));
        return None;
    }
    Some(run)
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_end_of_the_log_and_not_the_run() {
    let project = project();
    let words = "
        $CUFF run scripts.script_scripts_little --json > before.json
        $CUFF run scripts.script_scripts_much --json > much.json; echo $?
        $CUFF runs list --json > list.json; echo $?
        $CUFF runs log | head -c 34; $CUFF runs log | wc -c
        $CUFF runs log $(ls \"$DATA/cuff/runs\" | head -n 1)
        cat /dev/zero > \"$DATA/rest\" 2>/dev/null
        ls \"$DATA/cuff/runs\" > names; $CUFF run scripts.script_scripts_little --json > full.json; echo $?
        ls \"$DATA/cuff/runs\" | cmp - names && echo nothing is left of it
        $CUFF runs prune --days 0 > prune; echo $?
        $CUFF run scripts.script_scripts_little --json > after.json; echo $?";
    let Some(run) = on_a_small_disk(&project, words) else { return };
    let json = |name: &str| -> Value { serde_json::from_str(&project.read(name)).unwrap() };
    let much = json("much.json");
    assert_eq!((&much["exit_code"], &much["output_bytes"]), (&3.into(), &4_000_000.into()));
    let why = much["unrecorded"].as_str().unwrap();
    assert!(why.contains("the log ends after ") && why.contains("No space left on device"), "{why}");
    let list = json("list.json");
    assert_eq!(list["runs"].as_array().unwrap().len(), 2);
    assert_eq!(list["runs"][1]["run_id"], json("before.json")["run_id"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[..4], ["3", "0", "0123456789abcdef", "0123456789abcdef"], "{}", run.stdout);
    let kept: u64 = lines[4].trim().parse().unwrap();
    assert!(kept > 100_000 && why.contains(&format!("after {kept} bytes")), "{kept}: {why}");
    let rest = ["one", "two", "3", "nothing is left of it", "0", "3"];
    assert_eq!(lines[5..], rest, "{}\n{}", run.stdout, run.stderr);
    let full = json("full.json");
    assert!(full["unrecorded"].is_string() && full.get("run_id").is_none(), "{full}");
    assert!(json("after.json").get("unrecorded").is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_store_is_read() {
    let project = project();
    let words = "
        $CUFF run scripts.script_scripts_little --json > before.json
        mount -o remount,ro \"$DATA\"
        $CUFF run scripts.script_scripts_little --json > after.json; echo $?
        $CUFF runs log; $CUFF runs show --json > show.json; echo $?; $CUFF runs prune --days 0; echo $?";
    let Some(run) = on_a_small_disk(&project, words) else { return };
    let json = |name: &str| -> Value { serde_json::from_str(&project.read(name)).unwrap() };
    let why = json("after.json")["unrecorded"].as_str().unwrap().to_owned();
    assert!(why.contains("Read-only file system"), "{why}");
    assert_eq!(json("show.json")["run_id"], json("before.json")["run_id"]);
    assert_eq!(run.stdout.lines().collect::<Vec<_>>()[..4], ["3", "one", "two", "0"], "{}", run.stdout);
    assert!(run.stdout.ends_with("\n1\n") && run.stderr.contains("Read-only file system"), "{}", run.stderr);
}

#[test]
fn a_store_that_is_none_says_so_and_tools_run_without_it() {
    let folder = |project: &Project| fs::create_dir_all(store(project).parent().unwrap()).unwrap();
    for break_it in [
        |store: &Path, _: &Path| fs::write(store, "a file").unwrap(),
        |store: &Path, other: &Path| symlink(other, store).unwrap(),
        |store: &Path, _: &Path| {
            fs::create_dir(store).unwrap();
            fs::set_permissions(store, fs::Permissions::from_mode(0o777)).unwrap();
        },
    ] {
        let project = project();
        folder(&project);
        break_it(&store(&project), &project.outside().join("tmp"));
        let run = project.cuff(["run", LITTLE, "--json"]).ended_with(3).json();
        assert!(run["unrecorded"].is_string() && run.get("run_id").is_none(), "{run}");
        let path = store(&project).display().to_string();
        for words in
            [["runs", "list"], ["runs", "show"], ["runs", "log"], ["runs", "stop"], ["runs", "prune"]]
        {
            let run = project.cuff(words).ended_with(1);
            assert!(run.stderr.contains(&path), "{words:?}: {}", run.stderr);
        }
        assert_eq!(names(&project.outside().join("tmp")), Vec::<String>::new(), "no link is followed");
    }
}

/// One broken file of one run, the name and what is done to it.
type Breakage = (&'static str, fn(&Path));

const BREAKAGES: &[Breakage] = &[
    ("meta.json", |file| fs::write(file, "").unwrap()),
    ("meta.json", |file| fs::write(file, "{\"format\": 1, \"id\": \"\u{1b}[2J\"").unwrap()),
    ("meta.json", |file| fs::write(file, r#"{"format": 1, "state": "[2Jno", "id": 1}"#).unwrap()),
    ("meta.json", |file| fs::write(file, r#"{"format": 2, "more": []}"#).unwrap()),
    ("meta.json", |file| fs::write(file, vec![b' '; 5 << 20]).unwrap()),
    ("meta.json", |file| fs::remove_file(file).unwrap()),
    ("meta.json", |file| {
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
    }),
    ("raw.index", |file| fs::write(file, "").unwrap()),
    ("raw.index", |file| fs::write(file, [0xff; 100]).unwrap()),
    ("raw.index", |file| fs::write(file, &fs::read(file).unwrap()[..30]).unwrap()),
    ("raw.index", |file| fs::write(file, [fs::read(file).unwrap(), vec![1; 4800]].concat()).unwrap()),
    ("raw.index", |file| fs::remove_file(file).unwrap()),
    ("raw.log", |file| fs::write(file, "").unwrap()),
    ("raw.log", |file| fs::remove_file(file).unwrap()),
];

#[test]
fn a_broken_file_of_a_run_costs_no_other_run_and_no_more_of_this_one() {
    let project = project();
    project.cuff(["run", LITTLE]).ended_with(3);
    let whole = newest(&project);
    for (at, (name, break_it)) in BREAKAGES.iter().enumerate() {
        thread::sleep(Duration::from_millis(2));
        project.cuff(["run", LITTLE]).ended_with(3);
        let broken = newest(&project);
        assert_ne!(broken, whole);
        break_it(&broken.join(name));
        let says = |words: &[&str]| {
            let run = project.cuff(words);
            assert!([0, 1].contains(&run.code), "{at} {name} {words:?}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{at} {name} {words:?}: {}", run.stderr);
            assert!(!format!("{}{}", run.stdout, run.stderr).contains('\u{1b}'), "{at} {name} {words:?}");
            run
        };
        let listed = says(&["runs", "list"]);
        assert_eq!((listed.code, listed.stdout.lines().count()), (0, 2), "{at} {name}: {}", listed.stdout);
        assert_eq!(
            listed.stdout.contains("unreadable"),
            *name == "meta.json",
            "{at} {name}: {}",
            listed.stdout
        );
        let show = says(&["runs", "show"]);
        assert_eq!(show.code, i32::from(*name == "meta.json" || !broken.join("raw.log").exists()));
        let log = says(&["runs", "log"]);
        if *name == "raw.log" {
            assert_eq!(log.stdout, "");
        } else {
            assert_eq!((log.code, log.stdout.as_str()), (0, "one\ntwo\n"), "{at} {name}: {}", log.stderr);
            assert_eq!(says(&["runs", "log", "--lines", "2"]).stdout, "two\n", "{at} {name}");
            let each = ["stdout", "stderr"].map(|stream| says(&["runs", "log", "--stream", stream]));
            let index = fs::read(broken.join("raw.index")).unwrap_or_default();
            let is_lost = index.len() < 24 || index[0] == 0xff;
            assert_eq!(
                each[0].stderr.contains("its index is damaged: from byte 0 on"),
                is_lost,
                "{at} {name}"
            );
            let mut both: Vec<&str> = each.iter().flat_map(|log| log.stdout.lines()).collect();
            both.sort_unstable();
            assert_eq!(
                both,
                ["one", "two"],
                "{at} {name}: what nobody knows the stream of is shown all the same"
            );
        }
        says(&["runs", "status"]);
        says(&["runs", "stop"]);
        let older = whole.file_name().unwrap().to_str().unwrap();
        assert_eq!(says(&["runs", "log", older]).stdout, "one\ntwo\n");
        fs::remove_dir_all(broken).unwrap();
    }
}

#[test]
fn names_that_are_no_ids_are_nobodys_and_a_copied_run_is_not_taken_for_another() {
    let project = project();
    project.cuff(["run", LITTLE]).ended_with(3);
    let run = newest(&project);
    for name in ["latest", "-", "ffff", "..."] {
        fs::create_dir(store(&project).join(name)).unwrap();
    }
    fs::write(store(&project).join("last-sweep"), "99999999999999\n").unwrap();
    let copy = store(&project).join("ffffffff-ffff-7fff-bfff-ffffffffffff");
    fs::create_dir(&copy).unwrap();
    for name in names(&run) {
        fs::copy(run.join(&name), copy.join(&name)).unwrap();
    }
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o700)).unwrap();
    let shown = project.cuff(["runs", "show"]).ended_with(1);
    assert!(shown.stderr.contains("it is of another run"), "{}", shown.stderr);
    assert_eq!(project.cuff(["runs", "list"]).succeeded().stdout.lines().count(), 2);
    // A sweep that a wrong clock put into the future does not stop those to come.
    project.cuff(["run", LITTLE]).ended_with(3);
    let swept: u64 = fs::read_to_string(store(&project).join("last-sweep")).unwrap().trim().parse().unwrap();
    assert!(swept < 99_999_999_999_999);
    project.cuff(["runs", "prune", "--days", "0", "--megabytes", "0"]).succeeded();
    assert_eq!(names(&store(&project)), ["-", "...", "ffff", "last-sweep", "latest"]);
}

#[test]
fn ten_thousand_runs_are_listed_by_reading_twenty() {
    let project = project();
    project.cuff(["run", LITTLE]).ended_with(3);
    let run = newest(&project);
    let meta = fs::read_to_string(run.join("meta.json")).unwrap();
    let id = run.file_name().unwrap().to_str().unwrap().to_owned();
    // Each that is read is marked, and so tells on itself.
    let (beginning, _) = meta.split_once("\n}\n").unwrap();
    copies(&project, 10_000, &format!("{beginning}\n}}\n"), &id);
    let begun = Instant::now();
    let listed = project.cuff(["runs", "list"]).succeeded();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(listed.stdout.lines().count(), 20);
    project.cuff(["runs", "show", &id]).succeeded();
    let read = names(&store(&project)).into_iter().filter(|name| {
        let meta = fs::read_to_string(store(&project).join(name).join("meta.json")).unwrap_or_default();
        meta.contains("interrupted")
    });
    assert_eq!(read.count(), 19, "the others were not read");
    many_decisions_name_their_runs(&project, &id);
    let swept = project.cuff(["runs", "prune", "--days", "1", "--json"]).succeeded().json();
    assert_eq!(swept["removed"].as_array().unwrap().len(), 10_000);
}

/// All ids are looked through once, and not again for each line.
fn many_decisions_name_their_runs(project: &Project, id: &str) {
    let file = ledger(project).join("audit.log");
    let text = fs::read_to_string(&file).unwrap();
    let ended = text.lines().find(|line| line.contains("\"ended\"")).unwrap();
    let lines: String =
        (0..600).map(|at| ended.replace(id, &format!("0000{at:04x}{}", &id[8..])) + "\n").collect();
    fs::write(&file, lines).unwrap();
    let begun = Instant::now();
    let decided = project.cuff(["audit", "--number", "600"]).succeeded().stdout;
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let line_start = |at: u32| format!("{at:04x}{}: ", &id[8..]);
    assert!((0..600).all(|at| decided.contains(&line_start(at))), "{decided}");
}

/// Makes older runs with this `meta.json` of the run of this id.
fn copies(project: &Project, count: u32, meta: &str, id: &str) {
    for at in 0..count {
        let other = format!("0000{at:04x}{}", &id[8..]);
        let folder = store(project).join(&other);
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        fs::write(folder.join("meta.json"), meta.replace(id, &other)).unwrap();
        fs::write(folder.join("raw.log"), "").unwrap();
    }
}

/// Begins a run that goes on, and waits until it has printed.
fn begun(project: &Project) -> Child {
    let mut cuff =
        project.command(["run", SLOW]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(cuff.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "begun\n");
    cuff
}

#[test]
fn concurrent_recording_and_pruning_keep_a_run_in_progress() {
    let project = project();
    let mut live = begun(&project);
    let runs: Vec<Child> = (0..8)
        .map(|_| {
            let mut command = project.command(["run", LITTLE]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut run in runs {
        assert_eq!(run.wait().unwrap().code(), Some(3));
    }
    let listed = project.cuff(["runs", "list", "--json"]).succeeded().json();
    let states = listed["runs"].as_array().unwrap();
    assert_eq!(states.iter().filter(|run| run["state"] == "ended" && run["lines"] == 2).count(), 8);
    // Copies for them to fight over.
    let (run, meta) = (newest(&project), fs::read_to_string(newest(&project).join("meta.json")).unwrap());
    let id = run.file_name().unwrap().to_str().unwrap();
    copies(&project, 500, &meta, id);
    let prunes: Vec<Child> = (0..4)
        .map(|_| {
            let mut command = project.command(["runs", "prune", "--days", "0", "--json"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for prune in prunes {
        let done = prune.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "what another one removed is no failure: {said}");
    }
    let left = project.cuff(["runs", "list", "--json"]).succeeded().json();
    let left = left["runs"].as_array().unwrap();
    assert_eq!((left.len(), &left[0]["state"]), (1, &Value::from("running")));
    assert!(project.cuff(["runs", "stop"]).succeeded().stdout.contains("stopped"));
    live.wait().unwrap();
    assert_eq!(project.cuff(["runs", "log"]).succeeded().stdout, "begun\n");
}

/// A run that was about to begin is not swept away.
#[test]
fn a_run_that_has_not_begun_is_not_pruned_at_once() {
    let project = project();
    project.cuff(["run", LITTLE]).ended_with(3);
    fs::remove_file(newest(&project).join("meta.json")).unwrap();
    project.cuff(["runs", "prune", "--days", "0", "--megabytes", "0"]).succeeded();
    assert!(newest(&project).join("raw.log").exists());
}

#[test]
fn following_a_run_ends_with_the_cuff_that_recorded_it() {
    let project = project();
    let mut recorder = begun(&project);
    let mut follow = project.command(["runs", "log", "--follow"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(follow.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert_eq!(first, "begun\n");
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while follow.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it follows for ever");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(project.cuff(["runs", "status", "--json"]).succeeded().json()["state"], "interrupted");
}

#[test]
fn stop_signals_no_stranger() {
    let project = project();
    let mut live = begun(&project);
    // A process is known by its id and when it started, in hundredths of a second: this one starts in a later one.
    thread::sleep(Duration::from_millis(50));
    // A stranger that leads a group of its own, as one with an id that was used before does.
    let mut stranger = std::os::unix::process::CommandExt::process_group(Command::new("sleep").arg("60"), 0)
        .spawn()
        .unwrap();
    let meta = newest(&project).join("meta.json");
    let until = Instant::now() + Duration::from_secs(10);
    let before = loop {
        let before = fs::read_to_string(&meta).unwrap();
        if before.contains("\"started\"") || Instant::now() > until {
            break before;
        }
        thread::sleep(Duration::from_millis(20));
    };
    for id in [u64::from(stranger.id()), 0, 1, u64::from(u32::MAX)] {
        let of_stranger = before
            .replace("\"group\": {\n    \"id\": ", &format!("\"group\": {{\n    \"id\": {id}, \"of\": "));
        assert_ne!(of_stranger, before);
        fs::write(&meta, of_stranger).unwrap();
        let stopped = project.cuff(["runs", "stop", "--json"]).ended_with(1).json();
        assert_eq!(stopped["stopped"], false, "{id}");
        assert!(!newest(&project).join("stopped").exists(), "{id}: nobody ended it");
        assert!(stranger.try_wait().unwrap().is_none() && live.try_wait().unwrap().is_none(), "{id}");
    }
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    fs::write(&meta, before).unwrap();
    assert_eq!(project.cuff(["runs", "stop", "--json"]).succeeded().json()["stopped"], true);
    live.wait().unwrap();
}
