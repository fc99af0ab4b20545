#![expect(clippy::disallowed_methods, reason = "the tests break the files that they look at")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::*;
use crate::sys::terminal;

const MINUTE: u64 = 60_000;

fn ledger() -> (tempfile::TempDir, Ledger) {
    let base = tempfile::tempdir().unwrap();
    let ledger = Ledger::at(base.path().join("cuff"));
    (base, ledger)
}

fn question(digest: &str) -> ApprovalQuestion {
    ApprovalQuestion {
        digest: digest.into(),
        tool: "npm.install".into(),
        original: "install".into(),
        reason: "the plugin npm says: always".into(),
        command: "npm install".into(),
        text: None,
        facts: Vec::new(),
        project: "/project".into(),
        caller: "agent".into(),
    }
}

fn yes() -> terminal::TypedConsent {
    terminal::said(true).unwrap()
}

#[test]
fn a_yes_is_for_one_plan_and_used_once() {
    let (_base, ledger) = ledger();
    let id = ledger.ask(question("a"), 0).unwrap();
    assert_eq!(ledger.ask(question("a"), 1).unwrap(), id, "the same question is asked once");
    assert_ne!(ledger.ask(question("b"), 1).unwrap(), id);
    assert!(ledger.take("a", 2).unwrap().is_none(), "nobody has answered");
    let (granted, before) = ledger.answer(&yes(), &id[..6], true, MINUTE).unwrap();
    assert_eq!((granted.id.as_str(), granted.state), (id.as_str(), ApprovalState::Granted(MINUTE)));
    assert_eq!(before, ApprovalState::Waiting);
    assert!(ledger.answer(&yes(), &id, true, MINUTE).is_err(), "it lasts no longer by being said twice");
    assert!(ledger.take("b", 2 * MINUTE).unwrap().is_none(), "it is for another plan");
    assert!(ledger.take("a", 2 * MINUTE).unwrap().is_some());
    assert!(ledger.take("a", 2 * MINUTE).unwrap().is_none(), "it is used up");
    assert!(ledger.answer(&yes(), &id, true, 2 * MINUTE).is_err());
}

#[test]
fn a_yes_that_was_not_used_can_be_taken_back() {
    let (_base, ledger) = ledger();
    let id = ledger.ask(question("a"), 0).unwrap();
    ledger.answer(&yes(), &id, true, MINUTE).unwrap();
    let (denied, before) = ledger.answer(&yes(), &id, false, 2 * MINUTE).unwrap();
    assert_eq!((denied.state, before), (ApprovalState::Denied(2 * MINUTE), ApprovalState::Granted(MINUTE)));
    assert!(ledger.take("a", 3 * MINUTE).unwrap().is_none());
    assert!(ledger.is_denied("a", 3 * MINUTE).unwrap());
    assert!(ledger.answer(&yes(), &id, false, 3 * MINUTE).is_err(), "a no is a no");
}

#[test]
fn a_yes_of_a_clock_that_went_ahead_does_not_last_until_then() {
    let (_base, ledger) = ledger();
    let id = ledger.ask(question("a"), 10 * MINUTE).unwrap();
    ledger.answer(&yes(), &id, true, 10 * MINUTE).unwrap();
    assert!(ledger.take("a", MINUTE).unwrap().is_none());
}

#[test]
fn answers_and_questions_expire_and_a_no_is_remembered() {
    let (_base, ledger) = ledger();
    let late = ledger.ask(question("a"), 0).unwrap();
    ledger.answer(&yes(), &late, true, 0).unwrap();
    assert!(ledger.take("a", 15 * MINUTE).unwrap().is_none());
    let no = ledger.ask(question("b"), 0).unwrap();
    ledger.answer(&yes(), &no, false, MINUTE).unwrap();
    assert!(ledger.is_denied("b", 2 * MINUTE).unwrap() && !ledger.is_denied("a", 2 * MINUTE).unwrap());
    assert!(ledger.take("b", 2 * MINUTE).unwrap().is_none());
    ledger.ask(question("c"), 0).unwrap();
    assert_eq!(ledger.approvals(MINUTE).unwrap().len(), 2);
    assert_eq!(ledger.approvals(25 * 60 * MINUTE).unwrap(), []);
}

#[test]
fn broken_files_are_kept_aside_and_newer_ones_left_alone() {
    let (_base, ledger) = ledger();
    let id = ledger.ask(question("a"), 0).unwrap();
    ledger.answer(&yes(), &id, true, 0).unwrap();
    let file = ledger.path().join("approvals.json");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert!(ledger.take("a", 1).unwrap().is_none(), "no answer of a broken file counts");
    assert_eq!(
        std::fs::read(ledger.path().join("approvals.corrupt-1.json")).unwrap(),
        &whole[..whole.len() / 2]
    );
    std::fs::write(&file, r#"{"format": 2, "else": 1}"#).unwrap();
    assert!(matches!(ledger.take("a", 1), Err(LedgerError::Newer(_, 2))));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), r#"{"format": 2, "else": 1}"#);
}

