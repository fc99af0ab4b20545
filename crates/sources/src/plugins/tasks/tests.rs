use std::path::Path;

use serde_json::{Value, json};

use super::config::ARGS;
use super::*;
use crate::model::{File, Glob, Matches, Parameter, Seen, check};

/// Two tasks of a file: one of the project's own for each line, and a usual one.
const LINES: SourceSpec = SourceSpec {
    id: "lines",
    codes: "LINES",
    summary: "A task for each line",
    files: &["tasks.txt"],
    read: |look| {
        let command = look.command(&["runner"]);
        let own = |line: &str| SourceTask::own(line, [command.clone(), words([line])].concat());
        let mut tasks = vec![SourceTask::usual("test", words(["tester"]), "Run the tests").repeatable()];
        for line in look.text("tasks.txt").unwrap_or_default().lines() {
            tasks.push(match line.split_once(' ') {
                Some(("hidden", name)) => own(name).listing(TaskListing::ByName("it begins with hidden")),
                Some(("never", name)) => own(name).listing(TaskListing::Never("it begins with never")),
                Some(("asking", name)) => own(name).confirming(true).described("Asks first"),
                Some(("staged", name)) => own(name).declaring(vec![
                    Parameter { is_required: true, ..Parameter::variable("STAGE") },
                    Parameter { is_variadic: true, ..Parameter::placed("rest") },
                ]),
                _ => own(line),
            });
        }
        tasks.push(SourceTask::usual("fetch", words(["fetcher", "all"]), "Fetch everything").fetching());
        tasks
    },
    missing: Some(|look| {
        let what = "nothing is fetched".to_owned();
        look.first(&["fetched"]).is_none().then_some(MissingDependency { what, task: "fetch" })
    }),
    programs: &[("runner", "install the runner")],
    separator: Some("--"),
    runners: &["runner"],
    ..SourceSpec::BLANK
};

fn file(text: &[u8], name: &str) -> Seen {
    Seen::File(File::new(Path::new("/project").join(name), text))
}

/// The files that a source wants, of a project with these, in which every program but `missing` is installed.
fn seen(config: &Values, texts: &[(&str, &[u8])], missing: &str) -> Files {
    let mut files = Files::default();
    let text_of = |name: &str| texts.iter().find(|(there, _)| *there == name).map(|(_, text)| *text);
    loop {
        let fresh: Vec<Want> =
            LINES.wants(config, &files).into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        for want in fresh {
            match want {
                Want::File(name) => {
                    let seen = text_of(&name).map_or(Seen::Missing, |text| file(text, &name));
                    files.files.insert(name, seen);
                }
                Want::Program(name) => {
                    let path = (name != missing).then(|| "/bin/x".into());
                    files.programs.insert(name, path);
                }
                Want::Glob(glob) => _ = files.globs.insert(glob, Matches::default().into()),
                other => panic!("{other:?}"),
            }
        }
    }
}

fn config(given: Value) -> Values {
    let Value::Object(given) = given else { panic!("an object") };
    let fields: Vec<_> = LINES.about().keys().collect();
    let (values, mistakes) = check(&fields, &given);
    assert_eq!(mistakes, []);
    values
}

/// The tools under these settings, and the problems.
fn offered(given: Value, text: &str, missing: &str) -> String {
    let config = config(given);
    let files = seen(&config, &[("tasks.txt", text.as_bytes())], missing);
    let found = LINES.discover(&config, &files);
    let tools = found.tools.iter().map(|tool| {
        let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
        let confirm = if tool.confirms || command.requires_confirmation { " (confirm)" } else { "" };
        format!("{} = {}{confirm}: {}\n", tool.name, command.line(), tool.description)
    });
    let problems = found.problems.iter().map(|problem| problem.sentence() + "\n");
    tools.chain(problems).collect()
}

