//! Every run leaves a record without secrets, and a tool that requires confirmation runs once for each.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use cuff::model::{Beginning, RecordState, Revision, RunId};
use cuff::store::Store;
use serde_json::{Value, json};

use crate::support::mcp_session::{called, id_in};
use crate::support::process::until;
use crate::support::project::{Project, Run, files_below};
use crate::support::tools;

const SECRET: &str = "s3cr3t-of-the-test";

fn project() -> Project {
    let project = Project::empty().variable("TEST_TOKEN", SECRET);
    project.write(
        "Makefile",
        "both:\n\t@echo out $(TEST_TOKEN); echo err $$TEST_TOKEN >&2; exit 3\n\
         cut:\n\t@printf 'a s3cr3t-of'; sleep 0.3; printf -- '-the-test b\\n'\n\
         many:\n\t@seq 1 50000\n\
         slow:\n\t@echo begun; sleep 60\n\
         mark:\n\t@echo $(WORD) >> marks\n",
    );
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  makefile: {config: {confirm: 'mark', containment: 'off'}}\n",
    );
    project
}

/// Every file below a folder that holds this text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let holds = |file: &PathBuf| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).contains(text);
    files_below(folder).into_iter().filter(holds).map(|file| file.display().to_string()).collect()
}

#[test]
fn everyday_values_of_env_files_are_shown_and_doctor_says_which_are_not() {
    let project = Project::empty();
    project.write(".env", "DATABASE_NAME=customers\nAPP_URL=http://localhost:3000\nDATABASE_URL=postgres://me:hunter22!@db/customers\nOTHER=customary\n");
    project.write("Makefile", "show:\n\t@cat .env; echo src/customers.ts\n");
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {config: {}}\n");
    let shown = project.cuff(["run", "show"]).succeeded().stdout;
    assert!(shown.contains("DATABASE_NAME=customers\nAPP_URL=http://localhost:3000\n"), "{shown}");
    assert!(shown.contains("postgres://me:[redacted:DATABASE_URL]@db/customers\n"), "{shown}");
    assert!(shown.contains("OTHER=[redacted:OTHER]\nsrc/customers.ts\n"), "{shown}");
    let doctor = project.cuff(["doctor"]).stdout;
    assert!(doctor.contains(".env: 2 values never shown in output: DATABASE_URL, OTHER\n"), "{doctor}");
}

#[test]
fn secrets_reach_nobody() {
    let project = project();
    project.write(".env", "FROM_DOTENV='s3cr3t-of-the-file' # x\nNODE_ENV=production\n");
    project.write("show.mk", "file:\n\t@cat .env; echo production\n");
    let run = project.cuff(["run", "both"]).ended_with(2);
    assert!(
        run.stdout.contains("out [redacted:TEST_TOKEN]") && run.stderr.contains("err [redacted:TEST_TOKEN]")
    );
    let json = project.cuff(["run", "both", "--json"]).ended_with(2).json();
    assert!(json["output"].as_str().unwrap().contains("[redacted:TEST_TOKEN]"));
    let cut = project.cuff(["run", "cut"]).succeeded();
    assert_eq!(cut.stdout, "a [redacted:TEST_TOKEN] b\n");
    let over_mcp = called(&project, "makefile.make_both", &json!({}));
    assert!(
        over_mcp.to_string().contains("[redacted:TEST_TOKEN]") && !over_mcp.to_string().contains(SECRET),
        "{over_mcp}"
    );
    let file = project.cuff(["makefile", "run", "--makefile", "show.mk", "file"]).succeeded().stdout;
    assert!(file.contains("FROM_DOTENV='[redacted:FROM_DOTENV]'") && file.contains("production"), "{file}");
    // grep puts colours around its match, in the middle of the value.
    project.write("grep.mk", "part:\n\t@grep --color=always of-the .env; exit 1\n");
    let coloured = ["makefile", "run", "--makefile", "grep.mk", "--json", "part"];
    let coloured = project.cuff(coloured).ended_with(2).json().to_string();
    assert!(coloured.contains("[redacted:FROM_DOTENV]") && !coloured.contains("of-the"), "{coloured}");
    let word = project.cuff(["run", "both", "--", &format!("V={SECRET}")]).ended_with(2);
    assert!(!word.stdout.contains(SECRET));
    let all = project.cuff(["runs", "show"]).succeeded();
    assert!(!all.stdout.contains(SECRET), "{}", all.stdout);
    assert_eq!(holding(&project.outside().join("home"), "s3cr3t-of-the"), Vec::<String>::new());
}

/// Also where nothing is started that could print one.
#[test]
fn a_dry_run_shows_no_secret() {
    let project = Project::empty().variable("TEST_TOKEN", SECRET).variable("SPACED_TOKEN", "two words");
    project.write("package.json", json!({"scripts": {"hi": format!("echo {SECRET}")}}).to_string());
    let words = ["packagejson", "run", "hi", "--dry-run", "--"];
    let line = project.cuff(words.iter().chain(&[SECRET, "two words"])).succeeded().stdout;
    assert_eq!(line, "Would execute: npm run hi -- '[redacted:TEST_TOKEN]' '[redacted:SPACED_TOKEN]'\n");
    let words = ["packagejson", "run", "hi", "--dry-run", "--json", "--"];
    let json = project.cuff(words.iter().chain(&[SECRET])).succeeded().json();
    assert!(
        json.to_string().contains("[redacted:TEST_TOKEN]") && !json.to_string().contains(SECRET),
        "{json}"
    );
    project.write("settings.yml", "version: '1'\nplugins: {packagejson: {}}\n");
    let agent = called(&project, "packagejson.npm_hi", &json!({"dry_run": true, "extra_args": SECRET}));
    assert!(
        agent.to_string().contains("[redacted:TEST_TOKEN]") && !agent.to_string().contains(SECRET),
        "{agent}"
    );
}

