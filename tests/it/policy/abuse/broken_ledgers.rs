//! A ledger that is newer, broken, stuck, or used by several at once.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ledger, names};
use crate::support::mcp_session::{McpSession, called, id_in};
use crate::support::project::{Project, Run};

fn project() -> Project {
    let project = Project::empty();
    project.write("Makefile", "mark:\n\t@echo $(WORD) >> marks\nplain:\n\t@echo plain; exit 3\n");
    project.write("settings.yml", "version: '1'\nplugins:\n  makefile: {config: {confirm: 'mark'}}\n");
    let preferences = project.outside().join("home/config/cuff");
    fs::create_dir_all(&preferences).unwrap();
    fs::write(preferences.join("preferences.yml"), "noninteractive_yes: true\n").unwrap();
    project
}

fn asked(project: &Project, word: &str) -> Run {
    project.cuff(["run", "mark", "--", &format!("WORD={word}")])
}

fn marks(project: &Project) -> String {
    fs::read_to_string(project.root().join("marks")).unwrap_or_default()
}

#[test]
fn a_broken_file_of_approvals_is_set_aside_and_said_to_be() {
    let breakages: &[fn(&Path)] = &[
        |file| fs::write(file, "not JSON").unwrap(),
        |file| fs::write(file, &fs::read(file).unwrap()[..100]).unwrap(),
        |file| fs::write(file, vec![b' '; 9 << 20]).unwrap(),
        |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        },
        |file| {
            fs::remove_file(file).unwrap();
            let pipe = Command::new("mkfifo").arg(file).status().unwrap();
            assert!(pipe.success());
        },
    ];
    for (at, break_it) in breakages.iter().enumerate() {
        let project = project();
        let id = id_in(&asked(&project, "a").ended_with(126).stderr);
        project.cuff(["approve", &id]).succeeded();
        break_it(&ledger(&project).join("approvals.json"));
        let again = asked(&project, "a").ended_with(126);
        assert_ne!(id_in(&again.stderr), id, "{at}: no answer in it counts");
        let shown = project.cuff(["approvals"]).succeeded();
        assert!(shown.stderr.contains("approvals.corrupt-"), "{at}: {}", shown.stderr);
        assert!(names(&ledger(&project)).iter().any(|name| name.starts_with("approvals.corrupt-")), "{at}");
        project.cuff(["approve", &id_in(&again.stderr)]).succeeded();
        asked(&project, "a").succeeded();
        assert_eq!(marks(&project), "a\n", "{at}");
    }
}

#[test]
fn a_newer_file_of_approvals_is_left_alone_and_refuses() {
    let project = project();
    fs::create_dir_all(ledger(&project)).unwrap();
    let file = ledger(&project).join("approvals.json");
    let newer = r#"{"format": 7, "approvals": {"x": true}}"#;
    fs::write(&file, newer).unwrap();
    let refused = asked(&project, "a").ended_with(126);
    assert!(refused.stderr.contains("was written by a newer cuff (format 7)"), "{}", refused.stderr);
    let over_mcp = called(&project, "makefile.make_mark", &json!({"extra_args": "WORD=a"}));
    assert_eq!(over_mcp["isError"], true);
    assert!(over_mcp.to_string().contains("newer cuff"), "{over_mcp}");
    project.cuff(["approvals"]).ended_with(1);
    project.cuff(["run", "plain"]).ended_with(2);
    assert_eq!((marks(&project), fs::read_to_string(&file).unwrap()), (String::new(), newer.to_owned()));
}

/// A cuff that was stopped (Ctrl-Z, SIGSTOP) while it wrote.
#[test]
fn a_lock_that_nobody_lets_go_of_makes_nobody_wait_for_ever() {
    let project = project();
    fs::create_dir_all(ledger(&project)).unwrap();
    for (lock, words, code) in [
        ("approvals.lock", vec!["run", "mark", "--", "WORD=a"], 126),
        ("audit.lock", vec!["run", "plain"], 2),
    ] {
        let mut held = Held::of(&ledger(&project).join(lock));
        let begun = Instant::now();
        let run = project.cuff(words).ended_with(code);
        assert!(begun.elapsed() < Duration::from_secs(30), "{lock}");
        assert!(run.stderr.contains("does not let go of it"), "{lock}: {}", run.stderr);
        assert_eq!(run.stdout.contains("plain"), lock == "audit.lock", "{lock}: {}", run.stdout);
        held.0.kill().unwrap();
        held.0.wait().unwrap();
    }
}

