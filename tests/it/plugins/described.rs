//! Tasks of files that settings describe, as people and agents get them.

use std::fmt::Write as _;

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

#[test]
fn described_tasks_are_listed_run_and_explained_like_all_tools() {
    let project = Project::of("tasks");
    project.approve();
    insta::assert_snapshot!(project.cuff(["list"]).succeeded().stdout, @r"
    jobs.json
      tides  make tides

    stations/north.yml
      measure  Measure the height of the water
      report   Write the table of the day
    ");
    let run = project.cuff(["run", "measure", "--", "a b"]).succeeded();
    assert!(run.stdout.ends_with("measured a b\n"), "{run:?}");
    let run = project.cuff(["tasks", "run", "stations.report"]).succeeded();
    assert!(run.stdout.ends_with("reported \n"), "{run:?}");
    let why = project.cuff(["why", "measure"]).succeeded().stdout;
    let why: Vec<&str> = why.lines().filter(|line| !line.starts_with("  program ")).collect();
    insta::assert_snapshot!(why.join("\n"), @r"
    stations.measure: Measure the height of the water
      from      stations/north.yml (measure, by the plugin tasks)
      command   sh stations/measure.sh
      in        .
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  permitted: settings.yml offers it, and the call brings nothing that is refused
      agents    have it as you do
      errors    read from the output of shell; any other output of a known form as well
    ");
}

#[test]
fn agents_get_described_tasks_after_the_settings_were_approved() {
    let project = Project::of("tasks");
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    let described = project.read("settings.yml");
    project.write("settings.yml", settings("files: [jobs.json], run: 'make {name}'"));
    project.approve();
    project.write("settings.yml", described);
    let run = agent.cuff(["run", "measure"]).ended_with(127);
    insta::assert_snapshot!(run.stderr, @r"
    error: Tool not found: measure [CUFF_301]
    help: available: jobs.tides; agents still use the last approved settings; `cuff approve settings` shows the difference
    ");
    project.approve();
    let mut session = McpSession::begun(&project, &[]);
    let answer = session.call("stations.measure", &json!({"args": ["x"]}));
    assert_eq!(answer["isError"], json!(false), "{answer}");
    let answer = session.call("stations.measure", &json!({"args": ["$(touch landed)"]}));
    assert!(answer.to_string().contains("dangerous characters: $ ( )"), "{answer}");
    assert!(!project.root().join("landed").exists());
}

/// Settings with one described source.
fn settings(config: &str) -> String {
    format!("version: '1'\nplugins:\n  jobs:\n    type: tasks\n    config: {{{config}}}\n")
}

#[test]
fn files_that_name_no_tasks_are_problems_beside_the_others() {
    let mut said = String::new();
    for (config, file, text) in [
        ("files: [x/*.json], run: 'make {name}'", "x.json", "{}".to_owned()),
        ("files: [jobs.json], run: 'make {name}'", "jobs.json", "{\n\"a\": }".to_owned()),
        (
            "files: [jobs.toml], path: [tool, jobs], run: 'make {name}'",
            "jobs.toml",
            "[tool.job]\na = 1".to_owned(),
        ),
        ("files: [jobs.yml], path: [jobs], run: 'make {name}'", "jobs.yml", "jobs: 5".to_owned()),
        ("files: [jobs.ini], run: 'make {name}'", "jobs.ini", "[jobs]".to_owned()),
        (
            "files: [jobs.json], run: 'make {name}'",
            "jobs.json",
            format!("{{\"a\": \"{}\"}}", "x".repeat(20_000_000)),
        ),
    ] {
        let project = Project::empty();
        project.write("settings.yml", settings(config));
        project.write(file, text);
        let listed = project.cuff(["list"]).ended_with(1);
        writeln!(said, "{}", listed.stderr).expect("a string");
    }
    insta::assert_snapshot!(said, @r"
    error: jobs: No file of `files` is in .: x/*.json [TASKS_101]
    help: create one, or correct `files` or working_directory in the settings
    Nothing is offered here

    error: jobs: jobs.json:2: jobs.json cannot be parsed: expected value at line 2 column 6 [TASKS_102]
    help: correct it; tools of other sources still work
    Nothing is offered here

    error: jobs: jobs.toml: jobs.toml has no tool → jobs, where the settings look for tasks [TASKS_102]
    help: correct `path` in the settings, or the file; tools of other sources still work
    Nothing is offered here

    error: jobs: jobs.yml: jobs of jobs.yml is neither a mapping nor a list of tasks [TASKS_102]
    help: correct `path` in the settings, or the file; tools of other sources still work
    Nothing is offered here

    error: jobs: jobs.ini is neither JSON, YAML nor TOML by its name [TASKS_102]
    help: name files that end with .json, .jsonc, .yml, .yaml or .toml
    Nothing is offered here

    error: jobs: jobs.json: jobs.json cannot be read: it has 20 MB, and cuff reads up to 4 [TASKS_102]
    help: correct the file; tools of other sources still work
    Nothing is offered here
    ");
}

#[test]
fn names_that_are_no_words_are_left_out_and_counted() {
    let project = Project::empty();
    project.write("settings.yml", settings("files: [jobs.json], name: id, run: 'sh do.sh x-{name}'"));
    project.write("do.sh", "echo did \"$@\"\n");
    project.write(
        "jobs.json",
        r#"["a", "-c", {"id": "b"}, {"name": "c"}, 5, "x; touch landed", "", "a", "line\nbreak"]"#,
    );
    let listed = project.cuff(["list"]);
    insta::assert_snapshot!(format!("{}{}", listed.stdout, listed.stderr), @r"
        jobs.json
          a  sh do.sh x-a
          b  sh do.sh x-b
        note: also in this project, but not in settings.yml: scripts; `cuff init --merge` adds it
        warning: jobs: jobs.json: 6 tasks of jobs.json left out, since the name is no word; the first: -c
        help: a name is one line of text without a dash at its beginning. Where `{name}` is a part of a word of `run`, it has no blanks and no signs of a shell. In a list, `name` in the settings is the key that has it
        warning: jobs: jobs.json: a is there twice; the first counts
        help: rename one of them
        ");
    assert!(project.cuff(["run", "b"]).succeeded().stdout.ends_with("did x-b\n"));
}

/// All that is said of settings with this entry.
fn said_of(entries: [&str; 2]) -> String {
    let mut said = String::new();
    for entry in entries {
        let project = Project::empty();
        project.write("settings.yml", format!("version: '1'\nplugins:\n  jobs:\n    {entry}\n"));
        writeln!(said, "{}", project.cuff(["list"]).stderr).expect("a string");
    }
    said
}

#[test]
fn what_an_entry_lacks_or_may_not_have_is_shown_at_its_place() {
    let entries = ["type: task", "{type: tasks, module: x, config: {files: [a.json], run: make}}"];
    insta::assert_snapshot!(said_of(entries), @r"
    error: settings.yml:4:11: `type` must be one of in_source, mcp, process, http, tasks [CUFF_201]
       ,-[settings.yml:4:11]
     3 |   jobs:
     4 |     type: task
       :           ^^|^
       :             `-- none of them
       `----
    help: did you mean `tasks`?
    Nothing is offered here

    warning: settings.yml:4:19: `module` is not known here
       ,-[settings.yml:4:19]
     3 |   jobs:
     4 |     {type: tasks, module: x, config: {files: [a.json], run: make}}
       :                   ^^^|^^
       :                      `-- unknown key
       `----
    help: known here are enabled, type, config
    error: jobs: No file of `files` is in .: a.json [TASKS_101]
    help: create one, or correct `files` or working_directory in the settings
    Nothing is offered here
    ");
}

#[test]
fn mistakes_in_a_description_have_line_and_column() {
    let entries = ["type: tasks", "{type: tasks, config: {files: a.json, run: 'a | b', paths: [x]}}"];
    insta::assert_snapshot!(said_of(entries), @r#"
    error: settings.yml:3:3: `files` is missing [TASKS_201]
       ,-[settings.yml:3:3]
     2 | plugins:
     3 |   jobs:
       :   ^^|^
       :     `-- missing here
     4 |     type: tasks
       `----
    help: add it under `config`: The files that name the tasks: paths with `*`, `?` and `[…]` within a folder and `**` across folders, relative to working_directory. They end with .json, .jsonc, .yml, .yaml or .toml.
    error: settings.yml:3:3: `run` is missing [TASKS_201]
       ,-[settings.yml:3:3]
     2 | plugins:
     3 |   jobs:
       :   ^^|^
       :     `-- missing here
     4 |     type: tasks
       `----
    help: add it under `config`: The program that runs a task and its words, in which `{name}` is the name of the task: a line without operators of a shell, or a list whose words are taken as they stand.
    Nothing is offered here

    error: settings.yml:4:35: `files` must be a list of strings, not the string "a.json" [TASKS_201]
       ,-[settings.yml:4:35]
     3 |   jobs:
     4 |     {type: tasks, config: {files: a.json, run: 'a | b', paths: [x]}}
       :                                   ^^^|^^
       :                                      `-- a list of strings
       `----
    help: write it as a list: ["a.json"]
    error: settings.yml:4:48: `run` must be a program and its words, and no line for a shell [TASKS_201]
       ,-[settings.yml:4:48]
     3 |   jobs:
     4 |     {type: tasks, config: {files: a.json, run: 'a | b', paths: [x]}}
       :                                                ^^^|^^^
       :                                                   `-- a program and its words, and no line for a shell
       `----
    help: cuff starts programs without a shell, and `|` is for one: put the line into a script and name that, or write `run: [...]`, whose words are taken as they stand
    error: settings.yml:4:57: `paths` is not known here [TASKS_201]
       ,-[settings.yml:4:57]
     3 |   jobs:
     4 |     {type: tasks, config: {files: a.json, run: 'a | b', paths: [x]}}
       :                                                         ^^|^^
       :                                                           `-- unknown key
       `----
    help: did you mean `path`?
    Nothing is offered here
    "#);
}
