//! Mistakes, each answered with the one right command.

use serde_json::json;

use crate::support::project::Project;

fn project() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    let scripts = json!({"test": "echo", "build:all": "echo all"});
    project.write("package.json", json!({"name": "x", "scripts": scripts}).to_string());
    project.write("Makefile", ".PHONY: check\ncheck:\n\t@echo checked\n");
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.script("scripts/seed.py", "#!/bin/sh\necho seeded \"$1\"\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins: {packagejson: {}, makefile: {}, scripts: {config: {patterns: ['scripts/*']}}}\n",
    );
    project
}

#[test]
fn a_slip_is_answered_with_the_line_that_was_meant() {
    let project = project();
    for (typed, code, meant) in [
        ("tset", 127, "cuff run test"),
        ("tset a -- -b", 127, "cuff run test"),
        ("chekc", 127, "cuff run check"),
        ("lits", 127, "cuff list"),
        ("-q lits test", 127, "cuff -q list test"),
        ("logs", 127, "cuff runs log"),
        ("log abc", 127, "cuff runs log abc"),
        ("diff", 127, "cuff runs diff"),
        ("runs logs", 64, "cuff runs log"),
        ("runs logs latest", 64, "cuff runs log latest"),
        ("mcp ad tracker", 64, "cuff mcp add tracker"),
        ("run tset", 127, "cuff run test"),
        ("run npm tset", 127, "cuff run test"),
        ("run npm run biuld:all", 127, "cuff run build:all"),
        ("run make chekc", 127, "cuff run check"),
        ("npm test", 64, "cuff run test"),
        ("scripts.sed.py", 127, "cuff run scripts/seed.py"),
    ] {
        let run = project.cuff(typed.split(' ')).ended_with(code);
        let help = format!("did you mean `{meant}`?");
        assert!(run.stderr.contains(&help), "{typed}: {}", run.stderr);
        assert_eq!(run.stderr.matches("help:").count(), 1, "{typed}: {}", run.stderr);
    }
    let nothing = project.cuff(["xyzzy"]).ended_with(127).stderr;
    assert_eq!(nothing, project.cuff(["run", "xyzzy"]).ended_with(127).stderr);
    let json = project.cuff(["tset", "--json"]).ended_with(127).json();
    assert_eq!(json["help"], "did you mean `cuff run test`?");
    // A folder without sources has commands alone.
    let empty = Project::empty();
    assert!(empty.cuff(["lits"]).ended_with(127).stderr.contains("did you mean `cuff list`?"));
    let nothing = empty.cuff(["xyzzy"]).ended_with(125).stderr;
    assert_eq!(nothing, empty.cuff(["run", "xyzzy"]).ended_with(125).stderr);
}

/// People type what they are used to; it is unambiguous, so it runs, and the line says the name for the next time.
#[test]
fn words_that_start_a_tool_without_cuff_run_that_tool_for_a_person() {
    let project = project();
    for (typed, line, printed) in [
        ("run npm test", "cuff run test", "\n"),
        ("run npm test -- --watch", "cuff run test -- --watch", "--watch\n"),
        ("run npm run build:all", "cuff run build:all", "all\n"),
        ("run make check", "cuff run check", "checked\n"),
        ("make check", "cuff run check", "checked\n"),
        ("run sh ./scripts/seed.py 1", "cuff run scripts/seed.py -- 1", "seeded 1\n"),
    ] {
        let run = project.cuff(typed.split(' ')).succeeded();
        assert!(run.stderr.contains(&format!("$ {line}\n")), "{typed}: {}", run.stderr);
        assert!(run.stdout.ends_with(printed), "{typed}: {}", run.stdout);
    }
    assert_eq!(project.cuff(["run", "./scripts/seed.py", "2"]).succeeded().stdout, "seeded 2\n");
    assert_eq!(project.cuff(["-C", "scripts", "run", "./seed.py"]).succeeded().stdout, "seeded \n");
}

/// An agent is told the name, and its call is judged under that.
#[test]
fn an_agent_that_types_such_words_gets_the_name_of_the_tool() {
    let project = project().variable("CLAUDECODE", "1");
    let run = project.cuff(["run", "npm", "test", "--", "--watch"]).ended_with(127);
    assert!(
        run.stderr.contains(
            "the tool is called `packagejson.npm_test`: `cuff run packagejson.npm_test -- --watch`"
        ),
        "{}",
        run.stderr
    );
    assert_eq!(run.stdout, "");
}

#[test]
fn any_unique_part_of_a_shown_id_means_its_run() {
    let project = project();
    project.cuff(["run", "check"]).succeeded();
    project.cuff(["run", "scripts/seed.py", "x"]).succeeded();
    let listed = project.cuff(["runs", "list"]).succeeded().stdout;
    let ids: Vec<&str> = listed.lines().map(|line| line.split(' ').next().expect("an id")).collect();
    let [newest, first] = ids[..] else { panic!("{listed}") };
    for (id, printed) in [(newest, "seeded x\n"), (first, "checked\n")] {
        let whole = project.cuff(["runs", "status", id, "--json"]).succeeded().json()["run_id"].clone();
        let whole = whole.as_str().expect("an id");
        let parts = [id, &id[..6], &id[2..], &id[1..7], &id.to_uppercase(), whole, &whole[20..32]];
        for part in parts {
            let log = project.cuff(["runs", "log", part]).succeeded().stdout;
            assert_eq!(log, printed, "{part} of {id} of {whole}");
        }
    }
    let both = project.cuff(["runs", "log", &whole_beginning(&project)]).ended_with(1).stderr;
    assert!(both.contains(newest) && both.contains(first), "{both}");
}

/// The common beginning of the ids of both runs.
fn whole_beginning(project: &Project) -> String {
    let runs = project.cuff(["runs", "list", "--json"]).succeeded().json()["runs"].clone();
    let ids: Vec<String> = runs
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| run["run_id"].as_str().expect("an id").to_owned())
        .collect();
    let alike = ids[0].chars().zip(ids[1].chars()).take_while(|(one, other)| one == other).count();
    ids[0][..alike].to_owned()
}
