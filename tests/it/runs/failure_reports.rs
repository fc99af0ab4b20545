//! The truth contract: the report of a run that failed, that was cut, or that left no record.

use serde_json::json;

use crate::support::mcp_session::called;
use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty();
    project.write(
        "Makefile",
        ".SILENT:\n\
         loud:\n\tprintf 'one\\ntwo'; exit 3\n\
         silent:\n\tkill -SEGV $$$$\n\
         fine:\n\ttrue\n\
         many:\n\tseq 1 20000\n\
         wide:\n\techo first; head -c 100000 /dev/zero | tr '\\0' x; echo; echo last\n",
    );
    for (name, text) in [("fail", "echo one; exit 3"), ("mute", "exit 3"), ("die", "kill -9 $$")] {
        project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    project.write(
        "settings.yml",
        "version: '1'\nplugins: {makefile: {}, scripts: {config: {patterns: ['scripts/*.sh']}}}\n",
    );
    project
}

#[test]
fn a_failure_says_what_happened_and_how_to_see_it_again() {
    let project = project();
    let run = project.cuff(["run", "scripts/fail.sh"]).ended_with(3);
    assert_eq!(run.stdout, "one\n");
    let [line] = run.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{}", run.stderr) };
    let command = line.strip_prefix("scripts/fail.sh failed: exit code 3, 0.").and_then(|rest| {
        let (_, rest) = rest.split_once(" s; `cuff ")?;
        rest.strip_suffix('`')
    });
    let words: Vec<&str> = command.unwrap_or_else(|| panic!("{line}")).split(' ').collect();
    // Others may have run since: the id still means this one.
    for _ in 0..3 {
        project.cuff(["run", "scripts/mute.sh"]).ended_with(3);
    }
    assert_eq!(project.cuff(&words).succeeded().stdout, "one\n", "{words:?}");
    assert_eq!(project.cuff(["--quiet", "run", "scripts/fail.sh"]).ended_with(3).stderr.lines().count(), 1);
}

#[test]
fn a_failure_that_printed_nothing_says_so_and_success_is_quiet() {
    let project = project();
    let run = project.cuff(["run", "scripts/mute.sh"]).ended_with(3);
    let end = " s; it printed nothing: `cuff why scripts/mute.sh` shows what it runs\n";
    assert!(run.failed("scripts/mute.sh", "exit code 3, ") && run.stderr.ends_with(end), "{}", run.stderr);
    let run = project.cuff(["run", "scripts/die.sh"]).ended_with(137);
    assert!(run.failed("scripts/die.sh", "Script was killed by signal 9 (SIGKILL) ("), "{}", run.stderr);
    assert!(project.cuff(["runs", "list", "-n1"]).succeeded().stdout.contains("  signal 9 (SIGKILL) (0."));
    let fine = project.cuff(["run", "fine"]).succeeded();
    assert_eq!((fine.stdout.as_str(), fine.stderr.as_str()), ("", ""));
    let text =
        |tool: &str| called(&project, tool, &json!({}))["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text("scripts.script_scripts_mute").contains(" s, it printed nothing, run "));
    assert!(text("makefile.make_fine").starts_with("succeeded (0.0 s, it printed nothing, run "));
}

#[test]
fn failure_messages_start_on_their_own_terminal_line() {
    let project = project();
    let seen = project.at_terminal(80, &[], &["--no-color", "makefile", "run", "loud"]).ended_with(2).sent();
    assert!(seen.contains("\r\nloud failed: exit code 2, "), "{seen:?}");
    assert!(!seen.contains("\r\n\r\n"), "{seen:?}");
}

/// The shown output and the output of the named command together are complete.
#[test]
fn cut_output_says_how_to_see_the_rest() {
    let project = project();
    for tool in ["makefile.make_many", "makefile.make_wide"] {
        let answer = called(&project, tool, &json!({}));
        let text = answer["content"][0]["text"].as_str().unwrap();
        let result = &answer["structuredContent"];
        let see = result["output_omitted"]["see"].as_str().unwrap();
        let bytes = &result["output_omitted"]["bytes"];
        let call =
            see.replace("runs.log,", &format!("runs.log with run {},", result["run_id"].as_str().unwrap()));
        let note = format!("\nnote: {bytes} bytes of the output are left out below; `{call}` prints them\n");
        assert!(text.contains(&note), "{note} in {}", &text[..500]);
        let id = result["run_id"].as_str().unwrap();
        let (from, to) = see.strip_prefix("runs.log, from_line ").unwrap().split_once(", to_line ").unwrap();
        assert_eq!(text.matches(id).count(), 1, "the id once");
        let rest = project.cuff(["runs", "log", id, "--lines", &format!("{from}..{to}")]).succeeded().stdout;
        let all = project.cuff(["runs", "log", id]).succeeded().stdout;
        let (_, output) = text.split_once("\n\n").unwrap();
        let (head, tail) = output.split_once("[… ").unwrap();
        let tail = tail.split_once(" left out …]\n").unwrap().1;
        let at = all.find(&rest).unwrap();
        assert!(all.starts_with(head) && head.len() >= at && all.ends_with(tail), "{tool}");
        assert!(all.len() - tail.len() <= at + rest.len(), "{tool}: nothing is missing in between");
        assert!(answer.to_string().len() < 20_000, "{tool}");
    }
    let data = called(&project, "makefile.make_many", &json!({}))["structuredContent"]["data"].to_string();
    assert!(data.len() < 30_000, "{}", data.len());
}

#[test]
fn a_run_without_a_record_promises_no_log() {
    let project = project();
    let project = project.variable("XDG_DATA_HOME", "/dev/null");
    let run = project.cuff(["run", "scripts/fail.sh"]).ended_with(3);
    assert!(run.stderr.contains("warning: this run was not recorded: "), "{}", run.stderr);
    assert!(!run.stderr.contains("runs log"), "{}", run.stderr);
    let answer = called(&project, "makefile.make_many", &json!({}));
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("they are nowhere, since the run was not recorded"), "{}", &text[..500]);
    assert!(!answer.to_string().contains("runs log"));
}

/// The output of a tool must not drive a terminal that shows it later, even through a pipe into `head`.
#[test]
fn a_log_shows_colours_at_a_terminal_and_drives_none() {
    const PRINTED: &str = "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}\u{1b}[2Jend\rover\u{9b}6n\r\n";
    let project = project().variable("TERM", "xterm");
    project.write("printed", PRINTED);
    project.script("scripts/print.sh", "#!/bin/sh\ncat printed\n");
    project.cuff(["run", "scripts/print.sh"]).succeeded();
    let log = |words: &[&str]| project.cuff(["runs", "log"].iter().chain(words)).succeeded().stdout;
    assert_eq!(log(&["--raw"]), PRINTED);
    let plain = "red end\\u{d}over\\u{9b}6n\n";
    for words in [&[][..], &["--lines", "1"], &["--stream", "stdout"], &["--follow"]] {
        assert_eq!(log(words), plain, "{words:?}");
    }
    assert!(project.cuff(["runs", "show"]).succeeded().stdout.ends_with(plain));
    assert_eq!(project.cuff(["runs", "log", "--json"]).succeeded().json()["text"], plain);
    let coloured = plain.replace("red", "\u{1b}[31mred\u{1b}[0m").replace('\n', "\r\n");
    assert_eq!(project.at_terminal(80, &[], &["runs", "log"]).succeeded().sent(), coloured);
    assert_eq!(
        project.at_terminal(80, &[], &["--no-color", "runs", "log"]).sent(),
        plain.replace('\n', "\r\n")
    );
}
