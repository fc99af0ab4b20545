//! A person's run is as without cuff: standard input, colours, Ctrl-C, failures, and cuff within a run.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::normalize::{stable, typed};
use crate::support::process;
use crate::support::project::{Project, Run};
use crate::support::terminal::Terminal;
use crate::support::tools;

/// A project whose scripts are tools.
fn project(scripts: &[(&str, &str)]) -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    for (name, text) in scripts {
        project.script(&format!("scripts/{name}.sh"), format!("#!/bin/sh\n{text}\n"));
    }
    project
}

/// A shell with job control, at a terminal of 80 columns and 24 rows.
fn shell(project: &Project) -> Terminal {
    let mut shell = Command::new("sh");
    shell.arg("-i");
    project.surround(&mut shell);
    shell.env("PS1", "ready> ").env("CUFF", env!("CARGO_BIN_EXE_cuff"));
    let mut shell = Terminal::start(shell, 80);
    shell.wait_for("ready> ");
    shell
}

/// Runs cuff with this input, from a file or through a pipe.
fn fed(project: &Project, input: &[u8], is_file: bool, words: &[&str]) -> Run {
    let mut command = project.command(words);
    if is_file {
        let file = project.outside().join("tmp/input");
        fs::write(&file, input).expect("a file of ours");
        command.stdin(fs::File::open(file).expect("a file of ours"));
        return Run::of(command);
    }
    let (read, mut written) = std::io::pipe().expect("a pipe");
    command.stdin(read);
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(written.write_all(&input)));
    let run = Run::of(command);
    drop(writer.join());
    run
}

#[test]
fn a_persons_pipe_or_file_is_the_tools_input() {
    let project = project(&[("count", "wc -c"), ("first", "head -n 1")]);
    let large = vec![b'x'; 3 << 20];
    for is_file in [true, false] {
        for words in [&["run", "count"][..], &["count"], &["scripts", "run", "count"]] {
            let run = fed(&project, &large, is_file, words).succeeded();
            assert_eq!(run.stdout.trim(), (3 << 20).to_string(), "{words:?}");
        }
        // A reader that leaves early ends the run.
        let run = fed(&project, "y\n".repeat(1 << 20).as_bytes(), is_file, &["run", "first"]).succeeded();
        assert_eq!(run.stdout, "y\n");
    }
    assert_eq!(fed(&project, b"", false, &["run", "count"]).succeeded().stdout.trim(), "0");
    // An agent's shell gives the tool nothing, and neither does anything inside its runs.
    for governed in [Project::at(&project).variable("CLAUDECODE", "1"), Project::at(&project).inside_a_run()]
    {
        governed
            .write("settings.yml", "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*']}}}\n");
        project.cuff(["list"]).succeeded();
        assert_eq!(fed(&governed, b"secret", false, &["run", "count"]).succeeded().stdout.trim(), "0");
    }
}

#[test]
fn npm_passes_the_input_on_as_well() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"seed": "wc -l"}}"#);
    let run = fed(&project, b"one\ntwo\n", true, &["run", "seed"]).succeeded();
    assert!(run.stdout.trim_end().ends_with('2'), "{}", run.stdout);
}

#[test]
fn prompts_work_where_an_output_is_redirected() {
    let ask = "printf 'Name: ' >&2; read -r name; echo \"hello $name\"\n\
               for each in 0 1 2; do [ -t $each ] && echo \"$each is a terminal\" >&2; done\n\
               (: </dev/tty) 2>/dev/null && echo has one >&2; exit 0";
    let project = project(&[("ask", ask)]);
    let mut shell = shell(&project);
    for (line, on_screen, logged) in [
        ("\"$CUFF\" ask | tee log", "0 is a terminal\n2 is a terminal\nhas one\n", "hello Ada\n"),
        ("\"$CUFF\" ask 2>log", "hello Ada\n", "Name: 0 is a terminal\n1 is a terminal\nhas one\n"),
        // Without an output at the terminal a run reads it, and has none of its own.
        ("\"$CUFF\" ask >log 2>&1", "", "Name: hello Ada\n0 is a terminal\n"),
        ("\"$CUFF\" ask 2>&1 | tee log", "0 is a terminal\n", "Name: hello Ada\n0 is a terminal\n"),
    ] {
        _ = fs::remove_file(project.root().join("log"));
        shell.press(&format!("clear; {line}; stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo|isig|opost)' | tr '\\n' ' '; echo end of it\n"));
        if line.contains("tee") {
            shell.wait_for("Name: ");
        } else {
            let log = project.root().join("log");
            process::until("it asks", || fs::read_to_string(&log).is_ok_and(|log| log == "Name: "));
        }
        shell.press("Ada\n");
        shell.wait_for("end of it\nready> ");
        let screen = shell.screen();
        // Two programs write to the screen: the order of their lines is not fixed.
        let rows = |text: &str| text.lines().filter(|row| row.contains(" is a ")).count();
        assert_eq!(rows(&screen), rows(on_screen), "{line}: {screen}");
        assert!(on_screen.lines().all(|row| screen.lines().any(|shown| shown == row)), "{line}: {screen}");
        assert!(
            screen.contains("opost isig icanon echo end of it"),
            "{line} leaves the terminal as it was: {screen}"
        );
        assert_eq!(project.read("log"), logged, "{line}");
    }
    shell.press("exit\n");
    shell.finish();
    assert_eq!(project.cuff(["runs", "log"]).succeeded().stdout, "Name: hello Ada\n0 is a terminal\n");
}