/// Python that holds a lock until it is killed.
struct Held(Child);

impl Held {
    fn of(file: &Path) -> Self {
        let script = "import fcntl, sys, time\nfile = open(sys.argv[1], 'a')\nfcntl.flock(file, fcntl.LOCK_EX)\n\
                      print('held', flush=True)\ntime.sleep(600)";
        let mut command = Command::new("python3");
        let mut child = command.args(["-c", script]).arg(file).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        assert_eq!(line, "held\n");
        Self(child)
    }
}

#[test]
fn an_audit_log_that_cannot_be_written_costs_the_line_and_not_the_run() {
    let project = project();
    fs::create_dir_all(ledger(&project).join("audit.log")).unwrap();
    let run = project.cuff(["run", "plain"]).ended_with(2);
    assert!(run.stdout.contains("plain"));
    assert!(run.stderr.contains("the audit log cannot be written: "), "{}", run.stderr);
}

/// Nobody could see later that a person had said yes.
#[test]
fn without_an_audit_log_nothing_runs_that_needs_a_yes() {
    for name in ["audit.log", "audit.decisions.log"] {
        let project = project();
        let id = id_in(&asked(&project, "a").ended_with(126).stderr);
        project.cuff(["approve", &id]).succeeded();
        let _ = fs::remove_file(ledger(&project).join(name));
        fs::create_dir_all(ledger(&project).join(name)).unwrap();
        let refused = asked(&project, "a").ended_with(126);
        assert!(refused.stderr.contains("the audit log cannot be written: "), "{}", refused.stderr);
        assert!(refused.stderr.contains("nothing was run; the user mends that"), "{}", refused.stderr);
        let by_hand = project.cuff(["run", "mark", "--yes", "--", "WORD=b"]).ended_with(126);
        assert!(by_hand.stderr.contains("the audit log cannot be written: "), "{}", by_hand.stderr);
        let over_mcp = called(&project, "makefile.make_mark", &json!({"extra_args": "WORD=a"}));
        assert_eq!(over_mcp["isError"], true);
        assert!(over_mcp.to_string().contains("the audit log cannot be written"), "{over_mcp}");
        assert_eq!(marks(&project), "", "{name}");
        fs::remove_dir(ledger(&project).join(name)).unwrap();
        asked(&project, "a").succeeded();
        assert_eq!(marks(&project), "a\n", "the yes was not used up: {name}");
    }
}

#[test]
fn thousands_of_refused_calls_push_nothing_out_of_the_audit_log() {
    let project = project();
    let id = id_in(&asked(&project, "a").ended_with(126).stderr);
    project.cuff(["approve", &id]).succeeded();
    asked(&project, "a").succeeded();
    let mut session = McpSession::begun(&project, &["--expose", "tools"]);
    for at in 0..1500 {
        let name = if at % 3 == 0 { format!("makefile.make_gone{at}") } else { "makefile.make_plain".into() };
        let env = format!("LD_{at}");
        let answer = session.call(&name, &json!({"env": {env: "x"}}));
        assert!(answer.to_string().contains("error"), "{answer}");
    }
    session.leave();
    let audit = project.cuff(["audit", "--json", "-n", "9999"]).succeeded().json();
    let all = audit["decisions"].as_array().unwrap();
    let of = |decision: &str| all.iter().filter(|entry| entry["decision"] == decision).collect::<Vec<_>>();
    assert!((200..=202).contains(&of("refused").len()), "{}", of("refused").len());
    let counted: u64 = of("refused").iter().map(|entry| entry["count"].as_u64().unwrap_or(1)).sum();
    assert_eq!(counted, 1500, "each is counted");
    assert_eq!((of("approved").len(), of("granted").len(), of("pinned").len()), (1, 1, 1));
    let shown = project.cuff(["audit"]).succeeded().stdout;
    let first = shown.lines().next().unwrap();
    assert!(first.contains("more refusals of this caller") && first.contains(" times since "), "{shown}");
}

