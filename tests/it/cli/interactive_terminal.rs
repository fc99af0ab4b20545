//! A person at a terminal: choosing and repeating a run, lists of any width, Ctrl-C, and terminals that can do little.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use console::{measure_text_width, strip_ansi_codes};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::process::until;
use crate::support::project::{Project, Run};
use crate::support::terminal::{Shown, Terminal};
use crate::support::tools;

/// Three scripts and two targets, under settings.
fn project() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    project.script("scripts/greet.sh", "#!/bin/sh\n# Greets whoever is named\necho \"hello $*\"\n");
    project.script("scripts/where.sh", "#!/bin/sh\n# Says where it is\npwd\n");
    project.script(
        "scripts/loud.sh",
        "#!/bin/sh\n# 月の満ち欠けを暦と照らし合わせて確かめ、違いがあれば知らせる\necho loud\n",
    );
    project.write("Makefile", ".PHONY: check shine\ncheck: ## Checks all there is to check, which is a lot and takes its time\n\t@echo checked\nshine: ## Shines\n\t@echo shining\n");
    project.cuff(["init", "--yes"]).succeeded();
    project
}

/// The last line of the screen after a choice from a list: the last drawing is taken off again.
fn last_line(run: &Shown) -> String {
    let text = strip_ansi_codes(&run.text).into_owned();
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

const ASKED: &str = "Run which tool?";

#[test]
fn run_without_a_tool_opens_a_chooser() {
    let project = project();
    let run = project.at_terminal(80, &[(ASKED, "shi"), ("shi|", "\r")], &["run"]).succeeded();
    assert!(run.text.contains("cuff run shine"), "{}", run.text);
    assert_eq!(last_line(&run), "shining");
    // The tool that ran last comes first, then those that ran before it, then the order of the list.
    project.cuff(["run", "script_scripts_greet"]).succeeded();
    let run = project.at_terminal(80, &[(ASKED, "\u{1b}")], &["run"]).ended_with(130);
    let shown = strip_ansi_codes(&run.text).into_owned();
    let names: Vec<&str> =
        shown.lines().filter_map(|line| line.trim_start_matches(['>', ' ']).split("  ").next()).collect();
    assert_eq!(
        names[1..=5],
        ["scripts/greet.sh", "shine", "check", "scripts/loud.sh", "scripts/where.sh"],
        "{shown}"
    );
    let run = project.at_terminal(80, &[(ASKED, "\r")], &["scripts", "run"]).succeeded();
    assert!(run.text.contains("cuff scripts run scripts/greet.sh"), "{}", run.text);
}

#[test]
fn an_ambiguous_name_opens_a_chooser() {
    let project = Project::empty().variable("TERM", "xterm");
    project.script("scripts/a/deploy.sh", "#!/bin/sh\necho of a\n");
    project.script("scripts/b/deploy.sh", "#!/bin/sh\necho of b \"$1\"\n");
    project.script("scripts/other.sh", "#!/bin/sh\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/**/*.sh']}}}\n",
    );
    let asked = "Run which deploy?";
    let run =
        project.at_terminal(80, &[(asked, "/b/"), ("/b/|", "\r")], &["run", "deploy", "--", "x"]).succeeded();
    assert_eq!(last_line(&run), "of b x");
    assert!(run.text.contains("cuff run scripts/b/deploy.sh -- x"), "{}", run.text);
    assert!(!run.text.contains("other"), "{}", run.text);
    let keys = &[
        (asked, "/b/ no"),
        ("/b/ no|", "\u{17}\u{17}/a/x"),
        ("/a/x|", "\u{15}"),
        ("leaves) |", "\u{e}\u{10}\r"),
    ];
    let run = project.at_terminal(80, keys, &["run", "deploy"]).succeeded();
    assert_eq!(last_line(&run), "of b", "what was run last comes first");
    let run = project.at_terminal(80, &[(asked, "\u{1b}")], &["run", "deploy"]).ended_with(130);
    assert!(run.text.contains("Nothing was run"), "{}", run.text);
    let run = project.cuff(["run", "deploy"]).ended_with(127);
    assert!(run.stderr.contains("say which: scripts/a/deploy.sh"), "{}", run.stderr);
}

/// Enter takes the first: that is never one that merely speaks of the word.
#[test]
fn exact_name_matches_come_first_in_the_chooser() {
    let project = Project::empty().variable("TERM", "xterm");
    let targets = ["away: ## Starts from a clean slate", "distclean: ## Takes all", "clean: ## Takes some"];
    project.write("Makefile", targets.map(|rule| format!("{rule}\n\t@echo ran $@\n")).concat());
    project.write("settings.yml", "version: '1'\nplugins: {makefile: {}}\n");
    let typed = [(ASKED, "clean"), ("clean|", "\r")];
    let screens = project.at_terminal(80, &typed, &["run"]);
    let order: Vec<_> =
        screens.screens[1].lines().skip(1).filter_map(|line| line.split("  ").next()).collect();
    assert!(screens.screens[1].contains("> clean"), "{order:?}");
    assert_eq!(screens.last(), "$ cuff run clean\nran clean");
}

#[test]
fn leaving_the_chooser_leaves_no_trace() {
    let project = project();
    for (key, columns) in [("\u{1b}", 80), ("\u{3}", 80), ("\u{1b}", 20)] {
        let run = project.at_terminal(columns, &[(ASKED, key)], &["run"]).ended_with(130);
        assert!(!run.text.contains("error"), "{}", run.text);
        assert!(run.text.rfind("\u{1b}[?25h") > run.text.rfind("\u{1b}[?25l"), "the cursor is back");
    }
    let run = project.at_terminal(60, &[(ASKED, "\u{1b}")], &["run"]);
    for line in strip_ansi_codes(&run.text).lines().filter(|line| line.contains("script")) {
        assert!(measure_text_width(line) <= 60, "{line}");
    }
    assert!(project.cuff(["runs", "list"]).stdout.is_empty(), "nothing ran");
}

#[test]
fn a_narrow_chooser_redraws_cleanly() {
    let project = project();
    let typed = [(ASKED, "w"), ("w|", "h"), ("wh|", "e"), ("whe|", "\u{1b}")];
    for columns in [20, 24, 40] {
        let left = project.at_terminal(columns, &typed, &["run"]);
        assert_eq!((left.code, left.last(), left.restored), (130, "Nothing was run", true), "{columns}");
        for shown in &left.screens[..4] {
            assert_eq!(shown.matches("Run which").count(), 1, "{columns}:\n{shown}");
            assert!(
                !shown.lines().any(|line| line.ends_with("  …")),
                "a name with nothing behind it: {columns}:\n{shown}"
            );
        }
    }
    let steps = [(ASKED, "zzz"), ("nothing matches", "\r"), ("", "\u{3}")];
    let none = project.at_terminal(40, &steps, &["run"]);
    assert_eq!((none.code, none.last(), none.restored), (130, "Nothing was run", true));
    assert!(none.screens[1].ends_with("  nothing matches"), "{}", none.screens[1]);
}

#[test]
fn a_chooser_fits_a_window_that_became_narrow() {
    let project = project();
    let mut terminal = project.terminal((24, 80), &["run"]);
    terminal.wait_for(ASKED);
    terminal.resize((24, 40));
    terminal.press("w");
    terminal.wait_for("w|");
    terminal.wait_for_silence(Duration::from_millis(150));
    let lines = [
        "Run which tool? w|",
        "> scripts/where.sh  Says where it is",
        "  check             Checks all there i…",
        "  scripts/greet.sh  Greets whoever is …",
    ];
    assert_eq!(terminal.screen(), lines.join("\n"));
    terminal.press("\u{1b}");
    let shown = terminal.finish().ended_with(130);
    assert_eq!((shown.last(), shown.restored), ("Nothing was run", true));
}

#[test]
fn a_list_that_is_longer_than_the_terminal_says_so() {
    let project = Project::empty().variable("TERM", "xterm");
    let rules: Vec<String> = (1..=30).map(|at| format!("t{at}:\n\t@echo {at}\n")).collect();
    project.write("Makefile", rules.concat());
    project.cuff(["init", "--yes"]).succeeded();
    let down = "\u{1b}[B".repeat(25);
    let steps = [(ASKED, down.as_str()), ("26 of 30", "t30"), ("t30|", "\u{1b}")];
    let screens = project.at_terminal((24, 80), &steps, &["run"]);
    let [first, further, narrowed, ..] = screens.screens.as_slice() else { panic!("{screens:?}") };
    assert!(first.ends_with("  1-21 of 30: arrows show more") && first.lines().count() == 23, "{first}");
    assert!(further.ends_with("  6-26 of 30: arrows show more") && further.contains("> t26"), "{further}");
    assert!(!narrowed.contains("arrows show more"), "{narrowed}");
    assert_eq!(screens.last(), "Nothing was run");
}

/// Nothing can be read, and what asks for it may say so in no word.
#[test]
fn a_tool_that_seems_to_prompt_is_reported_to_have_no_stdin() {
    let project = Project::empty();
    project.script("scripts/ask.sh", "#!/bin/sh\nprintf 'Name: '\nread -r name || exit 1\n");
    project.script("scripts/fail.sh", "#!/bin/sh\necho broken\nexit 1\n");
    project.cuff(["init", "--yes"]).succeeded();
    let said = "note: it may have asked something, and could read no key here; `cuff why";
    let run = |tool: &str| project.at_terminal(200, &[], &["run", tool, "--no-tty"]).ended_with(1).text;
    assert!(run("ask.sh").contains(said), "{}", run("ask.sh"));
    assert!(!run("fail.sh").contains(said), "{}", run("fail.sh"));
    assert!(!project.cuff(["run", "ask.sh"]).ended_with(1).stderr.contains(said), "nobody is there");
}

#[test]
fn run_without_a_tool_or_terminal_says_how_to_go_on() {
    let project = project();
    let run = project.cuff(["run"]).ended_with(64);
    assert!(
        run.stderr.starts_with("error: no tool was named [CUFF_304]\nhelp: `cuff list` shows"),
        "{}",
        run.stderr
    );
    assert_eq!(project.cuff(["run", "--json"]).ended_with(64).json()["error"], "no tool was named");
    let dumb = project.variable("TERM", "dumb");
    let run = dumb.at_terminal(80, &[], &["run"]).ended_with(64);
    assert!(run.text.contains("no tool was named") && !run.text.contains('\u{1b}'), "{}", run.text);
}

#[test]
fn the_last_run_is_repeated_with_what_it_was_given() {
    let project = project();
    let none = project.cuff(["run", "-"]).ended_with(125);
    assert!(
        none.stderr.contains("there is no run to repeat") && none.stderr.contains("`cuff list`"),
        "{}",
        none.stderr
    );
    project
        .cuff([
            "run",
            "script_scripts_greet",
            "--env",
            "WHO=a b",
            "--timeout",
            "9",
            "--",
            "--loud",
            "you there",
        ])
        .succeeded();
    project.cuff(["run", "script_scripts_where", "--dry-run"]).succeeded();
    let again = project.cuff(["run", "-"]).succeeded();
    assert_eq!(again.stdout, "hello --loud you there\n");
    let line = "$ cuff run scripts/greet.sh --env 'WHO=a b' --timeout 9 -- --loud 'you there'\n";
    assert_eq!(again.stderr, line, "and it is said what is run");
    assert_eq!(project.cuff(["run", "-", "--quiet"]).succeeded().stderr, "");
    let dry = project.cuff(["run", "-", "--dry-run"]).succeeded();
    assert!(dry.stdout.starts_with("Would execute: "), "{}", dry.stdout);
    // The line that is printed is the call: typed in a shell it does the same.
    let mut shell = Command::new("sh");
    let typed = line.trim().replacen("$ cuff", env!("CARGO_BIN_EXE_cuff"), 1);
    shell.args(["-c", &typed]);
    project.surround(&mut shell);
    assert_eq!(Run::of(shell).succeeded().stdout, again.stdout);

    project.cuff(["run", "shine"]).succeeded();
    assert_eq!(project.cuff(["scripts", "run", "-"]).succeeded().stdout, again.stdout, "the last of these");
    for more in [&["run", "-", "word"][..], &["run", "-", "--env", "A=b"], &["run", "-", "--timeout", "3"]] {
        let run = project.cuff(more).ended_with(64);
        assert!(run.stderr.contains("`-` repeats the last run as it was"), "{}", run.stderr);
    }
}

#[test]
fn a_run_that_held_a_secret_or_was_an_agents_is_not_repeated() {
    let project = project();
    project.write(".env", "LOGIN=\"hunter2 hunter2\"\n");
    for words in [
        &["run", "script_scripts_greet", "--env", "PIN=12"][..],
        &["run", "script_scripts_greet", "--", "hunter2 hunter2"],
        &["run", "script_scripts_greet", "--", &"long ".repeat(4000)],
    ] {
        project.cuff(["run", "shine"]).succeeded();
        project.cuff(words).succeeded();
        let run = project.cuff(["run", "-"]).ended_with(125);
        let said = "the last run, of scripts.script_scripts_greet, cannot be repeated";
        assert!(run.stderr.contains(said) && run.stderr.contains("type it again"), "{}", run.stderr);
        assert_eq!(run.stdout, "", "nothing ran, and no earlier run either");
    }
    let kept = Command::new("grep")
        .args(["-r", "-e", "hunter2", "-e", "PIN"])
        .arg(project.outside().join("home/data"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&kept.stdout), "", "and none of it was kept");

    project.cuff(["run", "shine"]).succeeded();
    let agent = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n\
                 {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"scripts.script_scripts_where\",\"arguments\":{}}}\n";
    let mut server = project.command(["serve"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, agent.as_bytes()).unwrap();
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(server.stdout.take().unwrap()));
    assert!(answers.any(|line| line.unwrap().contains("\"id\":2")));
    drop(input);
    server.wait().unwrap();
    assert!(
        project.cuff(["runs", "list"]).stdout.lines().next().unwrap().contains("scripts/where.sh"),
        "the agent's is the newest"
    );
    assert_eq!(project.cuff(["run", "-"]).succeeded().stdout, "shining\n");
}

/// A script may come to be called what a target was.
#[test]
fn repeat_runs_the_recorded_tool_or_nothing() {
    let project = Project::empty();
    project.write("settings.yml", "version: '1'\nplugins: {makefile: {}, packagejson: {}}\n");
    project.write("package.json", "{}");
    project.write("Makefile", "build:\n\t@echo built\n");
    project.cuff(["run", "makefile.make_build"]).succeeded();
    project.write("Makefile", "other:\n");
    project.write("package.json", "{\"scripts\": {\"makefile.make_build\": \"echo another\"}}");
    let run = project.cuff(["run", "-"]).ended_with(127);
    assert!(run.stderr.contains("Target not found: makefile.make_build"), "{}", run.stderr);
    assert!(
        !run.stdout.contains("another") && !run.stderr.contains("$ cuff"),
        "{} {}",
        run.stdout,
        run.stderr
    );
    project.write("Makefile", "build:\n\t@echo built\n");
    assert_eq!(project.cuff(["run", "-"]).succeeded().stdout, "built\n");
}

#[test]
fn a_list_fits_the_terminal_and_stands_by_instance() {
    let project = project();
    for columns in [40, 80, 200] {
        let run = project.at_terminal(columns, &[], &["--no-color", "list"]).succeeded();
        assert!(!run.text.contains('\u{1b}'), "{}", run.text);
        for line in run.text.lines() {
            assert!(measure_text_width(line) <= usize::from(columns), "{columns}: {line}");
        }
        insta::with_settings!({ snapshot_path => "../../../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("list-{columns}.txt"), run.text);
        });
    }
    let long = project.cuff(["list", "--long", "shine"]).succeeded();
    insta::assert_snapshot!(long.stdout, @r"
    makefile.make_shine
      Shines
      from      Makefile:4 (shine)
      text      echo shining
      command   make shine
      takes     words (those with a dash behind --), --env, --timeout, --dry-run
    ");
    assert_eq!(
        project.cuff(["list", "makefile", "lot"]).succeeded().stdout.lines().count(),
        2,
        "each word must be there, under the heading"
    );
    let none = project.cuff(["list", "chek"]).succeeded();
    assert_eq!(none.stderr, "None of the 5 tools matches `chek`; did you mean `check`?\n");
    assert_eq!(project.cuff(["list", "zzzzzz"]).succeeded().stderr, "None of the 5 tools matches `zzzzzz`\n");
    project.cuff(["list", "--long", "--json"]).ended_with(64);
}

/// A tool without a description is listed with its command, of which a list at a terminal has the beginning.
#[test]
fn a_recipe_is_one_line_of_a_list() {
    let project = Project::empty().variable("TERM", "xterm");
    let says = "with as many words as nobody would want to read in a list of forty targets";
    project.write(
        "Makefile",
        format!(
            ".PHONY: pack told wipe\npack:\n\t@echo {says}\n\t@echo {says}\ntold: ## It says {says}\n\t@true\n\
             wipe:\n\trm -rf build # {says}\n"
        ),
    );
    project.script("scripts/long.sh", format!("echo {says}\necho {says}\n"));
    for instances in [
        "  makefile: {config: {confirm: [wipe]}}\n",
        "  makefile: {config: {confirm: [wipe]}}\n  scripts: {config: {patterns: ['scripts/*.sh']}}\n",
    ] {
        project.write("settings.yml", format!("version: '1'\nplugins:\n{instances}"));
        for columns in [40, 80, 100] {
            let shown = project.at_terminal(columns, &[], &["--no-color", "list"]).succeeded().text;
            assert!(
                shown.lines().all(|line| measure_text_width(line) <= usize::from(columns)),
                "{columns}:\n{shown}"
            );
            let shown = shown.replace('\r', "");
            // A name stands two columns in, and what goes on below it further.
            let of = |tool: &str| {
                let (_, behind) = shown.split_once(&format!("\n  {tool}")).expect(tool);
                let is_next = |line: &&str| line.is_empty() || !line.starts_with("    ");
                let rest: Vec<&str> = behind.lines().skip(1).take_while(|line| !is_next(line)).collect();
                let first = behind.lines().next().unwrap_or_default();
                std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n").trim().to_owned()
            };
            let (pack, wipe) = (of("pack"), of("wipe"));
            assert!(pack.starts_with("echo with") && pack.ends_with('…'), "{columns}: {pack}");
            assert!(wipe.starts_with("[asks] rm") && wipe.ends_with('…'), "{columns}: {wipe}");
            assert_eq!([&pack, &wipe].map(|line| line.lines().count()), [1, 1], "{shown}");
            let described = of("told").split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(described, format!("It says {says}"), "what was written to be read is whole");
        }
    }
    let whole = format!("echo {says}; echo {says}");
    assert!(project.cuff(["list", "pack"]).succeeded().stdout.contains(&whole), "a program reads all of it");
    let long = project.at_terminal(40, &[], &["list", "--long", "pack"]).succeeded().text;
    assert!(long.contains(&whole), "{long}");
}

/// Text to paste is the same whatever the terminal's width.
#[test]
fn lines_to_copy_are_not_broken() {
    let project = project();
    project.write("settings.yml", "version: '1'\nx: &x {}\nplugins: *x\n");
    let pasted = |columns| {
        let run = project.at_terminal(columns, &[], &["--no-color", "init", "--merge", "--yes"]);
        let (_, lines) = run
            .text
            .split_once("by\n  hand:\n")
            .or_else(|| run.text.split_once("by hand:\n"))
            .expect("lines");
        lines.to_owned()
    };
    let [narrow, wide] = [50, 300].map(pasted);
    assert!(narrow.lines().any(|line| line.len() > 60), "{narrow}");
    assert_eq!(narrow, wide);
}

#[test]
fn one_key_answers_a_question_and_typed_ahead_words_do_not() {
    let project = Project::empty();
    project.write("Makefile", "mark:\n\t@echo it >> marks\n");
    let settings = "version: '1'\nplugins:\n  makefile: {config: {confirm: true}}\n";
    project.write("settings.yml", settings);
    let marks = || std::fs::read_to_string(project.root().join("marks")).unwrap_or_default().lines().count();
    // It waits for a pause in the typing, which an empty step is a part of.
    let pause = [("", ""); 6];
    let mut runs = 0;
    for (keys, answer, yes) in [
        ("y", "", true),
        ("n", "", false),
        ("\r", "", false),
        ("\u{1b}", "", false),
        ("history", "y", true),
        ("\u{1b}[A", "n", false),
    ] {
        let mut steps = vec![("[y/N", keys)];
        if !answer.is_empty() {
            steps.extend(pause);
            steps.push(("", answer));
        }
        let screens = project.at_terminal(100, &steps, &["run", "mark"]);
        runs += usize::from(yes);
        let said = if yes { "[y/N/a/d] yes" } else { "[y/N/a/d] no" };
        assert!(screens.last().contains(said), "{keys:?}:\n{}", screens.last());
        assert_eq!((marks(), screens.restored), (runs, true), "{keys:?}:\n{}", screens.last());
    }
}

#[test]
fn no_name_is_broken_however_narrow_the_terminal() {
    let project = project();
    project.cuff(["run", "make_shine"]).succeeded();
    for columns in [40, 60, 80] {
        for (command, name) in [("audit", "makefile.make_shine"), ("runs", "shine")] {
            let run = project.at_terminal(columns, &[], &["--no-color", command]).succeeded();
            let line = run.text.lines().find(|line| line.contains(name));
            assert!(line.is_some(), "{command} at {columns}:\n{}", run.text);
        }
    }
    let run = project.at_terminal(30, &[], &["--no-color", "why", "make_shine"]).succeeded();
    for word in ["permitted:", "settings.yml", "offers", "brings", "nothing", "refused"] {
        let is_whole = run.text.split_whitespace().any(|found| found == word);
        assert!(is_whole, "{word}:\n{}", run.text);
    }
}

#[test]
fn diagnostics_are_announced_at_a_terminal_but_not_for_interrupted_make() {
    let project = Project::empty();
    project.write(
        "Makefile",
        "bad:\n\t@echo 'src/a.c:1:2: error: x'; exit 2\nserve:\n\t@echo ready; sleep 100\n",
    );
    project.cuff(["init", "--yes"]).succeeded();
    let bad = project.at_terminal(80, &[], &["run", "bad"]).ended_with(2).text;
    assert!(
        bad.contains("bad failed: exit code 2, ") && bad.contains(", 1 error; `cuff runs diagnostics"),
        "{bad}"
    );
    let left = project.at_terminal(80, &[("ready", "\u{3}")], &["run", "serve"]).ended_with(130).text;
    assert!(left.contains("make: ***") && !left.contains("1 error"), "{left}");
    let nothing = project.cuff(["runs", "diagnostics"]).succeeded();
    assert!(
        nothing.stdout.is_empty() && nothing.stderr.starts_with("nothing was found"),
        "{}",
        nothing.stdout
    );
}

#[test]
fn ctrl_c_interrupts_a_tool_as_a_shell_does_and_a_second_one_ends_it() {
    let project = project();
    let script = |name: &str, traps: &str| {
        let text = format!("#!/bin/sh\n{traps}\necho ready\nwhile :; do sleep 0.1; done\n");
        project.script(&format!("scripts/{name}.sh"), text);
    };
    script("polite", "trap 'echo cleaned up; exit 0' INT");
    script("deaf", "trap '' INT; trap 'echo told to end; exit 0' TERM");
    script("stubborn", "trap '' INT TERM");
    let at_once = "stopping scripts/";
    let polite = project
        .at_terminal(80, &[("ready", "\u{3}")], &["run", "script_scripts_polite", "--no-tty"])
        .ended_with(130);
    assert!(polite.text.contains("cleaned up") && polite.text.contains(at_once), "{}", polite.text);
    assert!(!polite.text.contains("error:"), "{}", polite.text);
    let deaf = project
        .at_terminal(80, &[("ready", "\u{3}")], &["run", "script_scripts_deaf", "--no-tty"])
        .ended_with(130);
    assert!(deaf.text.contains("told to end"), "{}", deaf.text);
    let steps = [("ready", "\u{3}"), ("Ctrl-C again ends it now", "\u{3}")];
    let begun = Instant::now();
    let stubborn =
        project.at_terminal(80, &steps, &["run", "script_scripts_stubborn", "--no-tty"]).ended_with(130);
    assert!(begun.elapsed() < Duration::from_millis(1900), "nobody waited: {:?}", begun.elapsed());
    assert!(!stubborn.text.contains("error:"), "{}", stubborn.text);
    // One word for it everywhere.
    let listed = project.cuff(["runs", "list"]).succeeded().stdout;
    assert_eq!(listed.matches("  cancelled (").count(), 3, "{listed}");
}

#[test]
fn ctrl_z_stops_a_tool_as_a_shell_does_and_it_goes_on_with_cuff() {
    if tools::require("python3").is_none() {
        return;
    }
    let project = Project::empty();
    // It starts no process: a shell that Ctrl-Z meets between a vfork and the exec does not stop, with cuff or without it.
    let ticks = "import time\nfor i in range(1, 61):\n    print('tick', i, flush=True)\n    \
                 print(i, file=open('ticks', 'a'))\n    time.sleep(0.05)\n";
    project.script("scripts/slow.py", ticks);
    project.write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*']}}}\n");
    let mut shell = Command::new("sh");
    shell.arg("-i");
    project.surround(&mut shell);
    shell.env("PS1", "ready> ").env("CUFF", env!("CARGO_BIN_EXE_cuff"));
    let mut shell = Terminal::start(shell, 80);
    shell.wait_for("ready> ");
    shell.press("\"$CUFF\" run slow\n");
    shell.wait_for("tick 3");
    shell.press("\u{1a}");
    shell.wait_for("ready> ");
    shell.press("echo stopped by $(($? - 128))\n");
    shell.wait_for(&format!("stopped by {}", Signal::SIGTSTP as i32));
    let ticks = || project.read("ticks").lines().count();
    let before = ticks();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(ticks(), before, "the tool stands still as well");
    shell.press("fg; echo ended with $?\n");
    shell.wait_for("tick 60");
    shell.wait_for("ended with 0");
    assert!(ticks() > before);
    shell.press("exit\n");
    shell.finish();
}

#[test]
fn interrupting_a_silent_run_is_no_error_and_recorded() {
    let project = project();
    project.script("scripts/silent.sh", "#!/bin/sh\ntrap '' INT TERM\nsleep 60\n");
    let mut cuff = project.command(["run", "script_scripts_silent"]).stderr(Stdio::piped()).spawn().unwrap();
    let id = Pid::from_raw(cuff.id().try_into().unwrap());
    until("the run goes on", || project.cuff(["runs", "status", "--json"]).stdout.contains("\"running\""));
    for _ in 0..2 {
        kill(id, Signal::SIGINT).unwrap();
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(cuff.wait().unwrap().code(), Some(130));
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut cuff.stderr.take().unwrap(), &mut stderr).unwrap();
    assert!(stderr.contains("stopping scripts/silent.sh") && !stderr.contains("error:"), "{stderr}");
    let run = project.cuff(["runs", "show"]).succeeded();
    assert!(run.stdout.starts_with("scripts/silent.sh: cancelled"), "{}", run.stdout);
}

#[test]
fn a_closed_stdout_pipe_is_no_error() {
    let project = project();
    project.cuff(["run", "script_scripts_greet"]).succeeded();
    for words in [
        &["list"][..],
        &["list", "--json"],
        &["list", "--long"],
        &["runs", "list"],
        &["runs", "log"],
        &["runs", "show"],
        &["runs", "status"],
        &["why", "script_scripts_greet"],
        &["status"],
        &["doctor"],
        &["audit"],
        &["schema"],
        &["completions", "bash"],
        &["run", "script_scripts_greet"],
        &["run", "script_scripts_greet", "--json"],
        &["run", "script_scripts_greet", "--dry-run"],
        &["--help"],
        &["--version"],
        &["init", "--dry-run"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = project.command(words).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(141), "{words:?}: {stderr}");
        assert!(
            !stderr.contains("error") && !stderr.contains("pipe") && !stderr.contains("panicked"),
            "{words:?}: {stderr}"
        );
    }
}

/// Everything that drives a terminal begins with an escape character.
fn escapes(text: &str) -> Vec<&str> {
    text.split('\u{1b}')
        .skip(1)
        .map(|rest| rest.split_inclusive(|c: char| c.is_alphabetic()).next().unwrap_or(""))
        .collect()
}

#[test]
fn colours_are_for_terminals_that_have_them_and_people_who_want_them() {
    let project = || {
        let project = project();
        project.write("package.json", "{\"scripts\": {\"bad\": \"x\", \"bad\": \"y\"}}");
        project.write(
            "settings.yml",
            "version: \"1\"\nplugins:\n  packagejson: {}\n  makefile:\n    config: {cach_ttl: 5}\n",
        );
        project
    };
    let commands: [&[&str]; 5] = [&["list"], &["doctor"], &["run", "nope"], &["runs", "show"], &["status"]];
    let shown = |project: &Project, before: &[&str]| -> String {
        let each = commands.iter().map(|words| project.at_terminal(80, &[], &[before, words].concat()).text);
        each.collect::<String>().replace(&project.outside().display().to_string(), "")
    };
    let colourful = shown(&project(), &[]);
    assert!(!escapes(&colourful).is_empty(), "{colourful}");
    assert!(escapes(&colourful).iter().all(|escape| escape.ends_with('m')), "{:?}", escapes(&colourful));
    for (what, text) in [
        ("--no-color", shown(&project(), &["--no-color"])),
        ("NO_COLOR", shown(&project().variable("NO_COLOR", "1"), &[])),
        ("TERM=dumb", shown(&project().variable("TERM", "dumb"), &[])),
    ] {
        assert_eq!(escapes(&text), Vec::<&str>::new(), "{what}: {text}");
        let words =
            |text: &str| strip_ansi_codes(text).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        if what != "TERM=dumb" {
            assert_eq!(words(&text), words(&colourful), "{what}: all is there without colours");
        }
    }
    let dumb = shown(&project().variable("TERM", "dumb"), &[]);
    assert!(!dumb.contains(['│', '╭', '╰', '─']), "nothing is drawn: {dumb}");
    let piped: String =
        commands.iter().map(|words| project().cuff(*words)).map(|run| run.stdout + &run.stderr).collect();
    assert_eq!(escapes(&piped), Vec::<&str>::new(), "{piped}");
    assert!(!piped.contains(['│', '╭', '╰', '─']), "nothing is drawn: {piped}");
}

/// Looking around takes its time where make is asked: only a terminal that can take it off again gets a sign
/// of life. A wish about colours counts for the tools that cuff runs, too.
#[test]
fn no_color_reaches_the_tool() {
    let project = |colour: &str, value: &str| {
        let project = Project::empty().variable("TERM", "xterm").variable(colour, value);
        project.script("scripts/told.sh", "#!/bin/sh\necho told ${NO_COLOR-none} ${FORCE_COLOR-none}\n");
        project
            .write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*']}}}\n");
        project
    };
    let printed = |run: Run| run.succeeded().stdout.trim().to_owned();
    let shown = |shown: Shown| shown.succeeded().text.trim().to_owned();
    for (variable, value, wished) in [
        ("UNHEARD", "1", "told none none"),
        ("FORCE_COLOR", "1", "told none 1"),
        ("NO_COLOR", "1", "told 1 none"),
    ] {
        let project = project(variable, value);
        assert_eq!(printed(project.cuff(["run", "told"])), wished, "{variable}");
        assert_eq!(shown(project.at_terminal(80, &[], &["run", "told"])), wished, "{variable}");
        assert_eq!(printed(project.cuff(["--no-color", "run", "told"])), "told 1 0", "{variable}");
        assert_eq!(
            shown(project.at_terminal(80, &[], &["run", "told", "--no-color"])),
            "told 1 0",
            "{variable}"
        );
    }
}

#[test]
fn the_spinner_appears_only_on_capable_terminals() {
    let slow = || {
        let project = Project::empty().variable("TERM", "xterm");
        project.write(
            "Makefile",
            "NAMES := $(shell sleep 0.5; echo one two)\n.PHONY: $(NAMES)\n$(NAMES): ## Builds\n\t@echo $@\n",
        );
        project.cuff(["init", "--yes"]).succeeded();
        let trusting = project.read("settings.yml").replace("trust_makefile: false", "trust_makefile: true");
        project.write("settings.yml", trusting);
        project
    };
    let spinning = slow().at_terminal(80, &[], &["list"]).succeeded().text;
    assert!(spinning.contains("\u{1b}[2K") && spinning.contains("  one  Builds"), "{spinning:?}");
    for (what, project, words) in [
        ("dumb", slow().variable("TERM", "dumb"), &["list"][..]),
        ("quiet", slow(), &["--quiet", "--no-color", "list"]),
    ] {
        let text = project.at_terminal(80, &[], words).succeeded().text;
        assert!(text.contains("  one  Builds") && escapes(&text).is_empty(), "{what}: {text:?}");
    }
}