fn decided(decision: &'static str, tool: &str, at: u64) -> AuditDecision {
    AuditDecision {
        at,
        caller: "agent".into(),
        tool: tool.into(),
        project: "/project".into(),
        arguments: vec!["env".into()],
        decision,
        rule: "Blocked environment variables: PATH\nnext".into(),
    }
}

#[test]
fn the_audit_log_has_a_line_for_each_decision() {
    let (_base, ledger) = ledger();
    for tool in ["a", "b", "c"] {
        ledger.note(&decided("permitted", tool, 5)).unwrap();
    }
    let file = ledger.path().join("audit.log");
    let mut text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 3);
    text.push_str("{\"half\": ");
    std::fs::write(&file, text).unwrap();
    let tools: Vec<String> =
        ledger.audit(2, &|_| true).unwrap().iter().map(|line| line["tool"].to_string()).collect();
    assert_eq!(tools, ["\"c\"", "\"b\""], "the newest first");
    ledger.note(&decided("permitted", "d", 5)).unwrap();
    assert_eq!(ledger.audit(9, &|_| true).unwrap().len(), 4, "a half line swallows no other");
    let many = (0..100_000).map(|at| format!("{at}{}", "x".repeat(1000))).collect();
    ledger.note(&AuditDecision { arguments: many, ..decided("permitted", "e", 5) }).unwrap();
    let names = ledger.audit(1, &|_| true).unwrap()[0]["arguments"].clone();
    assert_eq!(names.as_array().unwrap().len(), 33);
    assert_eq!(names[32], "… and 99968 more");
    assert!(names.to_string().len() < 5000, "what a call says pushes out nothing that was decided before");
}

const HOUR: u64 = 60 * MINUTE;

#[test]
fn a_refusal_that_repeats_has_one_line_with_a_count_and_two_times() {
    let (_base, ledger) = ledger();
    for (tool, at) in [("a", 5), ("b", 6), ("a", 7), ("a", 9)] {
        ledger.note(&decided("refused", tool, at)).unwrap();
    }
    let lines = ledger.audit(9, &|_| true).unwrap();
    let seen = |line: &serde_json::Map<String, serde_json::Value>| {
        serde_json::json!([line["tool"], line["at"], line.get("count"), line.get("last")])
    };
    let [first, second] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!(seen(first), serde_json::json!(["a", 5, 3, 9]), "it comes first, since it was last seen last");
    assert_eq!(seen(second), serde_json::json!(["b", 6, null, null]));
    let mut names: Vec<&String> = first.keys().collect();
    names.sort();
    assert_eq!(
        names,
        ["arguments", "at", "caller", "count", "decision", "last", "project", "rule", "tool"],
        "what finds repeats is not shown"
    );
    for other in [
        AuditDecision { caller: "run".into(), ..decided("refused", "a", 10) },
        AuditDecision { rule: "another".into(), ..decided("refused", "a", 10) },
        AuditDecision { project: "/other".into(), ..decided("refused", "a", 10) },
        decided("confirmation_required", "a", 10),
        decided("refused", "a", HOUR + 9),
    ] {
        ledger.note(&other).unwrap();
    }
    assert_eq!(
        ledger.audit(99, &|_| true).unwrap().len(),
        7,
        "another caller, rule, project, decision or hour"
    );
}

#[test]
fn a_caller_has_so_many_lines_of_refusals_an_hour_and_others_have_theirs() {
    let (_base, ledger) = ledger();
    for at in 0..300 {
        let rule = format!("Blocked environment variables: V{at}");
        ledger.note(&AuditDecision { rule, ..decided("refused", &format!("t{at}"), at) }).unwrap();
    }
    let lines = ledger.audit(9999, &|_| true).unwrap();
    assert_eq!(lines.len(), 201);
    assert_eq!((&lines[0]["tool"], &lines[0]["count"]), (&"…".into(), &100.into()), "{:?}", lines[0]);
    assert_eq!((&lines[0]["at"], &lines[0]["last"]), (&200.into(), &299.into()));
    ledger.note(&decided("confirmation_required", "z", 1001)).unwrap();
    assert_eq!(ledger.audit(1, &|_| true).unwrap()[0]["tool"], "…", "one more line for each decision");
    ledger.note(&AuditDecision { project: "/other".into(), ..decided("refused", "z", 1002) }).unwrap();
    assert_eq!(ledger.audit(1, &|_| true).unwrap()[0]["tool"], "z", "another has lines left");
    ledger.note(&decided("refused", "y", HOUR)).unwrap();
    assert_eq!(ledger.audit(1, &|_| true).unwrap()[0]["tool"], "y", "an hour later there are lines again");
    let bytes = std::fs::metadata(ledger.path().join("audit.refused.log")).unwrap().len();
    assert!(bytes < 200 * 1000, "{bytes}");
}