/// As `tail -f | grep` would, and no line that is not whole yet.
#[test]
fn a_log_that_grows_is_followed_by_what_it_contains() {
    let project = Project::empty();
    project.write(
        "Makefile",
        "ticks:\n\t@echo tick 1; echo tock; printf ti; sleep 1; echo ck 2; sleep 1; printf 'tick 3'\n",
    );
    project.cuff(["init", "--yes"]).succeeded();
    let mut run = project.command(["run", "--quiet", "ticks"]).stdout(Stdio::null()).spawn().unwrap();
    until("it has begun", || project.cuff(["runs", "log"]).stdout.contains("tock"));
    let followed = project.cuff(["runs", "log", "--follow", "--containing", "TICK"]).succeeded();
    assert_eq!(followed.stdout, "1: tick 1\n3: tick 2\n4: tick 3\n");
    assert!(run.wait().unwrap().success());
    let followed = project.cuff(["runs", "log", "-f", "--containing", "tick", "--tail", "1"]).succeeded();
    assert_eq!(followed.stdout, "4: tick 3\n");
}

#[test]
fn every_run_leaves_a_record_whoever_asked() {
    let project = project();
    assert!(project.cuff(["runs", "list"]).succeeded().stderr.contains("no runs were recorded yet"));
    let human = project.cuff(["run", "both", "--json"]).ended_with(2).json();
    let agent = called(&project, "makefile.make_many", &json!({}));
    let agent = &agent["structuredContent"];
    let listed = project.cuff(["runs", "list", "--json"]).succeeded().json();
    let ids: Vec<&Value> = listed["runs"].as_array().unwrap().iter().map(|run| &run["run_id"]).collect();
    assert_eq!(ids[1], &human["run_id"], "the newest first");
    assert!(ids[0].as_str().unwrap().ends_with(agent["run_id"].as_str().unwrap()), "{ids:?}: {agent}");
    let (of_agent, of_human) = (&listed["runs"][0], &listed["runs"][1]);
    assert_eq!((&of_agent["caller"], &of_agent["lines"]), (&json!("agent"), &json!(50_000)));
    assert_eq!((&of_human["exit_code"], &of_human["error_code"]), (&json!(2), &json!("MAKE_302")));
    let id = human["run_id"].as_str().unwrap();
    let log = |words: &[&str]| project.cuff(["runs", "log"].iter().chain(words)).succeeded().stdout;
    assert_eq!(log(&["--tail", "2"]), "49999\n50000\n");
    assert_eq!(log(&["--lines", "..100", "--tail", "1"]), "100\n");
    assert_eq!(log(&["--tail", "1", "--follow"]), "50000\n");
    // More than a page, as agents have it: each line once, with its number.
    let ones = (1..=50_000).map(|line| line.to_string()).filter(|line| line.contains('1'));
    let ones: String = ones.flat_map(|line| [line.clone(), ": ".to_owned(), line, "\n".to_owned()]).collect();
    assert_eq!(log(&["--containing", "1"]), ones);
    assert_eq!(log(&["--containing", "1", "--follow"]), ones);
    assert_eq!(log(&["--containing", "5", "--lines", "4..16", "--tail", "9"]), "15: 15\n");
    // The order of lines of two streams is uncertain; and make has a third.
    let (err, out) =
        (log(&[id, "--containing", "ERR ["]), log(&[id, "--containing", "[", "--stream", "stdout"]));
    let [(at, err), (other, out)] = [&err, &out].map(|line| line.split_once(": ").unwrap());
    assert_eq!([err, out], ["err [redacted:TEST_TOKEN]\n", "out [redacted:TEST_TOKEN]\n"]);
    assert!(at != other && [at, other].iter().all(|at| ["1", "2", "3"].contains(at)), "{at} and {other}");
    let found = project.cuff(["runs", "log", "--containing", "1", "--json"]).succeeded().json();
    let asked = json!({"run": "latest", "containing": "1"});
    let agents = &called(&project, "runs.log", &asked)["structuredContent"];
    for key in ["text", "shown", "lines", "next_line"] {
        assert_eq!((&found[key], found[key].is_null()), (&agents[key], false), "{key}");
    }
    let none = project.cuff(["runs", "log", "--containing", "x"]).succeeded();
    assert_eq!(none.stderr, "none of these lines contains it: the log has 50000 lines\n");
    assert_eq!(log(&["latest", "--lines", "31337..31339"]), "31337\n31338\n31339\n");
    assert_eq!(log(&["--lines", "49999.."]), "49999\n50000\n");
    assert_eq!(log(&[id, "--stream", "stdout"]), "out [redacted:TEST_TOKEN]\n");
    assert!(log(&[id, "--stream", "stderr"]).starts_with("err [redacted:TEST_TOKEN]\n"));
    assert_eq!(log(&[]).lines().count(), 50_000);
    let audit = project.cuff(["audit"]).succeeded().stdout;
    for (caller, run, ending) in [("human", of_human, "exit code 2"), ("agent", of_agent, "ok")] {
        let id = run["run_id"].as_str().unwrap();
        let tool = run["tool"].as_str().unwrap();
        let line = format!("  ended      {caller:5}  {tool}  run {}: {ending}\n", &id[id.len() - 8..]);
        assert!(audit.contains(&line), "{line} in\n{audit}");
    }
    let unknown = project.cuff(["runs", "show", "ffff"]).ended_with(1);
    assert!(
        unknown
            .stderr
            .contains("no run has an id that begins or ends with ffff, and no tool of that name ran here"),
        "{}",
        unknown.stderr
    );
    assert!(
        project.cuff(["runs", "log", "--lines", "0..3"]).ended_with(64).stderr.contains("lines count from 1")
    );
}

#[test]
fn a_store_that_cannot_be_written_costs_the_record_and_not_the_run() {
    let project = project();
    let file = project.outside().join("a-file");
    fs::write(&file, "").unwrap();
    let project = project.variable("XDG_DATA_HOME", &file);
    let run = project.cuff(["run", "both"]).ended_with(2);
    assert!(run.stdout.contains("out ["));
    assert!(run.stderr.contains("warning: this run was not recorded: "), "{}", run.stderr);
    let json = project.cuff(["run", "both", "--json"]).ended_with(2).json();
    assert!(json["unrecorded"].is_string() && json.get("run_id").is_none());
}