#[test]
fn no_variable_forces_colours_and_what_a_script_redirects_stays_plain() {
    let look = "echo \"FORCE_COLOR=${FORCE_COLOR-unset} NO_COLOR=${NO_COLOR-unset}\"";
    let project = project(&[("look", look)]);
    for (words, expected) in [
        (&["run", "look"][..], "FORCE_COLOR=unset NO_COLOR=unset\n"),
        (&["run", "--no-tty", "look"], "FORCE_COLOR=unset NO_COLOR=unset\n"),
        (&["run", "--no-color", "look"], "FORCE_COLOR=0 NO_COLOR=1\n"),
    ] {
        assert_eq!(project.at_terminal(80, &[], words).text, expected, "{words:?}");
    }
}

#[test]
fn ctrl_c_ends_a_watch_mode_that_reads_the_key_itself_without_an_error() {
    if ["node", "npm"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let project = Project::empty().variable("TERM", "xterm").variable("PATH", tools::path());
    project.write(
        "package.json",
        r#"{"type": "module", "scripts": {"test": "node node_modules/vitest/vitest.mjs"}}"#,
    );
    project.write(
        "sum.test.js",
        "import { expect, test } from 'vitest';\ntest('adds', () => expect(1 + 1).toBe(2));\n",
    );
    fs::create_dir(project.root().join("node_modules")).unwrap();
    let vitest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/node_modules/vitest");
    if !vitest.is_dir() {
        assert!(tools::may_skip(), "vitest is missing: run tests/tools/install");
        return tools::skipped("vitest is missing");
    }
    symlink(vitest, project.root().join("node_modules/vitest")).unwrap();
    let mut shell = shell(&project);
    shell.press("\"$CUFF\" test\n");
    shell.wait_for("press h to show help");
    shell.press("\u{3}");
    shell.wait_for("ready> ");
    shell.press("echo ended with $?\n");
    shell.wait_for("ended with 130");
    shell.press("exit\n");
    let shown = shell.finish();
    for word in ["error:", "failed", "PKGJSON"] {
        assert!(!shown.text.contains(word), "{word}: {}", shown.text);
    }
    insta::assert_snapshot!(typed(&project, &["runs"]), @"
    $ cuff runs
    RUN  1 s ago  cancelled (0.1 s)  test
    = 0
    ");
}

#[test]
fn a_failure_is_followed_by_one_line_and_the_code_is_for_those_who_want_it() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"test": "node test.js"}}"#);
    project.write("test.js", "console.log('src/a.ts(4,2): error TS2345: no');\nprocess.exit(2);\n");
    insta::assert_snapshot!(typed(&project, &["test", "-v test"]), @"
    $ cuff test

    > test
    > node test.js

    src/a.ts(4,2): error TS2345: no
    ! test failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN`
    = 2
    $ cuff -v test

    > test
    > node test.js

    src/a.ts(4,2): error TS2345: no
    ! note: test was `npm run test`
    ! test failed: exit code 2, 0.1 s, 1 error; `cuff runs diagnostics RUN` [PKGJSON_302]
    = 2
    ");
    let json = project.cuff(["run", "test", "--json"]).ended_with(2).json();
    assert_eq!(json["error_code"], "PKGJSON_302");
}

#[test]
fn who_types_an_install_is_not_asked_and_agents_are() {
    let project = Project::empty();
    project.write("package.json", r#"{"name": "p", "version": "1.0.0"}"#);
    project.write("package-lock.json", r#"{"name": "p", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": {"name": "p", "version": "1.0.0"}}}"#);
    project.cuff(["init", "--yes"]).succeeded();
    project.approve();
    project.cuff(["run", "npm.install"]).succeeded();
    insta::assert_snapshot!(typed(&project, &["list", "why npm.install"]), @"
    $ cuff list
    npm
      install  Install what package.json says, or add the packages that args names (npm install)
      ci       Install exactly what the lock file says (npm ci)
    ! warning: packagejson: package.json: No scripts found
    ! help: add some under `scripts` in package.json
    = 0
    $ cuff why npm.install
    npm.install: Install what package.json says, or add the packages that args names (npm install)
      from      package.json (install, by the plugin npm)
      command   npm install
      program   /usr/bin/npm
      in        .
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile install; network: open
      decision  permitted: settings.yml offers it, and the call brings nothing that is refused
      agents    have it, and you are asked each time
      errors    read from the output of npm install; any other output of a known form as well
    = 0
    ");
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    insta::assert_snapshot!(typed(&agent, &["run npm.install"]), @"
    $ cuff run npm.install
    ! error: npm.install requires confirmation by a person first [NPM_307]
    ! help: ask the user to run `cuff approve ID` in a terminal (or `cuff deny ID`), then make the same call again
    ! note: an agent's rules hold here, since CLAUDECODE is set
    = 126
    ");
    // A tool that settings name asks everybody.
    let settings = project.read("settings.yml").replace(
        "module: opencuff.plugins.builtin.npm\n",
        "module: opencuff.plugins.builtin.npm\n    config: {confirm: install}\n",
    );
    project.write("settings.yml", settings);
    insta::assert_snapshot!(typed(&project, &["run npm.install"]), @"
    $ cuff run npm.install
    ! error: install requires confirmation by a person first [NPM_307]
    ! help: a yes counts only at a terminal, that of --yes too: run it there, or type `cuff approve ID` there and run it again here; for CI there is `noninteractive_yes: true` in your own preferences.yml
    = 126
    ");
}

/// A script that runs cuff on a tool with a word that no rule for agents lets through.
const NESTED: &str = "\"$CUFF\" run show -- '$(id)' \"$@\"";

#[test]
fn inside_a_run_of_a_person_a_persons_rules_hold_and_no_yes_counts() {
    let project = project(&[
        ("outer", NESTED),
        ("show", "echo \"shown $1\""),
        ("ask", "\"$CUFF\" run deploy --yes"),
        ("deploy", "echo deployed"),
    ])
    .variable("CUFF", env!("CARGO_BIN_EXE_cuff"));
    project.write(
        "settings.yml",
        "version: '1'\nplugins: {scripts: {config: {patterns: ['scripts/*'], confirm: 'scripts/deploy.sh'}}}\n",
    );
    // As a commit hook: several runs deep, without a terminal and with one.
    assert_eq!(project.cuff(["run", "outer"]).succeeded().stdout, "shown $(id)\n");
    assert_eq!(project.at_terminal(80, &[], &["run", "outer"]).succeeded().text, "shown $(id)\n");
    // A confirmation is a person's alone.
    let asked = project.at_terminal(120, &[], &["run", "ask"]).ended_with(126);
    insta::assert_snapshot!(stable(&project, asked.last()), @"
    error: scripts/deploy.sh requires confirmation by a person first [SCRIPT_307]
    help: nobody is asked within a run: a person types `cuff approve ID` in a terminal outside of it
      (or `cuff deny ID`), and then it is run again
    scripts/ask.sh failed: exit code 126, 0.1 s; `cuff runs log RUN`
    ");
    // In the run of an agent its rules hold, and the refusal says why.
    project.cuff(["list"]).succeeded();
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    insta::assert_snapshot!(typed(&agent, &["run outer"]), @"
    $ cuff run outer
    ! error: Argument contains dangerous characters: $ ( ) [SCRIPT_304]
    ! help: leave them out of argument 1; settings.yml can allow them with `arguments: literal`
    ! note: an agent's rules hold here, since CLAUDECODE is set
    ! scripts/outer.sh failed: exit code 126, 0.1 s; `cuff runs log RUN`
    = 126
    ");
    for (attempt, taken_off) in [
        ("its variables", "env -u CLAUDECODE -u CUFF_RUN"),
        ("its session as well", "env -u CLAUDECODE -u CUFF_RUN setsid -w"),
        (
            "its limit, as far as it may",
            "env -u CLAUDECODE -u CUFF_RUN sh -c 'ulimit -x 1 2>/dev/null; exec \"$@\"' sh",
        ),
        ("its limit, as the superuser may", "env -u CLAUDECODE -u CUFF_RUN prlimit --locks=1:1"),
    ] {
        project.script("scripts/outer.sh", format!("#!/bin/sh\n{taken_off} {NESTED}\n"));
        // The refusal depends on the user: the superuser gets further.
        assert_eq!(agent.cuff(["run", "outer"]).stdout, "", "{attempt}");
    }
}

#[test]
fn yes_ends_with_the_tool_that_reads_it() {
    let project = project(&[("agree", "read -r word; echo \"said $word\"")]);
    let mut yes = Command::new("yes");
    let mut yes = yes.stdout(Stdio::piped()).spawn().unwrap();
    let mut command = project.command(["run", "agree"]);
    command.stdin(yes.stdout.take().unwrap());
    assert_eq!(Run::of(command).succeeded().stdout, "said y\n");
    yes.wait().unwrap();
}