#[test]
fn refusals_and_runs_push_out_no_decision_of_a_person() {
    let (_base, ledger) = ledger();
    let persons = ["granted", "denied", "approved", "rejected", "revoked", "pinned"];
    for (at, decision) in (0..).zip(persons) {
        ledger.note(&AuditDecision { caller: "human".into(), ..decided(decision, "a", at) }).unwrap();
    }
    // Both of the other files are full, twice.
    for name in ["audit.log", "audit.refused.log"] {
        for _ in 0..2 {
            let line = decided(if name == "audit.log" { "permitted" } else { "refused" }, "b", HOUR);
            std::fs::write(ledger.path().join(name), [vec![b'x'; 17 << 20], vec![b'\n']].concat()).unwrap();
            ledger.note(&line).unwrap();
        }
    }
    let lines = ledger.audit(99, &|line| line["tool"] == "a").unwrap();
    let decisions: Vec<&serde_json::Value> = lines.iter().rev().map(|line| &line["decision"]).collect();
    assert_eq!(decisions, persons);
}

#[test]
fn an_agents_repeated_call_of_what_was_denied_has_one_line() {
    let (_base, ledger) = ledger();
    (0..5).for_each(|at| ledger.note(&decided("denied", "a", at)).unwrap());
    (0..5).for_each(|at| {
        ledger.note(&AuditDecision { caller: "human".into(), ..decided("denied", "a", at) }).unwrap();
    });
    assert_eq!(ledger.audit(99, &|line| line["caller"] == "agent").unwrap().len(), 1);
    assert_eq!(ledger.audit(99, &|line| line["caller"] == "human").unwrap().len(), 5, "each is a person's");
}

#[test]
fn an_audit_log_that_cannot_be_read_is_not_an_empty_one() {
    let (_base, ledger) = ledger();
    assert!(ledger.audit(9, &|_| true).unwrap().is_empty(), "there is none");
    ledger.ask(question("a"), 0).unwrap();
    assert!(ledger.audit(9, &|_| true).unwrap().is_empty(), "nothing was decided");
    std::fs::set_permissions(ledger.path(), std::fs::Permissions::from_mode(0o770)).unwrap();
    assert!(matches!(ledger.audit(9, &|_| true), Err(LedgerError::Io(..))));
}

#[test]
fn an_agent_that_asks_and_asks_takes_no_room_from_others() {
    let (_base, ledger) = ledger();
    let other = ledger.ask(ApprovalQuestion { project: "/other".into(), ..question("o") }, 0).unwrap();
    let first = ledger.ask(question("first"), 0).unwrap();
    ledger.answer(&yes(), &first, true, 0).unwrap();
    let ids: Vec<String> = (0..60).map(|at| ledger.ask(question(&at.to_string()), 1).unwrap()).collect();
    let kept: Vec<String> = ledger.approvals(1).unwrap().into_iter().map(|approval| approval.id).collect();
    assert_eq!(kept.len(), 52);
    assert!(kept.contains(&other) && kept.contains(&first) && kept.contains(&ids[59]));
    assert!(!kept.contains(&ids[0]), "the oldest question of the same project made room");
    assert!(ledger.take("first", 1).unwrap().is_some());
}

#[test]
fn nobody_is_asked_what_nobody_can_read_and_the_log_keeps_short_rules() {
    let (_base, ledger) = ledger();
    let long = ApprovalQuestion { command: "x".repeat(17 * 1024), ..question("a") };
    assert!(matches!(ledger.ask(long, 0), Err(LedgerError::NotAsked(_))));
    assert_eq!(ledger.approvals(0).unwrap(), []);
    for at in 0..3 {
        // Six bytes each in JSON.
        let tool = "\u{1}".repeat(600_000);
        let asked = ledger.ask(ApprovalQuestion { tool, ..question(&at.to_string()) }, 0);
        assert_eq!(asked.is_ok(), at < 2);
    }
    assert_eq!(ledger.approvals(0).unwrap().len(), 2, "what was written can be read again");
    let decided = AuditDecision {
        at: 5,
        caller: "agent".into(),
        tool: "a".into(),
        project: "/project".into(),
        arguments: vec![],
        decision: "refused",
        rule: "A".repeat(1 << 20),
    };
    ledger.note(&decided).unwrap();
    assert!(std::fs::metadata(ledger.path().join("audit.refused.log")).unwrap().len() < 2000);
}

