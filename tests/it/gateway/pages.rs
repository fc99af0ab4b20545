//! The pages of the skill show what the programs print: every command in them is typed in a session with a library.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::session::{Session, library, plugin};

/// A command and its output. `…` matches anything within a line, or, alone in a line, any lines.
struct Example {
    command: String,
    expected: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match line {
            "```console" => is_inside = true,
            "```" => is_inside = false,
            _ if !is_inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => found.push(Example { command: command.to_owned(), expected: Vec::new() }),
                None => found.last_mut().unwrap().expected.push(line.trim_end().to_owned()),
            },
        }
    }
    found
}

fn is_like(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn matches(expected: &[String], printed: &[&str]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, more)), _) if line == "…" => {
            matches(more, printed) || printed.split_first().is_some_and(|(_, rest)| matches(expected, rest))
        }
        (Some((line, more)), Some((first, rest))) => is_like(line, first) && matches(more, rest),
        _ => false,
    }
}

fn show(page: &Path, session: &Session) -> usize {
    let text = fs::read_to_string(page).unwrap();
    let examples = examples(&text);
    for Example { command, expected } in &examples {
        let run = session.shell(&format!("exec 2>&1\n{command}"));
        let printed: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        assert!(
            matches(expected, &printed),
            "{} says that `{command}` prints\n\n{}\n\nbut it prints\n\n{}\n",
            page.display(),
            expected.join("\n"),
            printed.join("\n")
        );
    }
    examples.len()
}

fn pages() -> Vec<PathBuf> {
    let folder = plugin().join("skills/toolscript");
    let mut pages: Vec<PathBuf> =
        fs::read_dir(folder.join("references")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.push(folder.join("SKILL.md"));
    pages.sort();
    pages
}

#[test]
fn the_pages_of_the_skill_show_what_is_printed() {
    let Some(server) = library(&[]) else { return };
    let broken = json!({"command": "/no/such/program", "args": []});
    let session = Session::with(&json!({ "library": server, "broken": broken }));
    session.start("startup").succeeded();
    let shown: usize = pages().iter().map(|page| show(page, &session)).sum();
    assert!(shown >= 20, "{shown} commands are shown");
}

/// The commands within sentences of a page, and the options of its tables as those of `exec`.
fn mentioned(text: &str) -> Vec<String> {
    let mut is_inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_inside = if line.starts_with("```") { !is_inside } else { is_inside };
        for span in line.split('`').skip(1).step_by(2).filter(|_| !is_inside) {
            match span {
                "toolscript exec -" => found.push("echo 'return 1' | toolscript exec -".to_owned()),
                "toolscript exec -f FILE.ts" => {
                    found.push("echo 'return 1' > FILE.ts && toolscript exec -f FILE.ts".to_owned());
                }
                "toolscript exec --standalone" => found.push(format!("{span} 'return 1'")),
                _ if span.starts_with("toolscript ") => found.push(span.to_owned()),
                _ if span.starts_with("--") && line.starts_with("| `") => {
                    found.push(format!("toolscript exec {span} 'return 1'"));
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn every_command_and_option_of_the_pages_works() {
    let Some(server) = library(&[]) else { return };
    let session = Session::with(&json!({ "library": server }));
    session.start("startup").succeeded();
    let texts: Vec<String> = pages().iter().map(|page| fs::read_to_string(page).unwrap()).collect();
    let mut all: Vec<String> = texts.iter().flat_map(|text| mentioned(text)).collect();
    // The session's gateway is ended and started when nothing else needs it any more.
    all.sort_by_key(|line| (line.contains("gateway start"), line.contains("gateway stop"), line.clone()));
    all.dedup();
    assert!(all.len() >= 15, "{all:?}");
    for line in &all {
        session.shell(line).succeeded();
    }
    session.shell("unset TOOLSCRIPT_GATEWAY_URL; toolscript gateway stop --all").succeeded();
}

/// A checker that finds nothing may be blind.
#[test]
fn output_that_differs_is_found() {
    let text = "```console\n$ a\none\n…\nt…o\n```\nnot this\n```console\n$ b\n```\n";
    let found = examples(text);
    assert_eq!((found.len(), found[0].command.as_str(), found[1].expected.len()), (2, "a", 0));
    let expected = &found[0].expected;
    for (printed, is_right) in [
        (&["one", "two"][..], true),
        (&["one", "x", "y", "to"], true),
        (&["one"], false),
        (&["one", "two", "three"], false),
        (&["two"], false),
    ] {
        assert_eq!(matches(expected, printed), is_right, "{printed:?}");
    }
}