#[test]
fn a_call_of_an_unknown_tool_has_a_line() {
    let project = project();
    let long = format!("makefile.make_{}\u{1b}[2J\u{202e}", "x".repeat(300));
    assert_eq!(called(&project, &long, &json!({}))["isError"], true);
    project.cuff(["run", "nothing"]).ended_with(127);
    let audit = project.cuff(["audit", "--json"]).succeeded().json();
    let lines = audit["decisions"].as_array().unwrap();
    let seen = |entry: &Value| (entry["caller"].clone(), entry["decision"].clone());
    assert_eq!(seen(&lines[0]), (json!("human"), json!("refused")), "{audit}");
    assert_eq!(seen(&lines[1]), (json!("agent"), json!("refused")), "{audit}");
    assert!(lines[1]["rule"].as_str().unwrap().starts_with("no such tool ["), "{audit}");
    let name = lines[1]["tool"].as_str().unwrap();
    assert!(name.chars().count() < 120 && !name.contains(['\u{1b}', '\u{202e}']), "{name}");
}

/// One line of a gigabyte, or of no end: nobody wrote that here.
#[test]
fn an_audit_log_of_any_shape_is_read_in_bounded_memory() {
    let project = project();
    project.approve();
    project.cuff(["run", "plain"]).ended_with(2);
    let file = ledger(&project).join("audit.log");
    let lines = fs::read_to_string(&file).unwrap();
    let long = [b"{\"x\": \"".as_slice(), &vec![b'x'; 80 << 20], b"\"}\n\0\xff\n", lines.as_bytes()].concat();
    fs::write(&file, long).unwrap();
    let audit = super::measured(&project, &["audit", "--json"]).succeeded().json();
    let decisions: Vec<&Value> =
        audit["decisions"].as_array().unwrap().iter().map(|decided| &decided["decision"]).collect();
    assert_eq!(decisions, ["ended", "permitted", "pinned"], "{audit:.300}");
}

fn at_once(project: &Project, words: impl Iterator<Item = String>) -> Vec<(i32, String)> {
    let children: Vec<Child> = words
        .map(|word| {
            let mut command = project.command(["run", "mark", "--", &format!("WORD={word}")]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let ended = children.into_iter().map(|child| child.wait_with_output().unwrap());
    ended
        .map(|done| (done.status.code().unwrap(), String::from_utf8_lossy(&done.stderr).into_owned()))
        .collect()
}

#[test]
fn an_approval_is_used_once_by_concurrent_calls() {
    let project = project();
    let id = id_in(&asked(&project, "a").ended_with(126).stderr);
    project.cuff(["approve", &id]).succeeded();
    let ended = at_once(&project, std::iter::repeat_n("a".to_owned(), 8));
    let codes: Vec<i32> = ended.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{ended:?}");
    assert_eq!(codes.iter().filter(|code| **code == 126).count(), 7, "{ended:?}");
    assert_eq!(marks(&project), "a\n");
}

#[test]
fn twenty_concurrent_questions_are_all_recorded() {
    let project = project();
    let ended = at_once(&project, (0..20).map(|at| format!("w{at}")));
    assert!(ended.iter().all(|(code, _)| *code == 126), "{ended:?}");
    let mut ids: Vec<String> = ended.iter().map(|(_, said)| id_in(said)).collect();
    let waiting = project.cuff(["approvals", "--json"]).succeeded().json();
    let waiting: Vec<&Value> = waiting["approvals"].as_array().unwrap().iter().collect();
    let mut listed: Vec<String> =
        waiting.iter().map(|approval| approval["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    listed.sort();
    assert_eq!((ids.len(), &ids), (20, &listed));
    let audit = project.cuff(["audit", "--json", "-n", "50"]).succeeded().json();
    let all = audit["decisions"].as_array().unwrap().iter();
    let asked: Vec<&Value> = all.filter(|decided| decided["decision"] == "confirmation_required").collect();
    assert_eq!((asked.len(), &asked[0]["count"]), (1, &json!(20)), "one line counts them all");
}