#[test]
fn a_run_can_be_stopped_from_elsewhere_and_one_whose_cuff_was_killed_is_marked() {
    let project = project();
    for kill in [false, true] {
        let mut cuff =
            project.command(["run", "slow"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(cuff.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "begun\n");
        assert_eq!(project.cuff(["runs", "status", "--json"]).succeeded().json()["state"], "running");
        if kill {
            cuff.kill().unwrap();
        } else {
            // Its output may be read before its start is known, so the test waits for that.
            let offered = project.cuff(["__complete", "bash", "cuff", "runs", "stop", ""]).succeeded().stdout;
            assert_eq!(offered.lines().count(), 2, "this one alone: {offered}");
            project.cuff(["runs", "stop"]).succeeded();
        }
        cuff.wait().unwrap();
        let status = project.cuff(["runs", "status", "--json"]).succeeded().json();
        let expected = if kill { "interrupted" } else { "ended" };
        assert_eq!(status["state"], expected, "{status}");
        let printed = project.cuff(["runs", "status"]).succeeded().stdout;
        let word = if kill { "interrupted" } else { "cancelled (" };
        assert!(printed.starts_with(&format!("slow: {word}")), "{printed}");
        assert_eq!(project.cuff(["runs", "log"]).succeeded().stdout.lines().next(), Some("begun"));
        let again = project.cuff(["runs", "stop"]).ended_with(1).stderr;
        assert!(again.contains(&format!("was not stopped: it has ended: {word}")), "{again}");
        // The next id is of another millisecond.
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn stop_means_the_newest_run_in_progress() {
    let project = project();
    let mut slow =
        project.command(["run", "slow"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(slow.stdout.take().unwrap()).read_line(&mut line).unwrap();
    project.cuff(["run", "both"]).ended_with(2);
    let other = project.cuff(["runs", "stop", "both"]).ended_with(1).stderr;
    assert!(other.contains("both was not stopped: it has ended"), "{other}");
    assert_eq!(project.cuff(["runs", "stop"]).succeeded().stdout, "stopped slow\n");
    slow.wait().unwrap();
}

#[test]
fn a_name_that_several_tools_have_means_the_newest_run_of_them() {
    if tools::require("npm").is_none() {
        return;
    }
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"test": "echo of npm"}}"#);
    project.write("Makefile", "test:\n\t@echo of make\n");
    project.write("settings.yml", "version: '1'\nplugins: {makefile: {}, packagejson: {}}\n");
    for (tool, printed) in [("npm_test", "of npm"), ("make_test", "of make"), ("npm_test", "of npm")] {
        project.cuff(["run", tool]).succeeded();
        let log = project.cuff(["runs", "log", "test"]).succeeded().stdout;
        assert_eq!(log.lines().last(), Some(printed), "{log}");
    }
    let none = project.cuff(["runs", "log", "lint"]).ended_with(1).stderr;
    assert!(none.contains("no tool of that name ran here"), "{none}");
}

/// A listed id can be typed, and a tool's name works as well.
#[test]
fn a_run_is_named_by_the_end_of_its_id_or_by_its_tool() {
    let project = project();
    for _ in 0..7 {
        project.cuff(["run", "many", "--quiet"]).succeeded();
    }
    project.cuff(["run", "both"]).ended_with(2);
    let listed = project.cuff(["runs"]).succeeded().stdout;
    let ids = |text: &str| text.lines().map(|line| line[..8].to_owned()).collect::<Vec<_>>();
    let named = project.cuff(["runs", "list"]).succeeded().stdout;
    assert_eq!(ids(&listed), ids(&named), "`runs` alone lists them");
    let some = |words: &[&str]| project.cuff(words).succeeded().stdout;
    assert_eq!(
        ids(&some(&["runs", "both", "--all", "-n", "3"])),
        ids(&listed)[..1],
        "with what `list` takes"
    );
    assert_eq!(project.cuff(["runs", "--json"]).succeeded().json()["runs"].as_array().unwrap().len(), 8);
    assert_eq!(listed.lines().count(), 8);
    for line in listed.lines() {
        let (short, rest) = line.split_once(' ').unwrap();
        assert_eq!(short.len(), 8, "{line}");
        let shown = project.cuff(["runs", "show", short]).succeeded().stdout;
        assert!(shown.contains(&format!("  run      {short} (")), "{shown}");
        assert_eq!(shown.starts_with("both"), rest.contains("both"), "{shown}");
    }
    let whole = project.cuff(["runs", "show", "--json"]).succeeded().json()["run_id"].clone();
    let whole = whole.as_str().unwrap();
    let failed = project.cuff(["run", "both"]).ended_with(2).stderr;
    let id = failed.split("`cuff runs diagnostics ").nth(1).unwrap().split('`').next().unwrap();
    assert!(project.cuff(["runs"]).stdout.starts_with(id), "{failed}");
    for name in ["makefile.make_both", "make_both", "both"] {
        let log = project.cuff(["runs", "log", name]).succeeded().stdout;
        // The order in which the streams are read is not guaranteed.
        assert!(log.contains("out [") && log.contains("Error 3"), "{name}: {log}");
    }
    assert!(project.cuff(["runs", "status", "many"]).succeeded().stdout.starts_with("many: ok"));
    let none = project.cuff(["runs", "log", "cut"]).ended_with(1).stderr;
    assert!(none.contains("and no tool of that name ran here"), "{none}");
    let many = project.cuff(["runs", "log", &whole[..2]]).ended_with(1).stderr;
    let lines: Vec<&str> = many.lines().collect();
    assert_eq!(lines.len(), 7, "{many}");
    assert!(lines[0].contains("9 runs have an id") && lines[1].ends_with("the newest of them are"), "{many}");
    let first = lines[2].trim();
    assert!(first.starts_with(id) && first.contains("  both, ") && first.ends_with(" ago"));
}

#[test]
fn no_matching_runs_differs_from_no_runs() {
    let project = project();
    for command in [&["runs", "list"][..], &["audit"]] {
        let none = project.cuff(command).succeeded().stderr;
        assert!(none.contains("yet"), "{none}");
    }
    project.cuff(["run", "many", "--quiet"]).succeeded();
    let filtered = project.cuff(["runs", "list", "zzz"]).succeeded().stderr;
    let expected = "none of the recorded runs of this project is of a tool like `zzz`; `--all` has those of all projects\n";
    assert_eq!(filtered, expected);
    let filtered = project.cuff(["audit", "zzz"]).succeeded().stderr;
    assert!(
        filtered.starts_with("none of the decisions of this project is about a tool like `zzz`; `--all`")
    );
    for command in ["audit", "runs list"] {
        let zero = project.cuff(command.split(' ').chain(["-n", "0"])).ended_with(64).stderr;
        assert!(zero.contains("nothing would be shown; 1 is the least"), "{zero}");
    }
}

#[test]
fn decisions_are_of_this_project_and_shown_with_their_time() {
    let project = project().variable("TZ", "XYZ-05:30");
    project.cuff(["run", "many", "--quiet"]).succeeded();
    project.cuff(["run", "mark"]).ended_with(126);
    let elsewhere = project.outside().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::write(elsewhere.join("Makefile"), "far:\n\t@echo far\n").unwrap();
    fs::write(elsewhere.join("settings.yml"), "version: '1'\nplugins:\n  makefile: {}\n").unwrap();
    project.cuff(["-C", elsewhere.to_str().unwrap(), "run", "far"]).succeeded();
    let here = project.cuff(["audit"]).succeeded().stdout;
    assert!(here.contains("make_many") && !here.contains("make_far"), "{here}");
    let line = here.lines().find(|line| line.contains("make_mark")).unwrap();
    let words: Vec<&str> = line.split("  ").filter(|word| !word.is_empty()).map(str::trim).collect();
    let rule = "a person must say yes to it each time";
    assert_eq!(words[1..], ["waits for a yes", "human", "makefile.make_mark", rule], "{line}");
    let all = project.cuff(["audit", "--all", "--json"]).succeeded().json();
    let entries = all["decisions"].as_array().unwrap();
    let asked = entries.iter().find(|entry| entry["decision"] == "confirmation_required").unwrap();
    let seconds = asked["at"].as_u64().unwrap() / 1000 + (5 * 60 + 30) * 60;
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    assert!(words[0].ends_with(&format!(" {hours:02}:{minutes:02}:{:02}", seconds % 60)), "{line}");
    let ended = here.lines().find(|line| line.contains("  ended  ")).unwrap();
    let run = ended.split("  run ").nth(1).unwrap().split(':').next().unwrap();
    project.cuff(["runs", "show", run]).succeeded();
    let far = project.cuff(["audit", "far", "--all"]).succeeded().stdout;
    let place = format!("in {}", elsewhere.display());
    assert!(far.lines().count() == 2 && far.lines().all(|line| line.ends_with(&place)), "{far}");
}

#[test]
fn refusals_of_plugins_are_audited() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    project.cuff(["init", "--yes"]).succeeded();
    called(&project, "packagejson.npm_hi", &json!({"extra_args": "; rm -rf /"}));
    let said = project.cuff(["audit", "--json"]).succeeded().json();
    let last = &said["decisions"][0];
    assert_eq!(last["decision"], "refused", "{said}");
    assert_eq!(last["rule"], "what the call brought is refused [PKGJSON_304]");
    assert!(!last.to_string().contains("rm -rf"), "no value of an argument: {last}");
}

#[test]
fn without_an_id_only_a_run_of_this_project_is_stopped() {
    let project = project();
    let mut cuff =
        project.command(["run", "slow"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(cuff.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let elsewhere = project.outside().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let there =
        |words: &[&str]| project.cuff(["-C", elsewhere.to_str().unwrap(), "runs"].iter().chain(words));
    let refused = there(&["stop"]).ended_with(1);
    assert!(refused.stderr.contains("no run was recorded yet"), "{}", refused.stderr);
    let status = project.cuff(["runs", "status", "--json"]).succeeded().json();
    assert_eq!(status["state"], "running", "{status}");
    let none = there(&["list", "--all", "zzz"]).succeeded().stderr;
    assert!(none.contains("none of the recorded runs of all projects is of a tool like `zzz`"), "{none}");
    let stopped = there(&["stop", status["run_id"].as_str().unwrap()]).succeeded().stdout;
    assert_eq!(stopped, "stopped slow\n");
    cuff.wait().unwrap();
}

#[test]
fn a_dry_run_is_no_run_whatever_program_shows_it() {
    let project = project();
    project.write("Makefile", project.read("Makefile") + "broken: nothing-there\n");
    let runs = || project.cuff(["runs", "--json"]).succeeded().json()["runs"].as_array().unwrap().clone();
    let dry = project.cuff(["run", "many", "--dry-run"]).succeeded();
    assert_eq!((dry.stdout.as_str(), dry.stderr.as_str()), ("Would execute: make many\nseq 1 50000\n", ""));
    assert!(runs().is_empty(), "{:?}", runs());
    project.cuff(["run", "both"]).ended_with(2);
    let ran = runs();
    project.cuff(["run", "both", "--dry-run"]).succeeded();
    let failed = project.cuff(["run", "broken", "--dry-run"]).ended_with(2);
    assert!(failed.failed("the dry run of broken", "exit code 2, "), "{}", failed.stderr);
    assert!(!failed.stderr.contains("cuff runs"), "what is not kept is pointed to: {}", failed.stderr);
    let shape = project.cuff(["run", "both", "--dry-run", "--json"]).succeeded().json();
    assert_eq!((&shape["metadata"]["dry_run"], &shape["run_id"]), (&json!(true), &Value::Null), "{shape}");
    let long = format!("WORD={}", "x".repeat(30_000));
    for (extra, nowhere) in [("", false), (&*long, true)] {
        let arguments = json!({"dry_run": true, "extra_args": extra});
        let agent = called(&project, "makefile.make_both", &arguments);
        let shape = &agent["structuredContent"];
        let left = (&shape["run_id"], &shape["unrecorded"]);
        assert_eq!((left, &shape["success"]), ((&Value::Null, &Value::Null), &json!(true)), "{agent}");
        let text = agent["content"][0]["text"].as_str().unwrap();
        assert!(!text.contains("runs.") && !text.contains("\nrun: "), "{text}");
        assert_eq!(text.contains("they are nowhere, since a dry run is not recorded"), nowhere, "{text}");
    }
    assert_eq!(runs(), ran, "the newest run is the one that ran");
    let status = project.cuff(["runs", "status", "both"]).succeeded().stdout;
    assert!(status.contains("exit code 2"), "{status}");
    let audit = project.cuff(["audit"]).succeeded().stdout;
    assert_eq!(audit.matches("a dry run: ok").count(), 5, "{audit}");
}

fn marks(project: &Project) -> String {
    fs::read_to_string(project.root().join("marks")).unwrap_or_default()
}

#[test]
fn an_approval_is_good_for_one_run() {
    let project = project();
    let call = || called(&project, "makefile.make_mark", &json!({"extra_args": "WORD=a"}));
    let first = call();
    assert_eq!(
        (&first["isError"], &first["structuredContent"]["error_code"]),
        (&json!(true), &json!("MAKE_307"))
    );
    let id = id_in(&first.to_string());
    assert_eq!(id_in(&call().to_string()), id, "the same question is asked once");
    assert_eq!(marks(&project), "");
    let refused = project.cuff(["approve", &id]).ended_with(126);
    assert!(refused.stderr.contains("only a person at a terminal can answer"), "{}", refused.stderr);
    assert_eq!(project.cuff(["run", "mark", "--yes", "--", "WORD=a"]).ended_with(126).stdout, "");
    assert_eq!(marks(&project), "", "a flag that no person typed is no yes");

    // A person's action at a terminal, which the preferences of this user also allow to programs.
    prefer(&project, "noninteractive_yes: true\n");
    project.cuff(["approve", &id]).succeeded();
    let unsaid = project.cuff(["run", "mark"]).ended_with(126).stderr;
    assert!(unsaid.contains("help: nobody can be asked here; add `--yes`, which counts"), "{unsaid}");
    let other = called(&project, "makefile.make_mark", &json!({"extra_args": "WORD=b"}));
    assert_eq!(other["isError"], true, "the yes was to another plan");
    assert_eq!(call()["structuredContent"]["success"], true);
    assert_eq!(marks(&project), "a\n");
    let third = call();
    assert_eq!(third["isError"], true, "a yes is used up");
    let twice = id_in(&third.to_string());
    project.cuff(["approve", &twice]).succeeded();
    let back = project.cuff(["deny", &twice]).succeeded().stdout;
    assert!(back.starts_with("taken back, the yes was not used yet: makefile.make_mark in "), "{back}");
    assert!(call().to_string().contains("A person said no to this"));
    let audit = project.cuff(["audit"]).succeeded().stdout;
    for line in [
        format!("approved  human  makefile.make_mark  a person approved {id}, asked by agent"),
        format!("yes  agent  makefile.make_mark  a person approved {id}, and that is used up now"),
        format!("revoked  human  makefile.make_mark  a person took back the yes to {twice}, asked by agent"),
        "no  agent  makefile.make_mark  a person denied it lately".to_owned(),
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&audit).contains(&words(&line)), "{line}\n{audit}");
    }
    let call = || called(&project, "makefile.make_mark", &json!({"extra_args": "WORD=d"}));
    let third = call();
    project.cuff(["deny", &id_in(&third.to_string())]).succeeded();
    assert!(call().to_string().contains("A person said no to this"));
    project.cuff(["run", "mark", "--yes", "--", "WORD=c"]).succeeded();
    assert_eq!(marks(&project), "a\nc\n");
    let rehearsed = project.cuff(["run", "mark", "--dry-run"]).succeeded().stdout;
    let why = "`make -n` would show its lines, and is not started, since it requires confirmation";
    assert!(rehearsed.starts_with(&format!("Would execute: make mark\n{why}: `cuff why")), "{rehearsed}");

    let audit = project.cuff(["audit", "--json"]).succeeded().json();
    let decisions = audit["decisions"].as_array().unwrap();
    let counted = |what: &str| {
        let such = decisions.iter().filter(|entry| entry["decision"] == what);
        such.map(|entry| entry["count"].as_u64().unwrap_or(1)).sum::<u64>()
    };
    assert_eq!((counted("granted"), counted("denied")), (2, 2), "{decisions:?}");
    assert_eq!((counted("approved"), counted("revoked"), counted("rejected")), (2, 1, 1), "{decisions:?}");
    assert!(counted("confirmation_required") >= 4, "{decisions:?}");
    assert!(audit.to_string().contains("extra_args") && !audit.to_string().contains("WORD=a"));
}

/// A question waits until it is answered anywhere.
#[test]
fn a_terminal_answer_settles_the_persons_open_question() {
    let project = project();
    project.approve();
    let open = || project.cuff(["approvals"]).succeeded().stdout;
    for (keys, code) in [("y\r", 0), ("n\r", 126), ("\u{3}", 130)] {
        let left = project.cuff(["run", "mark", "--yes"]).ended_with(126);
        assert!(left.stderr.contains("a yes counts only at a terminal"), "{}", left.stderr);
        assert!(open().contains("waiting, asked 0 s ago by human"), "{}", open());
        let asked = project.answer_at_terminal(keys, &["run", "mark"]).ended_with(code);
        assert_eq!(asked.text.contains("Nothing was run"), code != 0, "{}", asked.text);
        assert!(!asked.text.contains("error"), "{}", asked.text);
        assert_eq!(open(), "", "{keys:?}");
    }
    let id = id_in(&called(&project, "makefile.make_mark", &json!({})).to_string());
    project.answer_at_terminal("y\r", &["run", "mark"]).succeeded();
    assert!(open().contains(&id), "an agent still waits for its own answer");
    project.at_terminal(80, &[], &["deny", &id]).succeeded();
    assert_eq!(open(), "", "who said no waits for nothing");
    assert_eq!(project.cuff(["approvals", "--json"]).succeeded().json()["approvals"][0]["state"], "denied");
}

/// Calls a target with this recipe, which runs one tool that requires confirmation and another. Both calls
/// come from inside a run and not from a person, with any preferences of this user. `cuff run -` does not
/// repeat them.
fn is_no_persons(project: &Project, recipe: &str) {
    project.write("Makefile", project.read("Makefile") + "\nnested:\n" + recipe);
    project.cuff(["run", "cut"]).succeeded();
    let answer = called(project, "makefile.make_nested", &json!({}));
    assert_eq!(answer["structuredContent"]["success"], true, "a run may start another: {answer}");
    assert_eq!(marks(project), "");
    let audit = project.cuff(["audit"]).succeeded().stdout;
    for line in
        ["  permitted        run    makefile.make_many ", "  waits for a yes  run    makefile.make_mark "]
    {
        assert!(audit.contains(line), "{line} in\n{audit}");
    }
    assert_eq!(project.cuff(["run", "-"]).succeeded().stdout, "a [redacted:TEST_TOKEN] b\n");
}

/// A run cannot show who started it.
#[test]
fn calls_from_inside_a_run_are_not_a_persons() {
    let project = project();
    prefer(&project, "noninteractive_yes: true\n");
    let mark = || called(&project, "makefile.make_mark", &json!({"extra_args": "WORD=a"}));
    let id = id_in(&mark().to_string());
    let (cuff, makefile) = (env!("CARGO_BIN_EXE_cuff"), project.read("Makefile"));
    is_no_persons(
        &project,
        &format!(
            "\t-@{cuff} run mark --yes -- WORD=b\n\t-@{cuff} approve {id}\n\t@{cuff} run many -- WORD=chosen\n"
        ),
    );
    // A confirmation would be for the Makefile as it was.
    project.write("Makefile", makefile);
    assert_eq!(id_in(&mark().to_string()), id, "nobody said yes to it");
}

/// Else a script would be a person by a word in front of it.
#[test]
#[cfg(target_os = "linux")]
fn a_run_that_takes_off_its_mark_is_no_person() {
    let project = project();
    prefer(&project, "noninteractive_yes: true\n");
    let bare = format!("env -u CUFF_RUN {}", env!("CARGO_BIN_EXE_cuff"));
    let away = bare.replacen("-u CUFF_RUN", "-u CUFF_RUN setsid -f", 1);
    is_no_persons(
        &project,
        &format!("\t-@{bare} run mark --yes -- WORD=b\n\t@{away} run many -- WORD=c; sleep 1\n"),
    );
}

/// Else an agent would have one thing read and another approved.
#[test]
fn a_person_reads_all_that_the_call_sets_and_no_line_of_the_agents_own() {
    let project = Project::empty();
    let settings = |environment: &str| {
        let text = "version: '1'\nplugins:\n  packagejson: {config: {confirm: 'mark', environment: ";
        project.write("settings.yml", format!("{text}{{{environment}}}}}}}\n"));
    };
    let script = |text: &str| {
        project.write("package.json", json!({"scripts": {"mark": text}}).to_string());
    };
    settings("");
    script("echo a >> marks");
    // A line of its own would be the agent's word for cuff's: no value has one.
    let lines = json!({"env": {"STAGE": "production\nabcdefgh  waiting"}});
    let refused = called(&project, "packagejson.npm_mark", &lines);
    assert!(refused.to_string().contains("The value of environment variable STAGE holds"), "{refused}");
    let forged = "production  abcdefgh  waiting, asked 0 min ago by human";
    let call = || called(&project, "packagejson.npm_mark", &json!({"env": {"STAGE": forged}}));
    let id = id_in(&call().to_string());
    let shown = project.cuff(["approvals"]).succeeded().stdout;
    let line = "STAGE='production  abcdefgh  waiting, asked 0 min ago by human' npm run mark";
    assert!(shown.contains(line), "{shown}");
    let held = "          contained: profile test, network loopback";
    assert_eq!(shown.lines().skip(3).collect::<Vec<_>>(), [held, "  │ echo a >> marks"], "{shown}");
    prefer(&project, "noninteractive_yes: true\n");
    let approved = project.cuff(["approve", &id]).succeeded().stdout;
    let rest: Vec<&str> = approved.lines().skip(3).collect();
    assert_eq!(rest, [held, "  │ echo a >> marks", "approved once, for the next 15 minutes"], "{approved}");

    // The confirmation was for this script under these settings.
    script("echo b >> marks");
    assert_ne!(id_in(&call().to_string()), id);
    script("echo a >> marks");
    settings("MODE: other");
    project.cuff(["approve", "settings", "--yes"]).succeeded();
    assert_ne!(id_in(&call().to_string()), id);
    assert_eq!(marks(&project), "");
    settings("");
    project.cuff(["approve", "settings", "--yes"]).succeeded();
    assert_eq!(call()["structuredContent"]["success"], true);
    assert_eq!(marks(&project), "a\n");
}

/// A person who is asked reads every word. Neither the caller nor an author of the project can hide one as a
/// secret.
#[test]
fn nobody_hides_a_word_from_the_person_who_is_asked() {
    let project = Project::empty();
    project.script("scripts/go.sh", "#!/bin/sh\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  scripts: {config: {patterns: ['scripts/*'], confirm: true}}\n",
    );
    let asked = |arguments: &Value| {
        let id = id_in(&called(&project, "scripts.script_scripts_go", arguments).to_string());
        let shown = project.cuff(["approvals"]).succeeded().stdout;
        let line = shown.lines().skip_while(|line| !line.starts_with(&id)).nth(1).unwrap().to_owned();
        assert!(line.ends_with("go.sh delete production"), "{line}");
        line
    };
    let line = asked(&json!({"args": ["delete", "production"], "env": {"MY_TOKEN": "production"}}));
    assert!(line.contains(" MY_TOKEN=production "), "{line}");
    project.write(".env", "WORD=production\n");
    asked(&json!({"args": ["delete", "production"]}));
}

#[test]
fn no_argument_and_no_variable_grants_a_yes() {
    let project = project();
    for variable in ["CI", "CUFF_YES", "NONINTERACTIVE", "XDG_CONFIG_HOME"] {
        let arguments = json!({"extra_args": "WORD=x", "env": {variable: "1"}});
        let answer = called(&project, "makefile.make_mark", &arguments);
        assert_eq!(answer["isError"], true, "{variable}");
    }
    for argument in ["yes", "confirm", "approve", "approved"] {
        let answer = called(&project, "makefile.make_mark", &json!({argument: true}));
        assert_eq!(answer["isError"], true, "{argument}");
    }
    let ci = project.variable("CI", "true");
    assert_eq!(ci.cuff(["run", "mark", "-y"]).ended_with(126).stdout, "");
    assert_eq!(marks(&ci), "");
}

/// Writes this user's preferences.
fn prefer(project: &Project, text: &str) {
    let folder = project.outside().join("home/config/cuff");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("preferences.yml"), text).unwrap();
}

#[test]
fn large_runs_do_not_wait_for_the_next_sweep() {
    let project = project();
    prefer(&project, "runs: {keep_bytes: 1MiB}\n");
    project.write(
        "Makefile",
        project.read("Makefile") + "\nlarge:\n\t@head -c 17000000 /dev/zero | tr '\\0' 'x'\n",
    );
    let run = || project.cuff(["run", "large", "--quiet"]).succeeded();
    let kept = || project.cuff(["runs", "--json"]).succeeded().json()["runs"].as_array().unwrap().len();
    run();
    assert_eq!(kept(), 1, "what has only just run is there");
    for _ in 0..3 {
        run();
    }
    assert_eq!(kept(), 2);
}

/// The beginning of a run of a tool that is no longer offered.
fn old_run() -> Beginning {
    Beginning {
        tool: "makefile.make_old".into(),
        called: None,
        project: "/project".into(),
        caller: "human".into(),
        command: vec![],
        directory: ".".into(),
        absolute_directory: None,
        arguments: None,
        call: None,
        script: None,
        is_several: false,
        runner: None,
        parent: None,
        revision: Revision::default(),
        is_pulled: false,
    }
}

#[test]
fn runs_are_kept_as_long_as_their_user_prefers() {
    let project = project();
    let store = Store::at(project.outside().join("home/data/cuff/runs"));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let of_age = |days: u64| RunId::new((now.as_secs() - days * 86_400) * 1000, [1; 10]);
    for days in [20, 40, 60, 80] {
        let beginning = old_run();
        drop(store.begin(of_age(days), beginning).unwrap());
    }
    let kept = || {
        [20, 40, 60, 80]
            .into_iter()
            .filter(|days| store.ids().expect("the store").contains(&of_age(*days)))
            .collect::<Vec<_>>()
    };
    prefer(&project, "runs: {keep_days: 70}\n");
    // The first run sweeps.
    project.cuff(["run", "both"]).ended_with(2);
    assert_eq!(kept(), [20, 40, 60]);
    for (text, said) in [
        ("runs: {keep_day: 1}\n", "`runs.keep_day` is not known here"),
        ("runs: {keep_days: x}\n", "`runs.keep_days` must be a whole number"),
        ("a: [\n", "these preferences are not used: "),
    ] {
        prefer(&project, text);
        let run = project.cuff(["runs", "prune"]).succeeded();
        assert_eq!(run.stdout, "removed 0 runs, 0 bytes\n", "{text}");
        assert!(run.stderr.contains("warning: ") && run.stderr.contains(said), "{text}: {}", run.stderr);
        assert!(run.stderr.contains("help: until that is mended, "), "{}", run.stderr);
    }
    assert_eq!(kept(), [20, 40, 60], "a slip of the pen removes nothing");
    assert!(
        project
            .cuff(["runs", "prune", "--days", "50"])
            .succeeded()
            .stdout
            .starts_with("removed 1 run of 1 project, ")
    );
    prefer(&project, "runs: {keep_days: 30, keep_bytes: 1GiB}\n");
    let would = project.cuff(["runs", "prune", "--dry-run"]).succeeded();
    assert!(would.stdout.starts_with("would remove 1 run of 1 project, "), "{}", would.stdout);
    let would = project.cuff(["runs", "prune", "--dry-run", "--json"]).succeeded().json();
    assert_eq!((would["would_remove"].as_array().map(Vec::len), &would["projects"]), (Some(1), &json!(1)));
    assert_eq!(kept(), [20, 40], "nothing was removed");
    assert!(project.cuff(["runs", "prune"]).succeeded().stdout.starts_with("removed 1 run of 1 project, "));
    assert_eq!(kept(), [20]);
    prefer(&project, "runs: {keep_days: 30, keep_bytes: 1}\n");
    project.cuff(["runs", "prune", "--megabytes", "100"]).succeeded();
    assert_eq!(kept(), [20], "flags win");
    project.cuff(["runs", "prune"]).succeeded();
    assert_eq!(store.ids().expect("the store"), []);
}

/// Preferences are a person's own: others may not write them.
#[test]
fn preferences_that_others_may_write_prefer_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = project();
    prefer(&project, "noninteractive_yes: true\n");
    let preferences = project.outside().join("home/config/cuff/preferences.yml");
    fs::set_permissions(&preferences, fs::Permissions::from_mode(0o666)).unwrap();
    let run: Run = project.cuff(["run", "mark", "--yes"]);
    assert_eq!((run.code, marks(&project).as_str()), (126, ""));
    for words in [&["run", "mark", "--yes"][..], &["makefile", "run", "mark", "--yes"], &["approve", "x"]] {
        let run = project.cuff(words).ended_with(126);
        assert!(run.stderr.contains("these preferences are not used: others may write it"), "{}", run.stderr);
        assert!(run.stderr.contains("help: run `chmod go-w "), "{}", run.stderr);
    }
}

/// `CUFF_KILLS=200` tries more moments.
#[test]
fn output_recorded_before_a_kill_survives_it() {
    let rounds: u64 = std::env::var("CUFF_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(30);
    let project = Project::empty();
    project.script("scripts/count.sh", "#!/bin/sh\ni=0; while :; do i=$((i+1)); echo $i; done\n");
    project
        .write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*.sh']}}}\n");
    let store = Store::at(project.outside().join("home/data/cuff/runs"));
    let mut marked = 0;
    // From the start until well after the first line, in an order that leaps about; a busy machine takes longer.
    let mut span = 60_000;
    for round in 0..rounds {
        let quiet =
            |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut cuff = quiet(&mut project.command(["run", "scripts/count.sh", "--timeout", "60"]));
        thread::sleep(Duration::from_micros(round * 7919 % span));
        let marked_before = marked;
        cuff.kill().unwrap();
        cuff.wait().unwrap();
        for id in store.ids().unwrap() {
            // A process that was just forked holds the lock until it has become the supervisor.
            let until = Instant::now() + Duration::from_secs(2);
            let run = loop {
                let run = store.run(id);
                if !matches!(&run, Ok(run) if matches!(run.state, RecordState::Running(_)))
                    || Instant::now() > until
                {
                    break run;
                }
                thread::sleep(Duration::from_millis(5));
            };
            // Before anything ran there may be no more than an empty folder.
            let Ok(run) = run else { continue };
            assert_eq!(run.state, RecordState::Interrupted, "round {round}");
            marked += 1;
            let log = store.log(id).unwrap();
            let mut bytes = Vec::new();
            log.each(0..log.bytes(), &mut |chunk| {
                bytes.extend_from_slice(chunk);
                ControlFlow::Continue(())
            })
            .unwrap();
            let text = String::from_utf8(bytes).unwrap();
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let counted = whole.lines().enumerate().all(|(at, line)| line == (at + 1).to_string());
            assert!(counted, "round {round}: every earlier byte is there, in order");
            assert_eq!(log.lines().unwrap(), text.lines().count() as u64, "round {round}");
        }
        fs::remove_dir_all(store.path()).ok();
        if marked == marked_before {
            span = (span * 5 / 4).min(4_000_000);
        }
    }
    assert!(marked > rounds / 4, "too few runs had begun to tell anything: {marked} of {rounds}");
    let still = || {
        let script = project.root().join("scripts/count.sh").display().to_string();
        fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok).any(|entry| {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains(&script)
        })
    };
    let until = Instant::now() + Duration::from_secs(2);
    while still() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(!still(), "something is left running two seconds later");
}

/// Without an id a command is about the current project; an id works from anywhere.
#[test]
fn runs_of_another_project_are_found_by_id_alone() {
    let (project, other) = (Project::empty(), Project::empty());
    other.script("scripts/far.sh", "#!/bin/sh\necho far\n");
    other.write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*.sh']}}}\n");
    let project = project.variable("XDG_DATA_HOME", other.outside().join("home/data"));
    other.cuff(["run", "scripts/far.sh"]).succeeded();
    let id = other.cuff(["runs", "show", "--json"]).succeeded().json()["run_id"].clone();
    let id = id.as_str().unwrap();
    fs::create_dir(other.root().join("sub")).unwrap();
    let within = other.command(["-C", "sub", "runs", "show"]).output().unwrap();
    assert!(within.status.success(), "a folder of a project is in it");
    for none in [&["runs", "show"][..], &["runs", "log"], &["runs", "stop"], &["runs", "diagnostics"]] {
        let run = project.cuff(none).ended_with(1);
        assert!(run.stderr.contains("no run was recorded yet") && run.stderr.contains("--all"), "{none:?}");
    }
    let listed = project.cuff(["runs", "list"]).succeeded();
    assert!(listed.stdout.is_empty() && listed.stderr.contains("--all"), "{}", listed.stderr);
    assert!(project.cuff(["runs", "list", "--all"]).succeeded().stdout.contains("far"));
    assert_eq!(project.cuff(["runs", "log", id]).succeeded().stdout, "far\n");
    // Agents have the runs of their project alone, as over MCP.
    let agent =
        |project: &Project, words: &[&str]| Project::at(project).variable("CLAUDECODE", "1").cuff(words);
    let hidden = agent(&project, &["runs", "log", id]).ended_with(1);
    let none = "error: no run was recorded yet [CUFF_301]\nhelp: each `cuff run` leaves one\n";
    assert_eq!(hidden.stderr, none);
    let listed = agent(&project, &["runs", "list", "--all"]).succeeded();
    let none = "none of the recorded runs is of this project\n";
    assert_eq!((listed.stdout.as_str(), listed.stderr.as_str()), ("", none));
    assert_eq!(agent(&other, &["runs", "log", id]).succeeded().stdout, "far\n");
}

/// A person ends a server by hand. An agent's server, or one with its own timeout, ends in time.
#[test]
fn long_running_tools_of_a_person_have_no_default_timeout() {
    let project = Project::empty();
    project.script("scripts/dev.sh", "#!/bin/sh\nsleep 2\necho served\n");
    project.script("scripts/build.sh", "#!/bin/sh\nsleep 2\necho built\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*.sh'], default_timeout: 1}}}\n",
    );
    assert_eq!(project.cuff(["run", "scripts/dev.sh"]).succeeded().stdout, "served\n");
    project.cuff(["run", "scripts/build.sh"]).ended_with(124);
    project.cuff(["run", "scripts/dev.sh", "--timeout", "1"]).ended_with(124);
}