fn pin(text: Option<&str>, by: PinnedBy) -> Pin {
    let long = "\u{1}".repeat(50_000);
    let texts = [("make.make_a", "d", "all:"), ("make.make_b", "d", "all:"), ("scripts.long", "e", &*long)];
    let tools = PinnedTools::of(texts.map(|(tool, digest, text)| (tool.to_owned(), digest, text)));
    let servers = if by == PinnedBy::Approved { vec!["github".to_owned()] } else { Vec::new() };
    Pin { file: "/p/settings.yml".into(), text: text.map(String::from), at: 5, by, tools, servers }
}

/// Each text against all, or the text of each tool, would take minutes.
#[test]
fn texts_that_many_tools_share_are_looked_at_once() {
    let texts: Vec<String> = (0..20).map(|at| format!("{at}{}", "a:\n".repeat(60_000))).collect();
    let tool = |at: usize| (format!("make.make_{at}"), ["a", "b", "c"][at % 3], &*texts[at % 3]);
    let tools = PinnedTools::of((0..20_000).map(tool));
    assert_eq!(tools.iter().filter(|(.., text)| text.is_some()).count(), 20_000);
    let digests: Vec<String> = (0..20).map(|at| at.to_string()).collect();
    let tool = |at: usize| (format!("make.make_{at}"), &*digests[at], &*texts[at]);
    let tools = PinnedTools::of((0..20).map(tool));
    assert_eq!(tools.iter().filter(|(.., text)| text.is_some()).count(), 17, "as many as there is room for");
}

#[test]
fn a_pin_is_read_as_it_was_written_and_only_a_persons_counts() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_base, ledger) = ledger();
    let file = Path::new("/p/settings.yml");
    assert_eq!(ledger.pin(file).unwrap(), None);
    assert!(!ledger.path().exists(), "who only reads makes nothing");
    ledger.pin_written(file, &pin(Some("version: '1'"), PinnedBy::FirstUse)).unwrap();
    assert_eq!(ledger.pin(file).unwrap(), None, "an earlier cuff pinned at the first look");
    let first = pin(Some("\u{feff}version: '1'\r\n"), PinnedBy::Init);
    ledger.pin_written(file, &first).unwrap();
    let read = ledger.pin(file).unwrap().unwrap();
    assert_eq!(read, first);
    let texts: Vec<_> = read.tools.iter().map(|(tool, _, text)| (tool, text)).collect();
    let expected = [("make.make_a", Some("all:")), ("make.make_b", Some("all:")), ("scripts.long", None)];
    assert_eq!(texts, expected, "what is too long is known by its digest alone");
    assert_eq!(ledger.pin(Path::new("/q/settings.yml")).unwrap(), None);
    let approved = pin(None, PinnedBy::Approved);
    ledger.pin_approved(&Consent::of_person(yes()), &[(file, approved.clone())]).unwrap();
    assert_eq!(ledger.pin(file).unwrap().unwrap(), approved);
    let pins = ledger.path().join("pins");
    let entry = std::fs::read_dir(&pins).unwrap().next().unwrap().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&pins), mode(&entry.path())), (0o700, 0o600));
    for _ in 0..2 {
        ledger.unpin(&Consent::of_person(yes()), file, 5).unwrap();
        assert_eq!(ledger.pin(file).unwrap(), None);
    }
}

#[test]
fn a_pin_that_is_none_pins_nothing_and_one_of_a_newer_cuff_is_left_alone() {
    let (_base, ledger) = ledger();
    let file = Path::new("/p/settings.yml");
    let whole = pin(Some("a"), PinnedBy::Init);
    ledger.pin_written(file, &whole).unwrap();
    let place = std::fs::read_dir(ledger.path().join("pins")).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&place).unwrap();
    for damaged in [&bytes[..bytes.len() / 2], b"", b"{}", b"{\"format\": 1}"] {
        std::fs::write(&place, damaged).unwrap();
        assert!(matches!(ledger.pin(file), Err(LedgerError::Corrupt(path)) if path == place));
    }
    ledger.pin_written(file, &whole).unwrap();
    assert_eq!(ledger.pin(file).unwrap().unwrap(), whole);
    assert!(Path::new(&format!("{}.corrupt-5", place.display())).exists(), "it is kept aside");
    let newer = r#"{"format": 2, "else": 1}"#;
    std::fs::write(&place, newer).unwrap();
    assert!(matches!(ledger.pin(file), Err(LedgerError::Newer(_, 2))));
    assert!(ledger.pin_written(file, &whole).is_err());
    assert!(ledger.pin_approved(&Consent::of_person(yes()), &[(file, whole)]).is_err());
    assert_eq!(std::fs::read_to_string(&place).unwrap(), newer);
}
