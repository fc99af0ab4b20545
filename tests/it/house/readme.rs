//! The examples of README.md are cuff's real output: each block marked `console` is a session in the demo
//! project.

use std::fs;
use std::path::Path;
use std::process::Command;

use cuff::dialect;
use cuff::model::Fault;
use serde_json::json;

use crate::support::project::{Project, Run};
use crate::support::tools;

/// A command and its output. `…` matches anything within a line, or, alone in a line, any lines.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    command: String,
    expected: Vec<String>,
}

#[test]
fn examples_print_what_they_show() {
    let text = fs::read_to_string(super::root().join("README.md")).expect("the README");
    let examples = examples(&text);
    assert!(examples.len() >= 5, "the README shows {} commands", examples.len());
    if ["node", "npm", "python3"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    // One project for all of them, in the order of the page, as a reader would try them.
    let project = Project::of("demo");
    let mut path =
        Path::new(env!("CARGO_BIN_EXE_cuff")).parent().expect("the folder it is in").as_os_str().to_owned();
    path.push(":");
    path.push(tools::path());
    let project = project.variable("PATH", path);
    for Example { command, expected } in &examples {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1"));
        project.surround(&mut shell);
        let run = Run::of(shell);
        let printed: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        assert!(
            matches(expected, &printed),
            "README.md says that `{command}` prints\n\n{}\n\nbut it prints\n\n{}\n",
            expected.join("\n"),
            printed.join("\n")
        );
    }
}

#[test]
fn error_codes_are_in_the_table() {
    let text = fs::read_to_string(super::root().join("README.md")).expect("the README");
    let rows: Vec<String> =
        Fault::ALL.iter().map(|fault| format!("| {} | {} |", fault.number(), fault.meaning())).collect();
    let table = format!("| number | meaning |\n|---|---|\n{}\n\n", rows.join("\n"));
    assert!(text.contains(&table), "README.md must have this table:\n{table}");
    for plugin in cuff::plugins::ALL {
        let front = format!("`{}_`", plugin.about().code_prefix);
        assert!(
            text.contains(&front),
            "README.md does not name {front}, the front of {}'s codes",
            plugin.about().id
        );
    }
}

#[test]
fn every_dialect_is_named() {
    let text = fs::read_to_string(super::root().join("README.md")).expect("the README");
    let mut named: Vec<String> = dialect::ALL
        .iter()
        .map(|format| match format.programs {
            [] => format!("`{}`", format.id),
            programs => format!("`{}` ({})", format.id, programs.join(", ")),
        })
        .collect();
    named.sort();
    let list = format!("{}.", named.join(", "));
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(
        words.join(" ").contains(&list),
        "README.md must have this list, in lines of any length:\n{list}"
    );
}

/// The settings of the README with problem matchers, in the project whose linter they are for.
#[test]
fn problem_matchers_find_what_the_page_says() {
    if ["node", "npm"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let text = fs::read_to_string(super::root().join("README.md")).expect("the README");
    let mut blocks = text.split("```yaml\n").skip(1).filter_map(|block| block.split("```").next());
    let settings = blocks.find(|block| block.contains("problem_matchers:")).expect("settings with matchers");
    let project = Project::of("demo").variable("PATH", tools::path());
    project.write("settings.yml", settings);
    project.write("src/tide.js", "export const low = 1;\nexport const tide = 2; \n");
    let ran = project.cuff(["run", "packagejson.npm_lint", "--json"]).ended_with(1).json();
    let found = ran["diagnostics"].as_array().expect("findings");
    assert_eq!(found.len(), 1, "{ran}");
    for (key, value) in [
        ("source", json!("blanks")),
        ("severity", json!("warning")),
        ("file", json!("src/tide.js")),
        ("line", json!(2)),
        ("message", json!("ends in blanks")),
    ] {
        assert_eq!(found[0][key], value, "{key}: {ran}");
    }
}

/// The commands of all `console` blocks, in order.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples.push(Example { command: command.to_owned(), expected: Vec::new() });
        } else if inside {
            let example = examples.last_mut().expect("a console block starts with a command");
            example.expected.push(line.trim_end().to_owned());
        }
    }
    // A blank line before the next command is layout.
    for Example { expected, .. } in &mut examples {
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
    }
    examples
}

fn matches<Line: AsRef<str>>(expected: &[String], printed: &[Line]) -> bool {
    match expected.split_first() {
        None => printed.iter().all(|line| line.as_ref().is_empty()),
        Some((any, rest)) if any.trim() == "…" => {
            (0..=printed.len()).any(|skip| matches(rest, &printed[skip..]))
        }
        Some((first, rest)) => match printed.split_first() {
            Some((line, others)) => line_matches(first, line.as_ref()) && matches(rest, others),
            None => false,
        },
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('…') else { return pattern == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('…').unwrap_or(("", rest));
    let Some(mut line) = line.strip_suffix(end) else { return false };
    middle.split('…').all(|piece| match line.find(piece) {
        Some(at) => {
            line = &line[at + piece.len()..];
            true
        }
        None => false,
    })
}

#[test]
fn a_wrong_example_is_found() {
    let expected = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (pattern, printed, right) in [
        ("a\nb", "a\nb", true),
        ("a\nb", "a\nc", false),
        ("a", "a\nb", false),
        ("a\nb", "a", false),
        ("a\n…\nd", "a\nb\nc\nd", true),
        ("a\n…\nd", "a\nd", true),
        ("a\n…\nd", "a\nb", false),
        ("took … s", "took 1.2 s", true),
        ("took … s", "took 1.2 ms", false),
        ("took … s", "it took 1.2 s", false),
        ("took …", "took long", true),
        ("…a…b…c", "xaxbxc", true),
        ("…a…b…c", "xbxaxc", false),
        ("ab…ba", "aba", false),
        ("…\nlast", "first\nlast\nafter", false),
        ("", "", true),
        ("", "more", false),
    ] {
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(matches(&expected(pattern), &printed), right, "{pattern:?} and {printed:?}");
    }
    let text = "text\n```sh\n$ no\n```\n```console\n$ cuff a\nb\n\n$ cuff c\n```\n$ no\n";
    let found = [("cuff a", vec!["b".to_owned()]), ("cuff c", vec![])]
        .map(|(command, expected)| Example { command: command.to_owned(), expected });
    assert_eq!(examples(text), found);
}