#[test]
fn settings_select_tasks_and_wrong_patterns_are_named() {
    let text = "build:all\nasking deploy\nhidden secret\nnever inner\n";
    insta::assert_snapshot!(offered(json!({}), text, ""), @r"
    test = tester: Run the tests
    build__all = runner build:all: runner build:all
    deploy = runner deploy (confirm): Asks first
    fetch = fetcher all (confirm): Fetch everything
    ");
    let given = json!({"tasks": ["build*", "secret", "inner", "tset"], "command": "nice runner -q"});
    insta::assert_snapshot!(offered(given, text, "runner"), @r"
    build__all = nice runner -q build:all: nice runner -q build:all
    secret = nice runner -q secret: nice runner -q secret
    `tasks` has `inner`, which means no task, so that it offers nothing (correct it, or take it out of the settings)
    `tasks` has `tset`, which means no task, so that it offers nothing (did you mean `test`?)
    ");
    insta::assert_snapshot!(offered(json!({"exclude_tasks": "[z-a]"}), text, ""), @"exclude_tasks: pattern `[z-a]`: invalid range; 'z' > 'a'; no task is offered until it is corrected (write it as for fnmatch: * any text, ? one character, [abc] one of these, [!abc] none of these)");
    insta::assert_snapshot!(offered(json!({"tasks": "build*"}), text, "runner"), @r"
    build__all = runner build:all: runner build:all
    runner is not installed or not on the PATH (install the runner)
    ");
}

#[test]
fn the_projects_own_task_replaces_a_usual_one_and_a_second_one_is_named() {
    insta::assert_snapshot!(offered(json!({}), "test\na\na\n", ""), @r"
    test = runner test: runner test
    a = runner a: runner a
    fetch = fetcher all (confirm): Fetch everything
    tasks.txt: a is there twice; the first counts (rename one of them)
    ");
}

#[test]
fn files_that_cannot_be_read_are_problems() {
    let large = vec![b'x'; 20_000_000];
    for (bytes, expected) in [
        (&b"\xef\xbb\xbfa\n"[..], ""),
        (b"a\nb\xff\n", "tasks.txt: tasks.txt cannot be read: line 2 is not UTF-8"),
        (&large, "tasks.txt: tasks.txt cannot be read: it has 20 MB, and cuff reads up to 4"),
    ] {
        let files = seen(&Values::default(), &[("tasks.txt", bytes)], "");
        let problems = LINES.discover(&Values::default(), &files).problems;
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.join("\n"), expected);
    }
    let none = LINES.discover(&Values::default(), &seen(&Values::default(), &[], "")).problems;
    assert_eq!(none[0].sentence(), "tasks.txt not found in . (create it, or set working_directory)");
}

#[test]
fn a_name_that_is_not_offered_has_its_reason() {
    let text = "a\nhidden secret\nnever inner\nasking deploy\n";
    let config = config(json!({"tasks": ["a", "d*"], "exclude_tasks": "deploy"}));
    let files = seen(&config, &[("tasks.txt", text.as_bytes())], "");
    let reason = |name: &str| {
        let absence = LINES.absence(&config, name, &files);
        let is_for_person = absence.clone().for_person().is_some();
        absence.reason().map(|problem| (problem.sentence(), is_for_person))
    };
    let said = |what: &str, is: bool| Some((what.to_owned(), is));
    assert_eq!(reason("secret"), said("Task is private: secret (it begins with hidden)", true));
    assert_eq!(reason("inner"), said("Task is private: inner (it begins with never)", false));
    assert_eq!(
        reason("deploy"),
        said("Task is excluded: deploy (`exclude_tasks` in the settings leaves it out)", false)
    );
    assert_eq!(
        reason("test"),
        said("Task not in allowed patterns: test (add it to `tasks` in settings.yml)", false)
    );
    assert_eq!(reason("none"), None);
}

#[test]
fn words_of_a_call_stand_behind_the_separator() {
    let files = seen(&Values::default(), &[("tasks.txt", b"a\n")], "");
    let found = LINES.discover(&Values::default(), &files);
    let planned = |words: &[&str], governance| {
        let Role::Run { command, .. } = &found.tools[1].role else { panic!("a tool that runs") };
        let arguments = Values::of([(&ARGS, json!(words))]);
        let planned =
            LINES.plan(&Values::default(), &found.tools[1], (**command).clone(), &arguments, governance);
        planned.map(|command| command.line()).map_err(|bad| bad.message)
    };
    assert_eq!(planned(&[], Governance::Governed).unwrap(), "runner a");
    assert_eq!(planned(&["-x", "y"], Governance::Governed).unwrap(), "runner a -- -x y");
    assert_eq!(planned(&["$(x)"], Governance::Free).unwrap(), "runner a -- '$(x)'");
    planned(&["$(x)"], Governance::Governed).unwrap_err();
    assert_eq!(
        [&found.tools[1], &found.tools[2]].map(|tool| LINES.reach(tool)),
        [Reach::Appended, Reach::Declared]
    );
}

#[test]
fn a_missing_dependency_names_the_task_that_installs_it() {
    let config = Values::default();
    let mut files = seen(&config, &[("tasks.txt", b"a\n")], "");
    let tool = LINES.discover(&config, &files).tools.remove(1);
    let InstallHint::Look(wants) = LINES.install_hint(&config, &tool, &[], &files) else { panic!("a look") };
    let [Want::Glob(glob)] = &wants[..] else { panic!("{wants:?}") };
    files.globs.insert(Glob::clone(glob), Matches::default().into());
    let installer = Installer::ByHand { line: "fetcher all".into(), directory: ".".into() };
    let missing = Missing { what: "nothing is fetched".into(), installer };
    assert_eq!(LINES.install_hint(&config, &tool, &[], &files), InstallHint::Missing(missing));
}

#[test]
fn variables_stand_before_the_other_words_of_a_task() {
    let config = Values::default();
    let tool =
        LINES.discover(&config, &seen(&config, &[("tasks.txt", b"staged release\n")], "")).tools.remove(1);
    let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
    let planned = |words: &[&str], governance| {
        let arguments = Values::of([(&ARGS, json!(words))]);
        let planned = LINES.plan(&config, &tool, (**command).clone(), &arguments, governance);
        planned.map_or_else(|bad| bad.message, |command| command.line())
    };
    assert_eq!(tool.original, "release");
    for (words, expected) in [
        (&["-x", "STAGE=dev"][..], "runner release 'STAGE=dev' -- -x"),
        (&["STAGE=dev"], "runner release 'STAGE=dev'"),
        (&[], "args: STAGE is not given"),
        (&["STAGE=a b"], "args: \"STAGE=a b\" holds ' ', which is no plain text"),
    ] {
        assert_eq!(planned(words, Governance::Governed), expected, "{words:?}");
    }
    assert_eq!(planned(&["STAGE=a b"], Governance::Free), "runner release 'STAGE=a b'");
}
