use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::{BadCall, Command, Field, Files, Governance, Role, Seen, Tool, Values, check};
use crate::plugin::Plugin as _;
use crate::plugins::tasks::config::ARGS;

fn values(given: &Value) -> Values {
    let fields: Vec<&Field> = config::FIELDS.iter().collect();
    let (values, mistakes) = check(&fields, given.as_object().unwrap());
    assert_eq!(mistakes, []);
    values
}

/// The files that are wanted; these are there.
fn seen(config: &Values, there: &[(&str, bool)]) -> Files {
    let mut files = Files::default();
    for want in DECLARED.wants(config, &files) {
        let Want::File(path) = want else { panic!("{want:?}") };
        let found = there.iter().find(|(name, _)| *name == path).map(|(name, executable)| {
            let file = File::new(Path::new("/project").join(name), &b"#!/bin/sh\n"[..]);
            let file = File { device: 1, inode: 7, ..file };
            Seen::File(file.permitting(0o755, *executable))
        });
        files.files.insert(path, found.unwrap_or(Seen::Missing));
    }
    files
}

fn command_of(tool: &Tool) -> &Command {
    let Role::Run { command, .. } = &tool.role else { panic!("{} runs", tool.name) };
    command
}

#[test]
fn each_command_is_a_tool_in_the_order_of_the_settings() {
    let config = values(&json!({
        "commands": {
            "test": "cargo test 'a b'",
            "lint": {"run": ["cargo", "clippy", "a|b"], "description": "Lint\teverything\n"},
            "deploy": {"run": ["./deploy.sh", "--prod"], "confirm": true, "env": {"STAGE": "prod"}, "cwd": "infra"},
        },
        "environment": {"CI": "1"}, "default_timeout": 9,
    }));
    let found = DECLARED.discover(&config, &seen(&config, &[("infra/deploy.sh", true)]));
    assert_eq!(found.problems, []);
    let shown = |tool: &Tool| {
        let command = command_of(tool);
        let set: Vec<String> =
            command.environment.iter().map(|change| format!("{}={}", change.name, change.value)).collect();
        let script = command.script.as_ref().map(|script| script.path.display().to_string());
        let asks = if tool.confirms { ", asks" } else { "" };
        format!(
            "{} ({}): {} in {} with {} for {} s, script {script:?}{asks}",
            tool.name,
            tool.told(),
            command.line(),
            command.directory.display(),
            set.join(" "),
            command.timeout.as_secs()
        )
    };
    insta::assert_snapshot!(found.tools.iter().map(shown).collect::<Vec<_>>().join("\n"), @r#"
    test (cargo test 'a b'): cargo test 'a b' in . with CI=1 for 9 s, script None
    lint (Lint everything): cargo clippy 'a|b' in . with CI=1 for 9 s, script None
    deploy (./deploy.sh --prod): ./deploy.sh --prod in infra with CI=1 STAGE=prod for 9 s, script Some("/project/infra/deploy.sh"), asks
    "#);
    assert!(found.tools.iter().all(Tool::is_named_by_project));
    assert!(found.tools.iter().all(|tool| tool.text.as_deref() == Some(&*command_of(tool).line())));
}

#[test]
fn words_of_settings_are_the_operators_and_those_of_a_call_come_last() {
    let config = values(&json!({"commands": {"test": "cargo test"}}));
    let found = DECLARED.discover(&config, &Files::default());
    let planned = |words: &Value, config: &Values, governance: Governance| {
        let arguments = Values::of([(&ARGS, words.clone())]);
        DECLARED.plan(config, &found.tools[0], command_of(&found.tools[0]).clone(), &arguments, governance)
    };
    let command = planned(&json!(["--lib", "a b"]), &config, Governance::Governed).unwrap();
    assert_eq!(command.line(), "cargo test --lib 'a b'");
    assert_eq!(command.program, Word::settings("cargo"));
    assert_eq!(command.arguments, [Word::settings("test"), Word::call("--lib"), Word::call("a b")]);
    let literal = values(&json!({"commands": {"test": "cargo test"}, "arguments": "literal"}));
    let hostile = json!(["$(touch x)"]);
    let refused: BadCall = planned(&hostile, &config, Governance::Governed).unwrap_err();
    assert_eq!(refused.message, "Argument contains dangerous characters: $ ( )");
    for (config, governance) in [(&literal, Governance::Governed), (&config, Governance::Free)] {
        assert_eq!(planned(&hostile, config, governance).unwrap().line(), "cargo test '$(touch x)'");
    }
}

#[test]
fn a_yes_is_for_the_files_that_the_words_of_a_command_name() {
    let config = values(&json!({
        "commands": {"a": "./a.sh", "b": {"run": "sh b.sh", "cwd": "x"}, "c": "cargo test",
            "d": "bash -euo pipefail b.sh", "e": "timeout 5 ./a.sh", "f": "make -f m.mk --eval=m.mk a.sh"},
    }));
    let files = seen(&config, &[("a.sh", true), ("b.sh", true), ("x/b.sh", false), ("m.mk", false)]);
    let bound = |tool: &Tool| {
        let binding = DECLARED.binding(&config, &files, tool);
        binding.files.into_iter().map(|file| file.path).collect::<Vec<_>>().join(" ")
    };
    let found = DECLARED.discover(&config, &files);
    assert_eq!(
        found.tools.iter().map(bound).collect::<Vec<_>>(),
        ["a.sh", "x/b.sh", "", "b.sh", "a.sh", "m.mk a.sh"]
    );
}

#[test]
fn a_program_of_the_project_that_does_not_start_has_advice() {
    let config = values(&json!({"commands": {"a": {"run": "./a.sh", "cwd": "x"}, "b": "cargo test"}}));
    let advice = |there: &[(&str, bool)]| {
        let found = DECLARED.discover(&config, &seen(&config, there));
        found
            .tools
            .iter()
            .map(|tool| command_of(tool).if_missing.clone().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(advice(&[]), ["create x/a.sh, or correct `run` of `a` in settings.yml", ""]);
    assert_eq!(advice(&[("x/a.sh", false)]), ["make it executable: chmod +x x/a.sh", ""]);
}

#[test]
fn pinned_texts_are_the_command_and_its_script() {
    let config = values(&json!({"commands": {"a": "./a.sh --x", "b": "cargo test"}, "trust": "pinned"}));
    let found = DECLARED.discover(&config, &seen(&config, &[("a.sh", true)]));
    let texts: Vec<&str> = found.tools.iter().map(|tool| &*tool.content.as_ref().unwrap().text).collect();
    assert_eq!(texts, ["# a\n./a.sh --x\n# a.sh\n#!/bin/sh\n", "# b\ncargo test\n"]);
}

#[test]
fn without_commands_it_says_where_to_write_some() {
    let config = values(&json!({"commands": {}}));
    let found = DECLARED.discover(&config, &Files::default());
    insta::assert_snapshot!(found.problems[0].sentence(), @"No commands found (write some under `commands` in the settings: `test: cargo test`)");
}
